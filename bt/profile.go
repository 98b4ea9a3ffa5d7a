package bt

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"
)

// ProfileInterval returns the difference of two log-strengths with the interval
// of values whose profile likelihood is within a chi-square's reach of the
// maximum: honest where few wins or losses make the Wald interval too
// symmetric. It fails with [ErrUnknownItem], [ErrLevel], [ErrUnsupported] under
// a Jeffreys prior or for weights so light that the end is beyond a float64, or
// a [*NotConvergedError].
func (m *Model) ProfileInterval(a, b string, level float64) (Interval, error) {
	if !(level > 0 && level < 1) {
		return Interval{}, fmt.Errorf("%w: %v", ErrLevel, level)
	}
	i, j, err := lookUpPair(m.index, a, b)
	if err != nil {
		return Interval{}, err
	}
	if m.p.jeffreys {
		return Interval{}, fmt.Errorf("%w: profile likelihood under a Jeffreys prior", ErrUnsupported)
	}
	if i == j {
		return Interval{Level: level}, nil
	}
	out := Interval{Estimate: m.x[i] - m.x[j], Level: level}
	reach := math.Sqrt(distuv.ChiSquared{K: 1}.Quantile(level))
	if out.Lo, err = m.profileEnd(i, j, -reach); err != nil {
		return Interval{}, err
	}
	out.Hi, err = m.profileEnd(i, j, reach)
	return out, err
}

// profileEnd finds the difference at which the signed root of twice the fall in
// log-likelihood is reach. That root is nearly linear, so that Newton's method
// needs a few steps.
func (m *Model) profileEnd(i, j int, reach float64) (float64, error) {
	pr := m.newProfile(i, j)
	at := m.x[i] - m.x[j]
	near, far := at, math.Copysign(math.Inf(1), reach) // the end lies between
	d := at + reach*math.Sqrt(pr.variance)
	for range 60 {
		slope, err := pr.maximise(d)
		if err != nil {
			return 0, err
		}
		floats.SubTo(pr.moved, pr.w.x, m.x)
		root := math.Copysign(math.Sqrt(2*max(-m.p.gain(m.x, pr.moved), 0)), reach)
		if math.Abs(root-reach) <= 1e-10 {
			return d, nil
		}
		if math.IsNaN(root) || math.IsNaN(slope) {
			break
		}
		if math.Abs(root) < math.Abs(reach) {
			near = d
		} else {
			far = d
		}
		// The slope of the root is -slope/root.
		next := d - (root-reach)*root/-slope
		if !between(next, near, far) {
			next = middle(near, far, at)
		}
		if next == d {
			return d, nil // as near as a float64 comes
		}
		d = next
	}
	return 0, fmt.Errorf("%w: the profile interval of %q and %q has no end that a float64 can tell", ErrUnsupported, m.items[i], m.items[j])
}

func between(x, a, b float64) bool { return min(a, b) < x && x < max(a, b) }

// middle halves the bracket, or doubles the distance from the estimate while
// the bracket is open.
func middle(near, far, at float64) float64 {
	if math.IsInf(far, 0) {
		return at + 2*(near-at)
	}
	return near + (far-near)/2
}

// profile maximises the likelihood with the difference of two log-strengths held.
type profile struct {
	w            *newton
	held         []float64 // +1 and -1 at the two items
	pull, ascent []float64 // the inverse information of held, and of the score
	moved        []float64 // from the estimate
	variance     float64   // of the difference at the estimate
}

func (m *Model) newProfile(i, j int) *profile {
	w := newNewton(m.p, m.options)
	copy(w.x, m.x)
	dim := m.p.dim()
	pr := &profile{w: w, held: make([]float64, dim), pull: make([]float64, dim), ascent: make([]float64, dim), moved: make([]float64, dim)}
	pr.held[i], pr.held[j] = 1, -1
	w.derive(w.x, w.at)
	w.system.factor(w.at)
	w.system.solve(pr.pull, pr.held)
	pr.variance = floats.Dot(pr.pull, pr.held)
	return pr
}

// maximise moves to the maximum at the difference d and returns the slope of
// the profile log-likelihood there.
func (pr *profile) maximise(d float64) (slope float64, err error) {
	w := pr.w
	pr.shift(d - floats.Dot(pr.held, w.x))
	for range w.limit {
		w.system.factor(w.at)
		w.system.solve(pr.pull, pr.held)
		w.system.solve(pr.ascent, w.at.score)
		slope = floats.Dot(pr.held, pr.ascent) / floats.Dot(pr.held, pr.pull)
		floats.AddScaledTo(w.step, pr.ascent, -slope, pr.pull)
		if floats.Dot(w.at.score, w.step) <= 1e-13 {
			return slope, nil
		}
		if !pr.advance() {
			return slope, nil // no gain left beyond rounding
		}
	}
	return 0, &NotConvergedError{Iterations: w.limit, MaxScore: w.p.maxScore(w.at)}
}

// shift moves the difference by gap, along the ridge of the likelihood if that
// stays inside the parameters' range.
func (pr *profile) shift(gap float64) {
	w := pr.w
	floats.AddScaled(w.x, gap/floats.Dot(pr.held, pr.pull), pr.pull)
	if at := w.p.tieAt; at > 0 && w.p.ties == RaoKupper && !(w.x[at] > 0) {
		floats.AddScaled(w.x, -gap/floats.Dot(pr.held, pr.pull), pr.pull)
		floats.AddScaled(w.x, gap/2, pr.held)
	}
	w.derive(w.x, w.at)
}

func (pr *profile) advance() bool {
	for size := 1.0; size > 1e-10; size /= 2 {
		pr.w.try(size)
		if pr.w.gains(size) {
			pr.w.accept()
			return true
		}
	}
	return false
}
