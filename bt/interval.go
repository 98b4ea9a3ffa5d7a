package bt

import (
	"fmt"
	"math"
	"slices"

	"example.com/servemath/internal/jsonout"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// IntervalOptions says how sure an interval is to be, and of what. The zero
// value, like nil, asks for 95% and takes the comparisons as independent.
type IntervalOptions struct {
	Level       float64  // confidence; 0 means 0.95
	By          []string // labels whose clusters of comparisons may depend on each other, as in [Model.Robust]; none: model-based
	SmallSample bool     // with By: the factor G/(G-1), and Student's t with G-1 degrees of freedom

	// What a ranking measures strengths from. One item with few comparisons makes
	// the average of all uncertain, and with it every standing.
	Reference     string // this item instead of the average
	ByComparisons bool   // an average in which items weigh as much as their comparisons
}

// Interval is an estimate with its confidence interval.
type Interval struct {
	Estimate, Lo, Hi, Level float64
}

// String gives the interval as "0.85 [0.80, 0.89] at 95%".
func (i Interval) String() string {
	return fmt.Sprintf("%.4g [%.4g, %.4g] at %.6g%%", i.Estimate, i.Lo, i.Hi, 100*i.Level)
}

// MarshalJSON writes an infinite end as text.
func (i Interval) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "estimate", Value: i.Estimate}, {Name: "lo", Value: i.Lo},
		{Name: "hi", Value: i.Hi}, {Name: "level", Value: i.Level},
	}.MarshalJSON()
}

// Prob returns the sigmoid of the difference of two log-strengths with its Wald
// interval on the log-odds scale. Where ties are half wins or dropped that is
// the chance that a beats b; under Davidson's model it is the chance given that
// they do not tie, and under Rao and Kupper's it is neither. It fails with
// [ErrUnknownItem], [ErrLevel], [ErrUnknownLabel] or [ErrClusters].
func (m *Model) Prob(a, b string, o *IntervalOptions) (Interval, error) {
	i, j, err := lookUpPair(m.index, a, b)
	if err != nil {
		return Interval{}, err
	}
	sp, err := m.spread(o)
	if err != nil {
		return Interval{}, err
	}
	return sp.sigmoid(m.x[i]-m.x[j], math.Sqrt(max(sp.difference(i, j), 0))), nil
}

// spread is the uncertainty that an interval is made of.
type spread struct {
	m        *Model
	level    float64
	quantile float64       // standard errors to either side
	cov      *mat.SymDense // of the log-strengths; nil: model-based, not yet needed
	origin   []float64     // weights of the items that a ranking measures from; nil: all alike
	warnings []error
}

func (m *Model) spread(o *IntervalOptions) (*spread, error) {
	opts := IntervalOptions{}
	if o != nil {
		opts = *o
	}
	level, err := checkLevel(opts.Level)
	if err != nil {
		return nil, err
	}
	sp := &spread{m: m, level: level, quantile: distuv.UnitNormal.Quantile((1 + level) / 2)}
	if sp.origin, err = m.origin(opts); err != nil || len(opts.By) == 0 {
		return sp, err
	}
	r, err := m.Robust(opts.By...)
	if err != nil {
		return nil, err
	}
	sp.cov, sp.quantile = r.interval(level, opts.SmallSample)
	sp.warnings = r.Warnings
	return sp, nil
}

// origin weighs the items as the options ask.
func (m *Model) origin(o IntervalOptions) ([]float64, error) {
	if o.Reference != "" && o.ByComparisons {
		return nil, fmt.Errorf("%w: both a reference and an average by comparisons", ErrOptions)
	}
	if o.ByComparisons {
		total := floats.Sum(m.p.weight)
		out := slices.Clone(m.p.weight)
		floats.Scale(1/total, out)
		return out, nil
	}
	if o.Reference == "" {
		return nil, nil
	}
	i, err := lookUp(m.index, o.Reference)
	if err != nil {
		return nil, err
	}
	out := make([]float64, m.p.n)
	out[i] = 1
	return out, nil
}

// difference is the variance of a difference of log-strengths. The model-based
// one needs no covariance of all items.
func (sp *spread) difference(i, j int) float64 {
	if sp.cov != nil {
		return sp.cov.At(i, i) + sp.cov.At(j, j) - 2*sp.cov.At(i, j)
	}
	x, b := make([]float64, sp.m.p.dim()), make([]float64, sp.m.p.dim())
	b[i]++
	b[j]--
	sp.m.information().solve(x, b)
	return x[i] - x[j]
}

// sigmoid maps an interval of log-odds d to the chance.
func (sp *spread) sigmoid(d, se float64) Interval {
	z := se * sp.quantile
	return Interval{Estimate: sigmoid(d), Lo: sigmoid(d - z), Hi: sigmoid(d + z), Level: sp.level}
}

// covariance of the log-strengths.
func (sp *spread) covariance() *mat.SymDense {
	if sp.cov == nil {
		sp.cov = sp.m.Covariance()
	}
	return sp.cov
}

func sigmoid(d float64) float64 {
	win, _ := chances(d)
	return win
}

func lookUp(index map[string]int32, name string) (int, error) {
	i, ok := index[name]
	if !ok {
		return 0, fmt.Errorf("%w %q", ErrUnknownItem, name)
	}
	return int(i), nil
}

func lookUpPair(index map[string]int32, a, b string) (i, j int, err error) {
	if i, err = lookUp(index, a); err != nil {
		return 0, 0, err
	}
	j, err = lookUp(index, b)
	return i, j, err
}

// checkLevel fills in 0.95 for 0.
func checkLevel(level float64) (float64, error) {
	if level == 0 {
		return 0.95, nil
	}
	if !(level > 0 && level < 1) {
		return 0, fmt.Errorf("%w: %v", ErrLevel, level)
	}
	return level, nil
}
