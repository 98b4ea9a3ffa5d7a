package bt

// problem is the data as a likelihood sees them: one edge for each pair of
// items (and each order, where an order effect is fitted), sorted by both ends.
// Its parameters are the n log-strengths, then the logarithm of the tie
// parameter and the order effect where they are fitted.
type problem struct {
	n       int
	ties    TieModel
	edges   []edge
	start   []int     // edges[start[i]:start[i+1]] begin at item i
	tallies []tally   // of the edges; further edges are springs
	order   []float64 // of the edges: +1 when i was placed first, -1 when j was; nil when no effect is fitted
	tieAt   int       // place of the tie parameter; 0 when it is not fitted
	orderAt int       // place of the order effect; 0 when it is not fitted

	weight []float64 // n_i: weight of an item's comparisons
	total  float64   // weight of all comparisons
	tied   float64   // of the ties
	placed float64   // of those an order effect applies to

	precision, virtual, pseudo float64 // of the priors; 0 when not given
	jeffreys                   bool
	stiffness                  float64 // of springs, which pull two log-strengths together
}

type edge struct{ i, j int32 }

// tally is the weight of an edge's outcomes, seen from i.
type tally struct{ win, loss, tie float64 }

func (t tally) total() float64 { return t.win + t.loss + t.tie }

// row is an edge before sorting.
type row struct {
	edge
	order int32
	tally
}

// newProblem adds up the cells of n items as the options ask.
func newProblem(n int, cells []cell, o Options) *problem {
	p := &problem{n: n, ties: o.Ties}
	if o.Prior != nil {
		o.Prior.apply(p)
	}
	rows := make([]row, 0, len(cells))
	for i := range cells {
		rows = append(rows, cells[i].row(o))
	}
	rows = mergeRows(sortRows(rows, n))
	if p.pseudo > 0 {
		rows = mergeRows(sortRows(addPseudoWins(rows, p.pseudo), n))
	}
	p.fill(rows, o.OrderEffect)
	p.place(o.OrderEffect)
	return p
}

// row is what a cell contributes to its edge.
func (c *cell) row(o Options) row {
	r := row{edge: edge{c.lo, c.hi}, tally: c.tally(o.Ties)}
	if o.OrderEffect {
		r.order = c.order
	}
	return r
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

// addPseudoWins adds n neutral wins each way to every pair of sorted rows.
func addPseudoWins(rows []row, n float64) []row {
	for k := range rows {
		if k == 0 || rows[k].edge != rows[k-1].edge {
			rows = append(rows, row{edge: rows[k].edge, tally: tally{win: n, loss: n}})
		}
	}
	return rows
}

// fill takes merged rows over.
func (p *problem) fill(rows []row, order bool) {
	p.edges, p.tallies = make([]edge, len(rows)), make([]tally, len(rows))
	p.start = make([]int, p.n+1)
	if order {
		p.order = make([]float64, len(rows))
	}
	for k, r := range rows {
		p.edges[k], p.tallies[k] = r.edge, r.tally
		p.start[r.i+1] = k + 1
		if order {
			p.order[k] = float64(r.order)
		}
	}
	for i := range p.n {
		p.start[i+1] = max(p.start[i], p.start[i+1])
	}
	p.weigh()
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

// mergeRows adds up neighbours of one edge and order, and drops empty rows.
func mergeRows(rows []row) []row {
	out := rows[:0]
	for _, r := range rows {
		if r.total() == 0 {
			continue
		}
		if k := len(out) - 1; k >= 0 && out[k].edge == r.edge && out[k].order == r.order {
			t := &out[k].tally
			t.win, t.loss, t.tie = t.win+r.win, t.loss+r.loss, t.tie+r.tie
			continue
		}
		out = append(out, r)
	}
	return out
}

// sortRows sorts by i, then j, then order in counting passes: linear in the rows.
func sortRows(rows []row, n int) []row {
	spare := make([]row, len(rows))
	countingSort(spare, rows, 3, func(r *row) int32 { return r.order + 1 })
	countingSort(rows, spare, n, func(r *row) int32 { return r.j })
	countingSort(spare, rows, n, func(r *row) int32 { return r.i })
	return spare
}

// countingSort copies src to dst, stably sorted by a key below n.
func countingSort(dst, src []row, n int, key func(*row) int32) {
	at := make([]int, n+1)
	for k := range src {
		at[key(&src[k])+1]++
	}
	for k := range n {
		at[k+1] += at[k]
	}
	for k := range src {
		place := &at[key(&src[k])]
		dst[*place] = src[k]
		*place++
	}
}
