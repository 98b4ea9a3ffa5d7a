package hfconfig

import (
	"fmt"
	"slices"

	"example.com/servemath/kvcache"
)

// The dimensions of Mamba layers under the names of each lineage.
var (
	mambaDims = mamba1Keys{state: "state_size", conv: "conv_kernel", expand: "expand"}
	jambaDims = mamba1Keys{state: "mamba_d_state", conv: "mamba_d_conv", expand: "mamba_expand"}

	mamba2Dims = mamba2Keys{
		heads: "num_heads", dim: "head_dim", groups: "n_groups", state: "state_size", conv: "conv_kernel", inner: expanded("expand"),
	}
	nemotronDims = mamba2Keys{
		heads: "mamba_num_heads", dim: "mamba_head_dim", groups: "n_groups", state: "ssm_state_size", conv: "conv_kernel",
		dtype: "mamba_ssm_cache_dtype", float32: true,
	}
	bambaDims = mamba2Keys{
		heads: "mamba_n_heads", dim: "mamba_d_head", groups: "mamba_n_groups", state: "mamba_d_state", conv: "mamba_d_conv",
		inner: expanded("mamba_expand"),
	}
	falconH1Dims = mamba2Keys{
		heads: "mamba_n_heads", dim: "mamba_d_head", groups: "mamba_n_groups", state: "mamba_d_state", conv: "mamba_d_conv",
		inner: falconH1Inner,
	}
	zambaDims = mamba2Keys{
		heads: "n_mamba_heads", dim: "mamba_headdim", groups: "mamba_ngroups", state: "mamba_d_state", conv: "mamba_d_conv",
		inner: expanded("mamba_expand"),
	}
)

// How the families with Mamba layers say which layers they are.

func jambaLayers(c *config) []string {
	c.listKey = "attn_layer_period"
	period, offset := max(1, c.dim("attn_layer_period")), c.number("attn_layer_offset", 0, maxLayers)
	if offset >= period && c.err == nil {
		c.fail(c.inconsistent("attn_layer_offset", fmt.Sprintf("%d is not below the period %d", offset, period)))
	}
	return c.repeat(func(i int) string {
		if i%period == offset {
			return "attention"
		}
		return mambaLayer
	})
}

var nemotronLetters = map[byte]string{'M': mambaLayer, '*': "attention", '-': "mlp", 'E': "moe"}

// nemotronLayers come as a string of letters or as a list, which may stand in for
// num_hidden_layers.
func nemotronLayers(c *config) []string {
	kinds := c.strings("layers_block_type")
	if n, ok := c.value("hybrid_override_pattern"); ok {
		s, isText := n.Str()
		if !isText {
			c.fail(c.typeError("hybrid_override_pattern", n, "a string"))
		}
		letters := c.letters("hybrid_override_pattern", s, nemotronLetters, false)
		if kinds != nil && !slices.Equal(kinds, letters) {
			c.fail(c.inconsistent("hybrid_override_pattern", "is not what layers_block_type lists"))
		}
		return letters
	}
	if kinds == nil {
		c.missing("layers_block_type")
		return nil
	}
	if _, ok := c.value("num_hidden_layers"); ok {
		return c.cut("layers_block_type", kinds, 0)
	}
	c.listKey = "layers_block_type"
	return kinds
}

// nemotronModules are the layers of one module times the number of modules.
func nemotronModules(c *config) []string {
	key := "mtp_layers_block_type"
	kinds := c.strings(key)
	if n, ok := c.value("mtp_hybrid_override_pattern"); ok && kinds == nil {
		key = "mtp_hybrid_override_pattern"
		s, isText := n.Str()
		if !isText {
			c.fail(c.typeError(key, n, "a string"))
		}
		kinds = spell(s, len(s), nemotronLetters)
	}
	if len(kinds) == 0 && c.modulesIn("num_nextn_predict_layers") > 0 {
		c.missing("mtp_layers_block_type")
	}
	all := modulesOf("num_nextn_predict_layers", kinds...)(c)
	c.listKey = key
	return all
}

func bambaLayers(c *config) []string {
	at := c.ints("attn_layer_indices")
	if at == nil {
		c.missing("attn_layer_indices")
		return nil
	}
	return c.chosen("attn_layer_indices", at, "attention", mambaLayer)
}

// falconH1Inner is mamba_d_ssm, or the expanded hidden values where it is null.
func falconH1Inner(c *config) int64 {
	if n, ok := c.get("mamba_d_ssm"); ok && absent(n) {
		return expanded("mamba_expand")(c)
	}
	return int64(c.dim("mamba_d_ssm"))
}

// zambaLayers is the list of the class, which is one for 54 layers.
func zambaLayers(c *config) []string {
	kinds := uniform(mambaLayer)(c)
	if len(kinds) != 54 {
		c.missing("layers_block_type")
		return nil
	}
	for _, i := range []int{6, 12, 18, 24, 30, 36, 42, 47, 51} {
		kinds[i] = "hybrid"
	}
	return kinds
}

// zambaHeads attend over the hidden values beside the embeddings, so twice as
// many.
func zambaHeads(c *config) []kvcache.Stream {
	heads, kv := c.kvHeads("num_attention_heads", "num_key_value_heads")
	dim := c.quotient(2*c.dim("hidden_size"), heads, "num_attention_heads", "2 x hidden_size / num_attention_heads")
	if n, ok := c.value("attention_head_dim"); ok && c.integer("attention_head_dim", n, 1, maxDim) != dim {
		c.fail(c.inconsistent("attention_head_dim", fmt.Sprintf("is not 2 x hidden_size / num_attention_heads = %d", dim)))
	}
	return keyValue(kv, dim, dim)
}
