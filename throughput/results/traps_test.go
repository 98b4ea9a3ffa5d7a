package results

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/servemath/internal/testkit"
	"example.com/servemath/throughput"
)

// serve is a vLLM result with its members replaced: "key": value pairs, where an
// empty value removes the key.
func serve(replace map[string]string) string {
	members := []struct{ key, value string }{
		{"num_prompts", "10"}, {"backend", `"vllm"`}, {"model_id", `"m"`}, {"request_rate", "2.0"}, {"max_concurrency", "4"},
		{"duration", "2.0"}, {"completed", "10"}, {"total_input_tokens", "100"}, {"total_output_tokens", "200"},
		{"request_throughput", "5.0"}, {"output_throughput", "100.0"}, {"total_token_throughput", "150.0"},
		{"mean_ttft_ms", "40.0"}, {"median_ttft_ms", "39.0"}, {"std_ttft_ms", "2.0"}, {"p99_ttft_ms", "45.0"},
	}
	var parts []string
	for _, m := range members {
		value, ok := replace[m.key]
		if !ok {
			value = m.value
		}
		if value != "" {
			parts = append(parts, `"`+m.key+`": `+value)
		}
		delete(replace, m.key)
	}
	for key, value := range replace {
		parts = append(parts, `"`+key+`": `+value)
	}
	return "{" + strings.Join(parts, ", ") + "}\n"
}

func one(t *testing.T, text string) throughput.Run {
	t.Helper()
	runs, err := Decode(strings.NewReader(text), "f")
	require.NoError(t, err)
	require.Len(t, runs, 1)
	return runs[0]
}

func fixture(t *testing.T, name string, run int) throughput.Run {
	t.Helper()
	runs, err := decodePath(t, filepath.Join("testdata", name))
	require.NoError(t, err)
	return runs[run]
}

func value(t *testing.T, r throughput.Run, m throughput.Metric, s throughput.Stat) throughput.Value {
	t.Helper()
	v, ok := r.Get(m, s)
	require.True(t, ok, "%s %s", m, s)
	return v
}

func TestInfinityInEverySpelling(t *testing.T) {
	for _, spelling := range []string{"Infinity", `"inf"`, `"Inf"`, `"Infinity"`, `"+Inf"`} {
		r := one(t, serve(map[string]string{"request_rate": spelling, "max_concurrency": "null"}))
		assert.Equal(t, throughput.Load{Unbounded: true}, r.Load, spelling)
		r = one(t, serve(map[string]string{"request_rate": spelling}))
		assert.Equal(t, throughput.Load{Concurrency: 4}, r.Load, "a cap holds: not all at once")
	}
}

// TestNoCapOfLLMD: the report's YAML says .inf, which converters to JSON spell
// in their own ways.
func TestNoCapOfLLMD(t *testing.T) {
	b, err := os.ReadFile("testdata/llmd_v02.json")
	require.NoError(t, err)
	for _, spelling := range []string{`"inf"`, `".inf"`, `"+Inf"`, `"Infinity"`, "Infinity", "null"} {
		r := one(t, strings.Replace(string(b), `"concurrency": "inf"`, `"concurrency": `+spelling, 1))
		assert.Equal(t, throughput.Load{RequestRate: 10}, r.Load, spelling)
	}
	r := one(t, strings.Replace(string(b), `"concurrency": "inf"`, `"concurrency": 8`, 1))
	assert.Equal(t, throughput.Load{Concurrency: 8, RequestRate: 10}, r.Load)
	_, err = Decode(strings.NewReader(strings.Replace(string(b), `"concurrency": "inf"`, `"concurrency": -Infinity`, 1)), "f")
	assert.ErrorIs(t, err, throughput.ErrNonFinite)
}

func TestDurationsOfLLMD(t *testing.T) {
	b, err := os.ReadFile("testdata/llmd_v02.json")
	require.NoError(t, err)
	with := func(duration string) string {
		return strings.Replace(string(b), `"run": {"uid": "x"}`, `"run": {"time": {"duration": `+duration+`}}`, 1)
	}
	for text, want := range map[string]float64{`"PT49.97206788184121S"`: 49.97206788184121, `"PT1H2M3S"`: 3723, `"P1DT1S"`: 86401, `"PT15M"`: 900, "null": 0} {
		assert.Equal(t, want, one(t, with(text)).Workload.DurationSeconds, text)
	}
	for text, is := range map[string]error{`"PT0S"`: throughput.ErrNonPositive, `"P"`: throughput.ErrNonPositive, `"49.9"`: errDuration, `"-PT5S"`: errDuration, `"PT1e5S"`: errDuration} {
		_, err := Decode(strings.NewReader(with(text)), "f")
		e, ok := errors.AsType[*DecodeError](err)
		require.True(t, ok, text)
		assert.ErrorIs(t, err, is, text)
		assert.Equal(t, "run.time.duration", e.Field)
	}
}

func TestNullConcurrencyIsUnknown(t *testing.T) {
	r := one(t, serve(map[string]string{"max_concurrency": "null"}))
	assert.Zero(t, r.Load.Concurrency, "not 1")
	assert.False(t, r.Load.Unbounded, "the rate is finite")
}

func TestZeroForMissing(t *testing.T) {
	r := one(t, serve(map[string]string{"mean_ttft_ms": "0", "median_ttft_ms": "0.0", "std_ttft_ms": "0", "p99_ttft_ms": "0", "output_throughput": "0"}))
	_, ok := r.Get(throughput.TTFT, throughput.Mean)
	assert.False(t, ok)
	_, ok = r.Get(throughput.TTFT, p99)
	assert.False(t, ok)
	_, ok = r.Get(throughput.OutputRate, throughput.Total)
	assert.False(t, ok)
	assert.Len(t, r.Warnings, 2, "nothing is dropped silently: %v", r.Warnings)
}

func TestZeroStepsOfOllama(t *testing.T) {
	r := one(t, "NAME,STEP,COUNT,NS_PER_COUNT,TOKEN_PER_SEC\nm,prefill,0,0,0\nm,generate,4,5e6,200\nm,ttft,1,0,0\nm,load,1,0,0\nm,total,1,2e7,0\n")
	assert.Len(t, r.Metrics, 2)
	assert.Equal(t, 0.02, value(t, r, throughput.E2E, mean).Value)
	assert.Equal(t, "prefill is 0, taken for not measured\nttft is 0, taken for not measured\n", errorTexts(r.Warnings))
}

// TestRatesOfUnknownGPUs: a rate per GPU is no rate of the run without their
// number, and in disaggregated serving not without the number of each kind.
func TestRatesOfUnknownGPUs(t *testing.T) {
	for _, gpus := range []string{`"disagg": false`, `"tp": 8, "disagg": true`, `"num_prefill_gpu": 4, "disagg": true`} {
		r := one(t, `{"hw": "h", "conc": 1, "framework": "vllm", "tput_per_gpu": 5, "output_tput_per_gpu": 4, "mean_ttft": 0.2, `+gpus+`}`)
		assert.Equal(t, 0.2, value(t, r, throughput.TTFT, mean).Value)
		assert.Len(t, r.Metrics, 1)
		assert.Contains(t, errorTexts(r.Warnings), "number of GPUs")
	}
}

// TestMLPerfKeysSaidTwice: the summary repeats its token rate. The first is read,
// and another value is not dropped in silence.
func TestMLPerfKeysSaidTwice(t *testing.T) {
	b, err := os.ReadFile("testdata/mlperf_server.txt")
	require.NoError(t, err)
	const line = "Completed tokens per second                 : 10755.59"
	require.Contains(t, string(b), line)
	r := one(t, strings.Replace(string(b), line, strings.Replace(line, "10755.59", "10", 1), 1))
	assert.Equal(t, 10755.59, value(t, r, throughput.OutputRate, total).Value)
	assert.Contains(t, errorTexts(r.Warnings), "completed tokens per second is 10755.59 and 10: the first is taken")
}

// TestTokensOfMeans: where a report has no totals its means tell them.
func TestTokensOfMeans(t *testing.T) {
	for _, tool := range []string{`"was_cancelled": false`, `"input_config": {}`} {
		w := one(t, `{"request_throughput": {"unit": "requests/sec", "avg": 2}, "request_latency": {"unit": "ms", "avg": 5}, "request_count": {"unit": "requests", "avg": 3},
			"input_sequence_length": {"unit": "tokens", "avg": 100.0}, "output_sequence_length": {"unit": "tokens", "avg": 33.333333333333336}, `+tool+`}`).Workload
		assert.Equal(t, []int64{300, 100}, []int64{w.PromptTokensServed, w.OutputTokensServed}, tool)
	}
}

func TestAbsentIsAbsent(t *testing.T) {
	for _, v := range one(t, serve(map[string]string{})).Metrics {
		assert.NotZero(t, v.Value)
		assert.Contains(t, []throughput.Metric{throughput.TTFT, throughput.RequestRate, throughput.OutputRate, throughput.TotalRate}, v.Metric)
	}
	r := one(t, serve(map[string]string{"total_input_tokens": "null", "std_ttft_ms": ""}))
	assert.Zero(t, r.Workload.PromptTokensServed)
	sd := value(t, r, throughput.TTFT, throughput.Mean).SD
	assert.True(t, sd != sd, "an unknown deviation is NaN, not 0")
}

func TestAGoodputOfZeroIsMeasured(t *testing.T) {
	assert.Zero(t, value(t, one(t, serve(map[string]string{"request_goodput": "0.0"})), throughput.Goodput, throughput.Total).Value)
	_, ok := one(t, serve(map[string]string{"request_goodput": "null"})).Get(throughput.Goodput, throughput.Total)
	assert.False(t, ok)
}

func TestNumbersAsStrings(t *testing.T) {
	r := one(t, serve(map[string]string{"output_throughput": `"1,234.5"`, "completed": `"10"`, "input_len": `"1000"`, "output_len": `"about 500"`}))
	assert.Equal(t, 1234.5, value(t, r, throughput.OutputRate, throughput.Total).Value)
	assert.EqualValues(t, 10, r.Workload.Completed)
	assert.EqualValues(t, 1000, r.Workload.PromptTokensAsked)
	assert.Zero(t, r.Workload.OutputTokensAsked, "metadata may hold anything")
}

func TestPercentileSpellings(t *testing.T) {
	for name, want := range map[string]throughput.Stat{
		"p99": "p99", "p99.9": "p99.9", "p999": "p99.9", "p001": "p0.1", "p01": "p1", "p05": "p5", "p0.1": "p0.1", "p0p1": "p0.1", "p99p9": "p99.9",
		"p50": throughput.Median, "median": throughput.Median, "avg": throughput.Mean, "average": throughput.Mean, "minimum": throughput.Min, "p100": "p100", "p99.90": "p99.9",
	} {
		got, isSD, ok := parseStat(name)
		assert.True(t, ok && !isSD, name)
		assert.Equal(t, want, got, name)
	}
	for _, name := range []string{"std", "stddev", "std_dev"} {
		_, isSD, ok := parseStat(name)
		assert.True(t, ok && isSD, name)
	}
	for _, name := range []string{"mode", "count", "p", "p101", "p-1", "pdf", "units", "pNaN", "pinf"} {
		_, _, ok := parseStat(name)
		assert.False(t, ok, name)
	}
}

// TestUnitsInsideOneFile: GuideLLM gives requests in seconds and tokens in
// milliseconds, MLPerf everything in nanoseconds, LLMPerf a rate per minute.
func TestUnitsInsideOneFile(t *testing.T) {
	guide := fixture(t, "guidellm_v2.json", 0)
	assert.Equal(t, 2.0, value(t, guide, throughput.E2E, mean).Value)
	assert.Equal(t, 1.0, value(t, guide, throughput.TTFT, mean).Value)
	assert.InEpsilon(t, 0.208, value(t, fixture(t, "mlperf_server.txt", 0), throughput.TTFT, mean).Value, 1e-12)
	assert.InEpsilon(t, 1.3, value(t, fixture(t, "llmperf_summary.json", 0), throughput.RequestRate, total).Value, 1e-12)
}

// TestDefinitions: the same word of two tools is not the same number.
func TestDefinitions(t *testing.T) {
	for _, c := range []struct {
		file   string
		metric throughput.Metric
		stat   throughput.Stat
		want   throughput.Definition
	}{
		{"vllm_serve_2025.json", throughput.ITL, mean, throughput.Definition{Tool: "vLLM", Gap: throughput.ChunkGap, Weight: throughput.PerGap, Percentile: throughput.Type7, PopulationSD: true}},
		{"vllm_serve_2025.json", throughput.TPOT, mean, throughput.Definition{Tool: "vLLM", Weight: throughput.PerRequest, Percentile: throughput.Type7, PopulationSD: true}},
		{"sglang_2024.jsonl", throughput.ITL, median, throughput.Definition{Tool: "SGLang", Gap: throughput.TokenGap, Weight: throughput.PerToken, Percentile: throughput.Type7, PopulationSD: true}},
		{"sglang_2026.jsonl", throughput.ITL, mean, throughput.Definition{Tool: "SGLang", Percentile: throughput.Type7, PopulationSD: true}}, // sglang-oai: it changed unmarked
		{"guidellm_v2.json", throughput.TPOT, mean, throughput.Definition{Tool: "GuideLLM", IncludesFirst: true, Weight: throughput.PerToken, Percentile: throughput.Weighted, PopulationSD: true}},
		{"guidellm_v2.json", throughput.ITL, mean, throughput.Definition{Tool: "GuideLLM", Gap: throughput.RequestGap, Weight: throughput.PerTokenLess1, Percentile: throughput.Weighted, PopulationSD: true}},
		{"trtllm.json", throughput.TPOT, mean, throughput.Definition{Tool: "TensorRT-LLM", ZeroForOne: true, Weight: throughput.PerRequest, Percentile: throughput.FloorIndex}},
		{"mlperf_server.txt", throughput.TPOT, p99, throughput.Definition{Tool: "MLPerf", Weight: throughput.PerRequest, Percentile: throughput.FloorIndex}},
		{"inference_perf_stage.json", throughput.ITL, mean, throughput.Definition{Tool: "inference-perf", Gap: throughput.ZeroInChunk, Weight: throughput.PerToken, Percentile: throughput.Type7, PopulationSD: true}},
		{"inference_perf_stage.json", throughput.TTFT, mean, throughput.Definition{Tool: "inference-perf", TwoTokens: true, Weight: throughput.PerRequest, Percentile: throughput.Type7, PopulationSD: true}},
		{"llmperf_summary.json", throughput.ITL, mean, throughput.Definition{Tool: "LLMPerf", IncludesFirst: true, Gap: throughput.ChunkedTotal, Weight: throughput.PerRequest, Percentile: throughput.Type7}},
		{"aiperf.json", throughput.TPOT, mean, throughput.Definition{Tool: "AIPerf", Weight: throughput.PerRequest, Percentile: throughput.Type7, PopulationSD: true}},
		{"genai_perf.json", throughput.ITL, mean, throughput.Definition{Tool: "GenAI-Perf", Gap: throughput.TokenGap, Weight: throughput.PerToken, Percentile: throughput.Type7, PopulationSD: true}},
		{"llama_bench.json", throughput.PrefillRate, mean, throughput.Definition{Tool: "llama-bench", Weight: throughput.PerRepetition}},
		{"vllm_latency.json", throughput.E2E, mean, throughput.Definition{Tool: "vLLM latency", Weight: throughput.PerRepetition, Percentile: throughput.Type7, PopulationSD: true}},
	} {
		assert.Equal(t, c.want, value(t, fixture(t, c.file, 0), c.metric, c.stat).Def, "%s %s", c.file, c.metric)
	}
}

func TestFailedRequestsStayOutOfTheSamples(t *testing.T) {
	r := fixture(t, "vllm_serve_detailed.json", 0)
	ttft := value(t, r, throughput.TTFT, mean)
	assert.Equal(t, []float64{0.2, 0.4, 0.25}, ttft.Samples, "the failed request's 0.0 is in the list")
	assert.Equal(t, 3, ttft.N)
	assert.Equal(t, []float64{0.4, 0.7, 0.25}, value(t, r, throughput.E2E, mean).Samples)
	assert.Len(t, value(t, r, throughput.ITL, median).Samples, 7)
	tpot := value(t, r, throughput.TPOT, mean)
	assert.InDeltaSlice(t, []float64{0.05, 1.0 / 30}, tpot.Samples, 1e-15, "a request of one token has none")
	assert.Equal(t, 2, tpot.N)
}

// TestMetricsOnlyListed: --percentile-metrics leaves out E2E, the lists have it.
func TestMetricsOnlyListed(t *testing.T) {
	b, err := os.ReadFile("testdata/vllm_serve_detailed.json")
	require.NoError(t, err)
	r := one(t, strings.Replace(string(b), ` "mean_e2el_ms": 450.0,`, "", 1))
	e2e := value(t, r, throughput.E2E, mean)
	testkit.Rel(t, 0.45, e2e.Value, 1e-15, "mean")
	assert.Equal(t, []float64{0.4, 0.7, 0.25}, e2e.Samples)
	assert.Equal(t, 0.7, value(t, r, throughput.E2E, throughput.Max).Value)
}

// TestDeviationOfRecords: of n or of n - 1 as the tool's definition says.
func TestDeviationOfRecords(t *testing.T) {
	v := value(t, fixture(t, "aiperf_records.jsonl", 0), throughput.TTFT, mean)
	assert.True(t, v.Def.PopulationSD)
	testkit.Rel(t, 0.05, v.SD, 1e-12, "0.1 and 0.2")
	v = value(t, fixture(t, "llmperf_individual.json", 0), throughput.E2E, mean)
	assert.False(t, v.Def.PopulationSD)
	testkit.Rel(t, math.Abs(v.Samples[0]-v.Samples[1])/math.Sqrt2, v.SD, 1e-12, "two samples")
}

func TestListsAgreeWithTheCounts(t *testing.T) {
	lists := map[string]string{"output_lens": "[5, 0]", "ttfts": "[0.1, 0.0]", "itls": "[[0.1], []]"}
	assert.Contains(t, errorTexts(one(t, serve(lists)).Warnings), "the lists hold 1 successful requests, completed says 10")
	_, err := Decode(strings.NewReader(serve(map[string]string{"output_lens": "[5, 1]", "ttfts": "[0.1]"})), "f")
	e, ok := errors.AsType[*DecodeError](err)
	require.True(t, ok)
	assert.Equal(t, "ttfts", e.Field)
}

func TestSamplesOfRepetitions(t *testing.T) {
	v := value(t, fixture(t, "llama_bench.json", 0), throughput.PrefillRate, mean)
	assert.Equal(t, []float64{2560, 2048}, v.Samples)
	assert.Equal(t, 2, v.N)
	assert.Equal(t, 362.038672, v.SD)
	v = value(t, fixture(t, "llama_bench.csv", 0), throughput.PrefillRate, mean)
	assert.Zero(t, v.N, "CSV does not tell how many repetitions there were")
	assert.Equal(t, 8.305961, v.SD)
	assert.Equal(t, []float64{1.2, 1.25, 1.3}, value(t, fixture(t, "vllm_latency.json", 0), throughput.E2E, mean).Samples)
	assert.Equal(t, []float64{1000, 1100}, value(t, fixture(t, "mlx_trials.txt", 0), throughput.PrefillRate, mean).Samples)
}

func TestEveryRequestFailed(t *testing.T) {
	r := one(t, serve(map[string]string{"completed": "0", "mean_ttft_ms": "0", "output_throughput": "0", "request_throughput": "0"}))
	assert.Empty(t, r.Metrics)
	assert.EqualValues(t, 10, r.Workload.Failed)
	require.Len(t, r.Warnings, 1)
	assert.ErrorIs(t, r.Warnings[0], throughput.ErrAllFailed)
}

// TestMarkAndLineEnds: every fixture reads the same with a byte order mark and
// the line ends of Windows.
func TestMarkAndLineEnds(t *testing.T) {
	for _, path := range fixtureFiles(t) {
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		want, wantErr := Decode(bytes.NewReader(b), "f")
		windows := append([]byte("\uFEFF"), bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n"))...)
		got, err := Decode(bytes.NewReader(windows), "f")
		assert.Equal(t, wantErr == nil, err == nil, "%s: %v", path, err)
		assert.Equal(t, printed(t, want), printed(t, got), path)
	}
}

func TestSource(t *testing.T) {
	assert.Equal(t, "vllm_serve_2025.json", fixture(t, "vllm_serve_2025.json", 0).Source)
	assert.Equal(t, "vllm_serve_appended.json#2", fixture(t, "vllm_serve_appended.json", 1).Source)
}

func TestPerTurnRatesAreNotRead(t *testing.T) {
	assert.Equal(t, 0.16, value(t, fixture(t, "vllm_serve_multiturn.json", 0), throughput.RequestRate, total).Value)
}

func TestWarmUpRequestsAreLeftOut(t *testing.T) {
	r := fixture(t, "aiperf_records.jsonl", 0)
	assert.EqualValues(t, 2, r.Workload.Completed)
	assert.Equal(t, []float64{0.2, 0.1}, value(t, r, throughput.TTFT, mean).Samples)
}

// TestClockOfRecords: nanoseconds since the epoch have more digits than a float64.
func TestClockOfRecords(t *testing.T) {
	record := func(start, end string) string {
		return `{"metadata": {"benchmark_phase": "profiling", "request_start_ns": ` + start + `, "request_end_ns": ` + end +
			`}, "metrics": {"output_sequence_length": {"value": 9, "unit": "tokens"}}}` + "\n"
	}
	r := one(t, record("1759813207532900363", "1759813207838764604")+record("1759813207532900362", "1759813207600000000"))
	testkit.Rel(t, 0.305864242, r.Workload.DurationSeconds, 1e-15, "duration")
	testkit.Rel(t, 2/0.305864242, value(t, r, throughput.RequestRate, total).Value, 1e-15, "request rate")
	assert.Equal(t, 2.0, one(t, record("1e9", `"3000000000"`)).Workload.DurationSeconds)

	noTokens := one(t, strings.ReplaceAll(record("5", "7"), "output_sequence_length", "error_isl"))
	_, ok := noTokens.Get(throughput.OutputRate, throughput.Total)
	assert.False(t, ok, "tokens that no record counts are no rate of 0")

	for name, c := range map[string]struct {
		start, end string
		is         error
	}{
		"no time":      {"1759813207532900363", "1759813207532900363", throughput.ErrNonPositive},
		"negative":     {"-5", "-4", throughput.ErrNonPositive},
		"too late":     {"5", "9223372036854775808", errCount},
		"not a number": {"5", `"now"`, errNumber},
	} {
		_, err := Decode(strings.NewReader(record(c.start, c.end)), "f")
		e, ok := errors.AsType[*DecodeError](err)
		require.True(t, ok, name)
		assert.ErrorIs(t, err, c.is, name)
		assert.Contains(t, e.Field, "metadata.request_", name)
		assert.Positive(t, e.Offset, name)
	}
}
