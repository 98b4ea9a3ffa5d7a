package hfconfig

import (
	"fmt"
	"slices"

	"example.com/servemath/internal/jsontree"
	"example.com/servemath/kvcache"
)

// How the families with windows say which layers slide.

// slideAll slides every layer where there is a window. A window that is null is
// none, one that is absent is the class's.
func slideAll(c *config) []string {
	n, ok := c.get("sliding_window")
	if _, has := c.defaultOf("sliding_window"); ok && n.Kind != jsontree.Null || !ok && has {
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
// for global layers that repeats up to a last global one, or the period of the
// full ones. Where none is given the period is that of the class; 0: it must be
// given.
func slidePattern(period int) func(*config) []string {
	return func(c *config) []string {
		if kinds := c.listedIn("layer_types", 0); kinds != nil || c.err != nil {
			return kinds
		}
		n, ok := c.value("sliding_window_pattern")
		if s, isText := n.Str(); ok && isText {
			kinds := c.letters("sliding_window_pattern", s, map[byte]string{'L': slidingLayer, 'G': fullLayer}, true)
			if last := len(kinds) - 1; last >= 0 {
				kinds[last] = fullLayer
			}
			return kinds
		}
		if ok {
			c.listKey = "sliding_window_pattern"
			return every(max(1, c.dim("sliding_window_pattern")), fullLayer, slidingLayer)(c)
		}
		if period == 0 {
			c.missing("layer_types")
			return nil
		}
		return byRule("layer_types", every(period, fullLayer, slidingLayer))(c)
	}
}

// slideOptional is slidePattern for a class whose window may be null, which makes
// every layer a full one unless a list says otherwise.
func slideOptional(c *config) []string {
	if n, ok := c.get("sliding_window"); ok && n.Kind == jsontree.Null {
		return allListed("layer_types", fullLayer)(c)
	}
	return slidePattern(0)(c)
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

func gemma4Layers(c *config) []string {
	if n, ok := c.value("use_bidirectional_attention"); ok && n.Text() == "all" {
		c.fail(c.unknownSetting("use_bidirectional_attention", n))
	}
	kinds := listed("layer_types", every(6, fullLayer, slidingLayer))(c)
	if n := len(kinds); n > 0 && kinds[n-1] != fullLayer {
		c.fail(c.inconsistent("layer_types", "the last layer must be "+fullLayer))
	}
	return kinds
}

// gemma4Heads are those of the full layers, of a size of their own if one is
// given. Where keys serve as values they are still stored twice.
func gemma4Heads(c *config) []kvcache.Stream {
	kvKey := "num_key_value_heads"
	if _, given := c.value("num_global_key_value_heads"); given && c.flag("attention_k_eq_v") {
		kvKey = "num_global_key_value_heads"
	}
	heads, kv := c.kvHeads("num_attention_heads", kvKey)
	dim := c.sizeOr("global_head_dim", func() int { return c.headSize("head_dim", "num_attention_heads", heads) }, "head_dim")
	return keyValue(kv, dim, dim)
}

// museLayers makes every fourth layer full, counted from the last.
func museLayers(c *config) []string {
	kinds := uniform(slidingLayer)(c)
	for i := len(kinds) - 1; i >= 0; i -= 4 {
		kinds[i] = fullLayer
	}
	return kinds
}

func stepLayers(c *config) []string {
	if kinds := c.listedIn("layer_types", c.count("num_nextn_predict_layers")); kinds != nil || c.err != nil {
		return kinds
	}
	return byRule("layer_types", uniform(fullLayer))(c)
}

// stepHeads are those of the sliding layers, which may have a setting of their own.
func stepHeads(c *config) []kvcache.Stream {
	other := c.within("attention_other_setting")
	if other == nil {
		return plainHeads(c)
	}
	if n, ok := other.value("attention_type"); ok && n.Text() != slidingLayer {
		c.fail(other.unknownSetting("attention_type", n))
	}
	return headKeys{heads: "num_attention_heads", kv: "num_attention_groups", dim: "head_dim"}.streams(other)
}

// mimoLayers takes layer_types, else the flags of hybrid_layer_pattern, else the
// first and every sixth layer as full ones.
func mimoLayers(c *config) []string {
	if kinds := c.listedIn("layer_types", 0); kinds != nil || c.err != nil {
		return kinds
	}
	if kinds := c.flags("hybrid_layer_pattern", fullLayer, slidingLayer); kinds != nil || c.err != nil {
		return kinds
	}
	return byRule("layer_types", func(c *config) []string {
		return c.repeat(func(i int) string {
			if i == 0 || (i+1)%6 == 0 {
				return fullLayer
			}
			return slidingLayer
		})
	})(c)
}

// mimoSlidingHeads must be counted by the config: the class has no default, and
// the published model has another number than in its full layers.
func mimoSlidingHeads(c *config) []kvcache.Stream {
	heads := c.dimOr("swa_num_attention_heads", func() int { return c.dim("num_attention_heads") }, "num_attention_heads")
	kv := c.dim("swa_num_key_value_heads")
	c.divides("swa_num_key_value_heads", heads, kv)
	return keyValue(kv, c.dim("swa_head_dim"), c.dim("swa_v_head_dim"))
}

// inklingLayers takes layer_types, else the sliding layers by index, else every
// sixth layer as a full one.
func inklingLayers(c *config) []string {
	if n := c.dim("conv_kernel_size"); n > 1 {
		c.omit(fmt.Sprintf("conv_kernel_size=%d: the states of four short convolutions a layer", n))
	}
	if kinds := c.listedIn("layer_types", 0); kinds != nil || c.err != nil {
		return kinds
	}
	if ids := c.ints("local_layer_ids"); ids != nil {
		return c.chosen("local_layer_ids", ids, "hybrid_sliding", "hybrid")
	}
	return byRule("layer_types", every(6, "hybrid", "hybrid_sliding"))(c)
}

// llama4Layers takes layer_types, else the layers without rotary positions as
// full ones: those with a 0 in no_rope_layers, or each of an interval.
func llama4Layers(c *config) []string {
	if kinds := c.listedIn("layer_types", 0); kinds != nil || c.err != nil {
		return kinds
	}
	if kinds := c.flags("no_rope_layers", fullLayer, chunkedLayer); kinds != nil || c.err != nil {
		return kinds
	}
	return byRule("no_rope_layers", every(max(1, c.dim("no_rope_layer_interval")), fullLayer, chunkedLayer))(c)
}
