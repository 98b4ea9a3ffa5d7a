package bt

import "slices"

// problem is the data as a likelihood sees them: one edge for each pair of
// items (and each order, where an order effect is fitted), sorted by i.
// Its parameters are the n log-strengths, then the logarithm of the tie
// parameter and the order effect where they are fitted.
type problem struct {
	n       int
	ties    TieModel
	edges   []edge
	start   []int     // edges[start[i]:start[i+1]] begin at item i
	tallies []tally   // of the edges
	order   []float64 // of the edges: +1 when i was placed first, -1 when j was; nil when no effect is fitted
	tieAt   int       // place of the tie parameter; 0 when it is not fitted
	orderAt int       // place of the order effect; 0 when it is not fitted

	weight []float64 // n_i: weight of an item's comparisons
	total  float64   // weight of all comparisons
	tied   float64   // of the ties
	placed float64   // of those an order effect applies to

	precision, virtual, pseudo float64 // of the priors; 0 when not given
	held                       int     // items that the priors hold, from the first
	jeffreys                   bool
	springs                    []float64 // of the edges: stiffness that pulls both ends together; nil without any
}

type edge struct{ i, j int32 }

// tally is the weight of an edge's outcomes, seen from i.
type tally struct{ win, loss, tie float64 }

func (t tally) total() float64 { return t.win + t.loss + t.tie }

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

// weigh adds up the tallies.
func (p *problem) weigh() {
	if p.weight == nil {
		p.weight = make([]float64, p.n)
	}
	clear(p.weight)
	p.total, p.tied, p.placed = 0, 0, 0
	for k := range p.tallies {
		e, t := p.edges[k], p.tallies[k].total()
		p.weight[e.i] += t
		p.weight[e.j] += t
		p.total += t
		p.tied += p.tallies[k].tie
		if p.order != nil && p.order[k] != 0 {
			p.placed += t
		}
	}
}

// place numbers the parameters beside the log-strengths. Without ties the tie
// parameter is at its boundary, and what is left is the model of wins.
func (p *problem) place(order bool) {
	next := p.n
	if p.ties.estimated() && p.tied > 0 {
		p.tieAt = next
		next++
	}
	if order {
		p.orderAt = next
	}
}

// extras counts the parameters beside the log-strengths.
func (p *problem) extras() int {
	k := 0
	if p.tieAt > 0 {
		k++
	}
	if p.orderAt > 0 {
		k++
	}
	return k
}

// dim counts all parameters.
func (p *problem) dim() int { return p.n + p.extras() }
