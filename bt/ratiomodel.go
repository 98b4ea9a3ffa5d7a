package bt

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"example.com/servemath/internal/jsonout"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Items returns the items in the order of their first appearance.
func (m *RatioModel) Items() []string { return slices.Clone(m.items) }

// LogEffects returns the items' log effects, of mean zero or relative to the
// reference.
func (m *RatioModel) LogEffects() []float64 { return slices.Clone(m.x) }

// N returns the number of ratios.
func (m *RatioModel) N() float64 { return m.n }

// DF returns the degrees of freedom that the effects leave of them.
func (m *RatioModel) DF() float64 { return m.n - float64(len(m.items)-1) }

// ResidualSD returns the standard deviation of a log ratio of weight 1 around
// the fit; NaN without degrees of freedom.
func (m *RatioModel) ResidualSD() float64 {
	if m.DF() <= 0 {
		return math.NaN()
	}
	return math.Sqrt(m.residual / m.DF())
}

// Covariance returns that of ordinary least squares for the log effects.
func (m *RatioModel) Covariance() *mat.SymDense {
	out := mat.NewSymDense(len(m.items), nil)
	sd := m.ResidualSD()
	out.ScaleSym(sd*sd, m.inverse)
	return out
}

// StdErrs returns the standard errors of ordinary least squares.
func (m *RatioModel) StdErrs() []float64 { return stdErrs(m.Covariance()) }

// Robust returns the sandwich covariance of the log effects, as [Model.Robust]
// does of log-strengths. Two ratios of a contest share a score, so that clusters
// of one contest are the least to ask for.
func (m *RatioModel) Robust(by ...string) (*Robust, error) {
	n := len(m.items)
	r := &Robust{Clusters: math.MaxInt}
	meat := mat.NewSymDense(n, nil)
	split := func(by ...string) (*partition, error) { return partitionCells(m.keys(), m.labels, m.items, by...) }
	err := eachWay(by, split, func(sign float64, p *partition) {
		if p == nil {
			r.Clusters = m.addUnitScores(meat)
			return
		}
		if sign > 0 {
			r.Clusters = min(r.Clusters, len(p.names))
		}
		for _, s := range m.clusterScores(p) {
			meat.SymRankOne(meat, sign, mat.NewVecDense(n, s))
		}
	})
	if err != nil {
		return nil, err
	}
	r.Cov = sandwich(m.inverse, meat)
	return r.finish(len(by) > 1, n)
}

func (m *RatioModel) addUnitScores(meat *mat.SymDense) int {
	for i := range m.cells {
		c := &m.cells[i]
		q := c.weight * c.weight * c.squares(m.x[c.lo]-m.x[c.hi])
		lo, hi := int(c.lo), int(c.hi)
		meat.SetSym(lo, lo, meat.At(lo, lo)+q)
		meat.SetSym(hi, hi, meat.At(hi, hi)+q)
		meat.SetSym(lo, hi, meat.At(lo, hi)-q)
	}
	return int(m.n)
}

func (m *RatioModel) clusterScores(p *partition) [][]float64 {
	out := make([][]float64, len(p.names))
	for i := range out {
		out[i] = make([]float64, len(m.items))
	}
	for i := range m.cells {
		c := &m.cells[i]
		g := c.weight * c.n * (c.mean - (m.x[c.lo] - m.x[c.hi]))
		s := out[p.of[c.group]]
		s[c.lo] += g
		s[c.hi] -= g
	}
	return out
}

// Ratios returns each item's speed with its interval, relative to the geometric
// mean or the reference, in Items order. Model-based intervals take Student's t
// with DF degrees of freedom.
func (m *RatioModel) Ratios(o *IntervalOptions) ([]Interval, error) {
	cov, level, quantile, err := m.spread(o)
	if err != nil {
		return nil, err
	}
	out := make([]Interval, len(m.items))
	for i, x := range m.x {
		out[i] = ratioInterval(x, math.Sqrt(cov.At(i, i))*quantile, level)
	}
	return out, nil
}

// Ratio returns how many times better a is than b, with its interval.
func (m *RatioModel) Ratio(a, b string, o *IntervalOptions) (Interval, error) {
	i, j, err := lookUpPair(m.index, a, b)
	if err != nil {
		return Interval{}, err
	}
	cov, level, quantile, err := m.spread(o)
	if err != nil {
		return Interval{}, err
	}
	v := contrasts(cov, j).At(i, i)
	return ratioInterval(m.x[i]-m.x[j], math.Sqrt(max(v, 0))*quantile, level), nil
}

func ratioInterval(x, half, level float64) Interval {
	return Interval{Estimate: math.Exp(x), Lo: math.Exp(x - half), Hi: math.Exp(x + half), Level: level}
}

func (m *RatioModel) spread(o *IntervalOptions) (cov *mat.SymDense, level, quantile float64, err error) {
	opts := IntervalOptions{}
	if o != nil {
		opts = *o
	}
	if level, err = checkLevel(opts.Level); err != nil {
		return nil, 0, 0, err
	}
	if len(opts.By) > 0 {
		r, err := m.Robust(opts.By...)
		if err != nil {
			return nil, 0, 0, err
		}
		cov, quantile = r.interval(level, opts.SmallSample)
		return cov, level, quantile, nil
	}
	quantile = math.NaN()
	if m.DF() > 0 {
		quantile = distuv.StudentsT{Sigma: 1, Nu: m.DF()}.Quantile((1 + level) / 2)
	}
	return m.Covariance(), level, quantile, nil
}

// String gives each item's speed, relative to the geometric mean or the reference.
func (m *RatioModel) String() string {
	parts := make([]string, len(m.items))
	for i, name := range m.items {
		parts[i] = fmt.Sprintf("%s %.3fx", name, math.Exp(m.x[i]))
	}
	return strings.Join(parts, ", ")
}

// MarshalJSON leaves out the spread where no degrees of freedom are left. For
// intervals marshal the ratios.
func (m *RatioModel) MarshalJSON() ([]byte, error) {
	out := jsonout.Object{{Name: "items", Value: m.items}, {Name: "log_effects", Value: m.x}}
	if m.DF() > 0 {
		out = append(out, jsonout.Field{Name: "std_errs", Value: m.StdErrs()})
	}
	return append(out, jsonout.Field{Name: "ratios", Value: m.n}, jsonout.Field{Name: "df", Value: m.DF()},
		jsonout.Field{Name: "residual_sd", Value: m.ResidualSD()}).MarshalJSON()
}

// keys are cells that carry no more than the groups and the items.
func (m *RatioModel) keys() []cell {
	out := make([]cell, len(m.cells))
	for i, c := range m.cells {
		out[i].cellKey = cellKey{lo: c.lo, hi: c.hi, group: c.group}
	}
	return out
}
