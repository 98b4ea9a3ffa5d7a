package throughput

import (
	"encoding/json"
	"errors"
	"math"
	"testing"

	"example.com/servemath/throughput/stat"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The series of stat/testdata/golden.json, cases changepoint/*: up at 10 and down
// at 18, to slightly below where it began.
var upAndDown = []float64{100.2, 99.7, 100.5, 100.1, 99.9, 100.3, 99.6, 100.4, 100.0, 99.8,
	107.1, 106.6, 107.4, 106.9, 107.2, 106.8, 107.0, 107.3, 98.9, 99.2, 98.7, 99.0, 99.3, 98.8}

func TestHistory(t *testing.T) {
	for _, method := range []stat.ChangeMethod{stat.EDivisiveU, stat.EDivisiveV, stat.OptimalPartition} {
		got, err := History(upAndDown, &HistoryOptions{Detect: stat.ChangeOptions{Method: method}})
		require.NoError(t, err)
		require.Len(t, got.Changes, 2, "method %d", method)
		assert.Equal(t, []int{10, 18}, []int{got.Changes[0].Index, got.Changes[1].Index})
		assert.Equal(t, []Verdict{Faster, Slower}, []Verdict{got.Changes[0].Verdict, got.Changes[1].Verdict})
		assert.InDelta(t, 1.07, got.Changes[0].Ratio, 0.001)
		assert.Equal(t, 6, got.Current.N)
		assert.InDelta(t, 98.98, got.Current.Mean, 0.01)
	}
	latency, err := History(upAndDown, &HistoryOptions{LowerIsBetter: true})
	require.NoError(t, err)
	assert.Equal(t, Slower, latency.Changes[0].Verdict, "a latency that rises")
}

func TestHistoryPassesOverSmallChanges(t *testing.T) {
	small := append(append([]float64{}, upAndDown[:10]...), 101.2, 101.6, 101.4, 101.1, 101.5, 101.3, 101.2, 101.7)
	got, err := History(small, nil)
	require.NoError(t, err)
	assert.Empty(t, got.Changes, "1.3% is below 3%")
	assert.Equal(t, len(small), got.Current.N)
	got, err = History(small, &HistoryOptions{MinChange: -1})
	require.NoError(t, err)
	assert.Len(t, got.Changes, 1)
	both := append(append([]float64{}, small...), 110.1, 110.4, 109.9, 110.3, 110.0, 110.2)
	got, err = History(both, nil)
	require.NoError(t, err)
	require.Len(t, got.Changes, 1)
	assert.Equal(t, 18, got.Changes[0].Index)
	assert.InDelta(t, 100.6, got.Changes[0].Before, 0.1, "the level before is taken anew over both segments")
}

func TestHistoryCreeps(t *testing.T) {
	var series []float64
	for i := range 30 {
		series = append(series, 100-0.05*float64(i)+0.2*math.Sin(float64(3*i)))
	}
	got, err := History(series, nil)
	require.NoError(t, err)
	assert.Empty(t, got.Changes)
	assert.ErrorIs(t, errors.Join(got.Warnings...), ErrDrift)
}

func TestHistoryRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		series []float64
		o      *HistoryOptions
		err    error
	}{
		"nothing":  {nil, nil, ErrEmpty},
		"zero":     {[]float64{1, 0}, nil, ErrNonPositive},
		"NaN":      {[]float64{1, math.NaN()}, nil, ErrNonFinite},
		"infinity": {[]float64{1, math.Inf(1)}, nil, ErrNonFinite},
		"change":   {upAndDown, &HistoryOptions{MinChange: math.NaN()}, ErrOptions},
		"detect":   {upAndDown, &HistoryOptions{Detect: stat.ChangeOptions{MinSegment: 1}}, stat.ErrParameter},
	} {
		_, err := History(c.series, c.o)
		assert.ErrorIs(t, err, c.err, name)
	}
	one, err := History([]float64{5}, nil)
	require.NoError(t, err)
	assert.Equal(t, 1, one.Current.N)
	b, err := json.Marshal(one)
	require.NoError(t, err)
	assert.Contains(t, string(b), `{"n":1,"changes":[],"current":{"n":1,"mean":5,"lo":"-Inf"`)
}
