package kvcache

import (
	"fmt"

	"example.com/servemath/internal/jsonout"
)

// Footprint is what one session keeps.
type Footprint struct {
	Session   Bytes // on all devices of one copy of the model, each head counted once
	PerDevice Bytes // on the fullest device, with what ranks copy
	// Growing grows with every token, Window stays at a window or an encoder's
	// output, State never depends on tokens, and Rounding is what the engine's
	// blocks and pages add. They sum to Session.
	Growing, Window, State, Rounding Bytes
	Parts                            []Part // sum to Session
	Warnings                         []error
}

// Part is one stream's or state's share of a session.
type Part struct {
	Group  string `json:"group"`
	Stream string `json:"stream"` // or the state
	Key    string `json:"key"`    // the config key that the group came from
	Rule   string `json:"rule"`   // how the bytes follow from n tokens
	Bytes  Bytes  `json:"bytes"`
}

// Session sizes a session of n tokens, any n >= 1. Beyond the model's window it
// still does, with the warning [ErrBeyondWindow].
//
// For each group of L layers that keep t tokens (see [TokenKind]) the bytes are
//
//	L x t x (sum over streams of heads x row(dim))  +  L x copies x (sum over states of row(values))
//
// where row is the size of a run of values in whole blocks of the format.
//
// Errors are [ErrTokens], [ErrOverflow] and [ShapeError].
func (m *Model) Session(n int, s Setup) (Footprint, error) {
	z, err := m.sizer(&s)
	if err != nil {
		return Footprint{}, err
	}
	f, err := z.size(n, make([]Part, 0, z.parts))
	if err != nil {
		return Footprint{}, err
	}
	if m.beyond(n) {
		f.Warnings = []error{fmt.Errorf("%w: %d tokens, %d in the window", ErrBeyondWindow, n, m.ContextWindow)}
	}
	return f, nil
}

func (m *Model) beyond(n int) bool { return m.ContextWindow > 0 && n > m.ContextWindow }

// String is the one-line form.
func (f Footprint) String() string {
	return fmt.Sprintf("%v a session, %v on the fullest device", f.Session, f.PerDevice)
}

// MarshalJSON writes stable names with units.
func (f Footprint) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "session_bytes", Value: f.Session},
		{Name: "per_device_bytes", Value: f.PerDevice},
		{Name: "growing_bytes", Value: f.Growing},
		{Name: "window_bytes", Value: f.Window},
		{Name: "state_bytes", Value: f.State},
		{Name: "rounding_bytes", Value: f.Rounding},
		{Name: "parts", Value: f.Parts},
		{Name: "warnings", Value: f.Warnings},
	}.MarshalJSON()
}
