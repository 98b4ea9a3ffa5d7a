package bt

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Strengths of Pie and ties, computed apart by Newman's iteration from the
// published figures.
func TestTieSweepOfNVIDIA(t *testing.T) {
	steps, err := TieSweep(pieContests(t, "NVIDIA GPU", "Single decode"), []float64{0, 0.05, 0.10}, nil)
	require.NoError(t, err)
	require.Len(t, steps, 3)
	for i, want := range []struct{ strength, ties float64 }{{0.8533, 8}, {0.7568, 197}, {0.6539, 304}} {
		require.NoError(t, steps[i].Err)
		assert.Equal(t, "Pie", steps[i].Standings[0].Item)
		assert.InDelta(t, want.strength, steps[i].Standings[0].Strength, 5e-5)
		assert.Equal(t, want.ties, steps[i].Ties)
	}
	assert.Nil(t, steps[0].Swaps)
	assert.Contains(t, steps[1].Swaps, [2]string{"TensorRT-LLM", "vLLM"})
}

func TestTieSweepReportsWhereTheRankingTurns(t *testing.T) {
	contests := []Contest{
		{Scores: map[string]float64{"A": 100, "B": 99}}, {Scores: map[string]float64{"A": 101, "B": 100}},
		{Scores: map[string]float64{"A": 50, "B": 100}},
	}
	steps, err := TieSweep(contests, []float64{0, 0.02, 0.6, 0.9}, nil)
	require.NoError(t, err)
	assert.Empty(t, steps[0].Swaps)
	assert.Equal(t, [][2]string{{"A", "B"}}, steps[1].Swaps)
	assert.Empty(t, steps[2].Swaps)
	assert.Equal(t, []float64{0, 2, 3, 3}, []float64{steps[0].Ties, steps[1].Ties, steps[2].Ties, steps[3].Ties})

	steps, err = TieSweep(contests[:2], []float64{0, 0.02}, nil)
	require.NoError(t, err)
	var sep *SeparableError
	assert.ErrorAs(t, steps[0].Err, &sep)
	assert.NoError(t, steps[1].Err)
	b, err := json.Marshal(steps[0])
	require.NoError(t, err)
	assert.Contains(t, string(b), `"error":"bt: no finite ranking`)
	assert.Contains(t, steps[0].String(), "within 0%: 0 ties; bt: no finite")
	assert.Equal(t, "within 2%: 2 ties; A 0.500, B 0.500", steps[1].String())
}

func TestTieSweepErrors(t *testing.T) {
	good := []Contest{{Scores: map[string]float64{"A": 1, "B": 1}}}
	for name, tt := range map[string]struct {
		contests []Contest
		within   float64
		o        *Options
		want     error
	}{
		"threshold": {good, 1, nil, ErrOptions},
		"NaN":       {good, math.NaN(), nil, ErrOptions},
		"options":   {good, 0, &Options{Tolerance: -1}, ErrOptions},
		"nothing":   {nil, 0, nil, ErrNoData},
	} {
		_, err := TieSweep(tt.contests, []float64{tt.within}, tt.o)
		assert.ErrorIs(t, err, tt.want, name)
	}
	_, err := TieSweep([]Contest{{Scores: map[string]float64{"A": math.NaN()}}}, []float64{0}, nil)
	var in *InputError
	assert.ErrorAs(t, err, &in)
}
