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

func ExampleShapeError() {
	_, err := llama8B().Session(16384, kvcache.Setup{Parallel: kvcache.Parallel{TP: 3}})
	if shape, ok := errors.AsType[*kvcache.ShapeError](err); ok {
		fmt.Println(shape.Group, "-", shape.Reason)
	}
	// Output: attention - TP 3 neither divides the 8 heads of stream k nor is a multiple
}

func ExampleParallel_Devices() {
	fmt.Println(kvcache.Parallel{TP: 4, DP: 2}.Devices())
	// Output: 8
}

func ExampleLogical() {
	f, err := qwen35().Session(16384, kvcache.Setup{Engine: kvcache.Logical(), StateCopies: 2})
	fmt.Println(f.Growing, err)
	fmt.Println(f.State)
	// Output:
	// 536870912 B (0.5369 GB, 0.5 GiB) <nil>
	// 307888128 B (0.3079 GB, 0.2867 GiB)
}
