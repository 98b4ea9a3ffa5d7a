package bt

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/stat/distuv"
)

// A chi-square test of 100,000 draws against the exact distribution, at sizes
// that take each of the algorithms.
func TestBinomialDistribution(t *testing.T) {
	for _, tt := range []struct {
		n int64
		p float64
	}{{1, 0.3}, {7, 0.5}, {40, 0.1}, {40, 0.9}, {20, 0.5}, {100, 0.11}, {1000, 0.5}, {1000, 0.993}, {5000, 0.02}} {
		rng := rand.New(rand.NewPCG(11, 12))
		const draws = 100_000
		seen := make([]float64, tt.n+1)
		for range draws {
			seen[binomial(rng, tt.n, tt.p)]++
		}
		exact := distuv.Binomial{N: float64(tt.n), P: tt.p}
		statistic, cells, expected, observed := 0.0, 0, 0.0, 0.0
		for k, count := range seen {
			expected += draws * exact.Prob(float64(k))
			observed += count
			if expected >= 20 || k == len(seen)-1 && expected > 0 {
				statistic += (observed - expected) * (observed - expected) / max(expected, 1)
				cells, expected, observed = cells+1, 0, 0
			}
		}
		// The seed is fixed: this fails for a wrong distribution only.
		assert.Greater(t, chiSquareTail(statistic, cells-1), 1e-3, "%+v: %g on %d", tt, statistic, cells-1)
	}
}

func TestBinomialEdges(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for _, tt := range []struct {
		n    int64
		p    float64
		want int64
	}{{0, 0.5, 0}, {-1, 0.5, 0}, {9, 0, 0}, {9, -1, 0}, {9, math.NaN(), 0}, {9, 1, 9}, {9, 2, 9}} {
		assert.Equal(t, tt.want, binomial(rng, tt.n, tt.p), "%+v", tt)
	}
	for range 1000 {
		k := binomial(rng, 1e15, 0.25)
		assert.InDelta(t, 0.25e15, k, 8*math.Sqrt(1e15*0.25*0.75))
	}
}
