package throughput

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/servemath/throughput/stat"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestBetweenAgainstQuantile(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 500 {
		xs := make([]float64, 1+r.IntN(60))
		for j := range xs {
			if xs[j] = r.NormFloat64(); i%2 == 0 {
				xs[j] = math.Round(xs[j])
			}
		}
		for _, q := range []float64{0, 0.025, 0.5, 0.975, 1, r.Float64()} {
			want, err := stat.Quantile(xs, q, stat.Type7)
			require.NoError(t, err)
			assert.InDelta(t, want, between(slices.Clone(xs), q), 1e-12, "%g of %v", q, xs)
		}
	}
}
