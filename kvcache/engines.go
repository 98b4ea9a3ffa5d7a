package kvcache

// Logical has no engine's effects: what a session needs, at one byte a value
// unless told otherwise, with one copy of each state, split exactly.
func Logical() Engine { return Engine{Name: "logical"} }

// VLLM is vLLM with prefix caching on ("align" mode: two states a session; set
// StateCopies to 1 for "none", or StatePerBlock for "all") and 8,192 tokens
// batched at a time in two batches, its defaults on a device of 70 GiB or more:
// WindowSlack and ChunkSlack follow from those.
func VLLM() Engine {
	const inFlight = 2 * 8192
	return Engine{
		Name: "vllm", AsOf: "vLLM 073c510c, 2026-08-09", ModelFormat: true,
		BlockTokens: 16, HybridBlockTokens: 128, UnifyPages: true,
		WindowSlack: inFlight - 1, ChunkSlack: inFlight, WindowBlocks: 1,
		StateCopies: 2, StatePerDraft: true,
		Packings: []Packing{
			{Stream: "latent", Beside: "index", Tokens: All, Dim: 576, Format: FP8DSMLA, For: FP8, BlockTokens: 64},
			{Stream: "index", Beside: "latent", Tokens: All, Dim: 128, Format: FP8Index, BlockTokens: 64},
			{Stream: "latent", Tokens: Every, Dim: 512, Format: FP8DSV4, For: FP8, BlockTokens: 256, PageAlign: 576},
			{Stream: "index", Beside: "latent", Tokens: Every, Dim: 128, Format: FP8Index, BlockTokens: 256},
			{Stream: "latent", Tokens: Window, Dim: 512, Format: FP8DSV4, For: FP8, BlockTokens: 64, PageAlign: 576},
		},
		WholeLayers: true, Stages: BeforeLast,
	}
}

// SGLang is SGLang with its radix cache on, which takes three state slots for
// each running session (set StateCopies to 1 without it, to 5 with the overlap
// schedule's extra buffers).
func SGLang() Engine {
	return Engine{
		Name: "sglang", AsOf: "SGLang, 2026-08", ModelFormat: true,
		StateCopies: 3, StatePerDraft: true, DraftRing: 2,
		StateFormats: []StateFormat{{Name: "conv", Format: BF16}, {Name: "recurrent", Format: FP32}},
		Packings: []Packing{
			{Stream: "latent", Beside: "index", Tokens: All, Dim: 576, Format: FP8DSMLA, For: FP8, BlockTokens: 64},
			{Stream: "index", Beside: "latent", Tokens: All, Dim: 128, Format: FP8Index, BlockTokens: 64},
			{Stream: "latent", Tokens: Every, Dim: 512, Format: FP8DSV4, For: FP8},
			{Stream: "index", Beside: "latent", Tokens: Every, Dim: 128, Format: FP8Index},
			{Stream: "latent", Tokens: Window, Dim: 512, Format: FP8DSV4, For: FP8},
		},
		IndexEveryLayer: true,
		WholeLayers:     true, Stages: Front,
	}
}

// LlamaCpp is llama.cpp with one sequence and a micro-batch of 512 tokens: cells
// in multiples of 256, states in FP32.
func LlamaCpp() Engine {
	const microBatch = 512
	return Engine{
		Name: "llama.cpp", AsOf: "llama.cpp, 2026-08", Format: FP16,
		BlockTokens: 256, WindowSlack: microBatch, ChunkSlack: microBatch,
		StateFormats: []StateFormat{{Format: FP32, Always: true}},
		WholeLayers:  true, Stages: WithOutput,
	}
}
