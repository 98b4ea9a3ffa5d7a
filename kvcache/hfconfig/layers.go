package hfconfig

import (
	"slices"

	"example.com/servemath/kvcache"
)

// part is what one layer of a kind keeps: groups that still lack their layers.
// Groups of one name are one group, whatever the kinds of the layers.
type part func(*config) []kvcache.Group

// parts is a layer that keeps several things.
func parts(ps ...part) part {
	return func(c *config) (groups []kvcache.Group) {
		for _, p := range ps {
			groups = append(groups, p(c)...)
		}
		return groups
	}
}

// layout reads the layers and what they keep.
func (c *config) layout() []kvcache.Group {
	kinds := c.family.layers(c)
	if c.layers = len(kinds); c.err != nil {
		return nil
	}
	groups := c.group(kinds, 0)
	groups = append(groups, c.modules()...)
	if c.err == nil && len(groups) == 0 {
		c.fail(c.inconsistent(c.listKey, "no layer keeps anything"))
	}
	return groups
}

// group gathers layers, the first of which has the index from, by what they keep.
func (c *config) group(kinds []string, from int) (groups []kvcache.Group) {
	var seen []string
	for i, kind := range kinds {
		if slices.Contains(seen, kind) {
			continue
		}
		seen = append(seen, kind)
		p, known := c.kinds[kind]
		if !known {
			p, known = c.family.kinds[kind]
		}
		if !known {
			c.fail(c.unknownValue(c.listKey, i, kind))
			return nil
		}
		if p != nil {
			groups = merge(groups, p(c), indices(kinds, kind, from), c.spelling(c.listKey))
		}
	}
	for i := range groups {
		if g := &groups[i]; g.Layers == len(kinds) && from == 0 {
			g.At = nil
		}
		slices.Sort(groups[i].At)
	}
	return groups
}

func indices(kinds []string, kind string, from int) (at []int) {
	at = make([]int, 0, len(kinds))
	for i, k := range kinds {
		if k == kind {
			at = append(at, from+i)
		}
	}
	return at
}

func merge(groups, more []kvcache.Group, at []int, key string) []kvcache.Group {
	for _, g := range more {
		i := slices.IndexFunc(groups, func(have kvcache.Group) bool { return have.Name == g.Name })
		if i < 0 {
			i = len(groups)
			groups = append(groups, g)
			groups[i].Key = key
		}
		groups[i].Layers += len(at)
		groups[i].At = append(groups[i].At, at...)
	}
	return groups
}
