package capacity_test

import (
	"testing"

	"example.com/servemath/capacity"
	"github.com/stretchr/testify/require"
)

// wide is a sweep measured at every number of requests from 1 to 64.
func wide(tb testing.TB) *capacity.Sweep {
	tb.Helper()
	var levels []capacity.Level
	for c := 1; c <= 64; c++ {
		levels = append(levels, capacity.Level{Concurrency: c, TTFTSeconds: 0.05 + 0.005*float64(c), TPS: 1 / (0.004 + 0.00025*float64(c))})
	}
	return newSweep(tb, capacity.Workload{OutputTokens: 128}, levels...)
}

// zigzag is b300 with every other level's TTFT raised above its neighbours'.
func zigzag(tb testing.TB) *capacity.Sweep {
	tb.Helper()
	w, levels := readGolden(tb).levels(tb, "b300")
	for i := range levels {
		if i%2 == 1 {
			levels[i].TTFTSeconds += 0.2
		}
	}
	return newSweep(tb, w, levels...)
}

func BenchmarkClosed1000Users64Levels(b *testing.B) {
	s := wide(b)
	b.ReportAllocs()
	for b.Loop() {
		_, err := s.Closed(1000, 20, nil)
		require.NoError(b, err)
	}
}

// up to 10,000 users: think time such that the answer is near it.
func BenchmarkMaxUsers10000(b *testing.B) {
	s := readGolden(b).sweep(b, "b300")
	b.ReportAllocs()
	for b.Loop() {
		u, err := s.MaxUsers(466, capacity.DefaultTargets(), nil)
		require.NoError(b, err)
		require.Greater(b, u.Users, 9900)
	}
}

func BenchmarkMaxUsers10000NonMonotone(b *testing.B) {
	s := zigzag(b)
	b.ReportAllocs()
	for b.Loop() {
		u, err := s.MaxUsers(466, capacity.DefaultTargets(), nil)
		require.NoError(b, err)
		require.False(b, u.Monotone)
		require.Greater(b, u.Users, 9000)
	}
}

func BenchmarkBestCap(b *testing.B) {
	s := readGolden(b).sweep(b, "overslots")
	t := capacity.DefaultTargets()
	t.Attainment = 0.95
	for b.Loop() {
		_, _, err := s.BestCap(60, t, nil)
		require.NoError(b, err)
	}
}
