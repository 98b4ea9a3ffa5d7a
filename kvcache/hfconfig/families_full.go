package hfconfig

// fullFamilies attend to every token in every layer: multi-head attention, and
// its grouped and single-key forms.
var fullFamilies = []family{
	{
		names: []string{
			"llama", "qwen3_vl_text", "qwen3_vl", "cohere", "granite", "granitemoe", "olmo", "olmo2", "olmoe", "nemotron",
			"stablelm", "gemma", "glm", "glm4", "glm4v_text", "glm4v", "arcee", "helium", "seed_oss", "ernie4_5", "ernie4_5_moe",
			"internlm2", "internlm3", "deepseek", "gpt_neox", "opt",
		},
		reads: attentionKeys, layers: uniform(fullLayer), kinds: fullKinds,
		classes: map[string]defaults{
			"qwen3_vl_text": {"num_key_value_heads": 32, "head_dim": 128},
			"qwen3_vl":      {"num_key_value_heads": 32, "head_dim": 128},
			"stablelm":      {"num_key_value_heads": 32},
			"gemma":         {"num_key_value_heads": 16, "head_dim": 256},
			"glm":           {"num_key_value_heads": 2, "head_dim": 128},
			"glm4":          {"num_key_value_heads": 2, "head_dim": 128},
			"glm4v_text":    {"num_key_value_heads": 2},
			"glm4v":         {"num_key_value_heads": 2},
			"helium":        {"num_key_value_heads": 20, "head_dim": 128},
			"seed_oss":      {"num_key_value_heads": 8, "head_dim": 128},
			"ernie4_5":      {"num_key_value_heads": 2, "head_dim": 128},
			"ernie4_5_moe":  {"num_key_value_heads": 4},
		},
	},
	{
		names:   []string{"gpt2", "gptj", "codegen", "bloom"},
		aliases: map[string][]string{"num_hidden_layers": {"n_layer"}, "num_attention_heads": {"n_head"}, "hidden_size": {"n_embd", "n_embed"}},
		layers:  uniform(fullLayer), kinds: map[string]part{fullLayer: fullOf(multiHeads)},
	},
	{
		names:   []string{"qwen2_moe", "qwen3_moe"},
		reads:   keys(attentionKeys, []string{"layer_types"}),
		ignores: []string{"sliding_window", "max_window_layers"}, // use_sliding_window, which would make them count, is refused
		layers:  allListed("layer_types", fullLayer), kinds: fullKinds,
		classes: map[string]defaults{
			"qwen2_moe": {"num_key_value_heads": 16},
			"qwen3_moe": {"num_key_value_heads": 4},
		},
	},
	{
		names:   []string{"qwen3_vl_moe_text", "qwen3_vl_moe", "qwen3_omni_moe_text"},
		reads:   keys(attentionKeys, []string{"layer_types"}),
		ignores: []string{"max_window_layers"}, // says nothing without a window, which is refused: no switch turns it off
		layers:  allListed("layer_types", fullLayer), kinds: fullKinds,
		classes: map[string]defaults{
			"qwen3_vl_moe_text":   {"num_key_value_heads": 16},
			"qwen3_vl_moe":        {"num_key_value_heads": 16},
			"qwen3_omni_moe_text": {"num_key_value_heads": 4},
		},
	},
	{
		names: []string{"phi"},
		reads: attentionKeys, layers: uniform(fullLayer), kinds: fullKinds,
		defaults: defaults{"hidden_size": 2048, "num_hidden_layers": 24, "num_attention_heads": 32, "max_position_embeddings": 2048},
	},
	{
		names: []string{"hy_v3"},
		reads: attentionKeys, layers: uniform(fullLayer), kinds: fullKinds,
		defaults: defaults{
			"hidden_size": 4096, "num_hidden_layers": 80, "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 128,
			"max_position_embeddings": 131072,
		},
		mtp: modulesOf("num_nextn_predict_layers", fullLayer),
	},
	{
		names: []string{"glm4_moe", "glm4v_moe_text", "glm4v_moe"},
		reads: attentionKeys, layers: uniform(fullLayer), kinds: fullKinds,
		aliases: map[string][]string{"num_nextn_predict_layers": {"num_mtp_layers"}},
		defaults: defaults{
			"hidden_size": 4096, "num_hidden_layers": 46, "num_attention_heads": 96, "num_key_value_heads": 8,
			"max_position_embeddings": 131072,
		},
		classes: map[string]defaults{
			"glm4v_moe_text": {"max_position_embeddings": 65536},
			"glm4v_moe":      {"max_position_embeddings": 65536},
		},
		mtp: modulesOf("num_nextn_predict_layers", fullLayer),
	},
	{
		names:  []string{"minimax_m2"},
		reads:  keys(attentionKeys, []string{"attn_type_list"}),
		layers: flagged("attn_type_list", linearLayer, fullLayer), kinds: fullKinds, // so a 0 is refused
		defaults: defaults{"num_key_value_heads": 8, "head_dim": 128},
		mtp:      minimaxModules,
	},
	{
		names:   []string{"smollm3"},
		reads:   keys(attentionKeys, []string{"layer_types"}),
		ignores: []string{"sliding_window", "no_rope_layers"}, // use_sliding_window is refused; a layer without rotary positions caches the same
		layers:  allListed("layer_types", fullLayer), kinds: fullKinds,
		defaults: defaults{
			"hidden_size": 2048, "num_hidden_layers": 36, "num_attention_heads": 16, "num_key_value_heads": 4,
			"max_position_embeddings": 32768,
		},
	},
	{
		names: []string{"falcon"},
		reads: []string{"multi_query", "num_key_value_heads"},
		aliases: map[string][]string{
			"num_hidden_layers": {"n_layer"}, "num_attention_heads": {"n_head"}, "num_key_value_heads": {"num_kv_heads", "n_head_kv"},
		},
		defaults: defaults{"hidden_size": 4544, "num_hidden_layers": 32, "num_attention_heads": 71, "max_position_embeddings": 2048},
		trues:    []string{"multi_query"},
		layers:   uniform(fullLayer),
		kinds:    map[string]part{fullLayer: fullOf(falconHeads)},
	},
	{
		names:   []string{"gpt_bigcode"},
		reads:   []string{"multi_query"},
		aliases: map[string][]string{"num_hidden_layers": {"n_layer"}, "num_attention_heads": {"n_head"}, "hidden_size": {"n_embd"}},
		defaults: defaults{
			"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "n_positions": 1024,
		},
		trues:  []string{"multi_query"},
		layers: uniform(fullLayer),
		kinds:  map[string]part{fullLayer: fullOf(multiQuery)},
	},
	{
		names:   []string{"chatglm"},
		reads:   []string{"multi_query_group_num", "kv_channels"},
		aliases: map[string][]string{"num_hidden_layers": {"num_layers"}},
		layers:  uniform(fullLayer),
		kinds:   map[string]part{fullLayer: fullOf(chatGLMHeads)},
	},
	{
		names:   []string{"hunyuan", "hunyuan_v1_moe", "hunyuan_v1_dense"},
		reads:   keys(attentionKeys, []string{"use_cla", "cla_share_factor"}),
		aliases: map[string][]string{"head_dim": {"attention_head_dim"}},
		layers:  claLayers,
		kinds:   map[string]part{fullLayer: full, sharedLayer: nil},
	},
	{
		names: []string{"nemotron-nas"},
		reads: []string{"head_dim", "block_configs"}, // the blocks count the KV heads
		nested: map[string][]string{
			"block_configs":           {"attention", "ffn"},
			"block_configs.attention": {"n_heads_in_group", "no_op", "replace_with_linear"},
		},
		layers: nasLayers,
	},
}

var fullKinds = map[string]part{fullLayer: full}

// claLayers share the cache of one layer among cla_share_factor (Brandon et al.
// 2024, cross-layer attention).
func claLayers(c *config) []string {
	factor, shared := 1, c.is("use_cla")
	if c.given("cla_share_factor") {
		shared = c.flag("use_cla") // beside a factor the class's default is worth telling
	}
	if shared {
		factor = max(1, c.dim("cla_share_factor"))
		c.listKey = "cla_share_factor"
	}
	return c.repeat(func(i int) string {
		if i%factor == 0 {
			return fullLayer
		}
		return sharedLayer
	})
}
