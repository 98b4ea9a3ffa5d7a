package throughput_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"example.com/servemath/internal/testkit"
	"example.com/servemath/throughput"
	"example.com/servemath/throughput/results"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// decode reads a sample of a real tool.
func decode(t *testing.T, elem ...string) []throughput.Run {
	t.Helper()
	path := testkit.Samples(t, append([]string{"throughput", "samples"}, elem...)...)
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	runs, err := results.Decode(f, filepath.Base(path))
	require.NoError(t, err)
	return runs
}

func severe(findings []throughput.Finding) []throughput.Finding {
	var out []throughput.Finding
	for _, f := range findings {
		if f.Severe {
			out = append(out, f)
		}
	}
	return out
}

// The published files whose TPOT is 1.8 to 2.2 times too small, found by their
// own request times.
func TestAuditFindsPublishedContradictions(t *testing.T) {
	dir := testkit.Samples(t, "throughput", "samples", "inference-perf")
	files, err := filepath.Glob(filepath.Join(dir, "*_lifecycle_metrics.json"))
	require.NoError(t, err)
	require.Len(t, files, 8)
	for _, file := range files {
		for _, r := range decode(t, "inference-perf", filepath.Base(file)) {
			found := map[throughput.FindingKind]throughput.Finding{}
			for _, f := range throughput.Audit(r) {
				found[f.Kind] = f
			}
			f, ok := found[throughput.TPOTMismatch]
			require.True(t, ok, r.Source)
			ratio := f.Derived / f.Reported
			assert.True(t, ratio > 1.8 && ratio < 2.2, "%s: %g", r.Source, ratio)
			assert.Contains(t, found, throughput.BurstChunks, r.Source)
		}
	}
	prometheus := decode(t, "inference-perf", "vllm_stage_5_prometheus_metrics.json")
	assert.Empty(t, throughput.AuditAll(prometheus))
}

// Files of other tools hold together.
func TestAuditFindsNoContradictionElsewhere(t *testing.T) {
	for _, file := range []string{
		"vllm/serve_2025-05_rate10.json", "vllm/serve_2025-05_rateinf.json", "vllm/serve_2026-03_mock.json",
		"vllm/vllm-bench_multiturn_specdecode_c1.json", "vllm/nightly_2024-08_053post1.json",
		"sglang/llama_3_3_70b_online_output.jsonl", "sglang/llama_3_3_70b_offline_output.jsonl", "sglang/deepseek_dp_mla_output.jsonl",
		"guidellm/report_v2_mock.json", "llmperf/summary_anyscale_7b.json", "trtllm/report_gb10_fixture.json",
		"mlperf/server_llama2-70b_summary.txt", "llama-bench/b5163.json", "llama-batched-bench/readme.jsonl",
	} {
		runs := decode(t, strings.Split(file, "/")...)
		assert.Empty(t, severe(throughput.AuditAll(runs)), file)
	}
}

func TestAuditNotesOfRealFiles(t *testing.T) {
	note := func(kind throughput.FindingKind, elem ...string) throughput.Finding {
		for _, f := range throughput.AuditAll(decode(t, elem...)) {
			if f.Kind == kind {
				return f
			}
		}
		require.Fail(t, "no such finding", "%s in %v", kind, elem)
		return throughput.Finding{}
	}
	chunks := note(throughput.TokensPerChunk, "vllm", "vllm-bench_multiturn_specdecode_c1.json")
	assert.InDelta(t, 5.41, chunks.Reported/chunks.Derived, 0.01, "speculative decoding: 5.49 accepted at once")
	assert.InDelta(t, 270.2, note(throughput.EarlyStop, "vllm", "serve_2025-05_rate10.json").Reported, 0.1, "of 500 tokens asked")
	assert.InDelta(t, 3.87, note(throughput.IdleSlots, "llmperf", "summary_anyscale_7b.json").Derived, 0.01, "of 5 requests in flight")
}

// Values of two tools that share a word.
func TestComparableOnRealFiles(t *testing.T) {
	guide, vllm := decode(t, "guidellm", "report_v2_mock.json")[0], decode(t, "vllm", "serve_2025-05_rate10.json")[0]
	g, ok := guide.Get(throughput.TPOT, throughput.Mean)
	require.True(t, ok)
	v, ok := vllm.Get(throughput.TPOT, throughput.Mean)
	require.True(t, ok)
	assert.ErrorIs(t, throughput.Comparable(g, v), throughput.ErrIncomparable)
	got, err := throughput.Convert(g, v.Def, guide)
	require.NoError(t, err)
	itl, ok := guide.Get(throughput.ITL, throughput.Mean)
	require.True(t, ok)
	assert.InEpsilon(t, itl.Value, got.Value, 0.05, "GuideLLM's own ITL is that TPOT, but for the time after the last token")

	levels, err := throughput.Levels(decode(t, "vllm", "vllm-bench_multiturn_specdecode_c1.json"))
	require.NoError(t, err)
	assert.InDelta(t, 1/0.0122057, levels[0].TPS, 0.01)
	_, err = throughput.Levels([]throughput.Run{vllm})
	assert.ErrorIs(t, err, throughput.ErrNoConcurrency)
}

// A published history of nightly runs.
func TestHistoryOfARealSeries(t *testing.T) {
	b, err := os.ReadFile(testkit.Samples(t, "throughput", "samples", "otava", "local_sample.csv"))
	require.NoError(t, err)
	var series []float64
	for line := range strings.Lines(string(b)) {
		cells := strings.Split(strings.TrimSpace(line), ",")
		if x, err := strconv.ParseFloat(cells[3], 64); err == nil {
			series = append(series, x)
		}
	}
	require.Len(t, series, 10)
	got, err := throughput.History(series, nil)
	require.NoError(t, err)
	require.Len(t, got.Changes, 1)
	assert.Equal(t, 6, got.Changes[0].Index)
}
