package bt

import "slices"

// tarjan returns the strongly connected components of a graph, sources first
// (Tarjan 1972). Its stack is a slice: a chain of many items must not exhaust
// the goroutine's.
func tarjan(next [][]int32) [][]int32 {
	t := search{
		next: next,
		seen: make([]int32, len(next)),
		low:  make([]int32, len(next)),
		done: make([]bool, len(next)),
	}
	for v := range next {
		if t.seen[v] == 0 {
			t.visit(int32(v))
		}
	}
	slices.Reverse(t.out) // the search completes sinks first
	return t.out
}

type search struct {
	next  [][]int32
	seen  []int32 // order of discovery from 1; 0: not yet
	low   []int32 // earliest open vertex that is reachable
	done  []bool
	open  []int32 // vertices of unfinished components
	path  []frame
	count int32
	out   [][]int32
}

// frame is a vertex on the current path and how many of its edges were followed.
type frame struct{ v, edge int32 }

func (t *search) visit(root int32) {
	t.enter(root)
	for len(t.path) > 0 {
		f := &t.path[len(t.path)-1]
		if int(f.edge) == len(t.next[f.v]) {
			t.leave(f.v)
			continue
		}
		w := t.next[f.v][f.edge]
		f.edge++
		switch {
		case t.seen[w] == 0:
			t.enter(w)
		case !t.done[w]:
			t.low[f.v] = min(t.low[f.v], t.seen[w])
		}
	}
}

func (t *search) enter(v int32) {
	t.count++
	t.seen[v], t.low[v] = t.count, t.count
	t.open = append(t.open, v)
	t.path = append(t.path, frame{v: v})
}

func (t *search) leave(v int32) {
	t.path = t.path[:len(t.path)-1]
	if len(t.path) > 0 {
		parent := t.path[len(t.path)-1].v
		t.low[parent] = min(t.low[parent], t.low[v])
	}
	if t.low[v] < t.seen[v] {
		return
	}
	first := t.place(v)
	for _, w := range t.open[first:] {
		t.done[w] = true
	}
	t.out = append(t.out, slices.Clone(t.open[first:]))
	t.open = t.open[:first]
}

// place finds v among the open vertices, which are in order of discovery.
func (t *search) place(v int32) int {
	k, _ := slices.BinarySearchFunc(t.open, t.seen[v], func(w, seen int32) int {
		return int(t.seen[w]) - int(seen)
	})
	return k
}
