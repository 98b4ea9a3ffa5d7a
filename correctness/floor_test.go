package correctness

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/servemath/internal/testkit"
)

// floorRun makes the mean KL by prompt of two runs whose logits carry noise of
// these sizes, 30 prompts of 32 positions over 40 tokens.
func floorRun(tb testing.TB, r *rand.Rand, engineNoise, repeatNoise float64) (engine, repeat map[string]float64) {
	tb.Helper()
	engine, repeat = map[string]float64{}, map[string]float64{}
	ref, a, b := make([]float64, 40), make([]float64, 40), make([]float64, 40)
	for g := range 30 {
		var e, f float64
		for range 32 {
			for i := range ref {
				ref[i] = 3 * r.NormFloat64()
				a[i] = ref[i] + engineNoise*r.NormFloat64()
				b[i] = ref[i] + repeatNoise*r.NormFloat64()
			}
			x, err := KL(ref, a)
			require.NoError(tb, err)
			y, err := KL(ref, b)
			require.NoError(tb, err)
			e, f = e+x/32, f+y/32
		}
		engine[fmt.Sprint(g)], repeat[fmt.Sprint(g)] = e, f
	}
	return engine, repeat
}

func TestNoiseFloorErrorRates(t *testing.T) {
	for _, c := range []struct {
		engine, least, most float64
	}{{0.05, 0, 0.10}, {0.06, 0.95, 1}} {
		r := rand.New(rand.NewPCG(47, uint64(100*c.engine)))
		const runs = 60
		above := 0
		for range runs {
			engine, repeat := floorRun(t, r, c.engine, 0.05)
			f, err := NoiseFloor(engine, repeat, &SummaryOptions{Replicates: 100})
			require.NoError(t, err)
			if f.Above {
				above++
			}
		}
		rate := float64(above) / runs
		t.Logf("logit noise %g against 0.05: above the floor %.3f", c.engine, rate)
		assert.True(t, rate >= c.least && rate <= c.most, "%g", rate)
	}
}

// Differences 1, 2, 3 (x 1e-3): mean 2, standard error 1/sqrt 3, t = 2 sqrt 3 with 2
// degrees of freedom, whose upper tail is 1/2 - t/(2 sqrt(2 + t^2)) = 0.0370900.
func TestNoiseFloorByHand(t *testing.T) {
	f, err := NoiseFloor(map[string]float64{"a": 0.002, "b": 0.004, "c": 0.006},
		map[string]float64{"a": 0.001, "b": 0.002, "c": 0.003}, nil)
	require.NoError(t, err)
	testkit.Rel(t, 0.004, f.MeanEngine, 1e-12, "engine")
	testkit.Rel(t, 0.002, f.MeanRepeat, 1e-12, "repeat")
	testkit.Rel(t, 2, f.Ratio, 1e-12, "ratio")
	testkit.Rel(t, 0.002, f.Diff, 1e-12, "difference")
	testkit.Rel(t, 0.001/math.Sqrt(3), f.StdErr, 1e-12, "standard error")
	s := 2 * math.Sqrt(3)
	testkit.Rel(t, 0.5-s/(2*math.Sqrt(2+s*s)), f.P, 1e-9, "P")
	assert.True(t, f.Above)
	assert.Len(t, f.Warnings, 1, "three prompts are few")
}

func TestNoiseFloorWithoutSpread(t *testing.T) {
	two := func(x float64) map[string]float64 { return map[string]float64{"a": x, "b": x} }
	for _, c := range []struct{ engine, repeat, p float64 }{{0.5, 0.25, 0}, {0.25, 0.5, 1}, {0.5, 0.5, 0.5}} {
		f, err := NoiseFloor(two(c.engine), two(c.repeat), nil)
		require.NoError(t, err)
		testkit.Near(t, c.p, f.P, 1e-12, "P")
	}
	f, err := NoiseFloor(two(0), two(0), nil)
	require.NoError(t, err)
	assert.True(t, math.IsNaN(f.Ratio))
	assert.NotContains(t, jsonOf(t, f), "ratio")
	f, err = NoiseFloor(map[string]float64{"a": 1}, map[string]float64{"a": 0.5}, nil)
	require.NoError(t, err)
	assert.True(t, math.IsNaN(f.P))
	assert.False(t, f.Above, "one prompt proves nothing")
}

func TestNoiseFloorRefusals(t *testing.T) {
	ok := map[string]float64{"a": 0.1, "b": 0.2}
	for name, c := range map[string]struct {
		engine, repeat map[string]float64
		err            error
		text           string
	}{
		"empty":    {nil, nil, ErrNoSupport, "no prompt"},
		"missing":  {ok, map[string]float64{"a": 0.1}, ErrAlignment, `"b"`},
		"another":  {ok, map[string]float64{"a": 0.1, "b": 0.1, "c": 0.1}, ErrAlignment, `"c"`},
		"NaN":      {ok, map[string]float64{"a": 0.1, "b": math.NaN()}, ErrNaN, `"b"`},
		"negative": {map[string]float64{"a": -0.1, "b": 0.1}, ok, ErrNaN, `"a"`},
		"infinite": {map[string]float64{"a": inf, "b": 0.1}, ok, ErrNaN, `"a"`},
	} {
		_, err := NoiseFloor(c.engine, c.repeat, nil)
		assert.ErrorIs(t, err, c.err, name)
		assert.ErrorContains(t, err, c.text, name)
	}
	_, err := NoiseFloor(ok, ok, &SummaryOptions{Level: 2})
	assert.ErrorIs(t, err, ErrOptions)
}
