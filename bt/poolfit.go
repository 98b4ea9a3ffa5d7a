package bt

import "math"

// pooledFit is the joint likelihood: common strengths, joined by springs to the
// strengths of each group.
type pooledFit struct {
	common *Model
	part   *partition
	groups []pooledGroup
	p      *problem
	w      *newton
}

// pooledGroup is a group's items and where they stand in the joint problem.
type pooledGroup struct {
	items []int32 // of the common model
	first int     // place of the first of them
	p     *problem
}

func newPooledFit(common *Model, part *partition) *pooledFit {
	f := &pooledFit{common: common, part: part, groups: make([]pooledGroup, len(part.names))}
	cells := make([][]cell, len(part.names))
	for _, c := range common.cells {
		g := part.of[c.group]
		cells[g] = append(cells[g], c)
	}
	next := common.p.n
	for g := range f.groups {
		f.groups[g] = common.newPooledGroup(cells[g], next)
		next += len(f.groups[g].items)
	}
	f.join(next)
	f.stiffen(1)
	o := common.options
	o.MaxIterations += 100 // steps are short where a spring is stiff
	f.w = newNewton(f.p, o)
	copy(f.w.x, common.x)
	for _, g := range f.groups {
		for k, i := range g.items {
			f.w.x[g.first+k] = common.x[i]
		}
	}
	return f
}

// newPooledGroup renumbers the items that its cells name.
func (m *Model) newPooledGroup(cells []cell, first int) pooledGroup {
	g := pooledGroup{first: first}
	played, place := make([]bool, m.p.n), make([]int32, m.p.n)
	for _, c := range cells {
		played[c.lo], played[c.hi] = true, true
	}
	for i := range m.p.n {
		if played[i] {
			place[i] = int32(len(g.items))
			g.items = append(g.items, int32(i))
		}
	}
	own := make([]cell, len(cells))
	for k, c := range cells {
		c.lo, c.hi = place[c.lo], place[c.hi]
		own[k] = c
	}
	g.p = newProblem(len(g.items), own, Options{Ties: m.options.Ties})
	return g
}

// join lays the groups' comparisons and the springs out as one problem. Common
// strengths come first, so that their rows hold the springs.
func (f *pooledFit) join(n int) {
	base := f.common.p
	f.p = &problem{n: n, ties: base.ties, held: base.held, precision: base.precision, start: make([]int, n+1)}
	ends := make([][]int32, base.n) // of each common strength's springs
	for _, g := range f.groups {
		for k, i := range g.items {
			ends[i] = append(ends[i], int32(g.first+k))
		}
	}
	for i, js := range ends {
		for _, j := range js {
			f.p.edges = append(f.p.edges, edge{int32(i), j})
			f.p.tallies = append(f.p.tallies, tally{})
		}
		f.p.start[i+1] = len(f.p.edges)
	}
	f.p.springs = make([]float64, len(f.p.edges))
	for _, g := range f.groups {
		for i := range g.p.n {
			for k := g.p.start[i]; k < g.p.start[i+1]; k++ {
				e := g.p.edges[k]
				f.p.edges = append(f.p.edges, edge{int32(g.first) + e.i, int32(g.first) + e.j})
				f.p.tallies = append(f.p.tallies, g.p.tallies[k])
			}
			f.p.start[g.first+i+1] = len(f.p.edges)
		}
	}
}

// fit finds the joint mode at a standard deviation and returns the logarithm of
// the marginal likelihood there.
func (f *pooledFit) fit(sd float64) (float64, error) {
	stiff := 1 / (sd * sd)
	f.stiffen(stiff)
	if _, err := f.w.run(); err != nil {
		return 0, err
	}
	sum := f.w.objective(f.w.x, f.w.at)
	for _, g := range f.groups {
		for _, pivot := range f.inner(g, stiff).pivot {
			sum -= math.Log(pivot/stiff) / 2
		}
	}
	return sum, nil
}

// stiffen sets all springs; they weigh like comparisons.
func (f *pooledFit) stiffen(stiff float64) {
	f.p.weigh()
	for k := range f.p.springs {
		f.p.springs[k] = stiff
		f.p.weight[f.p.edges[k].i] += stiff
		f.p.weight[f.p.edges[k].j] += stiff
	}
}

// inner factors what a group's comparisons and springs say of its strengths
// when the common ones are known.
func (f *pooledFit) inner(g pooledGroup, stiff float64) *laplacian {
	n := len(g.items)
	ground := make([]float64, n)
	for i := range ground {
		ground[i] = stiff
	}
	own := newSlope(g.p)
	g.p.derive(f.w.x[g.first:g.first+n], own)
	own.ground = ground
	l := newLaplacian(g.p.edges, byWeight(g.p.weight))
	l.factor(own)
	return l
}

// search maximises the marginal likelihood over the logarithm of the standard
// deviation: on a grid, since it may have two peaks, then by golden section.
func (f *pooledFit) search() (float64, error) {
	const points = 16
	lo, hi := math.Log(minSD), math.Log(maxSD)
	step := (hi - lo) / points
	best, at := math.Inf(-1), 0
	for k := range points + 1 {
		l, err := f.fit(math.Exp(hi - step*float64(k)))
		if err != nil {
			return 0, err
		}
		if l > best {
			best, at = l, k
		}
	}
	centre := hi - step*float64(at)
	return f.golden(max(centre-step, lo), min(centre+step, hi))
}

func (f *pooledFit) golden(a, b float64) (float64, error) {
	ratio := (math.Sqrt(5) - 1) / 2
	c, d := b-ratio*(b-a), a+ratio*(b-a)
	fc, err := f.fit(math.Exp(c))
	if err != nil {
		return 0, err
	}
	fd, err := f.fit(math.Exp(d))
	for err == nil && b-a > 1e-4 {
		if fc > fd {
			b, d, fd = d, c, fc
			c = b - ratio*(b-a)
			fc, err = f.fit(math.Exp(c))
		} else {
			a, c, fc = c, d, fd
			d = a + ratio*(b-a)
			fd, err = f.fit(math.Exp(d))
		}
	}
	return math.Exp((a + b) / 2), err
}
