package throughput

import (
	"encoding/json"
	"errors"
	"math"
	"testing"

	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// serving is a run as vLLM's client reports one: 64 requests of 100 tokens.
func serving(c int, ttft, tpot float64) Run {
	d := Definition{Tool: "vLLM", Weight: PerRequest, Percentile: Type7, PopulationSD: true}
	e2e := ttft + 99*tpot
	return Run{
		Key:      Key{Machine: "m", Engine: "vLLM", Version: "1", Model: "x"},
		Load:     Load{Concurrency: c},
		Workload: Workload{OutputTokensAsked: 100, Completed: 64, OutputTokensServed: 6400, DurationSeconds: 10},
		Source:   "run.json",
		Metrics: []Value{
			{Metric: TTFT, Def: d, Stat: Mean, Value: ttft, N: 64, SD: 0.08},
			{Metric: TPOT, Def: d, Stat: Mean, Value: tpot, N: 64, SD: 0.002},
			{Metric: E2E, Def: d, Stat: Mean, Value: e2e, N: 64, SD: math.NaN()},
			{Metric: OutputRate, Def: Definition{Tool: "vLLM"}, Stat: Total, Value: 100 * float64(c) / e2e, SD: math.NaN()},
		},
	}
}

func change(r Run, f func(*Run)) Run {
	r.Metrics = append([]Value(nil), r.Metrics...)
	f(&r)
	return r
}

func without(r Run, m Metric) Run {
	var kept []Value
	for _, v := range r.Metrics {
		if v.Metric != m {
			kept = append(kept, v)
		}
	}
	r.Metrics = kept
	return r
}

func TestLevels(t *testing.T) {
	got, err := Levels([]Run{serving(8, 0.4, 0.02), serving(1, 0.1, 0.01), serving(8, 0.6, 0.025)})
	require.NoError(t, err)
	require.Len(t, got, 2)
	one, eight := got[0], got[1]
	assert.Equal(t, 1, one.Concurrency)
	assert.Equal(t, UserRateDecode, one.Kind)
	testkit.Rel(t, 100, one.TPS, 1e-12, "1 / TPOT")
	n1 := math.Sqrt(63) // the tool divides by n
	testkit.Rel(t, 0.08/n1, one.TTFTStdErr, 1e-12, "standard error")
	testkit.Rel(t, 0.002/n1/0.01/0.01, one.TPSStdErr, 1e-12, "delta method")
	testkit.Rel(t, 100/1.09, one.OutputTPS, 1e-12, "reported rate")

	assert.Equal(t, 2, eight.Runs)
	testkit.Rel(t, 0.5, eight.TTFTSeconds, 1e-12, "mean of runs")
	testkit.Rel(t, 0.1, eight.TTFTStdErr, 1e-12, "their scatter")
	testkit.Rel(t, 45, eight.TPS, 1e-12, "mean of 50 and 40")
	testkit.Rel(t, 5, eight.TPSStdErr, 1e-12, "their scatter")
	assert.Equal(t, "C=1: TTFT 0.1 s, 100 tok/s a user, 91.743 tok/s in all", one.String())
	b, err := json.Marshal(one)
	require.NoError(t, err)
	assert.Contains(t, string(b), `"tps_kind":"user_rate_decode","runs":1}`)
	b, err = json.Marshal(Level{Concurrency: 1, TTFTSeconds: 0.1, TPS: 100, Kind: UserRateE2E, Runs: 1})
	require.NoError(t, err)
	assert.Equal(t, `{"concurrency":1,"ttft_seconds":0.1,"tps":100,"tps_kind":"user_rate_e2e","runs":1}`, string(b), "what is unknown is absent")
}

func TestLevelsFromOtherFigures(t *testing.T) {
	guide := change(without(serving(4, 0.2, 0.01), TPOT), func(r *Run) {
		d, _ := DefinitionOf("GuideLLM", TPOT)
		r.Metrics = append(r.Metrics, Value{Metric: TPOT, Def: d, Stat: Mean, Value: 1.19 / 100})
	})
	got, err := Levels([]Run{guide})
	require.NoError(t, err)
	testkit.Rel(t, 100, got[0].TPS, 1e-12, "GuideLLM's TPOT counts the first token; the algebra takes it out")
	assert.Empty(t, got[0].Warnings, "all requests are of one length")

	bare, err := Levels([]Run{without(serving(4, 0.2, 0.01), TPOT)})
	require.NoError(t, err)
	testkit.Rel(t, 100, bare[0].TPS, 1e-12, "from E2E and TTFT alone")
	uneven, err := Levels([]Run{change(without(serving(4, 0.2, 0.01), TPOT), func(r *Run) { r.Workload.OutputTokensAsked = 0 })})
	require.NoError(t, err)
	assert.ErrorIs(t, errors.Join(uneven[0].Warnings...), ErrApproximate)

	ntpot := change(without(without(serving(4, 0.2, 0.01), TPOT), E2E), func(r *Run) {
		r.Metrics = append(r.Metrics, Value{Metric: NTPOT, Def: Definition{Weight: PerRequest}, Stat: Mean, Value: 0.0125})
	})
	whole, err := Levels([]Run{ntpot})
	require.NoError(t, err)
	assert.Equal(t, UserRateE2E, whole[0].Kind, "no decode figure: the speed of whole requests, and says so")
	testkit.Rel(t, 80, whole[0].TPS, 1e-12, "1 / NTPOT")
}

func TestLevelsRefuses(t *testing.T) {
	ok := serving(1, 0.1, 0.01)
	for name, c := range map[string]struct {
		second Run
		err    error
		field  string
	}{
		"no concurrency":    {change(ok, func(r *Run) { r.Load.Concurrency = 0 }), ErrNoConcurrency, ""},
		"all failed":        {change(ok, func(r *Run) { r.Workload.Completed, r.Workload.Failed = 0, 9 }), ErrAllFailed, ""},
		"no TTFT":           {without(ok, TTFT), ErrEmpty, ""},
		"nothing per token": {without(without(ok, TPOT), E2E), ErrEmpty, ""},
		"zero TTFT":         {change(ok, func(r *Run) { r.Metrics[0].Value = 0 }), ErrNonPositive, ""},
		"NaN TTFT":          {change(ok, func(r *Run) { r.Metrics[0].Value = math.NaN() }), ErrNonFinite, ""},
		"infinite TTFT":     {change(ok, func(r *Run) { r.Metrics[0].Value = math.Inf(1) }), ErrNonFinite, ""},
		"NaN TPOT":          {change(ok, func(r *Run) { r.Metrics[1].Value = math.NaN() }), ErrNonFinite, ""},
		"infinite TPOT":     {change(ok, func(r *Run) { r.Metrics[1].Value = math.Inf(1) }), ErrNonFinite, ""},
		"negative TPOT":     {change(ok, func(r *Run) { r.Metrics[1].Value = -1 }), ErrNonPositive, ""},
		"infinite E2E":      {change(without(ok, TPOT), func(r *Run) { r.Metrics[1].Value = math.Inf(1) }), ErrEmpty, ""},
		"NaN output":        {change(ok, func(r *Run) { r.Metrics[3].Value = math.NaN() }), ErrNonFinite, ""},
		"negative output":   {change(ok, func(r *Run) { r.Metrics[3].Value = -1 }), ErrNonPositive, ""},
		"another engine":    {change(ok, func(r *Run) { r.Key.Engine = "SGLang" }), ErrIncomparable, "engine"},
		"another model":     {change(ok, func(r *Run) { r.Key.Model = "y" }), ErrIncomparable, "model"},
		"another length":    {change(ok, func(r *Run) { r.Workload.OutputTokensAsked = 50 }), ErrIncomparable, "workload"},
		"paced":             {change(ok, func(r *Run) { r.Load.RequestRate = 2 }), ErrIncomparable, "request rate"},
		"another TTFT":      {change(ok, func(r *Run) { r.Metrics[0].Def.TwoTokens = true }), ErrIncomparable, "whether requests of one token are left out"},
	} {
		_, err := Levels([]Run{ok, c.second})
		require.ErrorIs(t, err, c.err, name)
		if c.field != "" {
			e, found := errors.AsType[*DefinitionError](err)
			require.True(t, found, name)
			assert.Equal(t, c.field, e.Field, name)
		}
	}
	_, err := Levels(nil)
	assert.ErrorIs(t, err, ErrEmpty)
}

func TestRows(t *testing.T) {
	b := change(serving(8, 0.4, 0.02), func(r *Run) { r.Key.Engine, r.Key.Version = "SGLang", "7" })
	got, err := Rows([]Run{serving(8, 0.4, 0.02), serving(8, 0.4, 0.025), serving(1, 0.1, 0.01), b}, TPOT, Mean)
	require.NoError(t, err)
	require.Len(t, got, 3)
	assert.Equal(t, Row{"", "m", "x", "C=8, 100 out", "vLLM", got[0].Value}, got[0])
	testkit.Rel(t, 0.0225, got[0].Value, 1e-12, "repetitions are averaged")
	assert.Equal(t, "C=1, 100 out", got[1].Setup, "levels stay apart")
	assert.Equal(t, "SGLang", got[2].Engine)

	c, err := CompareEngines(got, "vLLM", "SGLang", &EngineOptions{LowerIsBetter: true})
	require.NoError(t, err)
	testkit.Rel(t, 0.0225/0.02, c.Estimate, 1e-12, "what the rows are for")

	newer := change(serving(8, 0.4, 0.02), func(r *Run) { r.Key.Version, r.Key.Quantization = "2", "FP8" })
	got, err = Rows([]Run{serving(8, 0.4, 0.02), newer}, TPOT, Mean)
	require.NoError(t, err)
	assert.Equal(t, []string{"vLLM 1", "vLLM 2", "x FP8"}, []string{got[0].Engine, got[1].Engine, got[1].Model}, "two versions of one engine")

	guide := change(without(serving(8, 0.4, 0.02), TPOT), func(r *Run) {
		d, _ := DefinitionOf("GuideLLM", TPOT)
		r.Key.Machine = "n"
		r.Metrics = append(r.Metrics, Value{Metric: TPOT, Def: d, Stat: Mean, Value: 2.38 / 100})
	})
	got, err = Rows([]Run{serving(8, 0.4, 0.02), guide}, TPOT, Mean)
	require.NoError(t, err)
	testkit.Rel(t, 0.02, got[1].Value, 1e-12, "converted, since all requests are of one length")
	guide.Workload.OutputTokensAsked = 0
	_, err = Rows([]Run{serving(8, 0.4, 0.02), guide}, TPOT, Mean)
	assert.ErrorIs(t, err, ErrIncomparable, "an approximate figure is no comparable row")
}

func TestRowsRefuses(t *testing.T) {
	ok := serving(1, 0.1, 0.01)
	for name, c := range map[string]struct {
		runs []Run
		m    Metric
		err  error
	}{
		"nothing":    {nil, TPOT, ErrEmpty},
		"no figure":  {[]Run{ok}, Goodput, ErrEmpty},
		"zero":       {[]Run{change(ok, func(r *Run) { r.Metrics[1].Value = 0 })}, TPOT, ErrNonPositive},
		"NaN":        {[]Run{change(ok, func(r *Run) { r.Metrics[1].Value = math.NaN() })}, TPOT, ErrNonFinite},
		"infinite":   {[]Run{change(ok, func(r *Run) { r.Metrics[1].Value = math.Inf(1) })}, TPOT, ErrNonFinite},
		"all failed": {[]Run{change(ok, func(r *Run) { r.Workload.Completed, r.Workload.Failed = 0, 3 })}, TPOT, ErrAllFailed},
	} {
		_, err := Rows(c.runs, c.m, Mean)
		require.ErrorIs(t, err, c.err, name)
		if c.runs != nil {
			assert.Contains(t, err.Error(), "run.json", name)
		}
	}
}

func TestLoadText(t *testing.T) {
	for want, l := range map[string]Load{"": {}, "C=8": {Concurrency: 8}, "C=8, 2.5 req/s": {Concurrency: 8, RequestRate: 2.5}, "all at once": {Unbounded: true}} {
		assert.Equal(t, want, l.String())
	}
}

func TestRunJSON(t *testing.T) {
	r := change(serving(8, 0.4, 0.02), func(r *Run) {
		r.Metrics = r.Metrics[2:3] // a value without a known deviation
		r.Metrics[0].N, r.Metrics[0].Samples = 0, []float64{1, 2}
		r.Warnings = []error{ErrDrift}
	})
	b, err := json.Marshal(r)
	require.NoError(t, err)
	assert.Equal(t, `{"source":"run.json","key":{"machine":"m","engine":"vLLM","version":"1","model":"x"},"load":{"concurrency":8},`+
		`"workload":{"output_tokens_asked":100,"output_tokens_served":6400,"completed":64,"duration_seconds":10},`+
		`"metrics":[{"metric":"e2e","stat":"mean","value":2.38,"unit":"s",`+
		`"definition":{"tool":"vLLM","weight":"request","percentile":"type7","population_sd":true},"samples":[1,2]}],`+
		`"warnings":["throughput: the series drifts"]}`, string(b))
}
