package throughput

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/servemath/internal/tsv"
	"example.com/servemath/testdata"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The published tables, platform by platform, and the totals in their head.
func TestPublishedRankFlips(t *testing.T) {
	flips, err := RankFlips(publishedRows(t), "Single decode", "Batched decode")
	require.NoError(t, err)
	type count struct{ rows, same, different, reversed int }
	got := map[string]count{}
	var concordant, discordant, tied int
	pairs := map[string]int{}
	for _, f := range flips {
		c := got[f.Platform]
		c.rows++
		if f.WinnerA == f.WinnerB {
			c.same++
		} else {
			c.different++
		}
		if f.Reversed() {
			c.reversed++
		}
		got[f.Platform] = c
		concordant, discordant, tied = concordant+f.Concordant, discordant+f.Discordant, tied+f.Tied
		assert.Len(t, f.Flipped, f.Discordant)
		for _, p := range f.Flipped {
			pairs[f.Platform+": "+p.Faster+", then "+p.Slower]++
		}
	}
	assert.Equal(t, [4]int{167, 230, 477, 11}, [4]int{len(flips), discordant, concordant, tied})
	// The three most frequent, counted from the tables in Python.
	assert.Equal(t, 42, pairs["NVIDIA GPU: SGLang, then vLLM"])
	assert.Equal(t, 36, pairs["Apple Silicon: MLX, then llama.cpp"])
	assert.Equal(t, 26, pairs["NVIDIA GPU: Pie, then vLLM"])
	for r, err := range tsv.Read(strings.NewReader(testdata.RankFlips), "rank_flips.tsv", "platform", "rows") {
		require.NoError(t, err)
		c := got[r.Text("platform")]
		want := fmt.Sprint(r.Text("rows"), r.Text("same_winner"), r.Text("different_winner"), r.Text("fully_reversed"))
		assert.Equal(t, want, fmt.Sprint(fmt.Sprint(c.rows), fmt.Sprint(c.same), fmt.Sprint(c.different), fmt.Sprint(c.reversed)), r.Text("platform"))
	}
	assert.Len(t, got, 5)
}

func TestRankFlipsByHand(t *testing.T) {
	row := func(setup, engine string, v float64) Row { return Row{"P", "m", "x", setup, engine, v} }
	rows := []Row{
		row("one", "A", 30), row("one", "B", 20), row("one", "C", 20),
		row("many", "C", 90), row("many", "B", 50), row("many", "A", 50), row("many", "D", 99),
		{"P", "n", "x", "one", "A", 1}, {"P", "n", "x", "many", "A", 2}, // one engine: nothing to order
	}
	want := []Flip{{"P", "m", "x", 3, "A", "C", 0, 1, 2, []EnginePair{{"A", "C"}}}}
	got, err := RankFlips(rows, "one", "many")
	require.NoError(t, err)
	assert.Equal(t, want, got)
	none, err := RankFlips([]Row{row("one", "A", 2), row("one", "B", 1), row("many", "A", 2), row("many", "B", 1)}, "one", "many")
	require.NoError(t, err)
	text, err := json.Marshal(none[0])
	require.NoError(t, err)
	assert.Contains(t, string(text), `"flipped":[]`, "a list, also of nothing")
	back, err := RankFlips(rows, "many", "one")
	require.NoError(t, err)
	assert.Equal(t, []EnginePair{{"C", "A"}}, back[0].Flipped)
	assert.Equal(t, "m, x: A, then C; 1 of 3 pairs change places", got[0].String())
	b, err := json.Marshal(got[0])
	require.NoError(t, err)
	assert.Contains(t, string(b), `"flipped":[{"faster_in_a":"A","slower_in_a":"C"}],"reversed":false`)

	for _, c := range []struct {
		a, b string
		rows []Row
		err  error
	}{
		{"one", "one", rows, ErrUnpaired},
		{"one", "none", rows, ErrUnpaired},
		{"one", "many", nil, ErrEmpty},
		{"one", "many", append(slices.Clone(rows), rows[0]), ErrDuplicate},
		{"one", "many", append(slices.Clone(rows), row("one", "D", math.Inf(1))), ErrNonFinite},
	} {
		_, err := RankFlips(c.rows, c.a, c.b)
		assert.ErrorIs(t, err, c.err)
	}
}

// sweepOf gives an engine one figure a level.
func sweepOf(engine string, values ...float64) []Row {
	var rows []Row
	for i, v := range values {
		rows = append(rows, Row{"P", "m", "x", fmt.Sprint("C=", 1<<i), engine, v})
	}
	return rows
}

func TestPeak(t *testing.T) {
	rows := append(sweepOf("A", 50, 90, 100, 99, 98), sweepOf("B", 40, 80, 120)...)
	got, err := Peak(rows, &PeakOptions{CV: 0.01})
	require.NoError(t, err)
	require.Len(t, got, 2)
	assert.Equal(t, Row{"P", "m", "x", "C=4", "A", 100}, got[0].Row)
	assert.Equal(t, 3, got[0].Levels)
	assert.Equal(t, []string{"C=16", "C=8"}, got[0].Dropped)
	assert.Equal(t, []string{"C=4"}, got[0].Candidates)
	assert.Zero(t, got[0].Bias, "one candidate leaves nothing to choose")
	assert.Equal(t, "B on P, m, x, C=4: 120, best of 3 shared levels", got[1].String())

	unknown, err := Peak(rows, nil)
	require.NoError(t, err)
	assert.True(t, math.IsNaN(unknown[0].Bias) && math.IsNaN(unknown[0].Corrected))
	b, err := json.Marshal(unknown[0])
	require.NoError(t, err)
	assert.NotContains(t, string(b), "bias")
	b, err = json.Marshal(unknown[1])
	require.NoError(t, err)
	assert.Contains(t, string(b), `"dropped":[]`, "a list, also of nothing")

	_, err = Peak(append(sweepOf("A", 1), Row{"P", "m", "x", "C=9", "B", 1}), nil)
	assert.ErrorIs(t, err, ErrUnpaired)
	_, err = Peak(nil, nil)
	assert.ErrorIs(t, err, ErrEmpty)
	_, err = Peak(rows, &PeakOptions{CV: math.NaN()})
	assert.ErrorIs(t, err, ErrOptions)
	_, err = Peak(append(rows, rows[0]), nil)
	assert.ErrorIs(t, err, ErrDuplicate)
}

// Expected maxima of k normal deviates (Harter 1961).
func TestExpectedMax(t *testing.T) {
	for k, want := range map[int]float64{1: 0, 2: 0.56419, 3: 0.84628, 6: 1.26721, 10: 1.53875, 100: 2.50759} {
		assert.InDelta(t, want, expectedMax(k), 1e-5, "k = %d", k)
	}
}

// The luck of the best of 6 equal levels, 1.3% at a CV of 1% and 3.8% at 3%, and
// what the correction leaves of it. 4,000 sweeps, fixed seed.
func TestPeakBias(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct{ cv, bias float64 }{{0.01, 0.013}, {0.03, 0.038}} {
		var raw, corrected float64
		const sweeps = 4000
		for range sweeps {
			values := make([]float64, 6)
			for i := range values {
				values[i] = 100 * (1 + c.cv*r.NormFloat64())
			}
			p, err := Peak(sweepOf("A", values...), &PeakOptions{CV: c.cv})
			require.NoError(t, err)
			raw += p[0].Value / sweeps
			corrected += p[0].Corrected / sweeps
		}
		assert.InDelta(t, c.bias, raw/100-1, 0.001, "CV %g", c.cv)
		assert.InDelta(t, 0, corrected/100-1, c.cv/4, "CV %g, corrected", c.cv)
	}
}

// Of two equal engines the one swept over 7 levels beats the one swept over 3 in
// 70% of cases; over shared levels in half. 2,000 pairs, fixed seed.
func TestTheLongerSweepDoesNotWin(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	var byLength, shared int
	const pairs = 2000
	for range pairs {
		long, short := make([]float64, 7), make([]float64, 3)
		for i := range long {
			long[i] = 100 + r.NormFloat64()
		}
		for i := range short {
			short[i] = 100 + r.NormFloat64()
		}
		if slices.Max(long) > slices.Max(short) {
			byLength++
		}
		p, err := Peak(append(sweepOf("long", long...), sweepOf("short", short...)...), nil)
		require.NoError(t, err)
		if p[0].Value > p[1].Value {
			shared++
		}
	}
	assert.InDelta(t, 0.7, float64(byLength)/pairs, 0.03)
	assert.InDelta(t, 0.5, float64(shared)/pairs, 0.03)
}
