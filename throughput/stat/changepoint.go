package stat

import (
	"fmt"
	"math"
	"slices"

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
	if out.Weak == 0 {
		out.Weak = 0.1
	}
	if out.Strong == 0 {
		out.Strong = 0.001
	}
	if out.MinSegment == 0 {
		out.MinSegment = 3
	}
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

// splits divides a series at the largest energy distance while the two sides
// differ at the weak threshold. from is the place of xs in the whole series.
func splits(xs []float64, from int, o ChangeOptions) []int {
	if len(xs) < 2*o.MinSegment {
		return nil
	}
	q := energy(xs, o.Method == EDivisiveV)
	best := o.MinSegment
	for k := best; k <= len(xs)-o.MinSegment; k++ {
		if q[k] > q[best] {
			best = k
		}
	}
	if !(welch(xs[:best], xs[best:]).P < o.Weak) {
		return nil
	}
	left, right := splits(xs[:best], from, o), splits(xs[best:], from+best, o)
	return append(append(left, from+best), right...)
}

// merge drops the weakest change again and again until all that remain are
// strong, since dropping one lengthens its neighbours' segments.
func merge(xs []float64, at []int, strong float64) []int {
	for len(at) > 0 {
		weakest, p := 0, -1.0
		for i, k := range at {
			before, after := around(at, i, len(xs))
			if w := welch(xs[before:k], xs[k:after]); w.P > p {
				weakest, p = i, w.P
			}
		}
		if p < strong {
			break
		}
		at = slices.Delete(at, weakest, weakest+1)
	}
	return at
}

// around returns the bounds of the segments beside a change.
func around(at []int, i, n int) (before, after int) {
	if i > 0 {
		before = at[i-1]
	}
	if i+1 < len(at) {
		return before, at[i+1]
	}
	return before, n
}

// energy returns the scaled energy distance between xs[:k] and xs[k:] for every
// k >= 1; the first entry is NaN. It takes n^2 steps: each k moves one observation
// from right to left.
func energy(xs []float64, vForm bool) []float64 {
	within := func(sum, n float64) float64 {
		switch {
		case vForm:
			return 2 * sum / (n * n)
		case n < 2:
			return 0
		}
		return 2 * sum / (n * (n - 1))
	}
	var left, right, cross float64 // sums of distances over unordered pairs
	for i, x := range xs {
		for _, y := range xs[i+1:] {
			right += math.Abs(x - y)
		}
	}
	q := make([]float64, len(xs))
	q[0] = math.NaN()
	for k := 1; k < len(xs); k++ {
		var toLeft, toRight float64
		for _, y := range xs[:k-1] {
			toLeft += math.Abs(xs[k-1] - y)
		}
		for _, y := range xs[k:] {
			toRight += math.Abs(xs[k-1] - y)
		}
		left, right, cross = left+toLeft, right-toRight, cross-toLeft+toRight
		n, m := float64(k), float64(len(xs)-k)
		q[k] = n * m / (n + m) * (2*cross/(n*m) - within(left, n) - within(right, m))
	}
	return q
}

// partition returns the changes that minimise the sum of squares within segments
// plus a penalty a change, by dynamic programming over the last one, and that
// minimum.
func partition(xs []float64, penalty float64, minSegment int) (at []int, cost float64) {
	n := len(xs)
	s, ss := make([]float64, n+1), make([]float64, n+1)
	for i, d := range centre(xs) { // deviations: squares of the values would cancel
		s[i+1], ss[i+1] = s[i]+d, ss[i]+d*d
	}
	squares := func(i, j int) float64 {
		d := s[j] - s[i]
		return max(0, ss[j]-ss[i]-d*d/float64(j-i))
	}
	best, last := make([]float64, n+1), make([]int, n+1)
	for j := 1; j <= n; j++ {
		best[j] = squares(0, j)
		for i := minSegment; i <= j-minSegment; i++ {
			if c := best[i] + penalty + squares(i, j); c < best[j] {
				best[j], last[j] = c, i
			}
		}
	}
	for j := last[n]; j > 0; j = last[j] {
		at = append(at, j)
	}
	slices.Reverse(at)
	return at, best[n]
}

// defaultPenalty is 3 sigma^2 ln n: BIC's 2 with one more for the place of the
// change. Sigma comes from the differences of neighbours, which changes of level
// hardly touch.
func defaultPenalty(xs []float64) float64 {
	sigma := diffSigma(xs)
	return 3 * sigma * sigma * math.Log(float64(len(xs)))
}

// diffSigma is the standard deviation of one observation from the median absolute
// deviation of the differences of neighbours.
func diffSigma(xs []float64) float64 {
	if len(xs) < 2 {
		return 0
	}
	diffs := make([]float64, len(xs)-1)
	for i := range diffs {
		diffs[i] = xs[i+1] - xs[i]
	}
	slices.Sort(diffs)
	m := median(diffs)
	for i, d := range diffs {
		diffs[i] = math.Abs(d - m)
	}
	slices.Sort(diffs)
	const toSD = 1.4826022185056018 // 1 / normal quantile of 3/4
	return toSD * median(diffs) / math.Sqrt2
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
