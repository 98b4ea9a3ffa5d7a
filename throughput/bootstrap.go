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
// machines its interval is too short, so it is shown and never judged by; one
// machine says nothing about others.
func bootstrap(groups []group, estimate float64, o EngineOptions) stat.Interval {
	if len(groups) < 2 {
		return stat.Interval{Estimate: estimate, Lo: 0, Hi: math.Inf(1), Level: o.Level}
	}
	means := make([]float64, o.Replicates)
	resample.Each(batches(o.Replicates), func() *rand.PCG { return rand.NewPCG(0, 0) }, func(i int, pcg *rand.PCG) {
		for r := i * batch; r < min(o.Replicates, (i+1)*batch); r++ {
			pcg.Seed(resample.Streams(o.Seed, r))
			means[r] = resampled(groups, pcg)
		}
	})
	tail := (1 - o.Level) / 2
	lo, hi := between(means, tail), between(means, 1-tail)
	return stat.Interval{Estimate: estimate, Lo: math.Exp(lo), Hi: math.Exp(hi), Level: o.Level}
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

// between is a quantile, linear between order statistics. It puts xs in partial
// order: a full one would take longer than the replicates.
func between(xs []float64, q float64) float64 {
	h := q * float64(len(xs)-1)
	i := int(h)
	lower := sortTo(xs, i)
	if i+1 >= len(xs) {
		return lower
	}
	return lower + (h-float64(i))*(slices.Min(xs[i+1:])-lower)
}

// sortTo returns the k-th smallest, from 0, and leaves it at its place with
// nothing larger before it: Hoare's Find (1961).
func sortTo(xs []float64, k int) float64 {
	for lo, hi := 0, len(xs)-1; lo < hi; {
		pivot := xs[k]
		i, j := lo, hi
		for i <= j {
			for xs[i] < pivot {
				i++
			}
			for pivot < xs[j] {
				j--
			}
			if i <= j {
				xs[i], xs[j] = xs[j], xs[i]
				i, j = i+1, j-1
			}
		}
		if j < k {
			lo = i
		}
		if k < i {
			hi = j
		}
	}
	return xs[k]
}
