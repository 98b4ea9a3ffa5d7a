package kvcache

import (
	"fmt"
	"math"

	"example.com/servemath/internal/jsonout"
)

// Occupancy is how many sessions fit at once.
type Occupancy struct {
	Sessions         int   // of all DP copies; 0 unless Status is OK
	FreePerDevice    Bytes // for sessions, once weights are loaded; negative when they do not fit
	SessionPerDevice Bytes
	Status           Status
	Footprint        Footprint // of one session
	Budget           Budget    // with its defaults filled in
	Parallel         Parallel  // with its defaults filled in
	Tokens           int       // in each session
	ContextWindow    int       // the model's; 0 is unknown
}

// Status says whether sessions were counted, and if not why not.
type Status int

const (
	OK              Status = iota
	WeightsDoNotFit        // nothing is left for sessions once the weights are loaded
	ContextTooLong         // a session is longer than the model's window
)

var statusNames = [...]string{OK: "ok", WeightsDoNotFit: "weights do not fit", ContextTooLong: "context too long"}

// String names the status.
func (s Status) String() string {
	if s < OK || s > ContextTooLong {
		return fmt.Sprintf("status %d", int(s))
	}
	return statusNames[s]
}

// MarshalText writes the status as its name.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Sessions counts the sessions of n tokens that fit at once:
//
//	free     = memory x allocation x share - weights / (TP x PP)
//	sessions = floor(free / bytes of a session per device) x DP
//
// Weights that leave nothing free, and a session beyond the model's window, are
// a Status, not errors. Errors are those of [Model.Session] and [ErrBudget].
func (m *Model) Sessions(n int, b Budget, s Setup) (Occupancy, error) {
	f, err := m.Session(n, s) // before the budget: a wrong model is the greater fault
	if err != nil {
		return Occupancy{}, err
	}
	b, err = b.resolved()
	if err != nil {
		return Occupancy{}, err
	}
	p := s.Parallel.orOne()
	o := Occupancy{
		FreePerDevice: whole(b.free(p.TP * p.PP)), SessionPerDevice: f.PerDevice,
		Footprint: f, Budget: b, Parallel: p, Tokens: n, ContextWindow: m.ContextWindow,
	}
	if err := o.count(m.beyond(n)); err != nil {
		return Occupancy{}, err
	}
	return o, nil
}

// count divides, once nothing stands in the way. Weights come first: with those,
// no shorter context would help.
func (o *Occupancy) count(beyond bool) error {
	switch {
	case o.FreePerDevice <= 0:
		o.Status = WeightsDoNotFit
	case beyond:
		o.Status = ContextTooLong
	case o.SessionPerDevice == 0:
		return &ShapeError{Reason: fmt.Sprintf("a session of %d tokens keeps nothing yet: no number of them fills a memory", o.Tokens)}
	default:
		each := int64(o.FreePerDevice / o.SessionPerDevice)
		if each > math.MaxInt/int64(o.Parallel.DP) {
			return ErrOverflow
		}
		o.Sessions = int(each) * o.Parallel.DP
	}
	return nil
}

// String is the one-line form.
func (o Occupancy) String() string {
	if o.Status != OK {
		return o.Status.String()
	}
	return fmt.Sprintf("%d sessions of %d tokens", o.Sessions, o.Tokens)
}

// MarshalJSON writes stable names with units.
func (o Occupancy) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "sessions", Value: o.Sessions},
		{Name: "status", Value: o.Status},
		{Name: "tokens", Value: o.Tokens},
		{Name: "free_per_device_bytes", Value: o.FreePerDevice},
		{Name: "session_per_device_bytes", Value: o.SessionPerDevice},
		{Name: "device", Value: o.Budget.Device.Name},
		{Name: "memory_bytes", Value: o.Budget.Device.Memory},
		{Name: "allocation", Value: o.Budget.Allocation},
		{Name: "share", Value: o.Budget.Share},
		{Name: "weights_bytes", Value: o.Budget.Weights},
		{Name: "tp", Value: o.Parallel.TP},
		{Name: "pp", Value: o.Parallel.PP},
		{Name: "dp", Value: o.Parallel.DP},
		{Name: "dcp", Value: o.Parallel.DCP},
		{Name: "context_window", Value: o.ContextWindow},
		{Name: "footprint", Value: o.Footprint},
	}.MarshalJSON()
}
