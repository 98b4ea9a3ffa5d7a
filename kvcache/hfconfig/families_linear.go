package hfconfig

// linearFamilies mix attention with layers of linear attention, whose state does
// not grow.
var linearFamilies = []family{
	{
		names:    []string{"qwen3_next"},
		reads:    keys(attentionKeys, deltaKeys, []string{"layer_types", "full_attention_interval"}),
		defaults: qwenNextDefaults,
		layers:   periodic,
		kinds:    map[string]part{fullLayer: full, linearLayer: delta},
		mtp:      modulesOf("num_nextn_predict_layers", fullLayer),
	},
	{
		names:    []string{"qwen3_5_text", "qwen3_5", "qwen3_5_moe_text", "qwen3_5_moe"},
		reads:    keys(attentionKeys, deltaKeys, []string{"layer_types", "full_attention_interval"}),
		defaults: defaults{"head_dim": 256, "full_attention_interval": 4},
		classes: map[string]defaults{
			"qwen3_5_text":     {"num_key_value_heads": 4},
			"qwen3_5":          {"num_key_value_heads": 4},
			"qwen3_5_moe_text": {"num_key_value_heads": 2},
			"qwen3_5_moe":      {"num_key_value_heads": 2},
		},
		layers: periodic,
		kinds:  map[string]part{fullLayer: full, linearLayer: delta},
		mtp:    modulesOf("mtp_num_hidden_layers", fullLayer),
	},
	{
		names:   []string{"kimi_linear", "kimi_k3"},
		reads:   keys(latentKeys, []string{"linear_attn_config"}),
		ignores: latentIgnored,
		nested: map[string][]string{"linear_attn_config": {
			"full_attn_layers", "kda_layers", "num_heads", "head_dim", "short_conv_kernel_size",
			"gate_lower_bound", "use_full_rank_gate", // how the gate is computed
		}},
		layers: kimiLayers,
		kinds:  map[string]part{latentLayer: latent, linearLayer: kimiDelta},
		mtp:    modulesOf("num_nextn_predict_layers", latentLayer),
	},
	{
		names:  []string{"minimax_m1", "minimax_text_01"},
		reads:  keys(attentionKeys, []string{"attn_type_list"}),
		layers: lightningLayers,
		kinds:  map[string]part{fullLayer: full, linearLayer: lightning},
	},
	{
		names:  []string{"bailing_moe_linear"},
		reads:  keys(attentionKeys, []string{"layer_group_size"}),
		layers: bailingLayers,
		kinds:  map[string]part{fullLayer: full, linearLayer: lightning},
	},
	{
		names: []string{"minimax"},
		reads: keys(attentionKeys, []string{"layer_types"}),
		ignores: []string{
			"linear_attn_alpha_factor", "linear_attn_beta_factor",
		},
		defaults: defaults{
			"hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8,
		},
		layers: listed("layer_types", every(2, linearLayer, fullLayer)),
		kinds:  map[string]part{fullLayer: full, linearLayer: lightning},
	},
	{
		names:    []string{"lfm2", "lfm2_moe"},
		reads:    keys(attentionKeys, []string{"layer_types", "full_attn_idxs", "conv_L_cache"}),
		layers:   lfmLayers,
		kinds:    map[string]part{fullLayer: full, "conv": shortConv},
		defaults: defaults{"conv_L_cache": 3},
		classes:  map[string]defaults{"lfm2": {"num_key_value_heads": 8}},
	},
	{
		names:    []string{"rwkv"},
		layers:   uniform("rwkv"),
		kinds:    map[string]part{"rwkv": rwkv4},
		defaults: defaults{"hidden_size": 4096, "num_hidden_layers": 32, "context_length": 1024},
	},
	{
		names:   []string{"recurrent_gemma"},
		reads:   []string{"num_key_value_heads", "head_dim", "block_types", "lru_width", "conv1d_width", "sliding_window"},
		aliases: map[string][]string{"sliding_window": {"attention_window_size"}},
		defaults: defaults{
			"hidden_size": 2560, "num_hidden_layers": 26, "num_attention_heads": 10, "sliding_window": 2048, "conv1d_width": 4,
		},
		layers: griffinLayers,
		kinds:  map[string]part{"attention": sliding, "recurrent": rglru},
	},
}

var qwenNextDefaults = defaults{
	"hidden_size": 2048, "num_hidden_layers": 48, "num_attention_heads": 16, "num_key_value_heads": 2, "head_dim": 256,
	"full_attention_interval": 4, "linear_conv_kernel_dim": 4, "linear_key_head_dim": 128, "linear_value_head_dim": 128,
	"linear_num_key_heads": 16, "linear_num_value_heads": 32, "max_position_embeddings": 32768,
}
