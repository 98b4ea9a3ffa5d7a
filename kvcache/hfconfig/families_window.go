package hfconfig

// windowKinds are layers that attend to everything or to a sliding window.
var windowKinds = map[string]part{fullLayer: full, slidingLayer: sliding, sharedLayer: nil}

var slidingKeys = keys(attentionKeys, []string{"sliding_window"})

// windowFamilies have layers that attend to a sliding window or to a chunk.
var windowFamilies = []family{
	{
		names: []string{"mistral"},
		reads: slidingKeys, layers: slideAll, kinds: windowKinds,
		defaults: defaults{
			"hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "sliding_window": 4096,
		},
	},
	{
		names: []string{"mixtral", "phi3", "phimoe", "starcoder2"},
		reads: slidingKeys, layers: slideAll, kinds: windowKinds,
		classes: map[string]defaults{
			"mixtral":    {"num_key_value_heads": 8},
			"phimoe":     {"num_key_value_heads": 8},
			"starcoder2": {"num_key_value_heads": 2},
		},
	},
	{
		names:  []string{"qwen2", "qwen2_vl", "qwen2_vl_text", "qwen2_5_vl", "qwen2_5_vl_text", "qwen2_5_omni_text", "qwen3", "mimo"},
		reads:  keys(slidingKeys, []string{"use_sliding_window", "max_window_layers", "layer_types"}),
		layers: slideUpper, kinds: windowKinds,
		classes: map[string]defaults{
			"qwen2":           {"num_key_value_heads": 32},
			"qwen2_vl":        {"num_key_value_heads": 8},
			"qwen2_vl_text":   {"num_key_value_heads": 8},
			"qwen2_5_vl":      {"num_key_value_heads": 8},
			"qwen2_5_vl_text": {"num_key_value_heads": 8},
			"qwen3":           {"num_key_value_heads": 32, "head_dim": 128},
		},
		mtp: modulesOf("num_nextn_predict_layers", fullLayer),
	},
	{
		names:   []string{"gemma2"},
		reads:   keys(slidingKeys, []string{"layer_types"}),
		aliases: map[string][]string{"sliding_window": {"sliding_window_size"}},
		defaults: defaults{
			"hidden_size": 2304, "num_hidden_layers": 26, "num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 256,
			"sliding_window": 4096, "max_position_embeddings": 8192,
		},
		layers: listed("layer_types", every(2, fullLayer, slidingLayer)), kinds: windowKinds,
	},
	{
		names: []string{"gemma3_text", "gemma3"},
		reads: keys(slidingKeys, []string{"layer_types", "sliding_window_pattern"}),
		// the class saves the period as it keeps it
		aliases: map[string][]string{"sliding_window_pattern": {"_sliding_window_pattern"}},
		defaults: defaults{
			"hidden_size": 2304, "num_hidden_layers": 26, "num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 256,
			"sliding_window": 4096, "max_position_embeddings": 131072,
		},
		layers: slidePattern(6), kinds: windowKinds,
	},
	{
		names: []string{"gemma3n_text", "gemma3n"},
		reads: keys(slidingKeys, []string{"layer_types", "num_kv_shared_layers"}),
		defaults: defaults{
			"hidden_size": 2048, "num_hidden_layers": 35, "num_attention_heads": 8, "num_key_value_heads": 2, "head_dim": 256,
			"sliding_window": 512, "num_kv_shared_layers": 15, "max_position_embeddings": 32768,
		},
		layers: shareLast(listed("layer_types", every(5, fullLayer, slidingLayer))), kinds: windowKinds,
	},
	{
		names: []string{"gemma4_text", "gemma4"},
		reads: keys(slidingKeys, []string{
			"layer_types", "num_kv_shared_layers", "attention_k_eq_v", "global_head_dim", "num_global_key_value_heads",
		}),
		defaults: defaults{
			"hidden_size": 2304, "num_hidden_layers": 30, "num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 256,
			"sliding_window": 512, "global_head_dim": 512, "num_kv_shared_layers": 0, "max_position_embeddings": 131072,
		},
		layers: shareLast(gemma4Layers),
		kinds:  map[string]part{fullLayer: fullOf(gemma4Heads), slidingLayer: sliding, sharedLayer: nil},
	},
	{
		names: []string{"cohere2"},
		reads: keys(slidingKeys, []string{"layer_types", "sliding_window_pattern"}),
		defaults: defaults{
			"hidden_size": 8192, "num_hidden_layers": 40, "num_attention_heads": 64, "sliding_window": 4096, "max_position_embeddings": 8192,
		},
		layers: slidePattern(4), kinds: windowKinds,
	},
	{
		names:    []string{"exaone4"},
		defaults: defaults{"num_key_value_heads": 32},
		reads:    keys(slidingKeys, []string{"layer_types", "sliding_window_pattern"}),
		layers:   slideOptional, kinds: windowKinds,
	},
	{
		names:  []string{"olmo3"},
		reads:  keys(slidingKeys, []string{"layer_types"}),
		layers: listed("layer_types", every(4, fullLayer, slidingLayer)), kinds: windowKinds,
	},
	{
		names:    []string{"gpt_oss"},
		defaults: defaults{"num_key_value_heads": 8, "head_dim": 64},
		reads:    keys(slidingKeys, []string{"layer_types"}),
		layers:   listed("layer_types", every(2, fullLayer, slidingLayer)), kinds: windowKinds,
	},
	{
		names: []string{"laguna"},
		reads: keys(slidingKeys, []string{"layer_types"}),
		defaults: defaults{
			"hidden_size": 2048, "num_hidden_layers": 40, "num_attention_heads": 48, "num_key_value_heads": 8, "head_dim": 128,
			"sliding_window": 512, "max_position_embeddings": 131072,
		},
		layers: listed("layer_types", uniform(fullLayer)), kinds: windowKinds,
	},
	{
		names: []string{"muse_glimmer_text", "muse_glimmer"},
		reads: keys(slidingKeys, []string{"layer_types"}),
		defaults: defaults{
			"hidden_size": 6656, "num_hidden_layers": 52, "num_attention_heads": 32, "num_key_value_heads": 2, "head_dim": 128,
			"sliding_window": 2048, "max_position_embeddings": 131072,
		},
		layers: listed("layer_types", museLayers), kinds: windowKinds,
	},
	{
		names:   []string{"step3p5", "step3p7"},
		reads:   keys(slidingKeys, []string{"layer_types", "attention_other_setting"}),
		nested:  map[string][]string{"attention_other_setting": {"attention_type", "num_attention_heads", "num_attention_groups", "head_dim", "true_head_dim"}},
		aliases: map[string][]string{"num_key_value_heads": {"num_attention_groups"}},
		defaults: defaults{
			"hidden_size": 4096, "num_hidden_layers": 45, "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 128,
			"max_position_embeddings": 128000,
		},
		layers: stepLayers,
		kinds:  map[string]part{fullLayer: full, slidingLayer: slidingOf(stepHeads)},
		mtp:    trailingModules("layer_types"),
	},
	{
		names: []string{"mimo_v2_flash"},
		reads: keys(slidingKeys, []string{
			"layer_types", "hybrid_layer_pattern", "v_head_dim", "swa_num_attention_heads", "swa_num_key_value_heads", "swa_head_dim", "swa_v_head_dim",
		}),
		ignores: []string{"attention_chunk_size", "swa_rope_theta"}, // engines drop the chunk: the window is as long
		aliases: map[string][]string{"sliding_window": {"sliding_window_size"}},
		defaults: defaults{
			"hidden_size": 4096, "num_hidden_layers": 48, "num_attention_heads": 64, "num_key_value_heads": 4, "head_dim": 192,
			"v_head_dim": 128, "sliding_window": 128, "max_position_embeddings": 131072,
		},
		layers: mimoLayers,
		kinds: map[string]part{
			fullLayer:    fullOf(headKeys{"num_attention_heads", "num_key_value_heads", "head_dim", "v_head_dim"}.streams),
			slidingLayer: slidingOf(mimoSlidingHeads),
		},
	},
	{
		names: []string{"inkling_text", "inkling_mm_model"},
		reads: keys(slidingKeys, []string{
			"layer_types", "local_layer_ids", "swa_num_attention_heads", "swa_num_key_value_heads", "swa_head_dim", "conv_kernel_size",
		}),
		aliases: map[string][]string{"sliding_window": {"sliding_window_size"}, "conv_kernel_size": {"sconv_kernel_size"}},
		defaults: defaults{
			"hidden_size": 6144, "num_hidden_layers": 66, "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 128,
			"swa_num_attention_heads": 64, "swa_num_key_value_heads": 16, "swa_head_dim": 128,
			"sliding_window": 512, "conv_kernel_size": 4, "max_position_embeddings": 131072,
		},
		layers: inklingLayers,
		kinds: map[string]part{
			"hybrid":         full,
			"hybrid_sliding": slidingOf(headKeys{heads: "swa_num_attention_heads", kv: "swa_num_key_value_heads", dim: "swa_head_dim"}.streams),
		},
	},
	{
		names:    []string{"llama4_text", "llama4"},
		reads:    keys(attentionKeys, []string{"layer_types", "attention_chunk_size", "no_rope_layers"}),
		layers:   llama4Layers,
		kinds:    map[string]part{fullLayer: full, chunkedLayer: chunked},
		defaults: defaults{"num_key_value_heads": 8, "head_dim": 128, "attention_chunk_size": 8192, "no_rope_layer_interval": 4},
	},
}
