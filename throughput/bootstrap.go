package throughput

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"example.com/servemath/internal/resample"
	"example.com/servemath/throughput/stat"
)

// bootstrap resamples whole machines with their rows (Field and Welsh 2007) and
// takes percentiles of the ratio, linear between order statistics. With few
// machines its interval is too short, so it is shown and never judged by.
func bootstrap(groups []group, estimate float64, o EngineOptions) stat.Interval {
	means := make([]float64, o.Replicates)
	resample.Each(batches(o.Replicates), func() *rand.PCG { return rand.NewPCG(0, 0) }, func(i int, pcg *rand.PCG) {
		for r := i * batch; r < min(o.Replicates, (i+1)*batch); r++ {
			pcg.Seed(resample.Streams(o.Seed, r))
			means[r] = resampled(groups, pcg)
		}
	})
	slices.Sort(means)
	tail := (1 - o.Level) / 2
	return stat.Interval{Estimate: estimate, Lo: math.Exp(between(means, tail)), Hi: math.Exp(between(means, 1-tail)), Level: o.Level}
}

// batch is how many replicates one goroutine takes at a time: enough that
// fetching the next costs nothing beside them.
const batch = 256

func batches(replicates int) int { return (replicates + batch - 1) / batch }

// resampled is the mean log ratio of as many machines as there are, drawn with
// replacement.
func resampled(groups []group, pcg *rand.PCG) float64 {
	var total float64
	var n int
	for range groups {
		// The high half of a product is uniform to 1 part in 2^64 / len(groups).
		i, _ := bits.Mul64(pcg.Uint64(), uint64(len(groups)))
		total += groups[i].sum
		n += groups[i].n
	}
	return total / float64(n)
}

// between is a quantile of a sorted sample, linear between order statistics.
func between(sorted []float64, q float64) float64 {
	h := q * float64(len(sorted)-1)
	i := int(h)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (h-float64(i))*(sorted[i+1]-sorted[i])
}
