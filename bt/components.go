package bt

import "slices"

// components are the items that comparisons join, by first item; nil when they
// join all.
func (p *problem) components() [][]int32 {
	sets := newDisjoint(p.n)
	for k, t := range p.tallies {
		if t.total() > 0 {
			sets.join(p.edges[k].i, p.edges[k].j)
		}
	}
	if sets.sets == 1 {
		return nil
	}
	return sets.groups()
}

// strongComponents are the items that wins join in both directions, best first:
// no item has lost to one of a later group. Pairs that tied or beat
// each other are joined at once, so that Tarjan's search runs on what little is
// left. It is nil when all items are in one.
func (p *problem) strongComponents() [][]int32 {
	sets := newDisjoint(p.n)
	for k, t := range p.tallies {
		if t.tie > 0 || t.win > 0 && t.loss > 0 {
			sets.join(p.edges[k].i, p.edges[k].j)
		}
	}
	if sets.sets == 1 {
		return nil
	}
	groups := sets.groups()
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

func named(groups [][]int32, items []string) [][]string {
	out := make([][]string, len(groups))
	for g, members := range groups {
		for _, i := range members {
			out[g] = append(out[g], items[i])
		}
	}
	return out
}
