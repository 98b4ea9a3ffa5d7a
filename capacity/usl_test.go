package capacity_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"example.com/servemath/capacity"
	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// uslSweep follows the law with one-token replies, so that TTFT is the whole
// request time.
func uslSweep(t *testing.T, lambda, sigma, kappa float64, noise func() float64) *capacity.Sweep {
	t.Helper()
	var levels []capacity.Level
	for c := 1; c <= 128; c *= 2 {
		n := float64(c)
		levels = append(levels, capacity.Level{Concurrency: c, TPS: 1, TTFTSeconds: (1 + sigma*(n-1) + kappa*n*(n-1)) / lambda * noise()})
	}
	return newSweep(t, capacity.Workload{OutputTokens: 1}, levels...)
}

func exact() float64 { return 1 }

func TestFitUSLRecovers(t *testing.T) {
	for _, c := range [][3]float64{{2, 0.05, 0.0001}, {0.3, 0.2, 0.002}, {5, 0.1, 0}, {1, 0, 0.001}, {4, 0, 0}} {
		u, err := uslSweep(t, c[0], c[1], c[2], exact).FitUSL()
		require.NoError(t, err)
		testkit.Near(t, c[0], u.Lambda, 1e-9, "lambda of %v", c)
		testkit.Near(t, c[1], u.Sigma, 1e-9, "sigma of %v", c)
		testkit.Near(t, c[2], u.Kappa, 1e-9, "kappa of %v", c)
		assert.Less(t, math.Abs(u.WorstDeviation), 1e-9)
		if c[2] > 0 {
			testkit.Near(t, math.Sqrt((1-c[1])/c[2]), u.Knee, 1e-6, "knee of %v", c)
		}
	}
}

// No parameter is negative and no small change of one improves the fit.
func TestFitUSLIsTheConstrainedOptimum(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for range 50 {
		s := uslSweep(t, 1, 0.02*rng.Float64(), 0.0001*rng.Float64(), func() float64 { return math.Exp(0.3 * rng.NormFloat64()) })
		u, err := s.FitUSL()
		require.NoError(t, err)
		require.Positive(t, u.Lambda)
		require.GreaterOrEqual(t, u.Sigma, 0.0)
		require.GreaterOrEqual(t, u.Kappa, 0.0)
		loss := func(a, b, c float64) float64 {
			sum := 0.0
			for _, l := range s.Levels() {
				n := float64(l.Concurrency)
				d := (a+b*(n-1)+c*n*(n-1))/l.TTFTSeconds - 1
				sum += d * d
			}
			return sum
		}
		a := 1 / u.Lambda
		b, c := u.Sigma*a, u.Kappa*a
		best := loss(a, b, c)
		for _, d := range []float64{-1e-4, 1e-4} {
			assert.GreaterOrEqual(t, loss(a*(1+d), b, c), best*(1-1e-9))
			assert.GreaterOrEqual(t, loss(a, max(0, b+d*0.01), c), best*(1-1e-9))
			assert.GreaterOrEqual(t, loss(a, b, max(0, c+d*1e-4)), best*(1-1e-9))
		}
	}
}

func TestFitUSLNamesTheOutlier(t *testing.T) {
	i := 0
	u, err := uslSweep(t, 2, 0.05, 0.0001, func() float64 {
		if i++; i == 4 {
			return 2
		}
		return 1
	}).FitUSL()
	require.NoError(t, err)
	assert.Equal(t, 8, u.WorstLevel)
	assert.Negative(t, u.WorstDeviation)
}

func TestFitUSLRefusesAndPrints(t *testing.T) {
	_, err := readGolden(t).sweep(t, "mmk").FitUSL() // two levels
	var bad *capacity.InputError
	require.ErrorAs(t, err, &bad)
	u, err := uslSweep(t, 4, 0, 0, exact).FitUSL()
	require.NoError(t, err)
	assert.True(t, math.IsInf(u.Knee, 1))
	b, err := json.Marshal(u)
	require.NoError(t, err)
	assert.Contains(t, string(b), `"knee_concurrency":"+Inf"`)
}
