package bt

// problem is the data as a likelihood sees them: one edge for each pair of
// items (and each order, where an order effect is fitted), sorted by both ends.
type problem struct {
	n       int // items
	edges   []edge
	tallies []tally   // of the edges
	weight  []float64 // n_i: weight of an item's comparisons
}

type edge struct{ i, j int32 }

// tally is the weight of an edge's outcomes, seen from i.
type tally struct{ win, loss, tie float64 }

func (t tally) total() float64 { return t.win + t.loss + t.tie }

// newProblem adds up the cells of n items.
func newProblem(n int, cells []cell) *problem {
	rows := make([]row, 0, len(cells))
	for i := range cells {
		c := &cells[i]
		rows = append(rows, row{edge{c.lo, c.hi}, c.tally()})
	}
	return (&problem{n: n}).fill(sortRows(rows, n))
}

// tally is what a cell contributes: each comparison is split into a win and a
// loss by its share, and a tie is half of both.
func (c *cell) tally() tally {
	most, rest := c.weight*c.share, c.weight*(1-c.share)
	half := c.weight * c.tie / 2
	return tally{win: most*c.win + rest*c.loss + half, loss: most*c.loss + rest*c.win + half}
}

type row struct {
	edge
	tally
}

// fill merges sorted rows.
func (p *problem) fill(rows []row) *problem {
	p.edges, p.tallies = make([]edge, 0, len(rows)), make([]tally, 0, len(rows))
	p.weight = make([]float64, p.n)
	for _, r := range rows {
		total := r.total()
		if total == 0 {
			continue
		}
		p.weight[r.i] += total
		p.weight[r.j] += total
		if k := len(p.edges) - 1; k >= 0 && p.edges[k] == r.edge {
			t := &p.tallies[k]
			t.win, t.loss, t.tie = t.win+r.win, t.loss+r.loss, t.tie+r.tie
			continue
		}
		p.edges = append(p.edges, r.edge)
		p.tallies = append(p.tallies, r.tally)
	}
	return p
}

// sortRows sorts by i, then j, in two counting passes: linear in the rows.
func sortRows(rows []row, n int) []row {
	spare := make([]row, len(rows))
	countingSort(spare, rows, n, func(r *row) int32 { return r.j })
	countingSort(rows, spare, n, func(r *row) int32 { return r.i })
	return rows
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
