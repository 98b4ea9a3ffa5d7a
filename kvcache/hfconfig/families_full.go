package hfconfig

import (
	"strconv"

	"example.com/servemath/internal/jsontree"
	"example.com/servemath/kvcache"
)

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
	},
	{
		names:   []string{"gpt2", "gptj", "codegen", "bloom"},
		aliases: map[string][]string{"num_hidden_layers": {"n_layer"}, "num_attention_heads": {"n_head"}, "hidden_size": {"n_embd", "n_embed"}},
		layers:  uniform(fullLayer), kinds: map[string]part{fullLayer: fullOf(multiHeads)},
	},
	{
		names:   []string{"qwen2_moe", "qwen3_moe", "qwen3_vl_moe_text", "qwen3_vl_moe", "qwen3_omni_moe_text"},
		reads:   attentionKeys,
		ignores: []string{"sliding_window", "max_window_layers"}, // use_sliding_window, which would make them count, is refused
		layers:  uniform(fullLayer), kinds: fullKinds,
	},
	{
		names: []string{"phi"},
		reads: attentionKeys, layers: uniform(fullLayer), kinds: fullKinds,
		defaults: map[string]int{"hidden_size": 2048, "num_hidden_layers": 24, "num_attention_heads": 32, "max_position_embeddings": 2048},
	},
	{
		names: []string{"hy_v3"},
		reads: attentionKeys, layers: uniform(fullLayer), kinds: fullKinds,
		defaults: map[string]int{
			"hidden_size": 4096, "num_hidden_layers": 80, "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 128,
			"max_position_embeddings": 131072,
		},
		mtp: modulesOf("num_nextn_predict_layers", fullLayer),
	},
	{
		names: []string{"glm4_moe", "glm4v_moe_text", "glm4v_moe"},
		reads: attentionKeys, layers: uniform(fullLayer), kinds: fullKinds,
		aliases: map[string][]string{"num_nextn_predict_layers": {"num_mtp_layers"}},
		defaults: map[string]int{
			"hidden_size": 4096, "num_hidden_layers": 46, "num_attention_heads": 96, "num_key_value_heads": 8,
			"max_position_embeddings": 131072,
		},
		mtp: modulesOf("num_nextn_predict_layers", fullLayer),
	},
	{
		names:   []string{"minimax_m2"},
		reads:   keys(attentionKeys, []string{"attn_type_list"}),
		ignores: []string{"sliding_window"},
		layers: func(c *config) []string {
			return or(c.flags("attn_type_list", linearLayer, fullLayer), c, uniform(fullLayer))
		},
		kinds: fullKinds,
		mtp: func(c *config) []string {
			perModule := make([]string, max(1, min(c.count("mtp_transformer_layers"), maxModules)))
			for i := range perModule {
				perModule[i] = fullLayer
			}
			return modulesOf("num_mtp_modules", perModule...)(c)
		},
	},
	{
		names:   []string{"smollm3"},
		reads:   keys(attentionKeys, []string{"layer_types"}),
		ignores: []string{"sliding_window", "no_rope_layers"}, // use_sliding_window is refused; a layer without rotary positions caches the same
		layers:  func(c *config) []string { return or(c.listedIn("layer_types", 0), c, uniform(fullLayer)) },
		kinds:   fullKinds,
		defaults: map[string]int{
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
		defaults: map[string]int{"hidden_size": 4544, "num_hidden_layers": 32, "num_attention_heads": 71, "max_position_embeddings": 2048},
		set:      []string{"multi_query"},
		layers:   uniform(fullLayer),
		kinds:    map[string]part{fullLayer: fullOf(falconHeads)},
	},
	{
		names:   []string{"gpt_bigcode"},
		reads:   []string{"multi_query"},
		aliases: map[string][]string{"num_hidden_layers": {"n_layer"}, "num_attention_heads": {"n_head"}, "hidden_size": {"n_embd"}},
		defaults: map[string]int{
			"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "n_positions": 1024,
		},
		set:    []string{"multi_query"},
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

// or takes another rule where a list is absent.
func or(kinds []string, c *config, rule func(*config) []string) []string {
	if kinds != nil || c.err != nil {
		return kinds
	}
	return rule(c)
}

// falconHeads counts KV heads of its own in the new decoder architecture only.
func falconHeads(c *config) []kvcache.Stream {
	if !c.given("new_decoder_architecture") {
		return multiQuery(c)
	}
	heads, dim := c.sharedHidden()
	kv := c.dimOr("num_key_value_heads", func() int { return heads }, "num_attention_heads")
	c.divides("num_key_value_heads", heads, kv)
	return keyValue(kv, dim, dim)
}

// multiQuery has one KV head where the key of that name says so (Shazeer 2019),
// and else as many as query heads.
func multiQuery(c *config) []kvcache.Stream {
	heads, dim := c.sharedHidden()
	if c.flag("multi_query") {
		heads = 1
	}
	return keyValue(heads, dim, dim)
}

// multiHeads have keys and values each.
func multiHeads(c *config) []kvcache.Stream {
	heads, dim := c.sharedHidden()
	return keyValue(heads, dim, dim)
}

// sharedHidden is the query heads and their size: the hidden values shared out.
func (c *config) sharedHidden() (heads, dim int) {
	heads = c.dim("num_attention_heads")
	return heads, c.quotient(c.dim("hidden_size"), heads, "num_attention_heads", "hidden_size / num_attention_heads")
}

func chatGLMHeads(c *config) []kvcache.Stream {
	heads, dim := c.dim("num_attention_heads"), c.dim("kv_channels")
	if !c.given("multi_query_attention") {
		return keyValue(heads, dim, dim)
	}
	kv := c.dim("multi_query_group_num")
	c.divides("multi_query_group_num", heads, kv)
	return keyValue(kv, dim, dim)
}

// claLayers share the cache of one layer among cla_share_factor (Brandon et al.
// 2024, cross-layer attention).
func claLayers(c *config) []string {
	factor := 1
	if c.given("use_cla") && c.flag("use_cla") {
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

// nasLayers are layers as an architecture search left them: with heads in groups
// of a size of their own, replaced by a linear one or without attention.
func nasLayers(c *config) []string {
	c.listKey = "block_configs"
	blocks, ok := c.value("block_configs")
	if !ok {
		c.missing("block_configs")
		return nil
	}
	items := blocks.Items()
	kinds := make([]string, min(len(items), maxLayers))
	c.kinds = map[string]part{"none": nil}
	for i := range kinds {
		kinds[i] = c.nasLayer(&items[i])
	}
	return c.cut("block_configs", kinds, 0)
}

func (c *config) nasLayer(block *jsontree.Node) string {
	b := c.sub(block, "block_configs.")
	a := b.within("attention")
	if a == nil {
		b.missing("attention")
		return ""
	}
	if a.given("no_op") || a.given("replace_with_linear") {
		return "none"
	}
	size, heads := a.dim("n_heads_in_group"), c.dim("num_attention_heads")
	kv := c.quotient(heads, size, "block_configs", "KV heads")
	kind := groupName(kv)
	if _, ok := c.kinds[kind]; !ok {
		c.kinds[kind] = nasPart(kind, heads, kv)
	}
	return kind
}

func groupName(kv int) string { return "full attention, " + strconv.Itoa(kv) + " KV heads" }

func nasPart(name string, heads, kv int) part {
	return func(c *config) []kvcache.Group {
		dim := c.dimOr("head_dim", func() int {
			return c.quotient(c.dim("hidden_size"), heads, "head_dim", "hidden_size / num_attention_heads")
		},
			"hidden_size / num_attention_heads")
		return []kvcache.Group{{Name: name, Streams: keyValue(kv, dim, dim)}}
	}
}
