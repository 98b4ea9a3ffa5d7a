package capacity

import (
	"fmt"
	"math"

	"example.com/servemath/internal/jsonout"
)

// Limit is what set the number of people.
type Limit int

const (
	LimitSpeed   Limit = iota // the targets, or memory is not known
	LimitMemory               // the sessions that fit
	LimitTie                  // both at the same number
	LimitContext              // a session is longer than the model's window
	LimitNoLevel              // nothing measured meets the targets
)

// String names the limit in a word or two.
func (l Limit) String() string {
	return name(int(l), "speed", "memory", "tie", "context too long", "no level")
}

// MarshalText writes the limit as its name.
func (l Limit) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

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

	// ThinkSeconds is what the basis says; for BasisMultiplier it is implied by
	// the response measured at Max C, (multiplier-1) x response, and NaN where
	// that is not known.
	ThinkSeconds float64

	soft      *SoftMemory // took the place of the hard limit
	corrected bool        // Options.PrefillSeconds was given
	reason    string      // why nothing could be held against the targets
}

// String is the figure with its plus sign, "256+", or a dash where no figure
// can be given: the context is too long or nothing measured meets the targets.
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
		{Name: "think_seconds", Value: c.ThinkSeconds},
		{Name: "speed_users", Value: c.Speed},
		{Name: "memory_sessions", Value: memory},
		{Name: "max_c", Value: c.MaxC},
		{Name: "explanation", Value: c.Explain()},
		{Name: "warnings", Value: c.Warnings},
	}.MarshalJSON()
}

// impliedThink is the think time that makes a multiplier right at the response
// measured at Max C.
func (m MaxC) impliedThink(multiplier float64) float64 {
	for _, v := range m.Levels {
		if v.Concurrency == m.Concurrency {
			return (multiplier - 1) * v.E2ESeconds
		}
	}
	return math.NaN()
}

// name is the name of an enum's value, or the bare number of an unknown one.
func name(i int, names ...string) string {
	if i < 0 || i >= len(names) {
		return fmt.Sprintf("unknown(%d)", i)
	}
	return names[i]
}
