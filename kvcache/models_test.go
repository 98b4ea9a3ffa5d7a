package kvcache_test

import "example.com/servemath/kvcache"

// Models typed in from their published shapes.

func attention(layers, heads, k, v int) kvcache.Group {
	return kvcache.Group{
		Name: "attention", Key: "num_hidden_layers", Layers: layers,
		Streams: []kvcache.Stream{{Name: "k", Heads: heads, Dim: k}, {Name: "v", Heads: heads, Dim: v}},
	}
}

func sliding(layers, heads, dim, window int) kvcache.Group {
	g := attention(layers, heads, dim, dim)
	g.Name, g.Key = "sliding", "sliding_window"
	g.Tokens = kvcache.TokenRule{Kind: kvcache.Window, N: window}
	return g
}

func latent(layers, dim int) kvcache.Group {
	return kvcache.Group{Name: "latent", Key: "kv_lora_rank", Layers: layers, Streams: copied("latent", dim)}
}

func index(layers int) kvcache.Group {
	return kvcache.Group{Name: "index", Key: "index_head_dim", Layers: layers, Streams: copied("index", 128)}
}

// deltaNet is gated delta: nk and nv heads of 128, a convolution over 4 tokens.
func deltaNet(layers, nk, nv int, recurrent kvcache.Format) kvcache.Group {
	return kvcache.Group{Name: "linear", Key: "linear_num_value_heads", Layers: layers, States: []kvcache.State{
		{Name: "conv", Values: int64(2*nk+nv) * 128 * 3, Heads: nk},
		{Name: "recurrent", Values: int64(nv) * 128 * 128, Format: recurrent, Heads: nv},
	}}
}

func mamba2(layers, heads, headDim, groups, state int) kvcache.Group {
	inner := heads * headDim
	return kvcache.Group{Name: "mamba", Key: "hybrid_override_pattern", Layers: layers, States: []kvcache.State{
		{Name: "conv", Values: int64(inner+2*groups*state) * 3, Groups: groups, PerGroup: 2 * state * 3},
		{Name: "recurrent", Values: int64(inner * state), Format: kvcache.FP32, Heads: heads},
	}}
}

func model(name string, window int, groups ...kvcache.Group) *kvcache.Model {
	return &kvcache.Model{Name: name, ContextWindow: window, DType: kvcache.BF16, Groups: groups}
}

// llama8B is Llama-3.1-8B: 65,536 bytes a token at one byte a value.
func llama8B() *kvcache.Model { return model("Llama-3.1-8B", 131072, attention(32, 8, 128, 128)) }

func qwen35() *kvcache.Model {
	return model("Qwen3.5-27B", 262144, attention(16, 4, 256, 256), deltaNet(48, 16, 48, kvcache.FP32))
}

func ultra() *kvcache.Model {
	return model("Nemotron-3-Ultra-550B", 262144, attention(12, 2, 128, 128), mamba2(48, 256, 64, 8, 128))
}

func every(ratio, layers int, streams ...kvcache.Stream) kvcache.Group {
	return kvcache.Group{
		Name: "compressed", Key: "compress_ratios", Layers: layers,
		Tokens: kvcache.TokenRule{Kind: kvcache.Every, N: ratio}, Streams: streams,
	}
}

// deepSeekV4 has c4 layers that compress 4 tokens into one and c128 that
// compress 128; every layer keeps a window besides.
func deepSeekV4(name string, c4, c128, layers int) *kvcache.Model {
	four := every(4, c4, append(copied("latent", 512), copied("index", 128)...)...)
	four.States = compressor(8*2*1024 + 8*2*256)
	far := every(128, c128, copied("latent", 512)...)
	far.States = compressor(128 * 2 * 512)
	window := kvcache.Group{
		Name: "window", Key: "sliding_window", Layers: layers,
		Tokens: kvcache.TokenRule{Kind: kvcache.Window, N: 128}, Streams: copied("latent", 512),
	}
	return model(name, 1048576, four, far, window)
}

func compressor(values int64) []kvcache.State {
	return []kvcache.State{{Name: "compressor", Values: values, Format: kvcache.FP32, Shard: kvcache.Replicated, Once: true}}
}
