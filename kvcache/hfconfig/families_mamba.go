package hfconfig

import (
	"fmt"

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

var bambaKeys = []string{"mamba_n_heads", "mamba_d_head", "mamba_n_groups", "mamba_d_state", "mamba_d_conv", "mamba_expand"}

var bambaIgnored = []string{"mamba_chunk_size", "mamba_conv_bias", "mamba_proj_bias"}

// mambaFamilies have layers of state space models.
var mambaFamilies = []family{
	{
		names:  []string{"mamba", "falcon_mamba"},
		reads:  []string{"state_size", "conv_kernel"},
		layers: uniform(mambaLayer), kinds: map[string]part{mambaLayer: mambaDims.part},
		defaults: map[string]int{"hidden_size": 768, "num_hidden_layers": 32, "state_size": 16, "conv_kernel": 4, "expand": 2},
	},
	{
		names:  []string{"mamba2"},
		reads:  []string{"state_size", "conv_kernel", "n_groups", "head_dim"},
		layers: uniform(mambaLayer), kinds: map[string]part{mambaLayer: mamba2Dims.part},
		defaults: map[string]int{
			"hidden_size": 4096, "num_hidden_layers": 64, "num_heads": 128, "head_dim": 64, "state_size": 128, "conv_kernel": 4,
			"n_groups": 8, "expand": 2,
		},
	},
	{
		names: []string{"jamba"},
		reads: keys(attentionKeys, []string{
			"attn_layer_period", "attn_layer_offset", "mamba_d_state", "mamba_d_conv", "mamba_expand",
		}),
		ignores: []string{"mamba_dt_rank", "mamba_conv_bias", "mamba_proj_bias"},
		layers:  jambaLayers, kinds: map[string]part{"attention": full, mambaLayer: jambaDims.part},
		defaults: map[string]int{
			"hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8,
			"attn_layer_period": 8, "attn_layer_offset": 4, "mamba_d_state": 16, "mamba_d_conv": 4, "mamba_expand": 2,
			"max_position_embeddings": 262144,
		},
	},
	{
		names: []string{"nemotron_h"},
		reads: keys(attentionKeys, []string{
			"hybrid_override_pattern", "layers_block_type", "mamba_num_heads", "mamba_head_dim", "n_groups", "ssm_state_size",
			"conv_kernel", "mamba_ssm_cache_dtype",
		}),
		ignores: []string{"mamba_hidden_act", "mamba_proj_bias"},
		aliases: map[string][]string{"head_dim": {"attention_head_dim"}},
		layers:  nemotronLayers,
		kinds:   map[string]part{"attention": full, mambaLayer: nemotronDims.part, "mlp": nil, "moe": nil},
		mtp:     nemotronModules,
	},
	{
		names:   []string{"granitemoehybrid"},
		reads:   keys(attentionKeys, bambaKeys, []string{"layer_types"}),
		ignores: bambaIgnored,
		aliases: map[string][]string{"layer_types": {"layers_block_type"}},
		defaults: map[string]int{
			"hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "mamba_n_heads": 128, "mamba_n_groups": 1,
			"mamba_d_state": 256, "mamba_d_conv": 4, "mamba_expand": 2, "max_position_embeddings": 2048,
		},
		// The class takes every layer for a Mamba one where there is no list, which
		// no published model is: the list must be there.
		layers: listed("layer_types", nil),
		kinds:  map[string]part{"attention": full, mambaLayer: bambaDims.part},
	},
	{
		names:   []string{"bamba"},
		reads:   keys(attentionKeys, bambaKeys, []string{"attn_layer_indices"}),
		ignores: bambaIgnored,
		defaults: map[string]int{
			"hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "mamba_n_heads": 128,
			"mamba_n_groups": 1, "mamba_d_state": 256, "mamba_d_conv": 4, "mamba_expand": 2, "max_position_embeddings": 262144,
		},
		layers: bambaLayers,
		kinds:  map[string]part{"attention": full, mambaLayer: bambaDims.part},
	},
	{
		names: []string{"falcon_h1"},
		reads: keys(attentionKeys, bambaKeys, []string{"mamba_d_ssm"}),
		ignores: keys(bambaIgnored, []string{
			"mamba_norm_before_gate", "mamba_rms_norm", "mamba_use_mlp", "ssm_multipliers", "ssm_in_multiplier", "ssm_out_multiplier",
		}),
		defaults: map[string]int{
			"hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "mamba_d_ssm": 1024,
			"mamba_n_heads": 128, "mamba_n_groups": 1, "mamba_d_state": 256, "mamba_d_conv": 4, "mamba_expand": 2,
			"max_position_embeddings": 8192,
		},
		layers: uniform("both"),
		kinds:  map[string]part{"both": parts(full, falconH1Dims.part)},
	},
	{
		names: []string{"zamba2"},
		reads: []string{
			"num_key_value_heads", "attention_head_dim", "layers_block_type", "n_mamba_heads", "mamba_headdim", "mamba_ngroups",
			"mamba_d_state", "mamba_d_conv", "mamba_expand",
		},
		ignores: []string{"kv_channels", "hybrid_layer_ids"}, // the class derives both anew
		defaults: map[string]int{
			"hidden_size": 2560, "num_hidden_layers": 54, "num_attention_heads": 32, "n_mamba_heads": 8, "mamba_ngroups": 1,
			"mamba_d_state": 64, "mamba_d_conv": 4, "mamba_expand": 2, "max_position_embeddings": 4096,
		},
		layers: listed("layers_block_type", zambaLayers),
		kinds:  map[string]part{mambaLayer: zambaDims.part, "hybrid": parts(zambaDims.part, fullOf(zambaHeads))},
	},
}

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
	if n, ok := c.value("hybrid_override_pattern"); ok {
		s, isText := n.Str()
		if !isText {
			c.fail(c.typeError("hybrid_override_pattern", n, "a string"))
		}
		return c.letters("hybrid_override_pattern", s, nemotronLetters, false)
	}
	kinds := c.strings("layers_block_type")
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
	kinds := c.strings("mtp_layers_block_type")
	if n, ok := c.value("mtp_hybrid_override_pattern"); ok && kinds == nil {
		s, _ := n.Str()
		for i := range len(s) {
			kinds = append(kinds, nemotronLetters[s[i]])
		}
	}
	if modules, ok := c.value("num_nextn_predict_layers"); ok && !absent(modules) && kinds == nil {
		c.missing("mtp_layers_block_type")
	}
	return modulesOf("num_nextn_predict_layers", kinds...)(c)
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
	heads := c.dim("num_attention_heads")
	kv := c.dimOr("num_key_value_heads", func() int { return heads }, "num_attention_heads")
	c.divides("num_key_value_heads", heads, kv)
	dim := c.quotient(2*c.dim("hidden_size"), heads, "num_attention_heads", "2 x hidden_size / num_attention_heads")
	if n, ok := c.value("attention_head_dim"); ok && c.integer("attention_head_dim", n, 1, maxDim) != dim {
		c.fail(c.inconsistent("attention_head_dim", fmt.Sprintf("is not 2 x hidden_size / num_attention_heads = %d", dim)))
	}
	return keyValue(kv, dim, dim)
}
