package bt

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"example.com/servemath/internal/jsonout"
	"gonum.org/v1/gonum/mat"
)

// Model is a fitted Bradley-Terry model. It keeps its own copy of the data,
// never changes, and may be shared by goroutines.
type Model struct {
	items         []string
	index         map[string]int32
	cells         []cell
	labels        []map[string]string // the sets that cells number
	options       Options
	p             *problem
	x             []float64 // parameters
	at            *slope    // at x
	iterations    int
	maxScore      float64
	logLikelihood float64
	warnings      []error
}

// Items returns the items in the order of their first appearance, which is the
// order of every per-item result.
func (m *Model) Items() []string { return slices.Clone(m.items) }

// LogStrengths returns the log-strengths, of mean zero; with a [VirtualPlayer]
// they are relative to that player.
func (m *Model) LogStrengths() []float64 { return slices.Clone(m.x[:m.p.n]) }

// StdErrs returns the model-based standard errors of the log-strengths.
func (m *Model) StdErrs() []float64 { return stdErrs(m.Covariance()) }

// Covariance returns the covariance of the log-strengths: the inverse of the
// observed information, with a prior's where there is one (but without that of
// [Jeffreys]), or its Moore-Penrose inverse on mean-zero vectors. It is n by n
// and computed at each call, by one solve an item: 800 MB at 10,000 items.
func (m *Model) Covariance() *mat.SymDense {
	return m.itemBlock(m.information().inverse())
}

// LogLikelihood is the sum over comparisons of the logarithm of the fitted
// chance of their outcome, without binomial coefficients. Priors are not part
// of it, except [PseudoWins], which are data.
func (m *Model) LogLikelihood() float64 { return m.logLikelihood }

// Iterations returns the number of Newton steps.
func (m *Model) Iterations() int { return m.iterations }

// MaxScore returns what the fit left of the score equations: the largest
// |score| of an item over the weight of its comparisons.
func (m *Model) MaxScore() float64 { return m.maxScore }

// Warnings returns what deserves a second look, or nil.
func (m *Model) Warnings() []error { return slices.Clone(m.warnings) }

// TieParameter returns Davidson's nu or Rao and Kupper's kappa, at its boundary
// (0 or 1) when there was no tie, and NaN when none is fitted.
func (m *Model) TieParameter() float64 {
	if m.p.tieAt > 0 {
		return math.Exp(m.x[m.p.tieAt])
	}
	return m.p.ties.boundary()
}

// TieStdErr returns the standard error of the logarithm of the tie parameter,
// NaN when none is fitted or it is at its boundary.
func (m *Model) TieStdErr() float64 { return m.extraStdErr(m.p.tieAt) }

// Order returns the advantage in log-strength of the item placed first and its
// standard error, both NaN when none is fitted.
func (m *Model) Order() (estimate, stdErr float64) {
	if m.p.orderAt == 0 {
		return math.NaN(), math.NaN()
	}
	return m.x[m.p.orderAt], m.extraStdErr(m.p.orderAt)
}

// extraStdErr is the standard error of a parameter beside the log-strengths.
func (m *Model) extraStdErr(at int) float64 {
	if at == 0 {
		return math.NaN()
	}
	return math.Sqrt(m.information().schur[at-m.p.n][at-m.p.n])
}

// String gives the log-strengths.
func (m *Model) String() string {
	var b strings.Builder
	for i, name := range m.items {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s %.3f", name, m.x[i])
	}
	return b.String()
}

// MarshalJSON leaves out what is not fitted. For standard errors and intervals
// marshal a ranking.
func (m *Model) MarshalJSON() ([]byte, error) {
	order, orderStdErr := m.Order()
	var prior any
	if m.options.Prior != nil {
		prior = m.options.Prior.describe()
	}
	return jsonout.Object{
		{Name: "items", Value: m.items}, {Name: "log_strengths", Value: m.LogStrengths()},
		{Name: "ties", Value: m.options.Ties.String()}, {Name: "prior", Value: prior},
		{Name: "tie_parameter", Value: m.TieParameter()}, {Name: "log_tie_parameter_std_err", Value: m.TieStdErr()},
		{Name: "order_effect", Value: order}, {Name: "order_effect_std_err", Value: orderStdErr},
		{Name: "log_likelihood", Value: m.logLikelihood}, {Name: "iterations", Value: m.iterations},
		{Name: "max_score", Value: m.maxScore}, {Name: "warnings", Value: m.warnings},
	}.MarshalJSON()
}
