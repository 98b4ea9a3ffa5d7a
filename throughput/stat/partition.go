package stat

import (
	"math"
	"slices"
)

// partition returns the changes that minimise the sum of squares within segments
// plus a penalty a change, by dynamic programming over the last one, and that
// minimum.
func partition(xs []float64, penalty float64, minSegment int) (at []int, cost float64) {
	n := len(xs)
	s, ss := make([]float64, n+1), make([]float64, n+1)
	for i, d := range centre(xs) { // deviations: squares of the values would cancel
		s[i+1], ss[i+1] = s[i]+d, ss[i]+d*d
	}
	squares := func(i, j int) float64 {
		d := s[j] - s[i]
		return max(0, ss[j]-ss[i]-d*d/float64(j-i))
	}
	best, last := make([]float64, n+1), make([]int, n+1)
	for j := 1; j <= n; j++ {
		best[j] = squares(0, j)
		for i := minSegment; i <= j-minSegment; i++ {
			if c := best[i] + penalty + squares(i, j); c < best[j] {
				best[j], last[j] = c, i
			}
		}
	}
	for j := last[n]; j > 0; j = last[j] {
		at = append(at, j)
	}
	slices.Reverse(at)
	return at, best[n]
}

// defaultPenalty is 3 sigma^2 ln n: BIC's 2 with one more for the place of the
// change. Sigma comes from the differences of neighbours, which changes of level
// hardly touch.
func defaultPenalty(xs []float64) float64 {
	sigma := diffSigma(xs)
	return 3 * sigma * sigma * math.Log(float64(len(xs)))
}

// diffSigma is the standard deviation of one observation from the median absolute
// deviation of the differences of neighbours.
func diffSigma(xs []float64) float64 {
	if len(xs) < 2 {
		return 0
	}
	diffs := make([]float64, len(xs)-1)
	for i := range diffs {
		diffs[i] = xs[i+1] - xs[i]
	}
	slices.Sort(diffs)
	m := median(diffs)
	for i, d := range diffs {
		diffs[i] = math.Abs(d - m)
	}
	slices.Sort(diffs)
	const toSD = 1.4826022185056018 // 1 / normal quantile of 3/4
	return toSD * median(diffs) / math.Sqrt2
}
