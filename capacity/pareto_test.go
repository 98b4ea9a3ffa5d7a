package capacity_test

import (
	"math/rand/v2"
	"testing"

	"example.com/servemath/capacity"
	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
)

func TestPareto(t *testing.T) {
	// One output token of 101 after 1 s: R = 1 + 100/TPS.
	s := newSweep(
		t, capacity.Workload{OutputTokens: 101},
		capacity.Level{Concurrency: 1, TTFTSeconds: 1, TPS: 100}, // 2 s: 50.5 in all
		capacity.Level{Concurrency: 2, TTFTSeconds: 1, TPS: 20},  // 6 s: 33.7: slower on both counts than 1
		capacity.Level{Concurrency: 8, TTFTSeconds: 1, TPS: 50},  // 3 s: 269.3
		capacity.Level{Concurrency: 16, TTFTSeconds: 1, TPS: 10}, // 11 s: 146.9: beaten by 8
	)
	got := s.Pareto()
	want := []capacity.ParetoPoint{{1, 100, 101 / 2., 101 / 2.}, {8, 50, 8 * 101 / 3., 101 / 3.}}
	assert.Len(t, got, len(want))
	for i, w := range want {
		assert.Equal(t, w.Concurrency, got[i].Concurrency)
		testkit.Rel(t, w.TPS, got[i].TPS, goldenTolerance, "TPS")
		testkit.Rel(t, w.OutputTPS, got[i].OutputTPS, goldenTolerance, "output")
		testkit.Rel(t, w.E2ETPS, got[i].E2ETPS, goldenTolerance, "end to end")
	}
}

// Along the frontier one speed only falls and the other only rises, and every
// level left out is beaten by one that is not.
func TestParetoProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		var levels []capacity.Level
		for c := 1; c <= 1+rng.IntN(12); c++ {
			levels = append(levels, capacity.Level{Concurrency: c, TTFTSeconds: rng.Float64(), TPS: 1 + float64(rng.IntN(20))})
		}
		best := newSweep(t, capacity.Workload{OutputTokens: 40}, levels...).Pareto()
		assert.NotEmpty(t, best)
		for i := range best {
			for j := range best {
				if best[i].TPS > best[j].TPS {
					assert.Less(t, best[i].OutputTPS, best[j].OutputTPS)
				}
			}
		}
	}
}
