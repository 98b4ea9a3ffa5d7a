package throughput

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// stat/testdata/golden.json, cases summary/*; tolerance 1e-12.
func TestSummarizeGolden(t *testing.T) {
	var file struct {
		Cases []struct {
			Name   string
			Input  json.RawMessage
			Expect json.RawMessage
		}
	}
	testkit.ReadJSON(t, "stat/testdata/golden.json", &file)
	seen := 0
	for _, c := range file.Cases {
		if len(c.Name) < 8 || c.Name[:8] != "summary/" {
			continue
		}
		seen++
		var in struct {
			X          []float64
			Confidence float64
		}
		require.NoError(t, json.Unmarshal(c.Input, &in))
		var want map[string]float64
		require.NoError(t, json.Unmarshal(c.Expect, &want))
		s, err := Summarize(in.X, &SummaryOptions{Level: in.Confidence})
		require.NoError(t, err)
		got := map[string]float64{"n": float64(s.N), "mean": s.Mean, "sd": s.SD, "sem": s.StdErr, "cv": s.CV, "median": s.Median,
			"lo": s.Lo, "hi": s.Hi, "min": s.Min, "max": s.Max, "mad": s.MAD, "iqr7": s.IQR}
		assert.Len(t, got, len(want))
		for k, w := range want {
			// Differences of figures near 7,000 carry the figures' rounding.
			testkit.Near(t, w, got[k], 1e-12*math.Max(1, s.Max/math.Max(1, math.Abs(w))), "%s: %s", c.Name, k)
		}
	}
	assert.Equal(t, 3, seen)
}

func TestSummarizeWarns(t *testing.T) {
	warmUp := []float64{88.1, 93.5, 97.2, 98.9, 99.6, 100.1, 99.9, 100.4, 100.2, 100.0, 100.3, 99.8} // golden drift/mann_kendall_warmup
	steady := []float64{100.2, 99.7, 100.5, 100.1, 99.9, 100.3, 99.6, 100.4, 100.0, 99.8}            // golden changepoint, first level
	for _, c := range []struct {
		name string
		xs   []float64
		want []error
	}{
		{"steady", steady, nil},
		{"warm-up", warmUp, []error{ErrDrift, ErrAutocorrelated, ErrOutliers}},
		{"one outlier", append([]float64{150}, steady...), []error{ErrOutliers}},
		{"constant", []float64{5, 5, 5, 5, 5, 5, 5, 5}, []error{ErrNoVariation}},
		{"few", []float64{1, 2, 3, 4, 5}, []error{ErrTooFew}},
		{"one", []float64{1}, []error{ErrTooFew}},
		{"in runs", []float64{1, 2, 1, 2, 9, 8, 9, 8, 9, 1, 2, 1, 2, 1, 9, 8, 9, 9}, []error{ErrAutocorrelated}},
	} {
		s, err := Summarize(c.xs, nil)
		require.NoError(t, err)
		got := errors.Join(s.Warnings...)
		assert.Len(t, s.Warnings, len(c.want), "%s: %v", c.name, got)
		for _, w := range c.want {
			assert.ErrorIs(t, got, w, c.name)
		}
	}
}

// What is said to hold at 1% should alarm about that often on independent normal
// series: 2,000 of them for each length, fixed seed.
func TestSummarizeFalseAlarms(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{8, 10, 20, 50, 200} {
		alarms := map[error]int{ErrDrift: 0, ErrAutocorrelated: 0, ErrOutliers: 0}
		for range 2000 {
			xs := make([]float64, n)
			for i := range xs {
				xs[i] = 100 + r.NormFloat64()
			}
			s, err := Summarize(xs, nil)
			require.NoError(t, err)
			for kind := range alarms {
				if errors.Is(errors.Join(s.Warnings...), kind) {
					alarms[kind]++
				}
			}
		}
		t.Log(n, alarms)
		assert.Less(t, alarms[ErrDrift], 40, "n = %d", n)
		assert.Less(t, alarms[ErrAutocorrelated], 40, "n = %d", n)
		assert.Less(t, alarms[ErrOutliers], 50, "n = %d", n)
	}
}

func TestSummarizeOneAndNone(t *testing.T) {
	s, err := Summarize([]float64{42}, nil)
	require.NoError(t, err)
	assert.Equal(t, 42.0, s.Mean)
	assert.True(t, math.IsInf(s.Lo, -1) && math.IsInf(s.Hi, 1) && math.IsNaN(s.SD))
	b, err := json.Marshal(s)
	require.NoError(t, err)
	assert.Contains(t, string(b), `"lo":"-Inf","hi":"+Inf","level":0.95,"median":42`)

	for _, c := range []struct {
		xs  []float64
		o   *SummaryOptions
		err error
	}{
		{nil, nil, ErrEmpty},
		{[]float64{1, math.NaN()}, nil, ErrNonFinite},
		{[]float64{1, math.Inf(-1)}, nil, ErrNonFinite},
		{[]float64{1, 1e300}, nil, ErrNonFinite},
		{[]float64{1, 2}, &SummaryOptions{Level: 1}, ErrOptions},
		{[]float64{1, 2}, &SummaryOptions{Level: math.NaN()}, ErrOptions},
	} {
		_, err := Summarize(c.xs, c.o)
		assert.ErrorIs(t, err, c.err, "%v", c.xs)
	}
	_, err = Summarize([]float64{1, math.NaN()}, nil)
	at, ok := errors.AsType[*InputError](err)
	require.True(t, ok)
	assert.Equal(t, 1, at.Index)
}

func TestPercent(t *testing.T) {
	for want, share := range map[string]float64{"0%": 0, "1.8%": 0.018, "10%": 0.104, "149%": 1.486, "12000%": 120} {
		assert.Equal(t, want, percent(share))
	}
}

func TestSummaryOfOneHasNoScatter(t *testing.T) {
	s, err := Summarize([]float64{5}, nil)
	require.NoError(t, err)
	assert.Equal(t, "5 (-Inf to +Inf, 95%), median 5, n = 1", s.String())
}
