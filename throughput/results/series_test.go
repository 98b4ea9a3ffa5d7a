package results

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/servemath/internal/testkit"
	"example.com/servemath/throughput"
)

// TestSeries holds the moments against two passes over the observations.
func TestSeries(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 2, 10, 5000} {
		var s series
		xs := make([]float64, n)
		sum := 0.0
		for i := range xs {
			xs[i] = 1e6 + rng.ExpFloat64() // a large mean: where sums of squares fail
			s.add(xs[i])
			sum += xs[i]
		}
		m2 := 0.0
		for _, x := range xs {
			m2 += (x - sum/float64(n)) * (x - sum/float64(n))
		}
		testkit.Rel(t, sum/float64(n), s.mean(), 1e-14, "mean of %d", n)
		if n > 1 {
			testkit.Rel(t, m2/float64(n-1), s.sd(false)*s.sd(false), 1e-9, "variance of %d", n)
			testkit.Rel(t, m2/float64(n), s.sd(true)*s.sd(true), 1e-9, "population variance of %d", n)
		} else {
			assert.True(t, s.sd(true) != s.sd(true), "no deviation of one")
		}
		assert.Equal(t, xs, s.samples)
	}
}

// TestManyObservationsBecomeASketch: above the limit the samples go, the moments
// stay exact and quantiles are within the sketch's error.
func TestManyObservationsBecomeASketch(t *testing.T) {
	const n = maxSamples + 1
	v := value(t, one(t, gapRecord(n)), throughput.ITL, mean)
	assert.Nil(t, v.Samples)
	require.NotNil(t, v.Sketch)
	assert.Equal(t, n, v.N)
	assert.EqualValues(t, n, v.Sketch.Count())
	testkit.Rel(t, (n+1)/2.0*1e-3, v.Value, 1e-12, "mean")
	q, err := v.Sketch.Quantile(0.99)
	require.NoError(t, err)
	testkit.Rel(t, 0.99*n*1e-3, q, v.Sketch.RelativeError(), "p99")

	below := value(t, one(t, gapRecord(maxSamples)), throughput.ITL, mean)
	assert.Len(t, below.Samples, maxSamples)
	assert.Nil(t, below.Sketch)
}

// gapRecord is a request with gaps of 1 to n milliseconds.
func gapRecord(n int) string {
	b := []byte(`{"metadata": {"benchmark_phase": "profiling"}, "metrics": {"inter_chunk_latency": {"unit": "ms", "value": [1`)
	for i := 2; i <= n; i++ {
		b = strconv.AppendInt(append(b, ','), int64(i), 10)
	}
	return string(b) + "]}}}"
}
