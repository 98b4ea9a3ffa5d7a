package correctness

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/servemath/internal/testkit"
)

func TestSampledKL(t *testing.T) {
	ref, got := []float64{-1, -2, -0.5}, []float64{-1.1, -1.8, -0.5}
	k1, k3, err := SampledKL(ref, got)
	require.NoError(t, err)
	testkit.Rel(t, (-0.1+0.2+0)/3, k1, 1e-12, "k1 = mean of got - ref")
	testkit.Rel(t, (math.Exp(0.1)-1.1+math.Exp(-0.2)-0.8)/3, k3, 1e-12, "k3 = mean of e^r - 1 - r")
	k1, k3, err = SampledKL([]float64{-1}, []float64{-1.5})
	require.NoError(t, err)
	assert.Less(t, k1, 0.0, "k1 may be negative")
	assert.Greater(t, k3, 0.0)
	_, k3, err = SampledKL([]float64{-2}, []float64{-800})
	require.NoError(t, err)
	assert.Equal(t, inf, k3, "too large for a float64")
}

// The same figures as the perplexities of the golden pair: k1 is minus the mean
// difference of -ln p there.
func TestSampledKLOfTheGoldenPair(t *testing.T) {
	for _, c := range golden(t).Cases {
		if c.Input != "nll_pairs" {
			continue
		}
		s := splitmix(c.Generator.Seed)
		var ref, got []float64
		for range c.Generator.N {
			x := float64(s.next()>>44) / (1 << 18)
			ref, got = append(ref, -x), append(got, min(0, -(x+(float64(s.next()>>48)-32768)/(1<<18)+1.0/128)))
		}
		k1, k3, err := SampledKL(ref, got)
		require.NoError(t, err)
		testkit.Near(t, -c.want(t, "ln_ratio"), k1, 1e-3, "k1")
		assert.Less(t, k1, 0.0)
		assert.Greater(t, k3, 0.0)
	}
}

func TestSampledKLRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		ref, got []float64
		err      error
		index    int
	}{
		"lengths":     {[]float64{-1}, []float64{-1, -2}, ErrAlignment, -1},
		"empty":       {nil, nil, ErrNoSupport, -1},
		"NaN":         {[]float64{-1, math.NaN()}, []float64{-1, -1}, ErrNaN, 1},
		"positive":    {[]float64{-1, -1}, []float64{0.7, -1}, ErrPositiveLogProb, 0},
		"impossible":  {[]float64{-1, -inf}, []float64{-1, -1}, ErrNoSupport, 1},
		"+Inf in got": {[]float64{-1}, []float64{inf}, ErrPositiveLogProb, 0},
	} {
		k1, k3, err := SampledKL(c.ref, c.got)
		require.ErrorIs(t, err, c.err, name)
		assert.True(t, math.IsNaN(k1) && math.IsNaN(k3), name)
		var in *InputError
		require.ErrorAs(t, err, &in)
		assert.Equal(t, c.index, in.Index, name)
	}
}
