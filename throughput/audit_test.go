package throughput

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// clean is a run whose figures fit together: 8 at a time, 100 requests of 100
// tokens.
func clean() Run {
	r := serving(8, 0.4, 0.02)
	e2e := 0.4 + 99*0.02
	rate := 8 / e2e
	r.Workload.Completed, r.Workload.DurationSeconds = 100, 100/rate
	r.Workload.PromptTokensServed, r.Workload.OutputTokensServed = 50_000, 10_000
	d := r.Metrics[0].Def
	r.Metrics = append(r.Metrics, []Value{
		{Metric: RequestRate, Stat: Total, Value: rate}, {Metric: InputRate, Stat: Total, Value: 500 * rate},
		{Metric: TotalRate, Stat: Total, Value: 600 * rate}, {Metric: MeanConcurrency, Stat: Total, Value: 8},
		{Metric: TTFT, Def: d, Stat: Min, Value: 0.2}, {Metric: TTFT, Def: d, Stat: Median, Value: 0.38},
		{Metric: TTFT, Def: d, Stat: Percentile(99), Value: 0.6}, {Metric: TTFT, Def: d, Stat: Max, Value: 0.7},
		{Metric: ITL, Def: Definition{Tool: "vLLM", Gap: ChunkGap, Weight: PerGap, Percentile: Type7}, Stat: Mean, Value: 0.02},
		{Metric: ITL, Def: Definition{Tool: "vLLM", Gap: ChunkGap, Weight: PerGap, Percentile: Type7}, Stat: Median, Value: 0.019},
	}...)
	r.Metrics[3].Value = 100 * rate
	return r
}

// set changes the value of one figure.
func set(m Metric, s Stat, x float64) func(*Run) {
	return func(r *Run) {
		for i, v := range r.Metrics {
			if v.Metric == m && v.Stat == s {
				r.Metrics[i].Value = x
			}
		}
	}
}

func TestAudit(t *testing.T) {
	require.Empty(t, Audit(clean()))
	for name, c := range map[string]struct {
		change func(*Run)
		kind   FindingKind
		severe bool
		metric Metric
	}{
		"output rate":           {set(OutputRate, Total, 400), RateMismatch, true, OutputRate},
		"total rate":            {set(TotalRate, Total, 1000), RateMismatch, true, TotalRate},
		"input rate":            {set(InputRate, Total, 1000), RateMismatch, true, InputRate},
		"request rate":          {set(RequestRate, Total, 5), RateMismatch, true, RequestRate},
		"TPOT half its size":    {set(TPOT, Mean, 0.01), TPOTMismatch, true, TPOT},
		"mean concurrency":      {set(MeanConcurrency, Total, 4), LittleMismatch, true, MeanConcurrency},
		"over the cap":          {func(r *Run) { r.Load.Concurrency = 4 }, LittleMismatch, true, MeanConcurrency},
		"idle slots":            {func(r *Run) { r.Load.Concurrency = 16 }, IdleSlots, false, MeanConcurrency},
		"chunks of five tokens": {set(ITL, Mean, 0.1), TokensPerChunk, false, ITL},
		"bursts":                {set(ITL, Median, 0.0001), BurstChunks, false, ITL},
		"stopped early":         {func(r *Run) { r.Workload.OutputTokensAsked = 200 }, EarlyStop, false, ""},
		"failures":              {func(r *Run) { r.Workload.Failed = 3 }, Failures, false, ""},
		"p99 below the median":  {set(TTFT, Percentile(99), 0.3), Disorder, true, TTFT},
		"mean above the max":    {set(TTFT, Max, 0.39), Disorder, true, TTFT},
	} {
		r := change(clean(), c.change)
		var kinds []FindingKind
		for _, f := range Audit(r) {
			kinds = append(kinds, f.Kind)
			if f.Kind == c.kind {
				assert.Equal(t, c.severe, f.Severe, name)
				assert.Equal(t, c.metric, f.Metric, name)
				assert.Equal(t, "run.json", f.Source)
			}
		}
		assert.Contains(t, kinds, c.kind, name)
	}
}

func TestAuditLateFirstToken(t *testing.T) {
	found := Audit(change(clean(), set(TTFT, Mean, 5)))
	var texts []string
	for _, f := range found {
		if f.Kind == Disorder {
			texts = append(texts, f.Text)
		}
	}
	assert.Contains(t, texts, "mean TTFT 5 s is more than mean E2E 2.38 s")
}

// What is unknown contradicts nothing.
func TestAuditOfLittle(t *testing.T) {
	assert.Empty(t, Audit(Run{}))
	bare := Definition{Tool: "someone"}
	assert.Empty(t, Audit(Run{Workload: Workload{Completed: 3}, Metrics: []Value{
		{Metric: TTFT, Def: bare, Stat: Mean, Value: 9}, {Metric: E2E, Def: bare, Stat: Mean, Value: 1},
		{Metric: TTFT, Def: bare, Stat: Median, Value: 3}, {Metric: TTFT, Def: bare, Stat: Percentile(99), Value: 2},
	}}))
	failed := Audit(Run{Workload: Workload{Failed: 3}})
	require.Len(t, failed, 1)
	assert.True(t, failed[0].Severe)
}

func TestAuditAll(t *testing.T) {
	one := change(clean(), func(r *Run) {
		r.Load.Concurrency = 1
		r.Metrics = []Value{{Metric: OutputRate, Stat: Total, Value: 900}}
		r.Workload.DurationSeconds = 0
	})
	bench := Run{Key: one.Key, Metrics: []Value{{Metric: PrefillRate, Stat: Mean, Value: 500}}}
	found := AuditAll([]Run{clean(), one, bench})
	require.Len(t, found, 2)
	assert.Equal(t, BelowSingle, found[0].Kind)
	assert.Equal(t, PrefixCache, found[1].Kind)
	assert.InDelta(t, 1, found[1].Derived, 1e-12, "500 tokens at 500 a second")
	assert.Empty(t, AuditAll([]Run{clean()}))
	assert.Equal(t, "run.json: note: 8 requests at once gave 336.134 tok/s, one at a time 900: other work, or a broken run (below_single)", found[0].String())
	b, err := json.Marshal(found[0])
	require.NoError(t, err)
	assert.Contains(t, string(b), `{"kind":"below_single","source":"run.json","metric":"output_rate","reported":336.1`)
}
