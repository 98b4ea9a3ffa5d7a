package hfconfig

import (
	"fmt"
	"slices"

	"example.com/servemath/internal/jsontree"
)

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

// slideAll slides every layer where there is a window. A window that is null is
// none, one that is absent is the class's.
func slideAll(c *config) []string {
	n, ok := c.get("sliding_window")
	if _, has := c.family.defaults["sliding_window"]; ok && n.Kind != jsontree.Null || !ok && has {
		return uniform(slidingLayer)(c)
	}
	return uniform(fullLayer)(c)
}

// slideUpper slides the layers from max_window_layers on, where use_sliding_window
// asks for it; layer_types say which layers they are where it is given.
func slideUpper(c *config) []string {
	kinds := c.listedIn("layer_types", 0)
	_, window := c.value("sliding_window")
	if !window || !c.flag("use_sliding_window") {
		if slices.Contains(kinds, slidingLayer) {
			c.fail(c.inconsistent("layer_types", "layers slide, but use_sliding_window or sliding_window is not set"))
		}
		if kinds == nil {
			return uniform(fullLayer)(c)
		}
		return kinds
	}
	if kinds != nil {
		return kinds
	}
	c.listKey = "max_window_layers"
	first := c.number("max_window_layers", 0, maxLayers)
	return c.repeat(func(i int) string {
		if i >= first {
			return slidingLayer
		}
		return fullLayer
	})
}

// slidePattern takes layer_types, else a pattern: a string of L for local and G
// for global layers that repeats, or the period of the full ones. Where none is
// given the period is that of the class; 0: it must be given.
func slidePattern(period int) func(*config) []string {
	return func(c *config) []string {
		if kinds := c.listedIn("layer_types", 0); kinds != nil || c.err != nil {
			return kinds
		}
		c.listKey = "sliding_window_pattern"
		n, ok := c.value("sliding_window_pattern")
		if s, isText := n.Str(); ok && isText {
			return c.letters("sliding_window_pattern", s, map[byte]string{'L': slidingLayer, 'G': fullLayer}, true)
		}
		if ok {
			return every(max(1, c.dim("sliding_window_pattern")), fullLayer, slidingLayer)(c)
		}
		if period == 0 {
			c.missing("layer_types")
			return nil
		}
		kinds := every(period, fullLayer, slidingLayer)(c)
		c.defaulted("layer_types", summary(kinds), "layer rule of "+c.family.names[0])
		return kinds
	}
}

// slideOptional is slidePattern for a class whose window may be null, which makes
// every layer a full one.
func slideOptional(c *config) []string {
	if n, ok := c.get("sliding_window"); ok && n.Kind == jsontree.Null {
		return uniform(fullLayer)(c)
	}
	return slidePattern(0)(c)
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
	out := make([]string, layers)
	for i := range out {
		letter := s[i%len(s)]
		kind, ok := kinds[letter]
		if !ok {
			kind = string(rune(letter)) // unknown, which group refuses by name
		}
		out[i] = kind
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
			c.fail(&UnmodelledFieldError{Key: key, ModelType: c.modelType, Path: fmt.Sprintf("%s%s[%d]", c.path, key, i), Value: fmt.Sprint(f)})
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

// shareLast makes the last num_kv_shared_layers read the caches of earlier ones.
func shareLast(layers func(*config) []string) func(*config) []string {
	return func(c *config) []string {
		kinds := slices.Clone(layers(c))
		n := c.count("num_kv_shared_layers")
		if n > len(kinds) {
			if c.err == nil {
				c.fail(c.inconsistent("num_kv_shared_layers", fmt.Sprintf("%d of %d layers", n, len(kinds))))
			}
			return nil
		}
		for i := len(kinds) - n; i < len(kinds); i++ {
			kinds[i] = sharedLayer
		}
		return kinds
	}
}

// periodic gives every interval-th layer full attention and the others linear.
func periodic(c *config) []string {
	if kinds := c.listedIn("layer_types", 0); kinds != nil || c.err != nil {
		return kinds
	}
	c.listKey = "full_attention_interval"
	return every(max(1, c.dim("full_attention_interval")), fullLayer, linearLayer)(c)
}
