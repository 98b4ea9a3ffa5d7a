package bt

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// RatioOptions steers [FitRatios].
type RatioOptions struct {
	Reference string // item whose speed is 1; empty: the geometric mean of all
}

// RatioModel says by how much items differ where a [Model] says how often: the
// log ratio of two scores of a contest is the difference of the items' log
// effects plus noise. It never changes and may be shared by goroutines.
type RatioModel struct {
	items    []string
	index    map[string]int32
	cells    []ratioCell
	labels   []map[string]string
	x        []float64     // log effects
	inverse  *mat.SymDense // of the weights of the least squares
	residual float64       // weighted sum of squares
	n        float64       // ratios
}

// FitRatios fits log ratios of scores by least squares, with the contests'
// weights. Ratios are those of [Data.AddContest]; where lower scores are better
// they are turned over, so that an effect above 0 is always better. It fails
// with [ErrNoData] without contests, [ErrUnknownItem] for the reference, an
// [*InputError] for a score that is not above 0, or a [*DisconnectedError].
func FitRatios(d *Data, o *RatioOptions) (*RatioModel, error) {
	switch {
	case d == nil || len(d.ratios.cells) == 0 && d.err == nil && d.ratios.err == nil:
		return nil, fmt.Errorf("%w: ratios need contests", ErrNoData)
	case d.err != nil:
		return nil, d.err
	case d.ratios.err != nil:
		return nil, d.ratios.err
	}
	m := &RatioModel{items: d.Items(), index: make(map[string]int32), cells: slices.Clone(d.ratios.cells), labels: d.labels.list()}
	for i, name := range m.items {
		m.index[name] = int32(i)
	}
	if err := m.solve(); err != nil {
		return nil, err
	}
	if o != nil && o.Reference != "" {
		return m, m.relativeTo(o.Reference)
	}
	return m, nil
}

// solve finds the mean-zero effects.
func (m *RatioModel) solve() error {
	n := len(m.items)
	p := &problem{n: n, weight: make([]float64, n)}
	s := &slope{}
	b := make([]float64, n)
	for i := range m.cells {
		c := &m.cells[i]
		w := c.weight * c.n
		p.edges, p.tallies = append(p.edges, edge{c.lo, c.hi}), append(p.tallies, tally{win: w})
		s.curve = append(s.curve, w)
		b[c.lo] += w * c.mean
		b[c.hi] -= w * c.mean
		p.weight[c.lo] += w
		p.weight[c.hi] += w
	}
	if groups := p.components(); groups != nil {
		return &DisconnectedError{Components: named(groups, m.items)}
	}
	a := &arrow{p: p, base: newLaplacian(p.edges, n, p.weight), b: make([]float64, n)}
	a.factor(s)
	m.x = make([]float64, n)
	a.solve(m.x, b)
	m.inverse = a.inverse()
	for i := range m.cells {
		c := &m.cells[i]
		m.n += c.n
		m.residual += c.weight * c.squares(m.x[c.lo]-m.x[c.hi])
	}
	return nil
}

// relativeTo shifts the effects, and carries the covariance along.
func (m *RatioModel) relativeTo(item string) error {
	r, ok := m.index[item]
	if !ok {
		return fmt.Errorf("%w %q", ErrUnknownItem, item)
	}
	base := m.x[r]
	for i := range m.x {
		m.x[i] -= base
	}
	m.inverse = contrasts(m.inverse, int(r))
	return nil
}

// contrasts is the covariance of differences from item r.
func contrasts(cov *mat.SymDense, r int) *mat.SymDense {
	n := cov.SymmetricDim()
	out := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			if i != r && j != r {
				out.SetSym(i, j, cov.At(i, j)-cov.At(i, r)-cov.At(j, r)+cov.At(r, r))
			}
		}
	}
	return out
}

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
	r.finish(len(by) > 1, n)
	return r, nil
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
	i, ok := m.index[a]
	if !ok {
		return Interval{}, fmt.Errorf("%w %q", ErrUnknownItem, a)
	}
	j, ok := m.index[b]
	if !ok {
		return Interval{}, fmt.Errorf("%w %q", ErrUnknownItem, b)
	}
	cov, level, quantile, err := m.spread(o)
	if err != nil {
		return Interval{}, err
	}
	v := contrasts(cov, int(j)).At(int(i), int(i))
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

// keys are cells that carry no more than the groups and the items.
func (m *RatioModel) keys() []cell {
	out := make([]cell, len(m.cells))
	for i, c := range m.cells {
		out[i].cellKey = cellKey{lo: c.lo, hi: c.hi, group: c.group}
	}
	return out
}
