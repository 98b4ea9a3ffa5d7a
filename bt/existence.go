package bt

import (
	"maps"
	"slices"
)

// obstacle is why a likelihood has no finite maximum.
type obstacle struct {
	groups [][]int32
	apart  bool   // no comparison joins the groups; else they drift apart, best first
	reason string // of the drift; empty: wins go one way only
	remedy string
}

// exists returns nil when the penalised likelihood has one finite maximum.
func (p *problem) exists(items []string) error {
	o := p.obstacle()
	if o == nil {
		return nil
	}
	if o.apart {
		return &DisconnectedError{Components: named(o.groups, items)}
	}
	return p.separable(o, items)
}

// obstacle returns nil when one finite maximum exists. For wins alone that is
// when every item can be reached from every other along wins (Ford 1957). A tie
// parameter and an order effect can drift where the items are held, and so need
// conditions of their own.
func (p *problem) obstacle() *obstacle {
	if p.jeffreys {
		if groups := p.components(); len(groups) > 1 {
			return &obstacle{groups: groups, apart: true}
		}
		return p.identified()
	}
	if !p.grounded() {
		if groups := p.strongComponents(); len(groups) > 1 {
			if apart := p.components(); len(apart) > 1 {
				return &obstacle{groups: apart, apart: true}
			}
			return &obstacle{groups: groups}
		}
	}
	return p.bounded()
}

// bounded checks the directions that move the tie parameter or the order effect.
func (p *problem) bounded() *obstacle {
	if p.extras() == 0 {
		return nil
	}
	bounds := p.bounds(p.grounded())
	if p.tieAt > 0 {
		if x, ok := drift(p.n, bounds, true, p.orderAt > 0); ok {
			return &obstacle{groups: levels(x), reason: p.tieReason(), remedy: "ties as half wins may give one"}
		}
	}
	if p.orderAt > 0 {
		if x, ok := drift(p.n, bounds, false, true); ok {
			return p.orderObstacle(x)
		}
	}
	return nil
}

func (p *problem) tieReason() string {
	switch {
	case p.tied == p.total:
		return "every comparison is a tie, so nothing bounds the tie parameter"
	case p.orderAt > 0:
		return "with suitable strengths and a suitable order effect every win is a gap beyond all ties, so nothing bounds the tie parameter"
	}
	return "with suitable strengths every win is a gap beyond all ties, so nothing bounds the tie parameter"
}

// orderObstacle is an order effect that drifts together with the items by x.
func (p *problem) orderObstacle(x []int64) *obstacle {
	reason := "with suitable strengths an ever larger order effect contradicts no outcome, so nothing bounds it"
	if p.placed == 0 {
		reason = "no comparison says which item was placed first, so nothing bounds the order effect"
	}
	return &obstacle{groups: levels(x), reason: reason, remedy: "a fit without the order effect may give one"}
}

// identified checks what the Jeffreys prior leaves open: an order effect that
// shifts of the strengths imitate.
func (p *problem) identified() *obstacle {
	if p.orderAt == 0 {
		return nil
	}
	var bounds []bound
	for k, t := range p.tallies {
		if e, o := p.edges[k], int64(p.order[k]); t.total() > 0 {
			bounds = append(bounds, bound{e.i, e.j, o, 0}, bound{e.j, e.i, -o, 0})
		}
	}
	if x, ok := drift(p.n, bounds, false, true); ok {
		return p.orderObstacle(x)
	}
	return nil
}

// levels groups the items by how far they drift, best first.
func levels(x []int64) [][]int32 {
	at := make(map[int64][]int32)
	for i, xi := range x {
		at[xi] = append(at[xi], int32(i))
	}
	var groups [][]int32
	for _, xi := range slices.Backward(slices.Sorted(maps.Keys(at))) {
		groups = append(groups, at[xi])
	}
	return groups
}

// separable names the items at the ends. Half wins are wins here, and fitted
// ties neither wins nor losses.
func (p *problem) separable(o *obstacle, items []string) *SeparableError {
	won, lost := make([]bool, p.n), make([]bool, p.n)
	for k, t := range p.tallies {
		e := p.edges[k]
		won[e.i], lost[e.j] = won[e.i] || t.win > 0, lost[e.j] || t.win > 0
		won[e.j], lost[e.i] = won[e.j] || t.loss > 0, lost[e.i] || t.loss > 0
	}
	err := &SeparableError{Groups: named(o.groups, items), Reason: o.reason, remedy: o.remedy}
	for i, name := range items {
		if !lost[i] {
			err.Undefeated = append(err.Undefeated, name)
		}
		if !won[i] {
			err.Winless = append(err.Winless, name)
		}
	}
	if err.Reason == "" {
		err.Reason = err.plainReason()
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
