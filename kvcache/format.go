package kvcache

import (
	"fmt"
	"strings"
)

// Format is how the elements of a cache are stored: in whole blocks per head and
// token. A block of 128 values or more is the layout of one particular vector and
// holds no other. The zero Format stands for another one, which each use names.
type Format struct {
	Name        string
	BlockValues int64 // values in a block
	BlockBytes  int64 // bytes of a block, with the scales inside it
	RowBytes    int64 // bytes beside the blocks per head and token, such as scales
}

// The formats that engines store caches in. Nothing writes these variables.
var (
	FP8  = Format{Name: "fp8", BlockValues: 1, BlockBytes: 1} // one scale a tensor or none
	INT8 = Format{Name: "int8", BlockValues: 1, BlockBytes: 1}
	BF16 = Format{Name: "bf16", BlockValues: 1, BlockBytes: 2}
	FP16 = Format{Name: "fp16", BlockValues: 1, BlockBytes: 2}
	FP32 = Format{Name: "fp32", BlockValues: 1, BlockBytes: 4}

	// The block formats of ggml (ggml-common.h, block_q8_0 and its neighbours).
	Q8_0 = Format{Name: "q8_0", BlockValues: 32, BlockBytes: 34}
	Q5_1 = Format{Name: "q5_1", BlockValues: 32, BlockBytes: 24}
	Q5_0 = Format{Name: "q5_0", BlockValues: 32, BlockBytes: 22}
	Q4_1 = Format{Name: "q4_1", BlockValues: 32, BlockBytes: 20}
	Q4_0 = Format{Name: "q4_0", BlockValues: 32, BlockBytes: 18}

	NVFP4 = Format{Name: "nvfp4", BlockValues: 16, BlockBytes: 9}  // 4 bits, and an FP8 scale for 16
	MXFP4 = Format{Name: "mxfp4", BlockValues: 32, BlockBytes: 17} // 4 bits, and an 8-bit exponent for 32

	// FP8PerTokenHead and INT8PerTokenHead keep an FP32 scale per head and token.
	FP8PerTokenHead  = Format{Name: "fp8_per_token_head", BlockValues: 1, BlockBytes: 1, RowBytes: 4}
	INT8PerTokenHead = Format{Name: "int8_per_token_head", BlockValues: 1, BlockBytes: 1, RowBytes: 4}

	// FP8DSMLA is a latent of 512 FP8 values with four FP32 scales, and 64 rotary
	// values in BF16: vLLM's and SGLang's for sparse latent attention.
	FP8DSMLA = Format{Name: "fp8_ds_mla", BlockValues: 576, BlockBytes: 512 + 4*4 + 64*2}
	// FP8DSV4 is an entry of DeepSeek V4: 448 FP8 values, 64 rotary values in
	// BF16 and 8 bytes of scales.
	FP8DSV4 = Format{Name: "fp8_ds_v4", BlockValues: 512, BlockBytes: 448 + 64*2 + 8}
	// FP8Index is an indexer's key: 128 FP8 values and an FP32 scale.
	FP8Index = Format{Name: "fp8_index", BlockValues: 128, BlockBytes: 128 + 4}
)

var formats = []Format{
	FP8, INT8, BF16, FP16, FP32, Q8_0, Q5_1, Q5_0, Q4_1, Q4_0, NVFP4, MXFP4,
	FP8PerTokenHead, INT8PerTokenHead, FP8DSMLA, FP8DSV4, FP8Index,
}

// formatAliases are other tools' names, in lower case.
var formatAliases = map[string]Format{
	"f16": FP16, "float16": FP16, "half": FP16,
	"f32": FP32, "float32": FP32, "float": FP32,
	"bfloat16": BF16,
	"fp8_e4m3": FP8, "fp8_e5m2": FP8, "fp8_inc": FP8, "e4m3": FP8, "e5m2": FP8,
	"float8_e4m3fn": FP8, "float8_e5m2": FP8,
}

// ParseFormat finds a format by its name or a name that an engine or a
// config.json has for it, whatever the case. An unknown name is [ErrFormat].
func ParseFormat(s string) (Format, error) {
	name := strings.ToLower(strings.TrimSpace(s))
	if f, ok := formatAliases[name]; ok {
		return f, nil
	}
	for _, f := range formats {
		if f.Name == name {
			return f, nil
		}
	}
	return Format{}, fmt.Errorf("%w: %.80q: one of %s", ErrFormat, s, formatNames())
}

func formatNames() string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.Name
	}
	return strings.Join(names, ", ")
}

// String gives the name.
func (f Format) String() string { return f.Name }

func (f *Format) isZero() bool { return f.BlockValues == 0 && f.BlockBytes == 0 && f.RowBytes == 0 }

func (f *Format) valid() bool { return f.BlockValues > 0 && f.BlockBytes > 0 && f.RowBytes >= 0 }
