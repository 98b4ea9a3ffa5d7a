package bt

import "math"

// begin fills in where the search starts.
func (m *Model) begin(x []float64) {
	p, from := m.p, m.options.Start
	p.guess(x)
	if from == nil {
		return
	}
	for i, name := range m.items {
		if j, ok := from.index[name]; ok {
			x[i] = from.x[j]
		}
	}
	if p.orderAt > 0 && from.p.orderAt > 0 {
		x[p.orderAt] = from.x[from.p.orderAt]
	}
	if p.tieAt > 0 && from.p.tieAt > 0 && p.ties == from.p.ties {
		x[p.tieAt] = from.x[from.p.tieAt]
	}
}

// guess starts from each item's odds of winning: exact for two items, and near
// for many that met each other. A prior may hold the strengths nearer together,
// so that with one the search starts from equal ones.
func (p *problem) guess(x []float64) {
	if p.tieAt > 0 {
		x[p.tieAt] = p.ties.start(min(p.tied/p.total, 0.99))
	}
	if p.grounded() || p.jeffreys || p.extras() > 0 {
		return
	}
	won, lost := make([]float64, p.n), make([]float64, p.n)
	for k, t := range p.tallies {
		e := p.edges[k]
		won[e.i], lost[e.i] = won[e.i]+t.win, lost[e.i]+t.loss
		won[e.j], lost[e.j] = won[e.j]+t.loss, lost[e.j]+t.win
	}
	for i := range p.n {
		x[i] = (math.Log(won[i]) - math.Log(lost[i])) * float64(p.n-1) / float64(p.n)
	}
	centre(x[:p.n])
}
