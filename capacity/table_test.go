package capacity_test

import (
	"encoding/json"
	"testing"

	"example.com/servemath/capacity"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tableRows are five rows: sweeps of the golden file under made-up setups, and
// one row whose sweep is not published.
func tableRows(tb testing.TB) []capacity.Row {
	tb.Helper()
	g := readGolden(tb)
	memory := func(chat, agentic int) []capacity.MemoryLimit {
		return []capacity.MemoryLimit{known(chat), known(agentic)}
	}
	return []capacity.Row{
		{
			ID: "big", Setup: capacity.Setup{Model: "Big", Params: "1.60T", Format: "FP8", Engine: "vLLM", Hardware: "DGX B300", TP: 8},
			Sweep: g.sweep(tb, "b300"), Memory: memory(400, 90),
			Scores: []capacity.Score{{Index: "Intelligence", Version: "4", Value: 60}},
		},
		{
			ID: "small", Setup: capacity.Setup{Model: "Small", Params: "120B", Format: "MXFP4", Engine: "vLLM", Hardware: "DGX Spark", Nodes: 1},
			Sweep: g.sweep(tb, "spark"), Memory: memory(107, 26),
			Scores: []capacity.Score{{Index: "Intelligence", Version: "4", Value: 33}},
		},
		{
			ID: "small-spec", Setup: capacity.Setup{Model: "Small", Params: "120B", Format: "MXFP4", Engine: "vLLM", Hardware: "DGX Spark", Nodes: 1, Speculative: "MTP"},
			Sweep: g.sweep(tb, "single"), Memory: memory(107, 26), Notes: []string{"The server ran with graphs off."},
		},
		{
			ID: "slow", Setup: capacity.Setup{Model: "Slow", Params: "27B", Format: "BF16", Engine: "SGLang", Hardware: "DGX Spark", Nodes: 2, TP: 2},
			Sweep: g.sweep(tb, "never"), Memory: []capacity.MemoryLimit{known(9), {Status: capacity.ContextTooLong}},
		},
		{
			ID: "unpublished", Setup: capacity.Setup{Model: "Hidden", Params: "2.4T", Format: "NVFP4", Engine: "SGLang", Hardware: "DGX B300"},
			MaxC: &capacity.MaxC{Concurrency: 64, AtLeast: true},
		},
	}
}

func evaluated(tb testing.TB) []capacity.Evaluated {
	tb.Helper()
	rows, err := capacity.EvaluateRows(tableRows(tb), capacity.DefaultTargets(), usages, nil)
	require.NoError(tb, err)
	return rows
}

func ids(rows []capacity.Evaluated) []string {
	out := []string{}
	for _, r := range rows {
		out = append(out, r.ID)
	}
	return out
}

func TestEvaluateRows(t *testing.T) {
	rows := evaluated(t)
	var figures [][2]string
	for _, r := range rows {
		figures = append(figures, [2]string{r.Capacities[0].String(), r.Capacities[1].String()})
	}
	assert.Equal(t, [][2]string{{"256+", "90"}, {"32", "12"}, {"4+", "1+"}, {"—", "—"}, {"256+", "96+"}}, figures)
	assert.Equal(t, []bool{false, false, true, false, false}, []bool{rows[0].SinglePoint, rows[1].SinglePoint, rows[2].SinglePoint, rows[3].SinglePoint, rows[4].SinglePoint})

	// Other targets recalculate and hide nothing.
	strict, err := capacity.EvaluateRows(tableRows(t), capacity.Targets{MaxTTFTSeconds: 0.2, MinTPS: 100}, usages, nil)
	require.NoError(t, err)
	assert.Equal(t, ids(rows), ids(strict))
	assert.Equal(t, "64", strict[0].Capacities[0].String())
	assert.Contains(t, strict[1].Explain(), "no measured level meets TTFT <= 0.2 s, TPS >= 100")
}

func TestEvaluateRowsRefuses(t *testing.T) {
	for name, change := range map[string]func([]capacity.Row){
		`row "small" is given twice`:                         func(r []capacity.Row) { r[0].ID = "small" },
		`row "big": capacity: Memory: 1 limits for 2 usages`: func(r []capacity.Row) { r[0].Memory = r[0].Memory[:1] },
		`row "unpublished": capacity: Sweep: neither`:        func(r []capacity.Row) { r[4].MaxC = nil },
		`row "slow": capacity: Sessions: -1 is negative`:     func(r []capacity.Row) { r[3].Memory[0] = known(-1) },
	} {
		rows := tableRows(t)
		change(rows)
		_, err := capacity.EvaluateRows(rows, capacity.DefaultTargets(), usages, nil)
		var bad *capacity.InputError
		require.ErrorAs(t, err, &bad)
		assert.ErrorContains(t, err, name)
	}
	_, err := capacity.EvaluateRows(tableRows(t), capacity.Targets{MinTPS: -1}, usages, nil)
	assert.ErrorIs(t, err, capacity.ErrTargets)
}

// Filters combine, and what a row lacks it does not have enough of.
func TestFilter(t *testing.T) {
	rows := evaluated(t)
	for _, c := range []struct {
		name   string
		filter capacity.Filter
		want   []string
	}{
		{"none", capacity.Filter{}, []string{"big", "small", "small-spec", "slow", "unpublished"}},
		{"model, case aside", capacity.Filter{Models: []string{"SMALL", "slow"}}, []string{"small", "small-spec", "slow"}},
		{"device", capacity.Filter{Hardware: []string{"DGX B300"}}, []string{"big", "unpublished"}},
		{"format", capacity.Filter{Formats: []string{"FP8", "BF16"}}, []string{"big", "slow"}},
		{"engine", capacity.Filter{Engines: []string{"SGLang"}}, []string{"slow", "unpublished"}},
		{"speculative", capacity.Filter{Speculative: new(true)}, []string{"small-spec"}},
		{"not speculative", capacity.Filter{Speculative: new(false)}, []string{"big", "small", "slow", "unpublished"}},
		{"parameters, both ends count", capacity.Filter{MinParams: 120e9, MaxParams: 1.6e12}, []string{"big", "small", "small-spec"}},
		{"speed alone", capacity.Filter{MinTPS: 55.6}, []string{"big", "small"}},
		{"first token", capacity.Filter{MaxTTFTSeconds: 0.22}, []string{"big", "small"}},
		{"at 16 at once", capacity.Filter{Concurrency: 16}, []string{"big", "small"}},
		{"speed at 16 at once", capacity.Filter{Concurrency: 16, MinTPS: 20}, []string{"big"}},
		{"chat users, plus or not", capacity.Filter{MinUsers: []int{256}}, []string{"big", "unpublished"}},
		{"agentic users", capacity.Filter{MinUsers: []int{0, 12}}, []string{"big", "small", "unpublished"}},
		{"all at once", capacity.Filter{Engines: []string{"vllm"}, MinUsers: []int{30, 20}}, []string{"big"}},
		{"a usage that is not there", capacity.Filter{MinUsers: []int{0, 0, 1}}, []string{}},
	} {
		assert.Equal(t, c.want, ids(c.filter.Apply(rows)), c.name)
	}
}

// Rows without the figure come last in either direction; equal ones stay put.
func TestSortRows(t *testing.T) {
	for _, c := range []struct {
		name     string
		order    capacity.Order
		up, down []string
	}{
		{"model", capacity.Order{Column: capacity.ByModel}, []string{"big", "unpublished", "slow", "small", "small-spec"}, []string{"small", "small-spec", "slow", "unpublished", "big"}},
		{"parameters", capacity.Order{Column: capacity.ByParams}, []string{"slow", "small", "small-spec", "big", "unpublished"}, []string{"unpublished", "big", "small", "small-spec", "slow"}},
		{"format", capacity.Order{Column: capacity.ByFormat}, []string{"slow", "big", "small", "small-spec", "unpublished"}, []string{"unpublished", "small", "small-spec", "big", "slow"}},
		{"engine", capacity.Order{Column: capacity.ByEngine}, []string{"slow", "unpublished", "big", "small", "small-spec"}, []string{"big", "small", "small-spec", "slow", "unpublished"}},
		{"hardware", capacity.Order{Column: capacity.ByHardware}, []string{"big", "unpublished", "small", "small-spec", "slow"}, []string{"small", "small-spec", "slow", "big", "unpublished"}},
		{"TPS", capacity.Order{Column: capacity.ByTPS}, []string{"slow", "small-spec", "small", "big", "unpublished"}, []string{"big", "small", "small-spec", "slow", "unpublished"}},
		{"TTFT at 4", capacity.Order{Column: capacity.ByTTFT, Concurrency: 4}, []string{"big", "small", "slow", "small-spec", "unpublished"}, []string{"slow", "small", "big", "small-spec", "unpublished"}},
		{"Max C", capacity.Order{Column: capacity.ByMaxC}, []string{"slow", "small-spec", "small", "big", "unpublished"}, []string{"big", "unpublished", "small", "small-spec", "slow"}},
		{"agentic", capacity.Order{Column: capacity.ByCapacity, Usage: 1}, []string{"small-spec", "small", "big", "unpublished", "slow"}, []string{"unpublished", "big", "small", "small-spec", "slow"}},
		{"score", capacity.Order{Column: capacity.ByScore, Index: "Intelligence"}, []string{"small", "big", "small-spec", "slow", "unpublished"}, []string{"big", "small", "small-spec", "slow", "unpublished"}},
	} {
		rows := evaluated(t)
		require.NoError(t, capacity.SortRows(rows, c.order))
		assert.Equal(t, c.up, ids(rows), c.name)
		rows = evaluated(t)
		c.order.Descending = true
		require.NoError(t, capacity.SortRows(rows, c.order))
		assert.Equal(t, c.down, ids(rows), "%s, descending", c.name)
	}
}

func TestSortRowsRefuses(t *testing.T) {
	rows := evaluated(t)
	rows[3].Scores = []capacity.Score{{Index: "Intelligence", Version: "5", Value: 70}}
	for field, order := range map[string]capacity.Order{
		"Scores": {Column: capacity.ByScore, Index: "Intelligence"},
		"Usage":  {Column: capacity.ByCapacity, Usage: 2},
		"Column": {Column: 99},
	} {
		var bad *capacity.InputError
		require.ErrorAs(t, capacity.SortRows(rows, order), &bad)
		assert.Equal(t, field, bad.Field)
	}
	require.NoError(t, capacity.SortRows(rows, capacity.Order{Column: capacity.ByScore, Index: "Agentic"}))
}

func TestScoreCompare(t *testing.T) {
	a := capacity.Score{Index: "Intelligence", Version: "4", Value: 60}
	b := capacity.Score{Index: "Intelligence", Version: "4", Value: 33}
	c, err := a.Compare(b)
	require.NoError(t, err)
	assert.Positive(t, c)
	for _, other := range []capacity.Score{{Index: "Intelligence", Version: "5"}, {Index: "Agentic", Version: "4"}} {
		_, err = a.Compare(other)
		var bad *capacity.InputError
		assert.ErrorAs(t, err, &bad)
	}
}

func TestEvaluatedAt(t *testing.T) {
	rows := evaluated(t)
	v, ok := rows[0].At(16)
	require.True(t, ok)
	assert.Equal(t, 113.6, v.TPS)
	v, ok = rows[0].At(0)
	require.True(t, ok)
	assert.Equal(t, 1, v.Concurrency)
	_, ok = rows[0].At(3)
	assert.False(t, ok)
	_, ok = rows[4].At(0)
	assert.False(t, ok)
}

func TestEvaluatedExplainAndJSON(t *testing.T) {
	rows := evaluated(t)
	assert.Equal(t, "Small (120B parameters), MXFP4, vLLM with speculative decoding, 1× DGX Spark. "+
		"With 1 request at once: 30.6 tok/s, first token after 281 ms. "+
		"chat: at least 4 people, set by speed: 1 request at once, the highest level measured, within TTFT <= 1 s, TPS >= 20 and 4 people for each, which fits a think time of 13.3 s; memory holds 107 sessions of 16,384 tokens. "+
		"agentic: at least 1 person, set by speed: 1 request at once, the highest level measured, within TTFT <= 1 s, TPS >= 20 and 1.5 people for each, rounded down, which fits a think time of 2.22 s; memory holds 26 sessions of 65,536 tokens. "+
		"Only one level was measured. The server ran with graphs off.", rows[2].Explain())
	assert.Equal(t, "a. Quiet.", capacity.Evaluated{Row: capacity.Row{ID: "a", Notes: []string{"Quiet."}}}.Explain(), "no setup is given")
	b, err := json.Marshal(rows)
	require.NoError(t, err)
	var back []map[string]any
	require.NoError(t, json.Unmarshal(b, &back))
	assert.Equal(t, "small-spec", back[2]["id"])
	assert.Equal(t, true, back[2]["single_point"])
	assert.Equal(t, map[string]any{"model": "Big", "params": "1.60T", "format": "FP8", "engine": "vLLM", "hardware": "DGX B300", "tp": 8.0}, back[0]["setup"])
}
