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

func BenchmarkClosed1000Users64Levels(b *testing.B) {
	s := wide(b)
	b.ReportAllocs()
	for b.Loop() {
		_, err := s.Closed(1000, 20, nil)
		require.NoError(b, err)
	}
}
