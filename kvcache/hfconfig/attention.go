package hfconfig

import (
	"fmt"

	"example.com/servemath/kvcache"
)

// attentionKeys are the cache-shaping keys of plain attention.
var attentionKeys = []string{"num_key_value_heads", "head_dim"}

// headKeys name the head counts and sizes of one kind of attention.
type headKeys struct{ heads, kv, dim, v string }

// heads reads what an attention layer keeps of a token.
type heads func(*config) []kvcache.Stream

var plainHeads heads = headKeys{heads: "num_attention_heads", kv: "num_key_value_heads", dim: "head_dim"}.streams

// keyValue is a key and a value for each of kv heads.
func keyValue(kv, k, v int) []kvcache.Stream {
	return []kvcache.Stream{
		{Name: "k", Heads: kv, Dim: k, Shard: kvcache.ByHead},
		{Name: "v", Heads: kv, Dim: v, Shard: kvcache.ByHead},
	}
}

// streams reads a key and a value for each head. Without a count of KV heads
// there are as many as query heads, and without a size the hidden values are
// shared out among the query heads; without a size of values it is that of keys.
func (h headKeys) streams(c *config) []kvcache.Stream {
	heads, kv := c.kvHeads(h.heads, h.kv)
	k := c.headSize(h.dim, h.heads, heads)
	v := k
	if h.v != "" {
		v = c.sizeOr(h.v, func() int { return k }, h.dim)
	}
	return keyValue(kv, k, v)
}

// kvHeads counts the query heads and the KV heads that they share.
func (c *config) kvHeads(headsKey, kvKey string) (heads, kv int) {
	heads = c.dim(headsKey)
	kv = c.dimOr(kvKey, func() int { return heads }, headsKey)
	c.divides(kvKey, heads, kv)
	return heads, kv
}

// headSize is the values of a head.
func (c *config) headSize(key, headsKey string, heads int) int {
	why := "hidden_size / " + headsKey
	return c.sizeOr(key, func() int { return c.quotient(c.dim("hidden_size"), heads, key, why) }, why)
}

// divides refuses KV heads that query heads cannot share evenly.
func (c *config) divides(key string, heads, kv int) {
	if kv > 0 && heads%kv != 0 {
		c.fail(c.inconsistent(key, fmt.Sprintf("%d KV heads do not divide %d heads", kv, heads)))
	}
}

// full attends to every token.
func full(c *config) []kvcache.Group { return fullOf(plainHeads)(c) }

func fullOf(h heads) part {
	return func(c *config) []kvcache.Group {
		return []kvcache.Group{{Name: "full attention", Streams: h(c)}}
	}
}

// sliding attends to the last sliding_window tokens.
func sliding(c *config) []kvcache.Group { return slidingOf(plainHeads)(c) }

func slidingOf(h heads) part {
	return func(c *config) []kvcache.Group {
		return []kvcache.Group{{
			Name: "sliding window", Streams: h(c),
			Tokens: kvcache.TokenRule{Kind: kvcache.Window, N: c.number("sliding_window", 1, maxTokens)},
		}}
	}
}

// chunked attends within chunks of attention_chunk_size tokens.
func chunked(c *config) []kvcache.Group {
	return []kvcache.Group{{
		Name: "chunked attention", Streams: plainHeads(c),
		Tokens: kvcache.TokenRule{Kind: kvcache.Chunk, N: c.number("attention_chunk_size", 1, maxTokens)},
	}}
}

// latent keeps one vector for all heads: the compressed key and value with the
// rotary part of the key (DeepSeek-AI 2024, DeepSeek-V2).
func latent(c *config) []kvcache.Group {
	dim := c.dim("kv_lora_rank") + c.number("qk_rope_head_dim", 0, maxDim)
	return []kvcache.Group{{Name: "latent attention", Streams: []kvcache.Stream{one("latent", dim)}}}
}

// index is the key of a sparse attention's indexer.
func index(c *config) []kvcache.Group {
	return []kvcache.Group{{Name: "sparse index", Streams: []kvcache.Stream{one("index", c.dim("index_head_dim"))}}}
}

func one(name string, dim int) kvcache.Stream {
	return kvcache.Stream{Name: name, Heads: 1, Dim: dim, Shard: kvcache.Replicated}
}

// m3Index is the index of MiniMax-M3, whose size stands among the settings of the
// sparse attention or beside them.
func m3Index(c *config) []kvcache.Group {
	if sparse := c.within("sparse_attention_config"); sparse != nil {
		return []kvcache.Group{{Name: "sparse index", Streams: []kvcache.Stream{one("index", sparse.dim("sparse_index_dim"))}}}
	}
	return index(c)
}

// falconHeads counts KV heads of its own in the new decoder architecture only.
func falconHeads(c *config) []kvcache.Stream {
	if !c.flag("new_decoder_architecture") {
		return multiQuery(c)
	}
	_, dim := c.sharedHidden()
	_, kv := c.kvHeads("num_attention_heads", "num_key_value_heads")
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
	if !c.flag("multi_query_attention") {
		return keyValue(heads, dim, dim)
	}
	kv := c.dim("multi_query_group_num")
	c.divides("multi_query_group_num", heads, kv)
	return keyValue(kv, dim, dim)
}
