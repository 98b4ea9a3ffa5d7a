package hfconfig

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/servemath/internal/testkit"
)

// BenchmarkRead reads configs of 0.8, 4, 58, 88 and 3,087 kB; encoding/json,
// which only parses, stands beside it.
func BenchmarkRead(b *testing.B) {
	for _, name := range []string{
		"meta-llama__Meta-Llama-3.1-8B", "Qwen__Qwen3.5-27B", "nvidia__Qwen3.6-35B-A3B-NVFP4", "nvidia__Qwen3.6-27B-NVFP4",
		"nvidia__MiniMax-M3-NVFP4",
	} {
		text, err := os.ReadFile(testkit.Samples(b, "kvcache", "configs", name+".json"))
		require.NoError(b, err)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Read(bytes.NewReader(text)); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/encoding-json", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				var v any
				if err := json.Unmarshal(text, &v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
