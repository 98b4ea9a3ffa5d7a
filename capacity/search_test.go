package capacity

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// randomSweep is rarely monotone.
func randomSweep(t *testing.T, rng *rand.Rand) *Sweep {
	t.Helper()
	var levels []Level
	for c := 1 + rng.IntN(3); c <= 40 && len(levels) < 1+rng.IntN(7); c += 1 + rng.IntN(9) {
		levels = append(levels, Level{
			Concurrency: c,
			TTFTSeconds: 0.02 + rng.ExpFloat64()*0.3*math.Sqrt(float64(c)),
			TPS:         5 + 120*rng.Float64()/math.Sqrt(float64(c)),
		})
	}
	if len(levels) == 0 {
		return randomSweep(t, rng)
	}
	s, err := NewSweep(Workload{OutputTokens: 1 + rng.IntN(60)}, levels)
	require.NoError(t, err)
	return s
}

// The bisection under a bound finds the very number that looking at every
// population finds, on sweeps of any shape, for every kind of target.
func TestSearchAgreesWithScan(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	kinds := []Targets{
		{MaxTTFTSeconds: 0.7, MinTPS: 15},
		{MaxTTFTSeconds: 0.7, MinTPS: 15, Attainment: 0.9},
		{MaxTTFTSeconds: 0.9, MinTPS: 10, MaxE2ESeconds: 8, Percentile: 0.8},
		{MaxE2ESeconds: 5},
	}
	answers := 0
	for range 300 {
		sweep := randomSweep(t, rng)
		think := []float64{0, 0.5, 4, 20}[rng.IntN(4)]
		o := Options{Interpolation: Interpolation(rng.IntN(4)), Slots: rng.IntN(12)}
		if rng.IntN(3) == 0 {
			o.PrefillSeconds = 0.02
		}
		if rng.IntN(3) == 0 {
			o.Soft = &SoftMemory{Sessions: 1 + rng.IntN(10), SessionTokens: 1000, PrefillSecondsPerToken: 1e-4, LRU: rng.IntN(2) == 1}
		}
		target := kinds[rng.IntN(len(kinds))]
		s := search{station: sweep.station(o), soft: o.Soft, targets: target, think: think, prefill: o.PrefillSeconds}
		got, err := s.largest()
		require.NoError(t, err)
		scanned := 0
		for s.population(scanned + 1).ok {
			scanned++
		}
		assert.Equal(t, scanned, got, "%+v think %v %+v", sweep.levels, think, o)
		if got > 0 {
			answers++
		}
	}
	assert.Greater(t, answers, 100)
}

// The effort grows with the logarithm of the answer even where figures fall
// with load.
func TestSearchEffort(t *testing.T) {
	sweep, err := NewSweep(Workload{OutputTokens: 128}, []Level{
		{Concurrency: 1, TTFTSeconds: 0.2, TPS: 60},
		{Concurrency: 2, TTFTSeconds: 0.24, TPS: 52},
		{Concurrency: 4, TTFTSeconds: 0.95, TPS: 45},
		{Concurrency: 8, TTFTSeconds: 0.48, TPS: 33},
		{Concurrency: 16, TTFTSeconds: 0.9, TPS: 21},
		{Concurrency: 32, TTFTSeconds: 2.5, TPS: 12},
	})
	require.NoError(t, err)
	s := search{station: sweep.station(Options{}), targets: DefaultTargets(), think: 800}
	n, err := s.largest()
	require.NoError(t, err)
	t.Logf("%d users after %d chains", n, s.solved)
	assert.Greater(t, n, 1600)
	assert.LessOrEqual(t, s.solved, 24)
}
