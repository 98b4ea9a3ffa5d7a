package bt

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// newton maximises the concave log-likelihood.
type newton struct {
	p         *problem
	tolerance float64
	limit     int
	x         []float64 // log-strengths
	at        *slope    // at x
	next      []float64
	nextAt    *slope
	step      []float64
	factor    *laplacian
	steps     int // taken so far
}

func newNewton(p *problem, tolerance float64, limit int) *newton {
	return &newton{
		p: p, tolerance: tolerance, limit: limit,
		x: make([]float64, p.n), at: newSlope(p),
		next: make([]float64, p.n), nextAt: newSlope(p),
		step: make([]float64, p.n), factor: newLaplacian(p.n, p.weight),
	}
}

// run goes from x to the maximum and returns the score left there.
func (w *newton) run() (float64, error) {
	w.p.derive(w.x, w.at)
	score := w.p.maxScore(w.at)
	for !(score <= w.tolerance) {
		if w.steps == w.limit || math.IsNaN(score) || !w.advance() {
			return score, &NotConvergedError{Iterations: w.steps, MaxScore: score}
		}
		score = w.p.maxScore(w.at)
	}
	for w.steps < w.limit {
		better := w.polish(&score)
		if !better || floats.Norm(w.step, math.Inf(1)) < settled {
			break
		}
	}
	return score, nil
}

// settled is a step whose square is below rounding. Very lopsided wins meet the
// tolerance while the strengths still move.
const settled = 1e-6

// polish takes one more full step, which squares the error, and keeps it if it
// is no worse.
func (w *newton) polish(score *float64) bool {
	w.direction()
	w.try(1)
	polished := w.p.maxScore(w.nextAt)
	if !(polished <= *score) {
		return false
	}
	w.accept()
	*score = polished
	return true
}

// advance takes one Newton step, halved until the log-likelihood gains.
func (w *newton) advance() bool {
	w.direction()
	for size := 1.0; size > 1e-10; size /= 2 {
		w.try(size)
		if w.gains() {
			w.accept()
			return true
		}
	}
	return false
}

func (w *newton) direction() {
	w.factor.factor(w.p.edges, w.at.curve, nil)
	w.factor.solve(w.step, w.at.score)
	centre(w.step)
}

func (w *newton) try(size float64) {
	floats.AddScaledTo(w.next, w.x, size, w.step)
	w.p.derive(w.next, w.nextAt)
}

// gains says whether next is no worse than x. By concavity it is when the
// likelihood still rises there along the step; only an overshoot needs the
// likelihood itself.
func (w *newton) gains() bool {
	uphill := floats.Dot(w.nextAt.score, w.step)
	if uphill >= 0 {
		return true
	}
	before, after := w.p.logLikelihood(w.x), w.p.logLikelihood(w.next)
	return after >= before-1e-14*math.Abs(before)
}

func (w *newton) accept() {
	w.x, w.next = w.next, w.x
	w.at, w.nextAt = w.nextAt, w.at
	w.steps++
}

// centre shifts xs to mean zero.
func centre(xs []float64) {
	floats.AddConst(-floats.Sum(xs)/float64(len(xs)), xs)
}
