package bt

import "slices"

// band orders the items so that those that met stand near each other (Cuthill
// and McKee 1969), and says whether eliminating them in that order is cheap.
// That is so for chains, ladders and seasons of neighbours, where conjugate
// gradients need most steps.
func (p *problem) band() (order []int, cheap bool) {
	const pairs, work = 8, 300 // met by an item; multiplications a pair
	if len(p.edges) > pairs*p.n {
		return nil, false
	}
	order = newWalk(p).order()
	l := &laplacian{edges: p.edges, at: make([]int, p.n)}
	for k, i := range order {
		l.at[i] = k
	}
	lengths, _ := l.lengths()
	total := 0.0
	for _, length := range lengths {
		total += float64(length) * float64(length)
	}
	return order, total <= work*float64(len(p.edges))
}

// walk visits a graph breadth first.
type walk struct {
	start []int // neighbours[start[i]:start[i+1]] are those of item i
	near  []int
	seen  []bool
}

func newWalk(p *problem) *walk {
	w := &walk{start: make([]int, p.n+1), near: make([]int, 2*len(p.edges)), seen: make([]bool, p.n)}
	for _, e := range p.edges {
		w.start[e.i+1]++
		w.start[e.j+1]++
	}
	for i := range p.n {
		w.start[i+1] += w.start[i]
	}
	next := slices.Clone(w.start)
	for _, e := range p.edges {
		w.near[next[e.i]], w.near[next[e.j]] = int(e.j), int(e.i)
		next[e.i]++
		next[e.j]++
	}
	return w
}

func (w *walk) degree(i int) int { return w.start[i+1] - w.start[i] }

// order walks each component from an item at its rim: the last one of a first
// walk.
func (w *walk) order() []int {
	var out []int
	for i := range w.seen {
		if w.seen[i] {
			continue
		}
		first := w.from(i, nil)
		for _, j := range first {
			w.seen[j] = false
		}
		out = w.from(first[len(first)-1], out)
	}
	return out
}

// from appends the items that a walk from i reaches, of equal distance those
// with few neighbours first.
func (w *walk) from(i int, out []int) []int {
	w.seen[i] = true
	out = append(out, i)
	for at := len(out) - 1; at < len(out); at++ {
		first := len(out)
		for _, j := range w.near[w.start[out[at]]:w.start[out[at]+1]] {
			if !w.seen[j] {
				w.seen[j] = true
				out = append(out, j)
			}
		}
		slices.SortStableFunc(out[first:], func(a, b int) int { return w.degree(a) - w.degree(b) })
	}
	return out
}
