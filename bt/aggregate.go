package bt

import "slices"

// newProblem adds up the cells of n items as the options ask.
func newProblem(n int, cells []cell, o Options) *problem {
	p := &problem{n: n, ties: o.Ties}
	if o.Prior != nil {
		o.Prior.apply(p)
	}
	p.load(cells, o)
	if !distinct(cells) || p.ties == DropTies {
		p.merge()
	}
	if p.pseudo > 0 {
		p.addPseudoWins()
	}
	p.weigh()
	p.place(o.OrderEffect)
	return p
}

// distinct says whether no two cells belong to one edge.
func distinct(cells []cell) bool {
	for k := range cells {
		a, b := &cells[k], &cells[0]
		if a.order != b.order || a.group != b.group || a.share != b.share || a.weight != b.weight {
			return false
		}
	}
	return true
}

// load sorts the cells by their lower item in one counting pass.
func (p *problem) load(cells []cell, o Options) {
	p.edges, p.tallies = make([]edge, len(cells)), make([]tally, len(cells))
	if o.OrderEffect {
		p.order = make([]float64, len(cells))
	}
	p.start = make([]int, p.n+1)
	for k := range cells {
		p.start[cells[k].lo+1]++
	}
	for i := range p.n {
		p.start[i+1] += p.start[i]
	}
	next := slices.Clone(p.start)
	for k := range cells {
		c := &cells[k]
		at := next[c.lo]
		next[c.lo]++
		p.edges[at], p.tallies[at] = edge{c.lo, c.hi}, c.tally(o.Ties)
		if o.OrderEffect {
			p.order[at] = float64(c.order)
		}
	}
}

// tally splits each comparison into a win and a loss by its share.
func (c *cell) tally(ties TieModel) tally {
	most, rest := c.weight*c.share, c.weight*(1-c.share)
	t := tally{win: most*c.win + rest*c.loss, loss: most*c.loss + rest*c.win}
	switch half := c.weight * c.tie / 2; ties {
	case HalfWin:
		t.win, t.loss = t.win+half, t.loss+half
	case Davidson, RaoKupper:
		t.tie = c.weight * c.tie
	}
	return t
}

// merge adds up what belongs to one edge, and drops edges without comparisons.
func (p *problem) merge() {
	at := make([]int, 3*p.n) // by order and j: one more than the place of the present i's edge
	out := 0
	for i := range p.n {
		first := out
		from, to := p.start[i], p.start[i+1]
		p.start[i] = out
		for k := from; k < to; k++ {
			if p.tallies[k].total() == 0 {
				continue
			}
			slot := &at[p.slot(k)]
			if *slot <= first {
				p.move(out, k)
				out++
				*slot = out
				continue
			}
			p.tallies[*slot-1].add(p.tallies[k])
		}
	}
	p.start[p.n] = out
	p.edges, p.tallies = p.edges[:out], p.tallies[:out]
	if p.order != nil {
		p.order = p.order[:out]
	}
}

// slot numbers edge k among those of its item i.
func (p *problem) slot(k int) int {
	if p.order == nil {
		return int(p.edges[k].j)
	}
	return int(p.order[k]+1)*p.n + int(p.edges[k].j)
}

func (p *problem) move(to, from int) {
	p.edges[to], p.tallies[to] = p.edges[from], p.tallies[from]
	if p.order != nil {
		p.order[to] = p.order[from]
	}
}

func (t *tally) add(o tally) {
	t.win, t.loss, t.tie = t.win+o.win, t.loss+o.loss, t.tie+o.tie
}

// addPseudoWins adds wins each way to every pair that was played: in any order,
// as far as the order effect goes.
func (p *problem) addPseudoWins() {
	pseudo := tally{win: p.pseudo, loss: p.pseudo}
	if p.order == nil {
		for k := range p.tallies {
			p.tallies[k].add(pseudo)
		}
		return
	}
	extra := &problem{n: p.n, start: make([]int, p.n+1)}
	for i := range p.n {
		extra.addRow(p, p.start[i], p.start[i+1], pseudo)
		extra.start[i+1] = len(extra.edges)
	}
	p.edges, p.tallies, p.order, p.start = extra.edges, extra.tallies, extra.order, extra.start
	p.merge()
}

// addRow copies the edges of one item and adds a neutral one with tally t to
// each other item.
func (p *problem) addRow(from *problem, first, last int, t tally) {
	for k := first; k < last; k++ {
		p.edges = append(p.edges, from.edges[k], from.edges[k])
		p.tallies = append(p.tallies, from.tallies[k], tally{})
		p.order = append(p.order, from.order[k], 0)
		if !slices.Contains(from.edges[first:k], from.edges[k]) {
			p.tallies[len(p.tallies)-1] = t
		}
	}
}
