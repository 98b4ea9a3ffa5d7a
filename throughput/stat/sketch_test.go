package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func sketchOf(tb testing.TB, relErr float64, xs ...float64) *Sketch {
	tb.Helper()
	s, err := NewSketch(relErr)
	require.NoError(tb, err)
	for _, x := range xs {
		require.NoError(tb, s.Add(x))
	}
	return s
}

// Latencies from nanoseconds to hours, and zeros.
func latencies(r *rand.Rand, n int) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		if r.IntN(20) > 0 {
			xs[i] = math.Exp(6*r.NormFloat64() - 3)
		}
	}
	return xs
}

func TestSketchErrorIsGuaranteed(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, relErr := range []float64{1e-4, 0.01, 0.1, 0.5} {
		for _, n := range []int{1, 2, 3, 100, 5000} {
			xs := latencies(r, n)
			s := sketchOf(t, relErr, xs...)
			slices.Sort(xs)
			for q := 0.0; q <= 1; q += 1.0 / 256 {
				got, err := s.Quantile(q)
				require.NoError(t, err)
				want := xs[int(q*float64(n-1))]
				assert.LessOrEqual(t, math.Abs(got-want), relErr*want*(1+1e-12), "error %g, n %d, q %g", relErr, n, q)
			}
			assert.Equal(t, xs[0], s.Min())
			assert.Equal(t, xs[n-1], s.Max())
			assert.InEpsilon(t, mean(xs), s.Mean(), 1e-12)
		}
	}
}

func TestSketchMergeIsBatch(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 50 {
		a, b := latencies(r, r.IntN(50)), latencies(r, r.IntN(50))
		batch := sketchOf(t, 0.02, append(slices.Clone(a), b...)...)
		merged, other := sketchOf(t, 0.02, a...), sketchOf(t, 0.02, b...)
		require.NoError(t, merged.Merge(other))
		assert.Equal(t, batch.Count(), merged.Count())
		assert.Equal(t, batch.counts, merged.counts)
		assert.Equal(t, batch.zeros, merged.zeros)
		assert.InDelta(t, batch.sum, merged.sum, 1e-9*batch.sum)
		if batch.Count() > 0 {
			assert.Equal(t, [2]float64{batch.Min(), batch.Max()}, [2]float64{merged.Min(), merged.Max()})
		}
	}
}

func TestSketchRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, n := range []int{0, 1, 3, 1000} {
		s := sketchOf(t, 0.01, latencies(r, n)...)
		b, err := s.MarshalBinary()
		require.NoError(t, err)
		var back Sketch
		require.NoError(t, back.UnmarshalBinary(b))
		again, err := back.MarshalBinary()
		require.NoError(t, err)
		assert.Equal(t, b, again)
		require.NoError(t, back.Merge(s))
		for cut := range b {
			var part Sketch
			assert.ErrorIs(t, part.UnmarshalBinary(b[:cut]), ErrCorrupt, "%d of %d bytes", cut, len(b))
			assert.Zero(t, part.Count())
		}
		var long Sketch
		assert.ErrorIs(t, long.UnmarshalBinary(append(b, 0)), ErrCorrupt)
	}
}

func TestSketchRefuses(t *testing.T) {
	var s Sketch
	assert.Equal(t, DefaultSketchError, s.RelativeError())
	assert.True(t, math.IsNaN(s.Min()) && math.IsNaN(s.Max()) && math.IsNaN(s.Mean()))
	assert.Equal(t, "no observations", s.String())
	assert.ErrorIs(t, second(s.Quantile(0.5)), ErrEmpty)
	assert.ErrorIs(t, s.Add(-1), ErrNonPositive)
	assert.ErrorIs(t, s.Add(nan), ErrNonFinite)
	assert.ErrorIs(t, s.Add(inf), ErrNonFinite)
	assert.Zero(t, s.Count(), "what is refused leaves no trace")
	require.NoError(t, s.Add(1))
	assert.ErrorIs(t, second(s.Quantile(1.5)), ErrParameter)
	assert.ErrorIs(t, second(s.Quantile(nan)), ErrParameter)
	assert.ErrorIs(t, s.Merge(sketchOf(t, 0.02)), ErrParameter)
	assert.ErrorIs(t, second(NewSketch(0)), ErrParameter)
	assert.ErrorIs(t, second(NewSketch(nan)), ErrParameter)
}

func TestSketchAddDoesNotAllocate(t *testing.T) {
	s := sketchOf(t, 0.01, 1e-3, 1e3)
	assert.Zero(t, testing.AllocsPerRun(1000, func() { _ = s.Add(0.5) }))
}

func FuzzSketchBinary(f *testing.F) {
	whole, err := sketchOf(f, 0.01, 0, 1e-9, 1, 2, 1e9).MarshalBinary()
	require.NoError(f, err)
	f.Add(whole)
	f.Add(whole[:10])
	f.Fuzz(func(t *testing.T, b []byte) {
		var s Sketch
		if s.UnmarshalBinary(b) != nil || s.Count() == 0 {
			return
		}
		for _, q := range []float64{0, 0.5, 0.99, 1} {
			x, err := s.Quantile(q)
			require.NoError(t, err)
			assert.True(t, x >= s.Min() && x <= s.Max(), "%g outside %g to %g", x, s.Min(), s.Max())
		}
	})
}

func BenchmarkSketchAdd(b *testing.B) {
	xs := latencies(rand.New(rand.NewPCG(4, 4)), 4096)
	var s Sketch
	for b.Loop() {
		for _, x := range xs {
			_ = s.Add(x)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(xs)), "ns/add")
}
