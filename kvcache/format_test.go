package kvcache_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/servemath/kvcache"
)

// What a row of one head takes, with where the figure comes from.
func TestFormatRows(t *testing.T) {
	for _, c := range []struct {
		format kvcache.Format
		dim    int
		want   kvcache.Bytes
		origin string
	}{
		{kvcache.FP8, 128, 128, "one byte a value"},
		{kvcache.BF16, 128, 256, "two bytes a value"},
		{kvcache.FP32, 128, 512, "four bytes a value"},
		{kvcache.Q8_0, 32, 34, "ggml-common.h: 32 values and an FP16 scale"},
		{kvcache.Q5_1, 32, 24, "ggml-common.h static_asserts"},
		{kvcache.Q5_0, 32, 22, "ggml-common.h static_asserts"},
		{kvcache.Q4_1, 32, 20, "ggml-common.h static_asserts"},
		{kvcache.Q4_0, 32, 18, "ggml-common.h static_asserts"},
		{kvcache.Q4_0, 80, 54, "whole blocks: 3 for 80 values"},
		{kvcache.NVFP4, 128, 72, "vLLM nvfp4_kv_cache_full_dim: 64 + 8"},
		{kvcache.MXFP4, 128, 68, "vLLM deepseek_v4 indexer: 128/2 + 128/32"},
		{kvcache.FP8PerTokenHead, 128, 132, "vLLM AttentionSpec: 4 bytes of scale a head"},
		{kvcache.FP8DSMLA, 576, 656, "vLLM flashmla_sparse.py: 512 + 4*4 + 64*2"},
		{kvcache.FP8DSV4, 512, 584, "448 + 64*2 + 8"},
		{kvcache.FP8Index, 128, 132, "vLLM deepseek_v2.py: 128 + 128/128*4"},
	} {
		m := kvcache.Model{Groups: []kvcache.Group{{
			Name: "one", Layers: 1, Streams: []kvcache.Stream{{Name: "k", Heads: 1, Dim: c.dim}},
		}}}
		f, err := m.Session(1, kvcache.Setup{Format: c.format})
		require.NoError(t, err)
		require.Equal(t, c.want, f.Session, "%s of %d values: %s", c.format.Name, c.dim, c.origin)
	}
}

func TestParseFormat(t *testing.T) {
	for s, want := range map[string]kvcache.Format{
		"FP8": kvcache.FP8, "fp8_e4m3": kvcache.FP8, "Q8_0": kvcache.Q8_0, "q4_1": kvcache.Q4_1,
		"bfloat16": kvcache.BF16, "F16": kvcache.FP16, "Float32": kvcache.FP32, " nvfp4 ": kvcache.NVFP4,
		"int8": kvcache.INT8, "fp8_ds_mla": kvcache.FP8DSMLA, "mxfp4": kvcache.MXFP4,
	} {
		got, err := kvcache.ParseFormat(s)
		require.NoError(t, err, s)
		require.Equal(t, want, got, s)
	}
	for _, s := range []string{"", "auto", "fp", "fp88"} {
		_, err := kvcache.ParseFormat(s)
		require.ErrorIs(t, err, kvcache.ErrFormat, s)
	}
}

func ExampleParseFormat() {
	f, err := kvcache.ParseFormat("Q8_0")
	fmt.Printf("%v: %d bytes for %d values, %v\n", f, f.BlockBytes, f.BlockValues, err)
	// Output: q8_0: 34 bytes for 32 values, <nil>
}
