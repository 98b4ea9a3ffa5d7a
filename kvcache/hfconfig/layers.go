package hfconfig

import (
	"fmt"
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
	if c.err == nil && len(kinds) == 0 {
		c.missing("num_hidden_layers")
	}
	if c.layers = len(kinds); c.err != nil {
		return nil
	}
	groups := c.group(kinds, 0)
	groups = append(groups, c.modules()...)
	for _, note := range c.family.notes {
		c.omit(note)
	}
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
			c.fail(&UnmodelledFieldError{Key: c.listKey, ModelType: c.modelType, Path: fmt.Sprintf("%s%s[%d]", c.path, c.listKey, i), Value: kind})
			return nil
		}
		if p != nil {
			groups = merge(groups, p(c), indices(kinds, kind, from), c.listKey)
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

// modules are the layers of multi-token prediction, which serve speculation and
// are counted only on request.
func (c *config) modules() []kvcache.Group {
	if !c.opts.MTP || c.family.mtp == nil {
		c.noteModules()
		return nil
	}
	kinds := c.family.mtp(c)
	groups := c.group(kinds, c.layers)
	for i := range groups {
		groups[i].Name = "MTP " + groups[i].Name
	}
	return groups
}

// moduleKeys tell the number of MTP modules.
var moduleKeys = [...]string{"num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules", "num_mtp_layers"}

// noteModules says that a config's MTP modules are not counted, or refuses to
// count those of a family whose modules are not known.
func (c *config) noteModules() {
	for _, key := range moduleKeys {
		n := c.modulesIn(key)
		if n == 0 {
			continue
		}
		if c.opts.MTP {
			c.fail(c.unmodelled(c.path, key))
		}
		c.omit(fmt.Sprintf("%s=%d: layers of multi-token prediction, counted with Options.MTP", key, n))
	}
}

// uniform layers are all of one kind.
func uniform(kind string) func(*config) []string {
	return func(c *config) []string { return c.repeat(func(int) string { return kind }) }
}

// repeat gives each of num_hidden_layers layers its kind by a rule.
func (c *config) repeat(rule func(i int) string) []string {
	if c.listKey == "" {
		c.listKey = "num_hidden_layers"
	}
	kinds := make([]string, c.number("num_hidden_layers", 1, maxLayers))
	for i := range kinds {
		kinds[i] = rule(i)
	}
	return kinds
}

// listed reads the kinds from a list, or takes the family's rule where there is
// none, which counts as a default.
func listed(key string, rule func(*config) []string) func(*config) []string {
	return func(c *config) []string {
		if kinds := c.listedIn(key, 0); kinds != nil || c.err != nil {
			return kinds
		}
		if rule == nil {
			c.missing(key)
			return nil
		}
		kinds := rule(c)
		c.defaulted(key, summary(kinds), "layer rule of "+c.family.names[0])
		return kinds
	}
}

// listedIn reads a list with an entry for each layer, and extra ones at the end
// for the MTP modules at most.
func (c *config) listedIn(key string, extra int) []string {
	kinds := c.strings(key)
	if kinds == nil {
		return nil
	}
	return c.cut(key, kinds, extra)
}

// cut checks the length of a list and splits off the entries of the MTP modules.
func (c *config) cut(key string, kinds []string, extra int) []string {
	c.listKey = key
	layers := c.number("num_hidden_layers", 1, maxLayers)
	if n := len(kinds); c.err == nil && n != layers && n != layers+extra {
		c.fail(c.inconsistent(key, fmt.Sprintf("%d entries for %d layers", n, layers)))
	}
	if c.err != nil {
		return nil
	}
	kinds, c.trailing = kinds[:layers], kinds[layers:]
	return kinds
}

// modulesOf are the layers of each MTP module, of which a key tells the number.
// Another key that tells another number leaves it open which is right.
func modulesOf(key string, kinds ...string) func(*config) []string {
	return func(c *config) []string {
		n := c.modulesIn(key)
		for _, other := range moduleKeys {
			if m := c.modulesIn(other); m > 0 && n > 0 && m != n {
				c.fail(c.inconsistent(other, fmt.Sprintf("%d modules, but %s=%d", m, key, n)))
			}
		}
		return slices.Repeat(kinds, n)
	}
}

func (c *config) modulesIn(key string) int {
	n, ok := c.value(key)
	if !ok {
		return 0
	}
	return c.integer(key, n, 0, maxModules)
}

// summary counts kinds in the order of their first appearance.
func summary(kinds []string) (s string) {
	counts := map[string]int{}
	for _, k := range kinds {
		counts[k]++
	}
	for _, k := range kinds {
		if n := counts[k]; n > 0 {
			s += fmt.Sprintf(" + %d %s", n, k)
			counts[k] = 0
		}
	}
	if s == "" {
		return "none"
	}
	return s[len(" + "):]
}

// every gives each p-th layer one kind, counted from 1, and the others another.
func every(p int, nth, others string) func(*config) []string {
	return func(c *config) []string {
		return c.repeat(func(i int) string {
			if (i+1)%p == 0 {
				return nth
			}
			return others
		})
	}
}
