package results

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/servemath/throughput"
)

// One target a reader, seeded with its fixtures.

func FuzzVLLM(f *testing.F)           { fuzz(f, "vllm_*") }
func FuzzSGLang(f *testing.F)         { fuzz(f, "sglang_*") }
func FuzzLlamaBench(f *testing.F)     { fuzz(f, "llama_bench*") }
func FuzzBatchedBench(f *testing.F)   { fuzz(f, "batched_bench*") }
func FuzzGuideLLM(f *testing.F)       { fuzz(f, "guidellm*") }
func FuzzAIPerf(f *testing.F)         { fuzz(f, "aiperf*") }
func FuzzGenAIPerf(f *testing.F)      { fuzz(f, "genai_perf*") }
func FuzzTensorRTLLM(f *testing.F)    { fuzz(f, "trtllm*") }
func FuzzInferenceX(f *testing.F)     { fuzz(f, "inferencex*") }
func FuzzInferencePerf(f *testing.F)  { fuzz(f, "inference_perf*") }
func FuzzLLMPerf(f *testing.F)        { fuzz(f, "llmperf*") }
func FuzzLLMD(f *testing.F)           { fuzz(f, "llmd*") }
func FuzzMLPerf(f *testing.F)         { fuzz(f, "mlperf*") }
func FuzzOllama(f *testing.F)         { fuzz(f, "ollama*") }
func FuzzMLX(f *testing.F)            { fuzz(f, "mlx*") }
func FuzzPublishedTable(f *testing.F) { fuzz(f, "published*") }

// fuzz requires of any input runs with finite figures that are not negative, or
// a DecodeError.
func fuzz(f *testing.F, pattern string) {
	paths, err := filepath.Glob(filepath.Join("testdata", pattern))
	require.NoError(f, err)
	require.NotEmpty(f, paths)
	for _, path := range paths {
		b, err := os.ReadFile(path)
		require.NoError(f, err)
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		runs, err := Decode(bytes.NewReader(b), "f")
		if err != nil {
			_, ok := errors.AsType[*DecodeError](err)
			require.True(t, ok, "%T", err)
			require.Nil(t, runs)
			return
		}
		require.NotEmpty(t, runs)
		for _, r := range runs {
			requireSound(t, r)
		}
	})
}

func requireSound(t *testing.T, r throughput.Run) {
	w := r.Workload
	for _, n := range []int64{w.PromptTokensAsked, w.OutputTokensAsked, w.PromptTokensServed, w.OutputTokensServed, w.Completed, w.Failed, int64(r.Load.Concurrency)} {
		require.GreaterOrEqual(t, n, int64(0))
	}
	require.GreaterOrEqual(t, w.DurationSeconds, 0.0)
	require.GreaterOrEqual(t, r.Load.RequestRate, 0.0)
	for _, v := range r.Metrics {
		require.True(t, v.Value >= 0 && !math.IsInf(v.Value, 0), "%+v", v)
		require.False(t, v.SD < 0, "%+v", v)
	}
}
