package hfconfig

import "fmt"

// The rules by which configs say which layers are of which kind.

// Kinds of layers as most configs spell them.
const (
	fullLayer    = "full_attention"
	slidingLayer = "sliding_attention"
	chunkedLayer = "chunked_attention"
	linearLayer  = "linear_attention"
	mambaLayer   = "mamba"
	sharedLayer  = "shared" // reads the cache of another layer
)

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
		return byRule(key, rule)(c)
	}
}

// allListed are layers of one kind, which a list may say one by one.
func allListed(key, kind string) func(*config) []string {
	return func(c *config) []string {
		if kinds := c.listedIn(key, 0); kinds != nil || c.err != nil {
			return kinds
		}
		return uniform(kind)(c)
	}
}

// flagged are layers of the last kind, unless a list of numbers says which.
func flagged(key string, kinds ...string) func(*config) []string {
	return func(c *config) []string {
		if kinds := c.flags(key, kinds...); kinds != nil || c.err != nil {
			return kinds
		}
		return uniform(kinds[len(kinds)-1])(c)
	}
}

// byRule takes the family's rule in place of a key, as a default.
func byRule(key string, rule func(*config) []string) func(*config) []string {
	return func(c *config) []string {
		kinds := rule(c)
		c.defaulted(key, summary(kinds), "layer rule of "+c.modelType)
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

// letters reads the kinds of layers from a string with a letter each, which may
// repeat to fill num_hidden_layers.
func (c *config) letters(key, s string, kinds map[byte]string, repeats bool) []string {
	c.listKey = key
	layers := len(s)
	if _, ok := c.get("num_hidden_layers"); ok || repeats {
		layers = c.number("num_hidden_layers", 1, maxLayers)
	}
	if c.err == nil && (s == "" || len(s) > layers || !repeats && len(s) != layers) {
		c.fail(c.inconsistent(key, fmt.Sprintf("%d letters for %d layers", len(s), layers)))
	}
	if c.err != nil {
		return nil
	}
	return spell(s, layers, kinds)
}

// spell turns letters into kinds. An unknown one stays what it is, for group to
// refuse by name.
func spell(s string, n int, kinds map[byte]string) []string {
	out := make([]string, n)
	for i := range out {
		letter := s[i%len(s)]
		out[i] = string(rune(letter))
		if kind, ok := kinds[letter]; ok {
			out[i] = kind
		}
	}
	return out
}

// flags reads the kinds of layers from a list with a number each.
func (c *config) flags(key string, kinds ...string) []string {
	list := c.ints(key)
	if list == nil {
		return nil
	}
	return c.cut(key, c.named(key, list, kinds), 0)
}

func (c *config) named(key string, list []int64, kinds []string) []string {
	out := make([]string, len(list))
	for i, f := range list {
		if f < 0 || f >= int64(len(kinds)) {
			c.fail(c.unknownValue(key, i, fmt.Sprint(f)))
			return nil
		}
		out[i] = kinds[f]
	}
	return out
}

// chosen gives the layers with the listed indices one kind and the others another.
func (c *config) chosen(key string, at []int64, kind, others string) []string {
	c.listKey = key
	kinds := c.repeat(func(int) string { return others })
	for _, i := range at {
		if i < 0 || i >= int64(len(kinds)) {
			if c.err == nil {
				c.fail(c.inconsistent(key, fmt.Sprintf("layer %d of %d", i, len(kinds))))
			}
			return nil
		}
		kinds[i] = kind
	}
	return kinds
}
