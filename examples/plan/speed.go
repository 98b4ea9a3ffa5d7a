package main

import (
	"cmp"
	"fmt"

	"example.com/servemath/capacity"
)

// levels are the concurrencies that the explorer's sweeps are measured at. The
// sweeps themselves are not published.
var levels = []int{1, 2, 4, 8, 16, 32, 64, 128, 256}

// noFigure stands where there is none to print, and orMore before the smallest
// level where several give the published figures.
const (
	noFigure = "-"
	orMore   = ">= "
)

// addSpeed fills in the figures of a row.
func (res *result) addSpeed() error {
	var err error
	pub := res.row.published
	switch {
	case res.row.maxC > 0:
		err = res.estimate(res.row.maxC, func(string) bool { return res.row.maxCAtLeast })
	case pub != nil:
		err = res.fromPublished(pub)
	}
	if err != nil || pub == nil {
		return err
	}
	for _, name := range usageNames() {
		res.compare(name, pub.of(name))
	}
	return nil
}

// fromPublished works back from the published figures to the levels that allow
// both, and takes which limit set a figure, and its plus, from the row.
func (res *result) fromPublished(pub *publishedRow) error {
	allowed, err := res.allowed(pub)
	if err != nil {
		return err
	}
	if len(allowed) > 0 {
		res.MaxC = fmt.Sprint(allowed[0])
		if len(allowed) > 1 {
			res.MaxC = orMore + res.MaxC
		}
		if err := res.estimate(allowed[0], func(name string) bool { return pub.of(name).atLeast }); err != nil {
			return err
		}
	}
	for _, name := range usageNames() {
		u := res.Uses[name]
		u.Limit = cmp.Or(pub.of(name).limit, u.Limit)
		if u.Limit == capacity.LimitMemory.String() {
			u.Users = fmt.Sprint(u.Memory.Sessions)
		}
		res.Uses[name] = u
	}
	return nil
}

func (p *publishedRow) of(usage string) figure {
	if usage == capacity.Agentic().Name {
		return p.agentic
	}
	return p.chat
}

// compare puts a published figure beside the computed one. A figure that memory
// set is reproduced when the sessions that fit are that many.
func (res *result) compare(name string, f figure) {
	if f.users < 0 {
		return
	}
	u := res.Uses[name]
	u.Published = withPlus(f.users, f.atLeast)
	u.Reproduced = u.Limit == capacity.LimitMemory.String() && u.Memory.Sessions == f.users
	res.Uses[name] = u
}

// allowed lists the measured levels by which the rule gives both published
// figures.
func (res *result) allowed(pub *publishedRow) ([]int, error) {
	var out []int
	for _, c := range levels {
		both := true
		for _, u := range usages() {
			e, err := capacity.EstimateFromMaxC(capacity.MaxC{Concurrency: c}, u, res.limit(u.Name))
			if err != nil {
				return nil, err
			}
			both = both && e.Users == pub.of(u.Name).users
		}
		if both {
			out = append(out, c)
		}
	}
	return out, nil
}

// limit is the memory limit of one usage.
func (res *result) limit(usage string) capacity.MemoryLimit {
	return limitOf(res.Uses[usage].Memory)
}

// estimate applies the published rule with that Max C.
func (res *result) estimate(maxC int, atLeast func(usage string) bool) error {
	if res.MaxC == "" {
		res.MaxC = withPlus(maxC, atLeast(""))
	}
	for _, usage := range usages() {
		mc := capacity.MaxC{Concurrency: maxC, AtLeast: atLeast(usage.Name)}
		e, err := capacity.EstimateFromMaxC(mc, usage, res.limit(usage.Name))
		if err != nil {
			return err
		}
		u := res.Uses[usage.Name]
		u.Capacity, u.Users, u.Limit = &e, shown(e), e.Limit.String()
		res.Uses[usage.Name] = u
	}
	return nil
}

func withPlus(n int, plus bool) string {
	if plus {
		return fmt.Sprintf("%d+", n)
	}
	return fmt.Sprint(n)
}
