package bt

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// unitScore is the score of one unit comparison, its weight included, over the
// weight of all.
type unitScore struct {
	edge  edge
	order float64
	d, u  float64 // by the difference of log-strengths and the tie parameter
}

// eachScore visits every kind of outcome of every cell with the number of its
// unit comparisons.
func (m *Model) eachScore(visit func(c *cell, count float64, s unitScore)) {
	for i := range m.cells {
		c := &m.cells[i]
		for kind, count := range [...]float64{c.win, c.loss, c.tie} {
			if count > 0 {
				visit(c, count, m.unitScore(c, kind))
			}
		}
	}
}

// unitScore is that of a win (0), loss (1) or tie (2) of a cell.
func (m *Model) unitScore(c *cell, kind int) unitScore {
	p, one := m.p, c.unit(kind).tally(m.p.ties)
	s := unitScore{edge: edge{c.lo, c.hi}}
	d := m.x[c.lo] - m.x[c.hi]
	if p.orderAt > 0 {
		s.order = float64(c.order)
		d += s.order * m.x[p.orderAt]
	}
	u := 0.0
	if p.tieAt > 0 {
		u = m.x[p.tieAt]
	}
	t := p.terms(&one, d, u)
	s.d, s.u = t.d/p.total, t.u/p.total
	return s
}

// unit is a cell of one comparison: a win (0), loss (1) or tie (2).
func (c *cell) unit(kind int) *cell {
	one := &cell{cellKey: c.cellKey}
	switch kind {
	case 0:
		one.win = 1
	case 1:
		one.loss = 1
	default:
		one.tie = 1
	}
	return one
}

// addTo adds n times the score to one over all parameters.
func (s unitScore) addTo(out []float64, p *problem, n float64) {
	out[s.edge.i] += n * s.d
	out[s.edge.j] -= n * s.d
	if p.tieAt > 0 {
		out[p.tieAt] += n * s.u
	}
	if p.orderAt > 0 {
		out[p.orderAt] += n * s.order * s.d
	}
}

// clusterScores adds up the scores of each cluster.
func (m *Model) clusterScores(p *partition) [][]float64 {
	out := make([][]float64, len(p.names))
	for i := range out {
		out[i] = make([]float64, m.p.dim())
	}
	m.eachScore(func(c *cell, count float64, s unitScore) {
		s.addTo(out[p.of[c.group]], m.p, count)
	})
	return out
}

// addUnitScores adds the outer product of each unit comparison's score, and
// returns how many there are.
func (m *Model) addUnitScores(meat *mat.SymDense) int {
	n, one := 0.0, make([]float64, m.p.dim())
	m.eachScore(func(_ *cell, count float64, s unitScore) {
		n += count
		s.addTo(one, m.p, 1)
		at := s.places(m.p)
		for a, i := range at {
			for _, j := range at[a:] {
				meat.SetSym(i, j, meat.At(i, j)+count*one[i]*one[j])
			}
		}
		for _, i := range at {
			one[i] = 0
		}
	})
	return int(min(math.Round(n), math.MaxInt32))
}

// places are the parameters that a score touches.
func (s unitScore) places(p *problem) []int {
	at := []int{int(s.edge.i), int(s.edge.j)}
	if p.tieAt > 0 {
		at = append(at, p.tieAt)
	}
	if p.orderAt > 0 {
		at = append(at, p.orderAt)
	}
	return at
}
