package capacity

import (
	"fmt"

	"example.com/servemath/internal/jsonout"
)

// Limit is what set the number of people.
type Limit int

const (
	LimitSpeed   Limit = iota // the targets, or memory is not known
	LimitMemory               // the sessions that fit
	LimitTie                  // both at the same number
	LimitContext              // a session is longer than the model's window
	LimitNoLevel              // no measured level meets the targets
)

// String names the limit in one word or two.
func (l Limit) String() string {
	return name(int(l), "speed", "memory", "tie", "context too long", "no level")
}

// MarshalText writes the limit as its name.
func (l Limit) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// Basis is what turns requests at once into people.
type Basis int

// BasisMultiplier is a fixed number of people for each request in flight.
const BasisMultiplier Basis = iota

// String names the basis in one word.
func (b Basis) String() string { return name(int(b), "multiplier") }

// MarshalText writes the basis as its name.
func (b Basis) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// Capacity is how many people one configuration serves and which limit said so.
type Capacity struct {
	Users       int
	AtLeast     bool // speed set Users and its top measured level still passes
	Limit       Limit
	Speed       int // people by speed alone
	Memory      int // sessions that fit; means something with MemoryLimit.Status MemoryKnown
	MaxC        MaxC
	Low, High   int // bracket of Users; both are Users for BasisMultiplier
	Basis       Basis
	Usage       Usage
	MemoryLimit MemoryLimit
	Warnings    []error
}

// String is the figure with its plus sign, "256+", or a dash where no figure
// can be given: the context is too long or no measured level passes.
func (c Capacity) String() string {
	if c.Limit == LimitContext || c.Limit == LimitNoLevel {
		return "—"
	}
	return figure(c.Users, c.AtLeast)
}

// MarshalJSON writes the figures with stable names; a memory limit that is not
// known is left out.
func (c Capacity) MarshalJSON() ([]byte, error) {
	var memory any
	if c.MemoryLimit.Status == MemoryKnown {
		memory = c.Memory
	}
	return jsonout.Object{
		{Name: "usage", Value: c.Usage.Name},
		{Name: "users", Value: c.Users},
		{Name: "at_least", Value: c.AtLeast},
		{Name: "low_users", Value: c.Low},
		{Name: "high_users", Value: c.High},
		{Name: "limit", Value: c.Limit},
		{Name: "basis", Value: c.Basis},
		{Name: "speed_users", Value: c.Speed},
		{Name: "memory_sessions", Value: memory},
		{Name: "max_c", Value: c.MaxC},
		{Name: "explanation", Value: c.Explain()},
		{Name: "warnings", Value: c.Warnings},
	}.MarshalJSON()
}

// name is the name of an enum's value, or the bare number of an unknown one.
func name(i int, names ...string) string {
	if i < 0 || i >= len(names) {
		return fmt.Sprintf("unknown(%d)", i)
	}
	return names[i]
}
