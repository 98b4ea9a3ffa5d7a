package bt

import "slices"

// replica is one goroutine's copy of the problem.
type replica struct {
	p      *problem
	w      *newton
	played []bool // edges with pseudo-wins
}

func (s *sampler) newReplica() *replica {
	p := *s.m.p
	p.tallies, p.weight = make([]tally, len(p.tallies)), slices.Clone(p.weight)
	return &replica{p: &p, w: newNewton(&p, s.m.options), played: make([]bool, len(p.tallies))}
}

// fit starts at the model's own fit and returns the log-strengths, or nil when
// there is no finite fit.
func (r *replica) fit(m *Model) []float64 {
	if r.p.total == 0 || r.p.obstacle() != nil {
		return nil
	}
	w := r.w
	if m.p.tieAt > 0 && r.p.tied == 0 {
		p := *r.p // without a tie the tie parameter is at its boundary
		p.tieAt, p.orderAt = 0, 0
		p.place(m.p.orderAt > 0)
		w = newNewton(&p, m.options)
		copy(w.x, m.x[:p.n])
		if p.orderAt > 0 {
			w.x[p.orderAt] = m.x[m.p.orderAt]
		}
	} else {
		copy(w.x, m.x)
	}
	if _, err := w.run(); err != nil {
		return nil
	}
	x := slices.Clone(w.x[:r.p.n])
	if !r.p.grounded() {
		centre(x)
	}
	return x
}
