package correctness

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/servemath/internal/testkit"
)

// At the limit itself the monitor may fail in at most Alpha of all runs, however
// heavy the tail; above it, it fails soon. A larger simulation found 0.0285 with a
// moderate tail and a median of 37 prompts at 1.5 times the limit.
func TestMonitorErrorRates(t *testing.T) {
	for _, c := range []struct {
		sd, ratio           float64
		failLeast, failMost float64
	}{
		{1, 1, 0, 0.05},
		{2.5, 1, 0, 0.05},
		{1, 0.8, 0, 0.01},
		{1, 1.5, 0.9, 1},
		{1, 3, 1, 1},
	} {
		r := rand.New(rand.NewPCG(41, uint64(100*c.sd+10*c.ratio)))
		const runs = 1000
		failed := 0
		for range runs {
			m := Monitor{MaxMeanKL: 0.01}
			for range 300 {
				x := 0.01 * c.ratio * math.Exp(c.sd*r.NormFloat64()-c.sd*c.sd/2)
				if m.Observe(x).Outcome == Fail {
					failed++
					break
				}
			}
		}
		rate := float64(failed) / runs
		t.Logf("tail %g, mean %g of the limit: fails %.3f", c.sd, c.ratio, rate)
		assert.True(t, rate >= c.failLeast && rate <= c.failMost, "%g", rate)
	}
}

// With a bound the monitor can pass as well, at the same error.
func TestBoundedMonitorPasses(t *testing.T) {
	for _, c := range []struct {
		mean                float64
		passLeast, passMost float64
	}{{0.03, 0.95, 1}, {0.1, 0, 0.05}, {0.2, 0, 0.01}} {
		r := rand.New(rand.NewPCG(43, uint64(1000*c.mean)))
		const runs = 1000
		passed := 0
		for range runs {
			m := Monitor{MaxMeanKL: 0.1, Bound: 1}
			for range 400 {
				x := 0.0
				if r.Float64() < c.mean {
					x = 1
				}
				if m.Observe(x).Outcome == Pass {
					passed++
					break
				}
			}
		}
		rate := float64(passed) / runs
		t.Logf("mean %g against 0.1: passes %.3f", c.mean, rate)
		assert.True(t, rate >= c.passLeast && rate <= c.passMost, "%g", rate)
	}
}

// The wealth against its definition, multiplied out.
func TestMonitorAgreesWithItsSlowTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 46))
	m := Monitor{MaxMeanKL: 0.02, Alpha: 1e-9}
	var products [9]float64
	for i := range products {
		products[i] = 1
	}
	for range 60 {
		x := 0.02 * math.Exp(r.NormFloat64()-0.5)
		want := 0.0
		for i := range products {
			products[i] *= 1 + float64(i+1)/10*(x/0.02-1)
			want += products[i] / 9
		}
		testkit.Rel(t, want, m.Observe(x).Wealth, 1e-11, "wealth")
	}
}

func TestStates(t *testing.T) {
	m := Monitor{MaxMeanKL: 0.01}
	assert.Equal(t, Fail, m.Observe(inf).Outcome, "an infinite divergence ends it")
	after := m.Observe(0)
	assert.Equal(t, Fail, after.Outcome, "a failure stays")
	assert.False(t, math.IsNaN(after.Wealth))

	m = Monitor{MaxMeanKL: 0.01}
	for range 20_000 {
		m.Observe(0)
	}
	require.NoError(t, m.Observe(0).Err)
	for range 5_000 {
		m.Observe(0.1)
	}
	assert.Equal(t, Fail, m.Observe(0.1).Outcome, "wealth is not lost to underflow")

	var none *Monitor
	assert.ErrorIs(t, none.Observe(1).Err, ErrOptions)

	for name, c := range map[string]struct {
		m Monitor
		x float64
	}{
		"NaN":        {Monitor{MaxMeanKL: 0.1}, math.NaN()},
		"negative":   {Monitor{MaxMeanKL: 0.1}, -1},
		"over bound": {Monitor{MaxMeanKL: 0.1, Bound: 1}, 1.1},
		"no limit":   {Monitor{}, 0.1},
		"NaN limit":  {Monitor{MaxMeanKL: math.NaN()}, 0.1},
		"alpha":      {Monitor{MaxMeanKL: 0.1, Alpha: 2}, 0.1},
		"NaN bound":  {Monitor{MaxMeanKL: 0.1, Bound: math.NaN()}, 0.1},
	} {
		s := c.m.Observe(c.x)
		assert.Error(t, s.Err, name)
		assert.Equal(t, Inconclusive, s.Outcome, name)
		assert.Zero(t, s.Prompts, name)
		s = c.m.Observe(100)
		assert.Error(t, s.Err, "%s: what went wrong stays", name)
		assert.Equal(t, Inconclusive, s.Outcome, name)
		assert.Contains(t, jsonOf(t, s), `"error":"correctness: `)
	}
}
