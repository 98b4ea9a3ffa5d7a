package hfconfig

import (
	"fmt"
	"slices"
	"strconv"

	"example.com/servemath/kvcache"
)

// DeepSeek V4 keeps a window of entries on every layer and, on a layer of
// compression ratio r, one entry for r tokens. A layer of ratio 4 also has an
// indexer with entries of its own. What a compressor holds of the tokens that
// make no whole entry yet is a state in FP32.

var compressedKinds = map[string]part{
	"0":   entryWindow,
	"4":   parts(entryWindow, compressed(4, 2), compressedIndex(4, 2)),
	"128": parts(entryWindow, compressed(128, 1)),
}

func entryWindow(c *config) []kvcache.Group {
	return []kvcache.Group{{
		Name: "window", Streams: []kvcache.Stream{one("latent", c.dim("head_dim"))},
		Tokens: kvcache.TokenRule{Kind: kvcache.Window, N: c.number("sliding_window", 1, maxTokens)},
	}}
}

// compressed keeps an entry for ratio tokens. Its compressor overlaps so many
// ratios of tokens and holds a value and a score for each of their values.
func compressed(ratio, overlap int) part {
	return func(c *config) []kvcache.Group {
		return []kvcache.Group{entries(fmt.Sprintf("compressed %d to 1", ratio), "latent", c.dim("head_dim"), ratio, overlap)}
	}
}

func compressedIndex(ratio, overlap int) part {
	return func(c *config) []kvcache.Group {
		return []kvcache.Group{entries("sparse index", "index", c.dim("index_head_dim"), ratio, overlap)}
	}
}

func entries(group, stream string, dim, ratio, overlap int) kvcache.Group {
	return kvcache.Group{
		Name: group, Streams: []kvcache.Stream{one(stream, dim)},
		Tokens: kvcache.TokenRule{Kind: kvcache.Every, N: ratio},
		States: []kvcache.State{{
			Name: "compressor", Values: product(overlap*ratio, 2*overlap, dim),
			Format: kvcache.FP32, Shard: kvcache.Replicated, Once: true,
		}},
	}
}

// compressRatios are the kinds of the layers: the ratio of each, with those of
// the MTP modules at the end, or the layer types that stand for a ratio.
func compressRatios(c *config) []string {
	types := c.compressTypes()
	ratios := c.ints("compress_ratios")
	if ratios == nil {
		if types == nil {
			c.missing("compress_ratios")
		}
		return types
	}
	kinds := make([]string, len(ratios))
	for i, r := range ratios {
		kinds[i] = ratioKind(r)
	}
	kinds = c.cut("compress_ratios", kinds, c.count("num_nextn_predict_layers"))
	if types != nil && c.err == nil && !slices.Equal(kinds, types) {
		c.fail(c.inconsistent("compress_ratios", "are not those of the layer_types"))
	}
	return kinds
}

// ratioKind spells a ratio. One of 1 compresses nothing, no more than 0 does.
func ratioKind(r int64) string {
	if r == 1 {
		r = 0
	}
	return strconv.FormatInt(r, 10)
}

func (c *config) compressTypes() []string {
	kinds := c.listedIn("layer_types", 0)
	if kinds == nil {
		return nil
	}
	ratios := map[string]int{slidingLayer: 0, "compressed_sparse_attention": 4, "heavily_compressed_attention": 128}
	if rates := c.within("compress_rates"); rates != nil {
		for kind := range rates.text.Members() {
			ratios[kind] = rates.dim(kind)
		}
	}
	for i, k := range kinds {
		if r, ok := ratios[k]; ok {
			kinds[i] = ratioKind(int64(r))
		}
	}
	return kinds
}
