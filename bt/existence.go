package bt

import (
	"slices"
)

// exists returns nil when the likelihood has one finite maximum: when every
// item can be reached from every other along wins (Ford 1957).
func (p *problem) exists(items []string) error {
	if groups := p.components(); len(groups) > 1 {
		return &DisconnectedError{Components: named(groups, items)}
	}
	groups := p.strongComponents()
	if len(groups) == 1 {
		return nil
	}
	return p.separable(named(groups, items), items)
}

// components are the items that comparisons join, by first item.
func (p *problem) components() [][]int32 {
	sets := newDisjoint(p.n)
	for _, e := range p.edges {
		sets.join(e.i, e.j)
	}
	return sets.groups()
}

// strongComponents are the items that wins join in both directions, best first:
// no item has lost to one of a later group. Pairs that beat each other are
// joined at once, so that Tarjan's search runs on what little is left.
func (p *problem) strongComponents() [][]int32 {
	sets := newDisjoint(p.n)
	for k, e := range p.edges {
		if t := p.tallies[k]; t.win > 0 && t.loss > 0 {
			sets.join(e.i, e.j)
		}
	}
	groups := sets.groups()
	if len(groups) == 1 {
		return groups
	}
	number := make([]int32, p.n)
	for g, members := range groups {
		for _, i := range members {
			number[i] = int32(g)
		}
	}
	beats := make([][]int32, len(groups))
	for k, e := range p.edges {
		winner, loser := number[e.i], number[e.j]
		if winner == loser {
			continue
		}
		if p.tallies[k].loss > 0 {
			winner, loser = loser, winner
		}
		beats[winner] = append(beats[winner], loser)
	}
	var out [][]int32
	for _, c := range tarjan(beats) {
		var members []int32
		for _, g := range c {
			members = append(members, groups[g]...)
		}
		slices.Sort(members)
		out = append(out, members)
	}
	return out
}

func (p *problem) separable(groups [][]string, items []string) error {
	won, lost := make([]bool, p.n), make([]bool, p.n)
	for k, e := range p.edges {
		t := p.tallies[k]
		won[e.i], lost[e.j] = won[e.i] || t.win+t.tie > 0, lost[e.j] || t.win+t.tie > 0
		won[e.j], lost[e.i] = won[e.j] || t.loss+t.tie > 0, lost[e.i] || t.loss+t.tie > 0
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
	err.Reason = err.plainReason()
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
