package bt

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
