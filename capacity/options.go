package capacity

import "fmt"

// Options of the queueing model; nil and zero fields mean the defaults. The
// published rule uses none of them.
type Options struct {
	Slots          int           // requests served at once, the rest queue; 0 or above the highest measured level: that level
	Interpolation  Interpolation // between measured levels
	PrefillSeconds float64       // machine time one prefill needs, for [Point.TTFTRandomSeconds] and mean TTFT targets; 0: no correction
	Confidence     float64       // joint, of the bracket where levels carry standard errors; 0: 0.95
	Soft           *SoftMemory   // users beyond the cache recompute it; nil: not modelled
}

// Interpolation fills TTFT and time per output token between measured levels.
// Below the first level its values hold, and nothing is ever extrapolated above
// the highest.
type Interpolation int

const (
	Linear   Interpolation = iota // straight lines; exact for a step time that grows linearly with the batch
	Monotone                      // piecewise cubic without overshoot (Fritsch and Butland 1984)
	StepUp                        // the next level up: pessimistic where figures worsen with load
	StepDown                      // the next level down: optimistic there
)

// String names the interpolation.
func (i Interpolation) String() string {
	return name(int(i), "linear", "monotone", "step up", "step down")
}

// resolve returns the options with every default applied.
func (o *Options) resolve() (Options, error) {
	r := Options{}
	if o != nil {
		r = *o
	}
	if r.Confidence == 0 {
		r.Confidence = 0.95
	}
	switch {
	case r.Slots < 0:
		return r, fmt.Errorf("%w: Slots: %d is negative", ErrOptions, r.Slots)
	case r.Interpolation < Linear || r.Interpolation > StepDown:
		return r, fmt.Errorf("%w: Interpolation: %d is unknown", ErrOptions, r.Interpolation)
	case !seconds(r.PrefillSeconds):
		return r, fmt.Errorf("%w: PrefillSeconds: %v is not a time", ErrOptions, r.PrefillSeconds)
	case !(r.Confidence > 0 && r.Confidence < 1):
		return r, fmt.Errorf("%w: Confidence: %v is not between 0 and 1", ErrOptions, r.Confidence)
	}
	if r.Soft != nil {
		return r, r.Soft.check()
	}
	return r, nil
}
