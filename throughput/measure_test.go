package throughput

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// goldenTrace reads testdata/metrics_golden.json: one trace, and what every tool
// would report of it.
func goldenTrace(t *testing.T) ([]Request, map[string]any) {
	t.Helper()
	var file struct {
		Trace []struct {
			Start, End float64
			Prompt     int
			Chunks     [][2]float64
			OK         bool
		}
		Expect map[string]any
	}
	testkit.ReadJSON(t, "testdata/metrics_golden.json", &file)
	var trace []Request
	for _, r := range file.Trace {
		q := Request{StartSeconds: r.Start, EndSeconds: r.End, PromptTokens: r.Prompt, Failed: !r.OK}
		for _, c := range r.Chunks {
			q.Chunks = append(q.Chunks, Chunk{c[0], int(c[1])})
		}
		trace = append(trace, q)
	}
	require.Len(t, trace, 4)
	return trace, file.Expect
}

func goldenNumber(t *testing.T, expect map[string]any, path ...string) float64 {
	t.Helper()
	var v any = expect
	for _, key := range path {
		v = v.(map[string]any)[key]
	}
	x, ok := v.(float64)
	require.True(t, ok, "%v", path)
	return x
}

// defined is a tool's definition, as changed.
func defined(t *testing.T, tool string, m Metric, change func(*Definition)) Definition {
	t.Helper()
	d, ok := DefinitionOf(tool, m)
	require.True(t, ok, "%s %s", tool, m)
	assert.Equal(t, tool, d.Tool)
	if change != nil {
		change(&d)
	}
	return d
}

func TestEveryToolsOwnDefinition(t *testing.T) {
	trace, expect := goldenTrace(t)
	perRequest := func(d *Definition) { d.Weight = PerRequest }
	none := Definition{}
	for _, c := range []struct {
		path   []string
		m      Metric
		s      Stat
		tool   string
		change func(*Definition)
		scale  float64 // the file's unit
	}{
		{[]string{"vllm", "mean_ttft_ms"}, TTFT, Mean, "vLLM", nil, 1e3},
		{[]string{"vllm", "mean_tpot_ms"}, TPOT, Mean, "vLLM", nil, 1e3},
		{[]string{"vllm", "mean_itl_ms"}, ITL, Mean, "vLLM", nil, 1e3},
		{[]string{"vllm", "median_itl_ms"}, ITL, Median, "vLLM", nil, 1e3},
		{[]string{"vllm", "p99_itl_ms"}, ITL, Percentile(99), "vLLM", nil, 1e3},
		{[]string{"vllm", "mean_e2el_ms"}, E2E, Mean, "vLLM", nil, 1e3},
		{[]string{"vllm", "output_throughput"}, OutputRate, Total, "", nil, 1},
		{[]string{"vllm", "total_token_throughput"}, TotalRate, Total, "", nil, 1},
		{[]string{"vllm", "request_throughput"}, RequestRate, Total, "", nil, 1},
		{[]string{"sglang_native", "mean_itl_ms"}, ITL, Mean, "SGLang", nil, 1e3},
		{[]string{"inference_perf", "itl_mean_s"}, ITL, Mean, "inference-perf", nil, 1},
		{[]string{"inference_perf", "itl_median_s"}, ITL, Median, "inference-perf", nil, 1},
		{[]string{"inference_perf", "tpot_mean_s"}, TPOT, Mean, "inference-perf", nil, 1},
		{[]string{"inference_perf", "ntpot_mean_s"}, NTPOT, Mean, "inference-perf", nil, 1},
		{[]string{"inference_perf", "ttft_mean_s"}, TTFT, Mean, "inference-perf", nil, 1},
		{[]string{"guidellm", "tpot_mean_ms_weighted_by_tokens"}, TPOT, Mean, "GuideLLM", nil, 1e3},
		{[]string{"guidellm", "itl_mean_ms_weighted_by_tokens_minus_1"}, ITL, Mean, "GuideLLM", nil, 1e3},
		{[]string{"guidellm", "tpot_mean_ms_unweighted"}, TPOT, Mean, "GuideLLM", perRequest, 1e3},
		{[]string{"guidellm", "itl_mean_ms_unweighted"}, ITL, Mean, "GuideLLM", perRequest, 1e3},
		{[]string{"guidellm", "ttft_mean_ms"}, TTFT, Mean, "GuideLLM", nil, 1e3},
		{[]string{"guidellm", "request_latency_mean_s"}, E2E, Mean, "GuideLLM", nil, 1},
		{[]string{"aiperf", "itl_mean_ms"}, TPOT, Mean, "AIPerf", nil, 1e3},
		{[]string{"aiperf", "output_token_throughput_per_user_mean"}, UserRateDecode, Mean, "AIPerf", nil, 1},
		{[]string{"trtllm", "output_throughput_per_user_tok_s"}, UserRateE2E, Mean, "TensorRT-LLM", nil, 1},
		{[]string{"trtllm", "avg_tpot_ms_zero_for_one_token"}, TPOT, Mean, "TensorRT-LLM", nil, 1e3},
		{[]string{"llmperf", "itl_mean_s"}, ITL, Mean, "LLMPerf", nil, 1},
		{[]string{"mean_concurrency_sum_e2e_over_duration"}, MeanConcurrency, Total, "", nil, 1},
	} {
		d := none
		if c.tool != "" {
			d = defined(t, c.tool, c.m, c.change)
		}
		v, err := Measure(trace, c.m, c.s, d)
		require.NoError(t, err, "%v", c.path)
		testkit.Rel(t, goldenNumber(t, expect, c.path...), v.Value*c.scale, 1e-12, "%v", c.path)
	}

	ttft, err := Measure(trace, TTFT, Mean, defined(t, "vLLM", TTFT, nil))
	require.NoError(t, err)
	testkit.Rel(t, goldenNumber(t, expect, "vllm", "std_ttft_ms"), ttft.SD*1e3, 1e-12, "population standard deviation")
	assert.Equal(t, goldenNumber(t, expect, "vllm", "duration"), window(trace))
	tpot, err := Measure(trace, TPOT, Mean, defined(t, "AIPerf", TPOT, nil))
	require.NoError(t, err)
	testkit.Rel(t, goldenNumber(t, expect, "aiperf", "reciprocal_of_mean_itl"), 1/tpot.Value, 1e-12, "not the mean of reciprocals")
	for gap, key := range map[GapKind]string{ChunkGap: "peak_1s_bucket_chunks", TokenGap: "peak_1s_bucket_tokens"} {
		v, err := Measure(trace, PeakRate, Total, Definition{Gap: gap})
		require.NoError(t, err)
		assert.Equal(t, goldenNumber(t, expect, key), v.Value, key)
	}
	good, err := MeasureGoodput(trace, SLO{MaxTTFTSeconds: 0.3, MaxTPOTSeconds: 0.06})
	require.NoError(t, err)
	testkit.Rel(t, goldenNumber(t, expect, "goodput", "req_per_s"), good.Value, 1e-12, "goodput")
}

func TestEveryRequestsOwnValues(t *testing.T) {
	trace, expect := goldenTrace(t)
	requests := expect["per_request"].(map[string]any)
	one := Definition{Weight: PerRequest}
	gap := func(k GapKind) Definition { return Definition{Gap: k, Weight: PerGap} }
	for name, c := range map[string]struct {
		m Metric
		d Definition
	}{
		"ttft": {TTFT, one}, "e2e": {E2E, one}, "tpot_excl_first": {TPOT, one},
		"tpot_incl_first_guidellm": {TPOT, Definition{IncludesFirst: true}}, "ntpot": {NTPOT, one},
		"itl_chunk_gaps": {ITL, gap(ChunkGap)}, "itl_split_per_token": {ITL, gap(TokenGap)}, "itl_burst_per_token": {ITL, gap(ZeroInChunk)},
		"tps_e2e": {UserRateE2E, one}, "tps_decode": {UserRateDecode, one},
	} {
		for i, id := range []string{"r1", "r2", "r3"} {
			got, err := trace[i].values(c.m, c.d)
			require.NoError(t, err)
			var want []float64
			switch v := requests[name].(map[string]any)[id].(type) {
			case float64:
				want = []float64{v}
			case []any:
				for _, x := range v {
					want = append(want, x.(float64))
				}
			}
			require.Len(t, got, len(want), "%s of %s", name, id)
			for k := range want {
				testkit.Near(t, want[k], got[k], 1e-12, "%s of %s", name, id)
			}
		}
	}
	for i, id := range []string{"r1", "r2", "r3"} {
		assert.Equal(t, goldenNumber(t, requests, "output_tokens", id), float64(trace[i].OutputTokens()))
	}
	for i, id := range []string{"r1", "r2"} {
		after := float64(trace[i].OutputTokens()-1) / float64(len(trace[i].Chunks)-1)
		assert.Equal(t, goldenNumber(t, requests, "tokens_per_chunk_after_first", id), after)
	}
}

func TestMeasureRefuses(t *testing.T) {
	ok := Request{StartSeconds: 1, EndSeconds: 2, Chunks: []Chunk{{1.5, 1}, {2, 2}}}
	with := func(change func(*Request)) []Request {
		r := ok
		r.Chunks = append([]Chunk(nil), ok.Chunks...)
		change(&r)
		return []Request{ok, r}
	}
	d := Definition{Weight: PerRequest, Percentile: Type7}
	for name, c := range map[string]struct {
		trace []Request
		m     Metric
		s     Stat
		d     Definition
		err   error
	}{
		"nothing":             {nil, TTFT, Mean, d, ErrEmpty},
		"all failed":          {[]Request{{EndSeconds: 1, Failed: true}}, TTFT, Mean, d, ErrAllFailed},
		"no chunk":            {with(func(r *Request) { r.Chunks = nil }), TTFT, Mean, d, ErrEmpty},
		"empty chunk":         {with(func(r *Request) { r.Chunks[0].Tokens = 0 }), TTFT, Mean, d, ErrNonPositive},
		"chunk before start":  {with(func(r *Request) { r.Chunks[0].Seconds = 0 }), TTFT, Mean, d, ErrOrder},
		"chunks out of order": {with(func(r *Request) { r.Chunks[1].Seconds = 1.2 }), TTFT, Mean, d, ErrOrder},
		"end before a chunk":  {with(func(r *Request) { r.EndSeconds = 1.7 }), TTFT, Mean, d, ErrOrder},
		"NaN":                 {with(func(r *Request) { r.Chunks[0].Seconds = math.NaN() }), TTFT, Mean, d, ErrNonFinite},
		"infinite end":        {with(func(r *Request) { r.EndSeconds = math.Inf(1) }), TTFT, Mean, d, ErrNonFinite},
		"negative prompt":     {with(func(r *Request) { r.PromptTokens = -1 }), TTFT, Mean, d, ErrNonPositive},
		"no time":             {[]Request{{Chunks: []Chunk{{0, 1}}}}, TTFT, Mean, d, ErrNonPositive},
		"unknown weight":      {[]Request{ok}, TTFT, Mean, Definition{}, ErrOptions},
		"unknown gap":         {[]Request{ok}, ITL, Mean, d, ErrOptions},
		"unknown percentile":  {[]Request{ok}, TTFT, Median, Definition{Weight: PerRequest}, ErrOptions},
		"no statistic":        {[]Request{ok}, TTFT, "mode", d, ErrOptions},
		"a total of TTFT":     {[]Request{ok}, TTFT, Total, d, ErrOptions},
		"a mean over the run": {[]Request{ok}, OutputRate, Mean, d, ErrOptions},
		"prefill":             {[]Request{ok}, PrefillRate, Mean, d, ErrOptions},
		"TPOT of one token":   {[]Request{{EndSeconds: 1, Chunks: []Chunk{{1, 1}}}}, TPOT, Mean, d, ErrEmpty},
	} {
		v, err := Measure(c.trace, c.m, c.s, c.d)
		assert.ErrorIs(t, err, c.err, "%s: %v", name, v.Value)
	}
	for _, slo := range []SLO{{}, {MaxTTFTSeconds: -1}, {MaxTPOTSeconds: math.NaN()}} {
		_, err := MeasureGoodput([]Request{ok}, slo)
		assert.ErrorIs(t, err, ErrOptions)
	}
}

// randomTrace makes requests whose last token ends them and whose first comes
// alone; lengths of 0 are drawn.
func randomTrace(r *rand.Rand, requests, length int) []Request {
	var trace []Request
	for range requests {
		n := length
		if n == 0 {
			n = 1 + r.IntN(40)
		}
		q := Request{StartSeconds: 3 * r.Float64(), PromptTokens: 10}
		at := q.StartSeconds + 0.1 + r.Float64()
		q.Chunks = []Chunk{{at, 1}}
		for n--; n > 0; {
			c := Chunk{Tokens: min(n, 1+r.IntN(4))}
			at += 0.01 + 0.05*r.Float64()
			c.Seconds = at
			n -= c.Tokens
			q.Chunks = append(q.Chunks, c)
		}
		q.EndSeconds = at
		trace = append(trace, q)
	}
	return trace
}

// runOf is what a tool would report of a trace.
func runOf(t *testing.T, trace []Request, asked int64, tool string, metrics ...Metric) Run {
	t.Helper()
	run := Run{Workload: Workload{OutputTokensAsked: asked, Completed: int64(len(trace))}}
	for _, r := range trace {
		run.Workload.OutputTokensServed += int64(r.OutputTokens())
	}
	for _, m := range metrics {
		v, err := Measure(trace, m, Mean, defined(t, tool, m, nil))
		require.NoError(t, err)
		run.Metrics = append(run.Metrics, v)
	}
	return run
}

// Converted figures against those measured from the trace itself.
func TestConvertAgainstTheTrace(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct {
		name     string
		length   int
		from, to string
		m        Metric
		exact    bool
	}{
		{"GuideLLM's ITL from vLLM's TPOT figures", 0, "vLLM", "GuideLLM", TPOT, true},
		{"token gaps from gaps with zeros", 0, "inference-perf", "SGLang", ITL, true},
		{"gaps with zeros from token gaps", 0, "SGLang", "inference-perf", ITL, true},
		{"per-request gaps from token gaps", 0, "SGLang", "GuideLLM", ITL, true},
		{"vLLM's TPOT from GuideLLM's, lengths differ", 0, "GuideLLM", "vLLM", TPOT, false},
		{"vLLM's TPOT from GuideLLM's, all of one length", 32, "GuideLLM", "vLLM", TPOT, true},
		{"TensorRT-LLM's TPOT, all of one length", 32, "vLLM", "TensorRT-LLM", TPOT, true},
		{"vLLM's TPOT from TensorRT-LLM's, all of one length", 32, "TensorRT-LLM", "vLLM", TPOT, true},
		{"chunk gaps to per-request gaps", 0, "vLLM", "GuideLLM", ITL, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			trace := randomTrace(r, 50, c.length)
			run := runOf(t, trace, int64(c.length), c.from, TTFT, E2E, c.m)
			v, _ := run.Get(c.m, Mean)
			to := defined(t, c.to, c.m, nil)
			got, err := Convert(v, to, run)
			require.NoError(t, err)
			assert.Equal(t, to, got.Def)
			want, err := Measure(trace, c.m, Mean, to)
			require.NoError(t, err)
			if c.exact {
				assert.Empty(t, got.Warnings)
				testkit.Rel(t, want.Value, got.Value, 1e-12, "value")
			} else {
				assert.ErrorIs(t, errors.Join(got.Warnings...), ErrApproximate)
				assert.InEpsilon(t, want.Value, got.Value, 0.25)
			}
		})
	}
}

func TestConvertRefusesWhatNoIdentityReaches(t *testing.T) {
	trace := randomTrace(rand.New(rand.NewPCG(2, 2)), 20, 0)
	run := runOf(t, trace, 0, "vLLM", TTFT, TPOT, E2E, ITL)
	bare := runOf(t, trace, 0, "vLLM", TPOT)
	for name, c := range map[string]struct {
		m  Metric
		s  Stat
		to Definition
		in Run
	}{
		"chunk gaps from token gaps":     {ITL, Mean, Definition{Gap: ChunkGap, Weight: PerToken}, run},
		"E2E per chunk":                  {ITL, Mean, defined(t, "LLMPerf", ITL, nil), run},
		"a median of another weight":     {TPOT, Median, defined(t, "GuideLLM", TPOT, nil), run},
		"without E2E":                    {TPOT, Mean, defined(t, "GuideLLM", TPOT, nil), bare},
		"TTFT without one-token answers": {TTFT, Mean, defined(t, "inference-perf", TTFT, nil), run},
		"TTFT of no known weight":        {TTFT, Mean, Definition{Tool: "someone"}, run},
		"TPOT weighted by all tokens":    {TPOT, Mean, Definition{Weight: PerToken}, run},
		"to no weight":                   {TPOT, Mean, Definition{IncludesFirst: true}, run},
	} {
		v, ok := c.in.Get(c.m, Mean)
		require.True(t, ok)
		v.Stat = c.s
		_, err := Convert(v, c.to, c.in)
		assert.ErrorIs(t, err, ErrIncomparable, name)
		_, ok = errors.AsType[*DefinitionError](err)
		assert.True(t, ok, name)
	}
}

func TestConvertPercentilesAndDeviations(t *testing.T) {
	trace := randomTrace(rand.New(rand.NewPCG(3, 3)), 33, 0)
	vllm, mlperf := defined(t, "vLLM", E2E, nil), defined(t, "MLPerf", E2E, nil)
	for _, s := range []Stat{Median, Percentile(90), Percentile(99.9)} {
		v, err := Measure(trace, E2E, s, vllm)
		require.NoError(t, err)
		got, err := Convert(v, mlperf, Run{})
		require.NoError(t, err)
		want, err := Measure(trace, E2E, s, mlperf)
		require.NoError(t, err)
		assert.Equal(t, want.Value, got.Value, string(s))
		v.Samples = v.Samples[1:]
		_, err = Convert(v, mlperf, Run{})
		assert.ErrorIs(t, err, ErrIncomparable, "samples that are not all there")
	}
	v, err := Measure(trace, E2E, Mean, vllm)
	require.NoError(t, err)
	want, err := Measure(trace, E2E, Mean, mlperf)
	require.NoError(t, err)
	got, err := Convert(v, mlperf, Run{})
	require.NoError(t, err)
	testkit.Rel(t, want.SD, got.SD, 1e-12, "n - 1")
	back, err := Convert(got, vllm, Run{})
	require.NoError(t, err)
	testkit.Rel(t, v.SD, back.SD, 1e-12, "and back")

	even := randomTrace(rand.New(rand.NewPCG(4, 4)), 10, 8)
	two, mlperf := defined(t, "inference-perf", TTFT, nil), defined(t, "MLPerf", TTFT, nil)
	v, err = Measure(even, TTFT, Mean, two)
	require.NoError(t, err)
	want, err = Measure(even, TTFT, Mean, mlperf)
	require.NoError(t, err)
	got, err = Convert(v, mlperf, runOf(t, even, 8, "inference-perf"))
	require.NoError(t, err)
	testkit.Rel(t, want.SD, got.SD, 1e-12, "no request of one token, and n - 1")
}

func TestComparable(t *testing.T) {
	value := func(tool string, m Metric, s Stat) Value {
		d, _ := DefinitionOf(tool, m)
		d.Tool = tool
		return Value{Metric: m, Stat: s, Def: d}
	}
	for _, c := range []struct {
		name  string
		a, b  Value
		field string // "": comparable
	}{
		{"TTFT of two tools", value("vLLM", TTFT, Mean), value("SGLang", TTFT, Mean), ""},
		{"TPOT with and without the first token", value("GuideLLM", TPOT, Mean), value("vLLM", TPOT, Mean), "whether the first token counts"},
		{"TPOT with zeros", value("TensorRT-LLM", TPOT, Mean), value("vLLM", TPOT, Mean), "whether one token counts as zero"},
		{"chunk and token gaps", value("vLLM", ITL, Mean), value("SGLang", ITL, Mean), "the gap"},
		{"output and total rate", value("vLLM", OutputRate, Total), value("vLLM", TotalRate, Total), "metric"},
		{"output rates of two tools", value("vLLM", OutputRate, Total), value("LLMPerf", OutputRate, Total), ""},
		{"mean and median", value("vLLM", TTFT, Mean), value("vLLM", TTFT, Median), "stat"},
		{"percentiles taken differently", value("vLLM", E2E, Percentile(99)), value("MLPerf", E2E, Percentile(99)), "the percentile"},
		{"means do not care how percentiles are taken", value("vLLM", E2E, Mean), value("MLPerf", E2E, Mean), ""},
		{"nor do extremes about weights", value("GuideLLM", E2E, Max), value("MLPerf", E2E, Max), ""},
		{"unknown against known", value("someone", TTFT, Mean), value("vLLM", TTFT, Mean), "the weight"},
		{"unknown to both", value("someone", TTFT, Mean), value("another", TTFT, Mean), "the weight"},
		{"unknown, of one tool", value("someone", TTFT, Mean), value("someone", TTFT, Mean), ""},
		{"chunks and tokens a second", Value{Metric: PeakRate, Stat: Total, Def: Definition{Gap: ChunkGap}}, Value{Metric: PeakRate, Stat: Total, Def: Definition{Gap: TokenGap}}, "the gap"},
	} {
		for _, err := range []error{Comparable(c.a, c.b), Comparable(c.b, c.a)} {
			if c.field == "" {
				assert.NoError(t, err, c.name)
				continue
			}
			require.ErrorIs(t, err, ErrIncomparable, c.name)
			e, _ := errors.AsType[*DefinitionError](err)
			assert.Equal(t, c.field, e.Field, c.name)
		}
	}
}

func TestUnmeasuredMetricsHaveNoDefinition(t *testing.T) {
	_, ok := DefinitionOf("vLLM", OutputRate)
	assert.False(t, ok)
	_, ok = DefinitionOf("no such tool", TTFT)
	assert.False(t, ok)
}
