package bt

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRankingOfNVIDIA(t *testing.T) {
	g := readGolden(t, "e_nvidia_single")
	var apart struct {
		Wins [][]float64 `json:"wins_without_ties"`
	}
	readInto(t, "e_nvidia_single", &apart)
	g.Wins = apart.Wins
	m, err := Fit(g.data(true), nil)
	require.NoError(t, err)
	got, err := m.Ranking(nil)
	require.NoError(t, err)
	// Counts from the win and tie matrices; intervals from the golden standard
	// errors with the normal quantile 1.959964.
	const z = 1.959963984540054
	want := []Standing{
		{Item: "Pie", Rank: 1, Tier: 1, Comparisons: 234, Wins: 209, Ties: 4},
		{Item: "SGLang", Rank: 2, Tier: 2, Comparisons: 234, Wins: 123, Ties: 6},
		{Item: "TensorRT-LLM", Rank: 3, Tier: 3, Comparisons: 204, Wins: 55, Ties: 3},
		{Item: "vLLM", Rank: 4, Tier: 3, Comparisons: 234, Wins: 58, Ties: 3},
	}
	at := map[string]int{"Pie": 0, "SGLang": 1, "vLLM": 2, "TensorRT-LLM": 3}
	for k := range want {
		i := at[want[k].Item]
		assert.InDelta(t, sigmoid(g.LogStrengths[i]-z*g.StdErrs[i]), got[k].Lo, 1e-9)
		assert.InDelta(t, sigmoid(g.LogStrengths[i]+z*g.StdErrs[i]), got[k].Hi, 1e-9)
		assert.InDelta(t, g.Strengths[i], got[k].Strength, 1e-10)
		want[k].LogStrength, want[k].StdErr = got[k].LogStrength, got[k].StdErr
		want[k].Strength, want[k].Lo, want[k].Hi = got[k].Strength, got[k].Lo, got[k].Hi
	}
	assert.Equal(t, want, got)
	assert.Equal(t, "1. Pie 0.853 [0.807, 0.890]", got[0].String())
}

func TestFractionsCountInPart(t *testing.T) {
	var d Data
	d.Add(Comparison{A: "A", B: "B", Outcome: 0.75, Count: 2, Weight: 3})
	d.Add(Comparison{A: "B", B: "A", Outcome: 1})
	m, err := Fit(&d, nil)
	require.NoError(t, err)
	s, err := m.Ranking(nil)
	require.NoError(t, err)
	assert.Equal(t, "A", s[0].Item)
	assert.Equal(t, []float64{3, 1.5, 0}, []float64{s[0].Comparisons, s[0].Wins, s[0].Ties})
	assert.Equal(t, []float64{3, 1.5, 0}, []float64{s[1].Comparisons, s[1].Wins, s[1].Ties})
}

// Rounding must not order what is equal.
func TestEqualItemsShareARank(t *testing.T) {
	out := ranked([]Standing{
		{Item: "c", LogStrength: 0.1}, {Item: "b", LogStrength: 0.1 + 1e-12},
		{Item: "a", LogStrength: 1}, {Item: "d", LogStrength: -1},
	})
	var items []string
	var ranks []int
	for _, s := range out {
		items, ranks = append(items, s.Item), append(ranks, s.Rank)
	}
	assert.Equal(t, []string{"a", "c", "b", "d"}, items)
	assert.Equal(t, []int{1, 2, 2, 4}, ranks)
}

func TestTiers(t *testing.T) {
	tests := []struct {
		name string
		in   [][2]float64 // intervals, strongest first
		want []int
	}{
		{"apart", [][2]float64{{7, 9}, {4, 6}, {1, 3}}, []int{1, 2, 3}},
		{"touching", [][2]float64{{7, 9}, {4, 7}, {1, 3}}, []int{1, 1, 2}},
		{"chained", [][2]float64{{6, 9}, {4, 7}, {1, 5}}, []int{1, 1, 1}},
		{"one wide at the end", [][2]float64{{6, 9}, {4, 5}, {1, 9}}, []int{1, 1, 1}},
		{"one wide at the top", [][2]float64{{1, 9}, {5, 6}, {2, 3}}, []int{1, 1, 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out := make([]Standing, len(tt.in))
			for i, in := range tt.in {
				out[i].Lo, out[i].Hi = in[0], in[1]
			}
			tier(out)
			for i := range out {
				assert.Equal(t, tt.want[i], out[i].Tier, "item %d", i)
			}
		})
	}
}

// 100 * 0.29 is 28.999999999999996 in float64.
func TestIntervalString(t *testing.T) {
	assert.Equal(t, "0.5 [0.25, 0.75] at 29%", Interval{0.5, 0.25, 0.75, 0.29}.String())
	assert.Equal(t, "0.5 [0, 1] at 99.99%", Interval{0.5, 0, 1, 0.9999}.String())
}

func TestIntervalJSON(t *testing.T) {
	b, err := json.Marshal(Interval{Estimate: 0.5, Lo: math.Inf(-1), Hi: 1, Level: 0.95})
	require.NoError(t, err)
	assert.JSONEq(t, `{"estimate":0.5,"lo":"-Inf","hi":1,"level":0.95}`, string(b))
}

// Measured from an item a standing is the comparison with it.
func TestRankingFromAReference(t *testing.T) {
	m, err := Fit(readGolden(t, "a1_baseball_pooled").data(false), nil)
	require.NoError(t, err)
	standings, err := m.Ranking(&IntervalOptions{Reference: "Baltimore"})
	require.NoError(t, err)
	for _, s := range standings {
		p, err := m.Prob(s.Item, "Baltimore", nil)
		require.NoError(t, err)
		nearAll(t, []float64{p.Estimate, p.Lo, p.Hi}, []float64{s.Strength, s.Lo, s.Hi}, 1e-12, s.Item)
	}
	// Difference and standard error of the golden file's profile_note.
	assert.Equal(t, "Milwaukee", standings[0].Item)
	assert.InDelta(t, 1.581355876661394, standings[0].LogStrength, 1e-10)
	assert.InDelta(t, 0.3432559815946679, standings[0].StdErr, 1e-9)

	_, err = m.Ranking(&IntervalOptions{Reference: "nobody"})
	assert.ErrorIs(t, err, ErrUnknownItem)
	_, err = m.Ranking(&IntervalOptions{Reference: "Boston", ByComparisons: true})
	assert.ErrorIs(t, err, ErrOptions)
}

// One newcomer with 8 comparisons widens everybody's standing, but not when
// items weigh as much as their comparisons.
func TestAverageByComparisons(t *testing.T) {
	d := dense(10, 1000)
	before, err := Fit(d, nil)
	require.NoError(t, err)
	d.AddWin("newcomer", "item 3", 4)
	d.AddWin("item 3", "newcomer", 4)
	after, err := Fit(d, nil)
	require.NoError(t, err)
	weighted, err := after.Ranking(&IntervalOptions{ByComparisons: true})
	require.NoError(t, err)
	plain, err := after.Ranking(nil)
	require.NoError(t, err)
	assert.Greater(t, plain[0].StdErr, 2*before.StdErrs()[before.index[plain[0].Item]])
	assert.InDelta(t, before.StdErrs()[before.index[weighted[0].Item]], weighted[0].StdErr, 2e-3)
	mean := 0.0
	for _, s := range weighted {
		mean += s.LogStrength * s.Comparisons
	}
	assert.InDelta(t, 0, mean, 1e-6)
}
