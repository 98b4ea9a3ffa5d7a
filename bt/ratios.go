package bt

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"
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
		if err := m.relativeTo(o.Reference); err != nil {
			return nil, err
		}
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
	a := &arrow{p: p, base: newLaplacian(p.edges, byWeight(p.weight)), b: make([]float64, n)}
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
	r, err := lookUp(m.index, item)
	if err != nil {
		return err
	}
	base := m.x[r]
	for i := range m.x {
		m.x[i] -= base
	}
	m.inverse = contrasts(m.inverse, r)
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
