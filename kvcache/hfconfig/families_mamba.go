package hfconfig

var bambaKeys = []string{"mamba_n_heads", "mamba_d_head", "mamba_n_groups", "mamba_d_state", "mamba_d_conv", "mamba_expand"}

var bambaIgnored = []string{"mamba_chunk_size", "mamba_conv_bias", "mamba_proj_bias"}

// mambaFamilies have layers of state space models.
var mambaFamilies = []family{
	{
		names:  []string{"mamba", "falcon_mamba"},
		reads:  []string{"state_size", "conv_kernel"},
		layers: uniform(mambaLayer), kinds: map[string]part{mambaLayer: mambaDims.part},
		defaults: defaults{"hidden_size": 768, "num_hidden_layers": 32, "state_size": 16, "conv_kernel": 4, "expand": 2},
	},
	{
		names:  []string{"mamba2"},
		reads:  []string{"state_size", "conv_kernel", "n_groups", "head_dim"},
		layers: uniform(mambaLayer), kinds: map[string]part{mambaLayer: mamba2Dims.part},
		defaults: defaults{
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
		defaults: defaults{
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
		ignores:  []string{"mamba_hidden_act", "mamba_proj_bias"},
		aliases:  map[string][]string{"head_dim": {"attention_head_dim"}},
		defaults: defaults{"num_key_value_heads": 8, "head_dim": 128},
		layers:   nemotronLayers,
		kinds: map[string]part{
			"attention": full, mambaLayer: nemotronDims.part, "mlp": nil, "moe": nil,
			fullLayer: full, linearLayer: nemotronDims.part, // the same in newer files
		},
		mtp: nemotronModules,
	},
	{
		names:   []string{"granitemoehybrid"},
		reads:   keys(attentionKeys, bambaKeys, []string{"layer_types"}),
		ignores: bambaIgnored,
		aliases: map[string][]string{"layer_types": {"layers_block_type"}},
		defaults: defaults{
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
		defaults: defaults{
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
		defaults: defaults{
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
		defaults: defaults{
			"hidden_size": 2560, "num_hidden_layers": 54, "num_attention_heads": 32, "n_mamba_heads": 8, "mamba_ngroups": 1,
			"mamba_d_state": 64, "mamba_d_conv": 4, "mamba_expand": 2, "max_position_embeddings": 4096,
		},
		layers: listed("layers_block_type", zambaLayers),
		kinds:  map[string]part{mambaLayer: zambaDims.part, "hybrid": parts(zambaDims.part, fullOf(zambaHeads))},
	},
}
