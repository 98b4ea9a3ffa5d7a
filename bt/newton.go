package bt

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// newton maximises the penalised log-likelihood.
type newton struct {
	p         *problem
	tolerance float64
	limit     int
	x         []float64 // parameters
	at        *slope    // at x
	next      []float64
	nextAt    *slope
	step      []float64
	system    *arrow
	firth     *firth // nil without a Jeffreys prior
	steps     int    // taken so far
}

func newNewton(p *problem, o Options) *newton {
	w := &newton{
		p: p, tolerance: o.Tolerance, limit: o.MaxIterations,
		x: make([]float64, p.dim()), at: newSlope(p),
		next: make([]float64, p.dim()), nextAt: newSlope(p),
		step: make([]float64, p.dim()), system: newArrow(p),
	}
	if p.jeffreys {
		w.firth = newFirth(p, w.system)
	}
	return w
}

// run goes from x to the maximum and returns the score left there.
func (w *newton) run() (float64, error) {
	w.steps = 0
	w.derive(w.x, w.at)
	score := w.p.maxScore(w.at)
	for !(score <= w.tolerance) {
		if w.steps == w.limit || math.IsNaN(score) || !w.advance(score) {
			return score, &NotConvergedError{Iterations: w.steps, MaxScore: score}
		}
		score = w.p.maxScore(w.at)
	}
	return score, nil
}

// settled is a step whose square is below rounding. Very lopsided wins meet the
// tolerance while the strengths still move.
const settled = 1e-6

// polish takes one more full step at the maximum, which squares the error, and
// further ones while they move the strengths. Under a Jeffreys prior a step
// only shrinks the error.
func (w *newton) polish(score float64) float64 {
	small := settled
	if w.firth != nil {
		small = settled * settled
	}
	for w.steps < w.limit {
		w.direction()
		w.try(1)
		polished := w.p.maxScore(w.nextAt)
		if !(polished <= score) {
			break
		}
		w.accept()
		score = polished
		if floats.Norm(w.step, math.Inf(1)) < small {
			break
		}
	}
	return score
}

// advance takes one Newton step, halved until the objective gains.
func (w *newton) advance(score float64) bool {
	w.force(score)
	w.direction()
	for size := 1.0; size > 1e-10; size /= 2 {
		w.try(size)
		if w.gains(size) {
			w.accept()
			return true
		}
	}
	return false
}

// force solves no more accurately than the step deserves (Dembo, Eisenstat and
// Steihaug 1982): the next score is about the present one times the larger of
// itself and the forcing, and need not fall far below the tolerance.
func (w *newton) force(score float64) {
	if c, ok := w.system.base.(*pcg); ok && w.p.extras() == 0 {
		c.forcing = max(min(0.1, score), 0.2*w.tolerance/score, round)
	}
}

func (w *newton) direction() {
	information := w.at
	if w.firth != nil {
		information = w.firth.information(w.at)
	}
	w.system.factor(information)
	w.system.solve(w.step, w.at.score)
}

func (w *newton) try(size float64) {
	floats.AddScaledTo(w.next, w.x, size, w.step)
	w.derive(w.next, w.nextAt)
}

func (w *newton) derive(x []float64, s *slope) {
	w.p.derive(x, s)
	if w.firth != nil {
		w.firth.derive(x, s)
	}
}

// gains says whether next is no worse than x. Short full steps always gain, and
// by concavity so does a step at whose end the objective still rises; only an
// overshoot needs the objective itself.
func (w *newton) gains(size float64) bool {
	if at := w.p.tieAt; at > 0 && w.p.ties == RaoKupper && !(w.next[at] > 0) {
		return false
	}
	if w.firth == nil && (size == 1 && w.short() || floats.Dot(w.nextAt.score, w.step) >= 0) {
		return true
	}
	before, after := w.objective(w.x, w.at), w.objective(w.next, w.nextAt)
	return after >= before-1e-13*math.Abs(before)
}

// short says whether the step changes no difference by more than 1. Each
// curvature then changes at most e-fold (its logarithm's slope is below 1), so
// that Newton's step gains at least 3 - e of the square of its length.
func (w *newton) short() bool {
	if w.p.tieAt > 0 {
		return false
	}
	extra := 0.0
	if at := w.p.orderAt; at > 0 {
		extra = math.Abs(w.step[at])
	}
	items := w.step[:w.p.n]
	return floats.Max(items)-floats.Min(items)+extra <= 1 && floats.Norm(items, math.Inf(1)) <= 1
}

func (w *newton) objective(x []float64, s *slope) float64 {
	sum := w.p.logLikelihood(x) - w.p.penalty(x)
	if w.firth != nil {
		sum += w.firth.logDet(s) / 2
	}
	return sum
}

func (w *newton) accept() {
	w.x, w.next = w.next, w.x
	w.at, w.nextAt = w.nextAt, w.at
	w.steps++
}
