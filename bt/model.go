package bt

import (
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Model is a fitted Bradley-Terry model: P(a beats b) = sigmoid of the
// difference of their log-strengths, which have mean zero. It keeps its own
// copy of the data, never changes, and may be shared by goroutines.
type Model struct {
	items         []string
	index         map[string]int32
	cells         []cell
	p             *problem
	x             []float64 // log-strengths
	at            *slope    // at x
	iterations    int
	maxScore      float64
	logLikelihood float64
	warnings      []error
}

// Items returns the items in the order of their first appearance, which is the
// order of every per-item result.
func (m *Model) Items() []string { return slices.Clone(m.items) }

// LogStrengths returns the log-strengths, of mean zero.
func (m *Model) LogStrengths() []float64 { return slices.Clone(m.x[:m.p.n]) }

// LogLikelihood is the sum over comparisons of the logarithm of the fitted
// chance of their outcome, without binomial coefficients.
func (m *Model) LogLikelihood() float64 { return m.logLikelihood }

// Iterations returns the number of Newton steps.
func (m *Model) Iterations() int { return m.iterations }

// MaxScore returns what the fit left of the score equations: the largest
// |score| of an item over the weight of its comparisons.
func (m *Model) MaxScore() float64 { return m.maxScore }

// Warnings returns what deserves a second look, or nil.
func (m *Model) Warnings() []error { return slices.Clone(m.warnings) }

// StdErrs returns the model-based standard errors of the log-strengths.
func (m *Model) StdErrs() []float64 {
	return stdErrs(m.Covariance())
}

// Covariance returns the covariance of the mean-zero log-strengths: the
// Moore-Penrose inverse of the observed information. It is n by n, computed at
// each call.
func (m *Model) Covariance() *mat.SymDense {
	return m.covariance()
}
