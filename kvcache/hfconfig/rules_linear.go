package hfconfig

import "fmt"

// How the families with linear attention say which layers are linear.

// periodic gives every interval-th layer full attention and the others linear.
func periodic(c *config) []string {
	if kinds := c.listedIn("layer_types", 0); kinds != nil || c.err != nil {
		return kinds
	}
	c.listKey = "full_attention_interval"
	return every(max(1, c.dim("full_attention_interval")), fullLayer, linearLayer)(c)
}

// kimiLayers are listed by kind, counted from 1; each must be listed once.
func kimiLayers(c *config) []string {
	c.listKey = "linear_attn_config"
	l := c.within("linear_attn_config")
	if l == nil {
		c.missing("linear_attn_config")
		return nil
	}
	kinds := c.repeat(func(int) string { return "" })
	for _, list := range []struct{ key, kind string }{{"full_attn_layers", latentLayer}, {"kda_layers", linearLayer}} {
		for _, i := range l.ints(list.key) {
			if i < 1 || i > int64(len(kinds)) || kinds[i-1] != "" {
				c.fail(l.inconsistent(list.key, fmt.Sprintf("layer %d of %d is out of range or listed twice", i, len(kinds))))
				return nil
			}
			kinds[i-1] = list.kind
		}
	}
	for i, kind := range kinds {
		if kind == "" {
			c.fail(l.inconsistent("kda_layers", fmt.Sprintf("layer %d of %d is in neither list", i+1, len(kinds))))
		}
	}
	return kinds
}

// bailingLayers end each group with full attention, and have nothing else in a
// last group that is not whole.
func bailingLayers(c *config) []string {
	c.listKey = "layer_group_size"
	size := max(1, c.dim("layer_group_size"))
	kinds := every(size, fullLayer, linearLayer)(c)
	for i := len(kinds) / size * size; i < len(kinds); i++ {
		kinds[i] = fullLayer
	}
	return kinds
}

func lightningLayers(c *config) []string {
	kinds := c.flags("attn_type_list", linearLayer, fullLayer)
	if kinds == nil {
		c.missing("attn_type_list")
	}
	return kinds
}

func lfmLayers(c *config) []string {
	if kinds := c.listedIn("layer_types", 0); kinds != nil || c.err != nil {
		return kinds
	}
	idxs := c.ints("full_attn_idxs")
	if idxs == nil {
		c.missing("layer_types")
		return nil
	}
	return c.chosen("full_attn_idxs", idxs, fullLayer, "conv")
}

// griffinLayers repeat the pattern of block_types.
func griffinLayers(c *config) []string {
	pattern := c.strings("block_types")
	if pattern == nil {
		pattern = []string{"recurrent", "recurrent", "attention"}
		c.classDefault("block_types", "recurrent, recurrent, attention")
	}
	c.listKey = "block_types"
	return c.repeat(func(i int) string { return pattern[i%len(pattern)] })
}
