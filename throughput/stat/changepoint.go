package stat

import (
	"cmp"
	"fmt"

	"example.com/servemath/internal/jsonout"
)

// ChangeMethod finds the places where a series changes its level.
type ChangeMethod int

const (
	EDivisiveU       ChangeMethod = iota // energy distance, sums over n(n-1)/2 pairs: Matteson and James 2014, Apache Otava
	EDivisiveV                           // energy distance, sums over n^2 pairs: MongoDB
	OptimalPartition                     // least squares with a penalty a change: Jackson and others 2005
)

// ChangeOptions are the settings of [ChangePoints]; the zero value is ready.
type ChangeOptions struct {
	Method ChangeMethod
	// Weak and Strong are P values of Welch's test, of E-divisive only. A split is
	// taken at first when the two sides differ at Weak, and kept in the end when
	// its neighbours on both sides differ at Strong. One strict threshold from the
	// start finds nothing in a series that goes up and comes down again: the first
	// split leaves two levels on one side. 0: 0.1 and 0.001.
	Weak, Strong float64
	// MinSegment is the fewest observations between changes, 2 or more; 0: 3. Two
	// that happen to lie close together pass for a level: E-divisive then finds a
	// change in 13% of unchanged series of 40, against 6% at 3 and 3% at 4.
	MinSegment int
	Penalty    float64 // of OptimalPartition; 0: 3 sigma^2 ln n, sigma from the differences of neighbours
}

// ChangePoint is where a series changes its level.
type ChangePoint struct {
	Index         int     // the first observation of the new level
	Before, After float64 // means of the segments on either side
	P             float64 // of Welch's test between them
}

// ChangePoints returns the changes of level in a series, in order. A series too
// short to hold two segments has none.
func ChangePoints(xs []float64, o *ChangeOptions) ([]ChangePoint, error) {
	opt, err := o.defaults()
	if err != nil {
		return nil, err
	}
	if err := checkFinite("xs", xs, 1); err != nil {
		return nil, err
	}
	var at []int
	if opt.Method == OptimalPartition {
		if opt.Penalty == 0 {
			opt.Penalty = defaultPenalty(xs)
		}
		at, _ = partition(xs, opt.Penalty, opt.MinSegment)
	} else {
		at = merge(xs, splits(xs, 0, opt), opt.Strong)
	}
	out := make([]ChangePoint, len(at))
	for i, k := range at {
		before, after := around(at, i, len(xs))
		w := welch(xs[before:k], xs[k:after])
		out[i] = ChangePoint{Index: k, Before: mean(xs[before:k]), After: mean(xs[k:after]), P: w.P}
	}
	return out, nil
}

func (o *ChangeOptions) defaults() (ChangeOptions, error) {
	var out ChangeOptions
	if o != nil {
		out = *o
	}
	out.Weak = cmp.Or(out.Weak, 0.1)
	out.Strong = cmp.Or(out.Strong, 0.001)
	out.MinSegment = cmp.Or(out.MinSegment, 3)
	switch {
	case out.Method < EDivisiveU || out.Method > OptimalPartition:
		return out, fmt.Errorf("%w: ChangeMethod(%d)", ErrParameter, int(out.Method))
	case !(out.Weak > 0 && out.Weak <= 1 && out.Strong > 0 && out.Strong <= 1):
		return out, fmt.Errorf("%w: Weak = %g, Strong = %g, want up to 1", ErrParameter, out.Weak, out.Strong)
	case out.MinSegment < 2:
		return out, fmt.Errorf("%w: MinSegment = %d, want 2 or more", ErrParameter, out.MinSegment)
	case !(out.Penalty >= 0 && out.Penalty <= limit):
		return out, fmt.Errorf("%w: Penalty = %g", ErrParameter, out.Penalty)
	}
	return out, nil
}

// String gives the one-line form.
func (c ChangePoint) String() string {
	return fmt.Sprintf("at %d from %.4g to %.4g (%+.1f%%), p = %.2g", c.Index, c.Before, c.After, 100*(c.After/c.Before-1), c.P)
}

// MarshalJSON leaves out what is unknown.
func (c ChangePoint) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "index", Value: c.Index}, {Name: "before", Value: c.Before}, {Name: "after", Value: c.After}, {Name: "p", Value: c.P},
	}.MarshalJSON()
}
