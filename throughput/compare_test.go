package throughput

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Samples A and B of stat/testdata/golden.json, cases ratio/unpaired_log_welch and
// tost/A_B_margin0.03.
var (
	sampleA = []float64{101.3, 99.8, 102.4, 100.9, 98.7, 103.1, 101.8, 100.2}
	sampleB = []float64{104.6, 103.2, 105.9, 102.7, 104.1, 106.3, 103.8, 105.2, 101.9, 104.9}
)

func TestCompareGolden(t *testing.T) {
	c, err := Compare(sampleA, sampleB, nil)
	require.NoError(t, err)
	for _, f := range []struct {
		name      string
		want, got float64
	}{
		{"ratio", 1.0320295940876292, c.Ratio}, {"lo", 1.0176074751128787, c.Lo}, {"hi", 1.0466561116353157, c.Hi},
		{"p", 0.0002547970774110052, c.P}, {"p equivalent", 0.6153103453399091, c.PEquivalent},
		{"base over candidate", 1 / 1.0320295940876292, c.Base / c.Candidate},
	} {
		testkit.Rel(t, f.want, f.got, 1e-12, f.name)
	}
	assert.Equal(t, Faster, c.Verdict)
	assert.Empty(t, c.Warnings)
}

func TestCompareVerdicts(t *testing.T) {
	scaled := func(f float64) []float64 {
		out := slices.Clone(sampleA)
		for i := range out {
			out[i] *= f
		}
		return out
	}
	noisy := []float64{80, 120, 95, 104, 130, 71}
	for _, c := range []struct {
		name      string
		candidate []float64
		o         CompareOptions
		want      Verdict
		warning   error
	}{
		{"faster", scaled(1.1), CompareOptions{}, Faster, nil},
		{"slower", scaled(0.9), CompareOptions{}, Slower, nil},
		{"a higher latency", scaled(1.1), CompareOptions{LowerIsBetter: true}, Slower, nil},
		{"the same", scaled(1), CompareOptions{}, Equivalent, nil},
		{"surely different, within the margin", scaled(1.02), CompareOptions{Margin: 0.05}, Equivalent, nil},
		{"surely different, a tighter margin", scaled(1.02), CompareOptions{Margin: 0.005}, Faster, nil},
		{"noise", noisy, CompareOptions{}, Inconclusive, nil},
		{"constant", []float64{150, 150, 150}, CompareOptions{}, Faster, ErrNoVariation},
		{"by ranks otherwise", []float64{90, 90.1, 90.2, 90.3, 90.4, 90.5, 90.6, 300}, CompareOptions{}, Inconclusive, ErrDisagree},
	} {
		got, err := Compare(sampleA, c.candidate, &c.o)
		require.NoError(t, err, c.name)
		assert.Equal(t, c.want, got.Verdict, "%s: %v", c.name, got)
		if c.warning != nil {
			assert.ErrorIs(t, errors.Join(got.Warnings...), c.warning, c.name)
		}
	}
}

// Detectable at 80% power must be found in 80% of samples with that scatter:
// 4,000 comparisons, fixed seed.
func TestDetectable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	draw := func(n int, m float64) []float64 {
		xs := make([]float64, n)
		for i := range xs {
			xs[i] = m * math.Exp(0.02*r.NormFloat64())
		}
		return xs
	}
	effect := math.Expm1(0.02 * 2.0244) // golden power/mde_two_sample_t, n = 5: about 4%
	found, sum := 0, 0.0
	const trials = 4000
	for range trials {
		c, err := Compare(draw(5, 100), draw(5, 100*(1+effect)), nil)
		require.NoError(t, err)
		if c.P < 0.05 {
			found++
		}
		sum += c.Detectable * c.Detectable
	}
	assert.InDelta(t, 0.8, float64(found)/trials, 0.03)
	assert.InEpsilon(t, effect, math.Sqrt(sum/trials), 0.1, "root mean square over samples; Welch's test sees a little less")
}

// No difference: a verdict of Faster or Slower in 5% of comparisons at most.
func TestCompareFalseAlarms(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	alarms := 0
	for range 2000 {
		a, b := make([]float64, 6), make([]float64, 6)
		for i := range a {
			a[i], b[i] = 100+2*r.NormFloat64(), 100+2*r.NormFloat64()
		}
		c, err := Compare(a, b, nil)
		require.NoError(t, err)
		if c.Verdict == Faster || c.Verdict == Slower {
			alarms++
		}
	}
	assert.Less(t, alarms, 110)
}

func TestCompareRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		a, b []float64
		o    *CompareOptions
		err  error
	}{
		"nothing":   {nil, sampleB, nil, ErrEmpty},
		"one":       {sampleA, sampleB[:1], nil, ErrTooFew},
		"NaN":       {sampleA, []float64{1, math.NaN()}, nil, ErrNonFinite},
		"zero":      {[]float64{1, 0}, sampleB, nil, ErrNonPositive},
		"level":     {sampleA, sampleB, &CompareOptions{Level: 1.5}, ErrOptions},
		"margin":    {sampleA, sampleB, &CompareOptions{Margin: -0.1}, ErrOptions},
		"power NaN": {sampleA, sampleB, &CompareOptions{Power: math.NaN()}, ErrOptions},
	} {
		_, err := Compare(c.a, c.b, c.o)
		assert.ErrorIs(t, err, c.err, name)
	}
	_, err := Compare(sampleA, []float64{1, 2, -3}, nil)
	at, ok := errors.AsType[*InputError](err)
	require.True(t, ok)
	assert.Equal(t, "b", at.Name)
	assert.Equal(t, 2, at.Index)
}

func TestComparisonJSON(t *testing.T) {
	c, err := Compare([]float64{1, 1}, []float64{2, 2}, nil)
	require.NoError(t, err)
	b, err := json.Marshal(c)
	require.NoError(t, err)
	assert.Contains(t, string(b), `"ratio":2,"lo":2,"hi":2,"level":0.95,"p":0,`)
	assert.Contains(t, string(b), `"verdict":"faster","warnings":["base: throughput: no variation`)
}
