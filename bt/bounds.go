package bt

// A likelihood has no maximum when it never falls along some direction: the
// items drift by x, the order effect by c, the logarithm of the tie parameter by
// t. Such a direction satisfies one inequality a kind of outcome (win of i:
// x_i - x_j + order*c >= t; tie: its absolute value <= t), and inequalities
// between two unknowns are a shortest-path problem.

// bound says x_v - x_u <= c*C + t*T for a drift C of the order effect and T of
// the tie parameter.
type bound struct {
	u, v int32
	c, t int64
}

// bounds lists what the outcomes demand of a direction. With collapse all items
// are one: a prior keeps each of them from drifting.
func (p *problem) bounds(collapse bool) []bound {
	var out []bound
	for k, t := range p.tallies {
		e, o := p.edges[k], int64(0)
		if p.order != nil {
			o = int64(p.order[k])
		}
		if collapse {
			e = edge{}
		}
		gap := int64(0)
		if p.tieAt > 0 {
			gap = 1
		}
		if t.win > 0 {
			out = append(out, bound{e.i, e.j, o, -gap})
		}
		if t.loss > 0 {
			out = append(out, bound{e.j, e.i, -o, -gap})
		}
		if t.tie > 0 {
			out = append(out, bound{e.j, e.i, -o, gap}, bound{e.i, e.j, o, gap})
		}
	}
	return out
}

// drift looks for a direction along which the tie parameter drifts (tie), and
// the order effect may (order). A cycle of bounds with a negative sum rules a
// slope of one against the other out, and all slopes on one side of it:
// stepping from cut to cut (Newton's method for a ratio) ends at a direction or
// at cuts from both sides.
func drift(n int, bounds []bound, tie, order bool) (x []int64, ok bool) {
	if !tie {
		for _, c := range []int64{1, -1} {
			if x, cycle := potentials(n, bounds, c, 0); cycle == nil {
				return x, true
			}
		}
		return nil, false
	}
	c, t, side := int64(0), int64(1), int64(0)
	for {
		x, cycle := potentials(n, bounds, c, t)
		if cycle == nil {
			return x, true
		}
		turn := sign(cycle.c)
		if !order || turn == 0 || side*turn < 0 {
			return nil, false
		}
		side, c, t = turn, -cycle.t*turn, cycle.c*turn
	}
}

func sign(x int64) int64 { return min(max(x, -1), 1) }

// potentials returns an x that satisfies all bounds at the drifts c and t
// (Bellman-Ford), or the sum of a cycle of bounds that no x can.
func potentials(n int, bounds []bound, c, t int64) (x []int64, cycle *bound) {
	x = make([]int64, n)
	from := make([]int, n) // the bound that last lowered x; -1: none
	for i := range from {
		from[i] = -1
	}
	for {
		changed := false
		for k, b := range bounds {
			if limit := x[b.u] + b.c*c + b.t*t; x[b.v] > limit {
				x[b.v], from[b.v], changed = limit, k, true
			}
		}
		if !changed {
			return x, nil
		}
		if cycle := findCycle(bounds, from); cycle != nil {
			return nil, cycle
		}
	}
}

// findCycle adds up a cycle among the bounds that last lowered each item: it
// is negative.
func findCycle(bounds []bound, from []int) *bound {
	seen := make([]int, len(from)) // walk that reached the item
	for i := range from {
		v := i
		for seen[v] == 0 && from[v] >= 0 {
			seen[v] = i + 1
			v = int(bounds[from[v]].u)
		}
		if seen[v] == i+1 && from[v] >= 0 {
			return sumCycle(bounds, from, v)
		}
	}
	return nil
}

func sumCycle(bounds []bound, from []int, start int) *bound {
	sum := new(bound)
	for v := start; ; {
		b := bounds[from[v]]
		sum.c, sum.t = sum.c+b.c, sum.t+b.t
		if v = int(b.u); v == start {
			return sum
		}
	}
}
