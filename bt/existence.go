package bt

import (
	"maps"
	"slices"
)

// exists returns nil when the penalised likelihood has one finite maximum. For
// wins alone that is when every item can be reached from every other along wins
// (Ford 1957). A tie parameter and an order effect can drift where the items
// are held, and so need conditions of their own.
func (p *problem) exists(items []string) error {
	if !p.grounded() {
		if groups := p.components(); len(groups) > 1 {
			return &DisconnectedError{Components: named(groups, items)}
		}
	}
	if p.jeffreys {
		return p.identified(items)
	}
	if !p.grounded() {
		if groups := p.strongComponents(); len(groups) > 1 {
			err := p.separable(named(groups, items), items)
			err.Reason = err.plainReason()
			return err
		}
	}
	return p.bounded(items)
}

// bounded checks the directions that move the tie parameter or the order effect.
func (p *problem) bounded(items []string) error {
	if p.extras() == 0 {
		return nil
	}
	bounds := p.bounds(p.grounded())
	if p.tieAt > 0 {
		if x, ok := drift(p.n, bounds, true, p.orderAt > 0); ok {
			return p.drifting(x, items, p.tieReason())
		}
	}
	if p.orderAt > 0 {
		if x, ok := drift(p.n, bounds, false, true); ok {
			return p.drifting(x, items, p.orderReason())
		}
	}
	return nil
}

func (p *problem) tieReason() string {
	switch {
	case p.tied == p.total:
		return "every comparison is a tie, so nothing bounds the tie parameter"
	case p.orderAt > 0:
		return "strengths and an order effect exist under which every win is a gap beyond all ties, so nothing bounds the tie parameter"
	}
	return "strengths exist under which every win is a gap beyond all ties, so nothing bounds the tie parameter"
}

func (p *problem) orderReason() string {
	if p.placed == 0 {
		return "no comparison says which item was placed first, so nothing bounds the order effect"
	}
	return "strengths exist under which the order alone decides what they leave open, so nothing bounds the order effect"
}

// identified checks what the Jeffreys prior leaves open: an order effect that
// shifts of the strengths imitate.
func (p *problem) identified(items []string) error {
	if p.orderAt == 0 {
		return nil
	}
	var bounds []bound
	for k, e := range p.edges {
		o := int64(p.order[k])
		bounds = append(bounds, bound{e.i, e.j, o, 0}, bound{e.j, e.i, -o, 0})
	}
	if x, ok := drift(p.n, bounds, false, true); ok {
		return p.drifting(x, items, p.orderReason())
	}
	return nil
}

// drifting groups the items by how far they drift.
func (p *problem) drifting(x []int64, items []string, reason string) error {
	at := make(map[int64][]int32)
	for i, xi := range x {
		at[xi] = append(at[xi], int32(i))
	}
	var groups [][]int32
	for _, xi := range slices.Backward(slices.Sorted(maps.Keys(at))) {
		groups = append(groups, at[xi])
	}
	err := p.separable(named(groups, items), items)
	err.Reason = reason
	return err
}

// components are the items that comparisons join, by first item.
func (p *problem) components() [][]int32 {
	sets := newDisjoint(p.n)
	for k, t := range p.tallies {
		if t.total() > 0 {
			sets.join(p.edges[k].i, p.edges[k].j)
		}
	}
	return sets.groups()
}

// strongComponents are the items that wins join in both directions, best first:
// no item has lost to one of a later group. Pairs that beat each other are
// or tied are joined at once, so that Tarjan's search runs on what little is
// left.
func (p *problem) strongComponents() [][]int32 {
	sets := newDisjoint(p.n)
	for k, t := range p.tallies {
		if t.tie > 0 || t.win > 0 && t.loss > 0 {
			sets.join(p.edges[k].i, p.edges[k].j)
		}
	}
	groups := sets.groups()
	if len(groups) == 1 {
		return groups
	}
	var out [][]int32
	for _, c := range tarjan(p.defeats(groups)) {
		var members []int32
		for _, g := range c {
			members = append(members, groups[g]...)
		}
		slices.Sort(members)
		out = append(out, members)
	}
	return out
}

// defeats lists for each group those it beat.
func (p *problem) defeats(groups [][]int32) [][]int32 {
	number := make([]int32, p.n)
	for g, members := range groups {
		for _, i := range members {
			number[i] = int32(g)
		}
	}
	beats := make([][]int32, len(groups))
	for k, t := range p.tallies {
		winner, loser := number[p.edges[k].i], number[p.edges[k].j]
		if winner == loser || t.total() == 0 {
			continue
		}
		if t.loss > 0 {
			winner, loser = loser, winner
		}
		beats[winner] = append(beats[winner], loser)
	}
	return beats
}

// separable names the items at the ends. Half wins are wins here, and fitted
// ties neither wins nor losses.
func (p *problem) separable(groups [][]string, items []string) *SeparableError {
	won, lost := make([]bool, p.n), make([]bool, p.n)
	for k, t := range p.tallies {
		e := p.edges[k]
		won[e.i], lost[e.j] = won[e.i] || t.win > 0, lost[e.j] || t.win > 0
		won[e.j], lost[e.i] = won[e.j] || t.loss > 0, lost[e.i] || t.loss > 0
	}
	err := &SeparableError{Groups: groups}
	for i, name := range items {
		if !lost[i] {
			err.Undefeated = append(err.Undefeated, name)
		}
		if !won[i] {
			err.Winless = append(err.Winless, name)
		}
	}
	return err
}

// plainReason explains a win graph that is not strongly connected.
func (e *SeparableError) plainReason() string {
	switch {
	case len(e.Undefeated) > 0 && len(e.Winless) > 0:
		return joinNames(e.Undefeated) + " never lost and " + joinNames(e.Winless) + " never won"
	case len(e.Undefeated) > 0:
		return joinNames(e.Undefeated) + " never lost"
	case len(e.Winless) > 0:
		return joinNames(e.Winless) + " never won"
	}
	return "one group of items never lost to the rest"
}

func named(groups [][]int32, items []string) [][]string {
	out := make([][]string, len(groups))
	for g, members := range groups {
		for _, i := range members {
			out[g] = append(out[g], items[i])
		}
	}
	return out
}

// disjoint is a union-find forest over items.
type disjoint struct {
	parent []int32
}

func newDisjoint(n int) *disjoint {
	parent := make([]int32, n)
	for i := range parent {
		parent[i] = int32(i)
	}
	return &disjoint{parent}
}

func (d *disjoint) find(i int32) int32 {
	for d.parent[i] != i {
		d.parent[i] = d.parent[d.parent[i]]
		i = d.parent[i]
	}
	return i
}

// join keeps the smaller root, so that a set is named after its first item.
func (d *disjoint) join(i, j int32) {
	i, j = d.find(i), d.find(j)
	d.parent[max(i, j)] = min(i, j)
}

// groups lists the sets by first item, each in item order.
func (d *disjoint) groups() [][]int32 {
	number := make([]int, len(d.parent))
	var out [][]int32
	for i := range d.parent {
		root := d.find(int32(i))
		if root == int32(i) {
			number[i] = len(out)
			out = append(out, nil)
		}
		g := number[root]
		out[g] = append(out[g], int32(i))
	}
	return out
}
