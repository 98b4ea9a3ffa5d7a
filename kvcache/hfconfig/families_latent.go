package hfconfig

import "fmt"

// latentKeys are the cache-shaping keys of latent attention, and latentIgnored
// those that describe what is never cached.
var (
	latentKeys    = []string{"kv_lora_rank", "qk_rope_head_dim"}
	latentIgnored = []string{"num_key_value_heads", "head_dim", "v_head_dim"}
	indexerKeys   = []string{"index_head_dim", "index_topk_freq", "index_skip_topk_offset", "index_topk_pattern", "indexer_types", "layer_types"}
	indexIgnored  = []string{"index_n_heads", "index_topk", "indexer_rope_interleave", "index_share_for_mtp_iteration"}
)

const (
	latentLayer  = "latent"
	indexedLayer = "full"   // as indexer_types call a layer with an indexer of its own
	reusingLayer = "shared" // a layer that uses the selection of an earlier one
)

var latentKinds = map[string]part{latentLayer: latent}

var indexedKinds = map[string]part{indexedLayer: parts(latent, index), reusingLayer: latent}

// latentFamilies keep one compressed vector for all heads, some with an index or
// compressed over tokens.
var latentFamilies = []family{
	{
		names: []string{"deepseek_v2", "deepseek_v3", "kimi_k2"},
		reads: latentKeys, ignores: latentIgnored,
		layers: uniform(latentLayer), kinds: latentKinds,
		mtp: modulesOf("num_nextn_predict_layers", latentLayer),
	},
	{
		names: []string{"glm4_moe_lite"},
		reads: latentKeys, ignores: latentIgnored,
		defaults: defaults{
			"num_hidden_layers": 47, "kv_lora_rank": 512, "qk_rope_head_dim": 64, "max_position_embeddings": 202752,
		},
		layers: uniform(latentLayer), kinds: latentKinds,
		mtp: modulesOf("num_nextn_predict_layers", latentLayer),
	},
	{
		names: []string{"longcat_flash"},
		reads: latentKeys, ignores: latentIgnored,
		defaults: defaults{
			"num_layers": 28, "kv_lora_rank": 512, "qk_rope_head_dim": 64, "max_position_embeddings": 131072,
		},
		layers: longcatLayers, kinds: latentKinds,
	},
	{
		names: []string{"deepseek_v32"},
		reads: keys(latentKeys, indexerKeys), ignores: keys(latentIgnored, indexIgnored),
		defaults: defaults{
			"num_hidden_layers": 61, "kv_lora_rank": 512, "qk_rope_head_dim": 64, "index_head_dim": 128,
			"max_position_embeddings": 163840,
		},
		layers: indexerLayers, kinds: indexedKinds,
		mtp: modulesOf("num_nextn_predict_layers", indexedLayer),
	},
	{
		names: []string{"glm_moe_dsa"},
		reads: keys(latentKeys, indexerKeys), ignores: keys(latentIgnored, indexIgnored),
		defaults: defaults{
			"num_hidden_layers": 78, "kv_lora_rank": 512, "qk_rope_head_dim": 64, "index_head_dim": 128,
			"index_skip_topk_offset": 2, "max_position_embeddings": 202752,
		},
		layers: indexerLayers, kinds: indexedKinds,
		mtp: modulesOf("num_nextn_predict_layers", indexedLayer),
	},
	{
		names: []string{"axk2"},
		reads: keys(latentKeys, indexerKeys), ignores: keys(latentIgnored, indexIgnored),
		defaults: defaults{
			"num_hidden_layers": 48, "kv_lora_rank": 128, "qk_rope_head_dim": 32, "index_head_dim": 128,
			"max_position_embeddings": 131072,
		},
		layers: indexerLayers, kinds: indexedKinds,
	},
	{
		names:   []string{"deepseek_v4", "deepseek_ref"},
		reads:   []string{"head_dim", "sliding_window", "compress_ratios", "compress_rates", "layer_types", "index_head_dim"},
		nested:  map[string][]string{"compress_rates": {"compressed_sparse_attention", "heavily_compressed_attention"}},
		ignores: []string{"num_key_value_heads", "qk_rope_head_dim", "index_n_heads", "index_topk"},
		defaults: defaults{
			"num_hidden_layers": 43, "head_dim": 512, "sliding_window": 128, "index_head_dim": 128, "max_position_embeddings": 1048576,
		},
		layers: compressRatios, kinds: compressedKinds,
		mtp: trailingModules("compress_ratios"),
	},
	{
		names: []string{"minimax_m3", "minimax_m3_vl_text", "minimax_m3_vl"},
		reads: keys(attentionKeys, []string{"layer_types", "sparse_attention_config", "index_head_dim"}),
		ignores: []string{
			"index_n_heads", "index_block_size", "index_topk_blocks", "index_local_blocks",
		},
		nested: map[string][]string{"sparse_attention_config": {
			"use_sparse_attention", "sparse_attention_freq", "sparse_index_dim", "sparse_disable_index_value",
			// what an index is used for, not what is kept of it
			"sparse_num_index_heads", "sparse_topk_blocks", "sparse_block_size", "sparse_score_type",
			"sparse_init_block", "sparse_local_block",
		}},
		defaults: defaults{
			"hidden_size": 6144, "num_hidden_layers": 60, "num_attention_heads": 64, "num_key_value_heads": 4, "head_dim": 128,
			"index_head_dim": 128, "max_position_embeddings": 524288,
		},
		layers: m3Layers,
		kinds:  map[string]part{fullLayer: full, "minimax_m3_sparse": parts(full, m3Index)},
		mtp:    modulesOf("num_mtp_modules", "minimax_m3_sparse"),
	},
}

// longcatLayers keep two caches a layer, one for each of its attentions.
func longcatLayers(c *config) []string {
	c.listKey = "num_layers"
	layers := c.number("num_layers", 1, maxLayers/2)
	if n, ok := c.value("num_hidden_layers"); ok {
		if total := c.integer("num_hidden_layers", n, 1, maxLayers); total != 2*layers && c.err == nil {
			c.fail(c.inconsistent("num_hidden_layers", fmt.Sprintf("%d, but num_layers=%d keep two caches each", total, layers)))
		}
	}
	kinds := make([]string, 2*layers)
	for i := range kinds {
		kinds[i] = latentLayer
	}
	return kinds
}

// indexerLayers says which layers own an indexer: by indexer_types, by a pattern
// of F and S, or by a frequency behind an offset, which is every layer by default.
func indexerLayers(c *config) []string {
	for i, kind := range c.strings("layer_types") {
		if kind != "deepseek_sparse_attention" {
			c.fail(c.unknownValue("layer_types", i, kind))
			return nil
		}
	}
	if kinds := c.listedIn("indexer_types", 0); kinds != nil || c.err != nil {
		return kinds
	}
	if n, ok := c.value("index_topk_pattern"); ok {
		s, isText := n.Str()
		if !isText {
			c.fail(c.typeError("index_topk_pattern", n, "a string of F and S"))
		}
		return c.letters("index_topk_pattern", s, map[byte]string{'F': indexedLayer, 'S': reusingLayer}, false)
	}
	if _, ok := c.value("index_topk_freq"); !ok {
		return uniform(indexedLayer)(c)
	}
	c.listKey = "index_topk_freq"
	freq := max(1, c.number("index_topk_freq", 0, maxLayers))
	offset := c.number("index_skip_topk_offset", 0, maxLayers)
	return c.repeat(func(i int) string {
		if max(i-offset+1, 0)%freq == 0 {
			return indexedLayer
		}
		return reusingLayer
	})
}

// m3Layers takes layer_types, else the flags of the sparse attention; without
// either every layer is a full one.
func m3Layers(c *config) []string {
	if kinds := c.listedIn("layer_types", 0); kinds != nil || c.err != nil {
		return kinds
	}
	sparse := c.within("sparse_attention_config")
	if sparse == nil {
		return uniform(fullLayer)(c)
	}
	if _, ok := sparse.value("use_sparse_attention"); !ok {
		sparse.missing("use_sparse_attention")
	}
	if !sparse.is("use_sparse_attention") {
		return uniform(fullLayer)(c)
	}
	freq := sparse.ints("sparse_attention_freq")
	if freq == nil {
		sparse.missing("sparse_attention_freq")
		return nil
	}
	sparse.keysAlone(freq)
	return c.cut("sparse_attention_config", sparse.named("sparse_attention_freq", freq, []string{fullLayer, "minimax_m3_sparse"}), 0)
}

// keysAlone refuses an index that keeps a value beside its key.
func (c *config) keysAlone(freq []int64) {
	disabled := c.ints("sparse_disable_index_value")
	if disabled != nil && len(disabled) != len(freq) {
		c.fail(c.inconsistent("sparse_disable_index_value", fmt.Sprintf("%d entries for %d layers", len(disabled), len(freq))))
		return
	}
	for i, d := range disabled {
		if d == 0 && freq[i] != 0 {
			c.fail(c.unknownValue("sparse_disable_index_value", i, "0"))
		}
	}
}
