package kvcache_test

import (
	"errors"
	"fmt"

	"example.com/servemath/kvcache"
)

// A model with 32 layers of 8 key-value heads of 128 values.
func ExampleModel() {
	m := kvcache.Model{
		Name: "example", ContextWindow: 131072,
		Groups: []kvcache.Group{{
			Name: "attention", Key: "num_key_value_heads", Layers: 32,
			Streams: []kvcache.Stream{{Name: "k", Heads: 8, Dim: 128}, {Name: "v", Heads: 8, Dim: 128}},
		}},
	}
	f, err := m.Session(16384, kvcache.Setup{})
	fmt.Println(f.Session, err)
	// Output: 1073741824 B (1.074 GB, 1 GiB) <nil>
}

// Tensor parallelism over 16 devices copies the 8 heads.
func ExampleModel_Session() {
	f, err := llama8B().Session(16384, kvcache.Setup{Format: kvcache.BF16, Parallel: kvcache.Parallel{TP: 16}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Session)
	fmt.Println(f.PerDevice)
	for _, p := range f.Parts {
		fmt.Println(p.Group, p.Stream, p.Rule, int64(p.Bytes))
	}
	// Output:
	// 2147483648 B (2.147 GB, 2 GiB)
	// 268435456 B (0.2684 GB, 0.25 GiB)
	// attention k every token 1073741824
	// attention v every token 1073741824
}

func ExampleModel_MaxTokens() {
	n, err := llama8B().MaxTokens(4*kvcache.GiB, kvcache.Setup{})
	fmt.Println(n, err)
	// Output: 65536 <nil>
}

func ExampleModel_Sessions() {
	card := kvcache.Device{Name: "96 GB card", Memory: 96 * kvcache.GB}
	o, err := llama8B().Sessions(65536, kvcache.Budget{Device: card, Weights: 32 * kvcache.GB}, kvcache.Setup{})
	fmt.Println(o, err)
	// Output: 11 sessions of 65536 tokens <nil>
}

func ExampleOccupancy_Explain() {
	card := kvcache.Device{Name: "96 GB card", Memory: 96 * kvcache.GB}
	o, err := llama8B().Sessions(16384, kvcache.Budget{Device: card, Weights: 32 * kvcache.GB}, kvcache.Setup{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(o.Explain())
	// Output:
	// memory of 96 GB card            96000000000 B (96 GB, 89.41 GiB)
	// x 0.95 allocated                91200000000 B (91.2 GB, 84.94 GiB)
	// x 0.9 for weights and sessions  82080000000 B (82.08 GB, 76.44 GiB)
	// - weights / (TP x PP = 1)       32000000000 B (32 GB, 29.8 GiB)  of 32000000000 B (32 GB, 29.8 GiB)
	// = free on each device           50080000000 B (50.08 GB, 46.64 GiB)
	// a session of 16384 tokens       1073741824 B (1.074 GB, 1 GiB)
	//   attention k                   536870912 B (0.5369 GB, 0.5 GiB)  every token [num_hidden_layers]
	//   attention v                   536870912 B (0.5369 GB, 0.5 GiB)  every token [num_hidden_layers]
	// on the fullest device           1073741824 B (1.074 GB, 1 GiB)    TP 1, PP 1, DCP 1
	// sessions                        46                                floor(free / session) = 46, x DP = 1
}

func ExampleFormat() {
	// A cache of one's own: 8 values in 5 bytes, and 2 bytes of scale a head and token.
	packed := kvcache.Format{Name: "mine", BlockValues: 8, BlockBytes: 5, RowBytes: 2}
	f, err := llama8B().Session(1, kvcache.Setup{Format: packed})
	fmt.Println(int64(f.Session), err) // 32 layers x 8 heads x 2 x (16 x 5 + 2)
	// Output: 41984 <nil>
}

func ExampleGroup() {
	// Layers that see 1,024 tokens back.
	window := kvcache.Group{
		Name: "sliding", Key: "sliding_window", Layers: 29,
		Tokens:  kvcache.TokenRule{Kind: kvcache.Window, N: 1024},
		Streams: []kvcache.Stream{{Name: "k", Heads: 4, Dim: 256}, {Name: "v", Heads: 4, Dim: 256}},
	}
	m := kvcache.Model{Groups: []kvcache.Group{window}}
	for _, n := range []int{100, 1024, 131072} {
		f, err := m.Session(n, kvcache.Setup{})
		fmt.Println(n, int64(f.Window), err)
	}
	// Output:
	// 100 5939200 <nil>
	// 1024 60817408 <nil>
	// 131072 60817408 <nil>
}

func ExampleTokenRule() {
	// One entry for 128 tokens: an unfinished one is not stored yet.
	latents := []kvcache.Stream{{Name: "latent", Heads: 1, Dim: 512, Shard: kvcache.Replicated}}
	m := kvcache.Model{Groups: []kvcache.Group{{
		Layers: 20, Tokens: kvcache.TokenRule{Kind: kvcache.Every, N: 128}, Streams: latents,
	}}}
	for _, n := range []int{128, 255, 256} {
		f, err := m.Session(n, kvcache.Setup{})
		fmt.Println(n, int64(f.Session), err)
	}
	// Output:
	// 128 10240 <nil>
	// 255 10240 <nil>
	// 256 20480 <nil>
}

func ExampleStream() {
	// A latent is one vector for all heads, the same on every rank.
	latent := kvcache.Stream{Name: "latent", Heads: 1, Dim: 512 + 64, Shard: kvcache.Replicated}
	m := kvcache.Model{Groups: []kvcache.Group{{Layers: 61, Streams: []kvcache.Stream{latent}}}}
	f, err := m.Session(1, kvcache.Setup{Parallel: kvcache.Parallel{TP: 8}})
	fmt.Println(int64(f.Session), int64(f.PerDevice), err)
	// Output: 35136 35136 <nil>
}

func ExampleState() {
	// The convolution of Mamba 2 has 8 groups; 16 ranks need 16 of them.
	conv := kvcache.State{Name: "conv", Values: (16384 + 2*8*128) * 3, Format: kvcache.BF16, Groups: 8, PerGroup: 2 * 128 * 3}
	m := kvcache.Model{Groups: []kvcache.Group{{Layers: 48, States: []kvcache.State{conv}}}}
	for _, tp := range []int{8, 16} {
		f, err := m.Session(1, kvcache.Setup{Parallel: kvcache.Parallel{TP: tp}})
		fmt.Println(tp, int64(f.Session), int64(f.PerDevice), err)
	}
	// Output:
	// 8 5308416 663552 <nil>
	// 16 5308416 368640 <nil>
}

func ExampleEngine() {
	// vLLM with blocks of 32 tokens and one batch of 2,048 under way.
	e := kvcache.VLLM()
	e.BlockTokens, e.WindowSlack, e.ChunkSlack = 32, 2047, 2048
	f, err := gptOSS().Session(100, kvcache.Setup{Engine: e})
	fmt.Println(int64(f.Growing), int64(f.Window), int64(f.Rounding), err)
	// Output: 3686400 3686400 3244032 <nil>
}

func ExampleVLLM() {
	// A state of Qwen3.5-27B shares a page with 784 tokens, and a session holds two.
	f, err := qwen35().Session(16384, kvcache.Setup{Engine: kvcache.VLLM()})
	for _, p := range f.Parts {
		fmt.Printf("%-10s %-10s %s %d\n", p.Group, p.Stream, p.Rule, int64(p.Bytes))
	}
	fmt.Println(err)
	// Output:
	// attention  k          every token 536870912
	// attention  v          every token 536870912
	// attention             blocks, pages and tokens under way 5242880
	// linear     conv       state copies 5898240
	// linear     recurrent  state copies 301989888
	// linear                blocks, pages and tokens under way 393216
	// <nil>
}

func ExampleSGLang() {
	// Each of the 78 layers gets an index, though 21 use one.
	f, err := glm52().Session(64, kvcache.Setup{Engine: kvcache.SGLang()})
	fmt.Println(int64(f.Session)/64, err) // 78 x (1152 + 132)
	// Output: 100152 <nil>
}

func ExampleLlamaCpp() {
	// Cells come in 256s, and a window's beside a micro-batch of 512.
	f, err := gemma3().Session(5000, kvcache.Setup{Engine: kvcache.LlamaCpp()})
	fmt.Println(int64(f.Growing), int64(f.Window), int64(f.Rounding), err)
	// Output: 102400000 121634816 63275008 <nil>
}

func ExampleSetup() {
	// Two copies of each state in FP32, and keys and values in 8 bits, on 4 devices.
	setup := kvcache.Setup{
		Format: kvcache.Q8_0, StateFormat: kvcache.FP32, StateCopies: 2,
		Parallel: kvcache.Parallel{TP: 4},
	}
	f, err := qwen35().Session(16384, setup)
	fmt.Println(f.Growing, err)
	fmt.Println(f.State)
	// Output:
	// 570425344 B (0.5704 GB, 0.5312 GiB) <nil>
	// 313786368 B (0.3138 GB, 0.2922 GiB)
}

func ExampleBudget() {
	// All of a unified memory of 64 GiB, where 0.85 and 0.90 of it are the defaults.
	budget := kvcache.Budget{
		Device:     kvcache.Device{Name: "small machine", Memory: 64 * kvcache.GiB, Unified: true},
		Allocation: 1, Share: 1, Weights: 16 * kvcache.GB,
	}
	o, err := llama8B().Sessions(131072, budget, kvcache.Setup{})
	fmt.Println(o, "in", o.FreePerDevice, err)
	// Output: 6 sessions of 131072 tokens in 52719476736 B (52.72 GB, 49.1 GiB) <nil>
}

func ExampleStatus() {
	card := kvcache.Device{Name: "24 GB card", Memory: 24 * kvcache.GB}
	o, err := llama8B().Sessions(4096, kvcache.Budget{Device: card, Weights: 32 * kvcache.GB}, kvcache.Setup{})
	fmt.Println(o.Status, o.Sessions, o.FreePerDevice < 0, err)
	// Output: weights do not fit 0 true <nil>
}

func ExamplePacking() {
	// vLLM's sparse attention with plain FP8 latents: the first packing without its
	// format.
	e := kvcache.VLLM()
	packed, err := deepSeek32().Session(64, kvcache.Setup{Engine: e, Format: kvcache.FP8})
	fmt.Println(int64(packed.Session)/64/61, err)
	e.Packings[0].Format = kvcache.Format{}
	plain, err := deepSeek32().Session(64, kvcache.Setup{Engine: e, Format: kvcache.FP8})
	fmt.Println(int64(plain.Session)/64/61, err)
	// Output:
	// 788 <nil>
	// 708 <nil>
}

func ExampleShapeError() {
	_, err := llama8B().Session(16384, kvcache.Setup{Parallel: kvcache.Parallel{TP: 3}})
	if shape, ok := errors.AsType[*kvcache.ShapeError](err); ok {
		fmt.Println(shape.Group, "-", shape.Reason)
	}
	// Output: attention - TP 3 neither divides the 8 heads of stream k nor is a multiple
}

func ExampleParallel() {
	// Two copies of the model, each over four devices that share out its 8 heads.
	card := kvcache.Device{Name: "96 GB card", Memory: 96 * kvcache.GB}
	setup := kvcache.Setup{Parallel: kvcache.Parallel{TP: 4, DP: 2}}
	o, err := llama8B().Sessions(65536, kvcache.Budget{Device: card, Weights: 32 * kvcache.GB}, setup)
	fmt.Println(o, err)
	fmt.Println(o.SessionPerDevice)
	// Output:
	// 136 sessions of 65536 tokens <nil>
	// 1073741824 B (1.074 GB, 1 GiB)
}

func ExampleLogical() {
	f, err := qwen35().Session(16384, kvcache.Setup{Engine: kvcache.Logical(), StateCopies: 2})
	fmt.Println(f.Growing, err)
	fmt.Println(f.State)
	// Output:
	// 536870912 B (0.5369 GB, 0.5 GiB) <nil>
	// 307888128 B (0.3079 GB, 0.2867 GiB)
}
