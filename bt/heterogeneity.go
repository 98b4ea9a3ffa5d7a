package bt

import (
	"fmt"
	"math/rand/v2"

	"example.com/servemath/internal/resample"
)

// Heterogeneity tests whether the strengths differ from one value of a label to
// the next: twice the log-likelihood that strengths of their own gain for each
// value. The groups are small and often separable, so that the statistic has no
// chi-square distribution; P comes from data simulated from the common model
// (parametric bootstrap), and DF is only for orientation. Separable groups
// enter with the least upper bound of their likelihood. Simulated comparisons
// are won or lost whole, also where data hold ties or fractions. It fails with
// [ErrUnknownLabel], [ErrClusters], [ErrOptions], or [ErrUnsupported] for
// models with a prior, an order effect or a tie parameter.
func (m *Model) Heterogeneity(by string, o *BootstrapOptions) (Test, error) {
	opts, err := o.filled()
	if err != nil {
		return Test{}, err
	}
	if m.options.Prior != nil || m.p.extras() > 0 || m.options.OrderEffect {
		return Test{}, fmt.Errorf("%w: heterogeneity of a model with a prior, an order effect or a tie parameter", ErrUnsupported)
	}
	p, err := m.partition(by)
	if err != nil {
		return Test{}, err
	}
	if err := p.several(by); err != nil {
		return Test{}, err
	}
	s := m.newStrata(p)
	lr, df, err := s.ratio(m.cells)
	if err != nil {
		return Test{}, err
	}
	t := Test{Statistic: lr, DF: df, Replicates: opts.Replicates}
	s.simulate(&t, opts)
	return t, nil
}

// strata splits cells by the value of a label.
type strata struct {
	m  *Model
	of []int // stratum of each cell
	n  int
}

func (m *Model) newStrata(p *partition) *strata {
	s := &strata{m: m, of: make([]int, len(m.cells)), n: len(p.names)}
	for i, c := range m.cells {
		s.of[i] = p.of[c.group]
	}
	return s
}

// ratio is twice the gain of strengths of their own in every stratum, with the
// number of further parameters.
func (s *strata) ratio(cells []cell) (lr float64, df int, err error) {
	parts := make([][]cell, s.n)
	for i, c := range cells {
		parts[s.of[i]] = append(parts[s.of[i]], c)
	}
	common, dfCommon, err := s.m.supremum(cells)
	if err != nil {
		return 0, 0, err
	}
	own := 0.0
	for _, part := range parts {
		l, d, err := s.m.supremum(part)
		if err != nil {
			return 0, 0, err
		}
		own += l
		df += d
	}
	return max(2*(own-common), 0), df - dfCommon, nil
}

// supremum is the least upper bound of the log-likelihood of some cells, with
// the number of differences it fits: comparisons between strong components
// become certain, and leave what each component has by itself.
func (m *Model) supremum(cells []cell) (sum float64, df int, err error) {
	p := newProblem(m.p.n, cells, m.options)
	parts := []*problem{p}
	if groups := p.strongComponents(); groups != nil {
		parts = p.restrict(groups)
	}
	for _, part := range parts {
		w := newNewton(part, m.options)
		part.guess(w.x)
		if _, err := w.run(); err != nil {
			return 0, 0, err
		}
		sum += part.logLikelihood(w.x)
	}
	return sum, p.differences(), nil
}

// differences counts the differences between items that comparisons join.
func (p *problem) differences() int {
	components := p.components()
	if components == nil {
		return p.n - 1
	}
	return p.n - len(components)
}

// restrict returns the problem within each group of more than one item.
func (p *problem) restrict(groups [][]int32) []*problem {
	group, place := make([]int, p.n), make([]int32, p.n)
	parts := make([]*problem, len(groups))
	for g, members := range groups {
		parts[g] = &problem{n: len(members), ties: p.ties, start: make([]int, len(members)+1)}
		for k, i := range members {
			group[i], place[i] = g, int32(k)
		}
	}
	for k, e := range p.edges {
		part := parts[group[e.i]]
		if group[e.i] != group[e.j] || p.tallies[k].total() == 0 {
			continue
		}
		part.edges = append(part.edges, edge{place[e.i], place[e.j]})
		part.tallies = append(part.tallies, p.tallies[k])
		part.start[place[e.i]+1] = len(part.edges)
	}
	out := parts[:0]
	for _, part := range parts {
		if part.n < 2 {
			continue
		}
		for i := range part.n {
			part.start[i+1] = max(part.start[i], part.start[i+1])
		}
		part.weigh()
		out = append(out, part)
	}
	return out
}

// simulate fills in P.
func (s *strata) simulate(t *Test, o BootstrapOptions) {
	larger, failed := make([]bool, o.Replicates), make([]bool, o.Replicates)
	resample.Each(o.Replicates, func() []cell {
		return make([]cell, len(s.m.cells))
	}, func(i int, cells []cell) {
		s.m.simulateCells(cells, resample.Rand(o.Seed, i))
		lr, _, err := s.ratio(cells)
		failed[i], larger[i] = err != nil, lr >= t.Statistic*(1-1e-9)
	})
	above := 1.0
	for i := range larger {
		if failed[i] {
			t.Failed++
		} else if larger[i] {
			above++
		}
	}
	t.P = above / float64(o.Replicates-t.Failed+1)
	if t.Failed > 0 {
		t.Warnings = append(t.Warnings, fmt.Errorf("bt: %d of %d simulated data sets could not be fitted", t.Failed, o.Replicates))
	}
}

// simulateCells draws the outcomes of all comparisons from the model.
func (m *Model) simulateCells(out []cell, rng *rand.Rand) {
	for i, c := range m.cells {
		n := c.win + c.loss
		if m.p.ties == HalfWin {
			n += c.tie
		}
		chance := sigmoid(m.x[c.lo] - m.x[c.hi])
		whole := int64(n)
		won := float64(binomial(rng, whole, chance))
		if rest := n - float64(whole); rest > 0 && rng.Float64() < chance {
			won += rest
		}
		c.share, c.win, c.loss, c.tie = 1, won, n-won, 0
		out[i] = c
	}
}
