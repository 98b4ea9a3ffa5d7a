package stat

import (
	"math"
	"slices"
)

// splits divides a series at the largest energy distance while the two sides
// differ at the weak threshold. from is the place of xs in the whole series.
func splits(xs []float64, from int, o ChangeOptions) []int {
	if len(xs) < 2*o.MinSegment {
		return nil
	}
	q := energy(xs, o.Method == EDivisiveV)
	best := o.MinSegment
	for k := best; k <= len(xs)-o.MinSegment; k++ {
		if q[k] > q[best] {
			best = k
		}
	}
	if !(welch(xs[:best], xs[best:]).P < o.Weak) {
		return nil
	}
	left, right := splits(xs[:best], from, o), splits(xs[best:], from+best, o)
	return append(append(left, from+best), right...)
}

// merge drops the weakest change again and again until all that remain are
// strong, since dropping one lengthens its neighbours' segments.
func merge(xs []float64, at []int, strong float64) []int {
	for len(at) > 0 {
		weakest, p := 0, -1.0
		for i, k := range at {
			before, after := around(at, i, len(xs))
			if w := welch(xs[before:k], xs[k:after]); w.P > p {
				weakest, p = i, w.P
			}
		}
		if p < strong {
			break
		}
		at = slices.Delete(at, weakest, weakest+1)
	}
	return at
}

// around returns the bounds of the segments beside a change.
func around(at []int, i, n int) (before, after int) {
	if i > 0 {
		before = at[i-1]
	}
	if i+1 < len(at) {
		return before, at[i+1]
	}
	return before, n
}

// energy returns the scaled energy distance between xs[:k] and xs[k:] for every
// k >= 1; the first entry is NaN. It takes n^2 steps: each k moves one observation
// from right to left.
func energy(xs []float64, vForm bool) []float64 {
	within := func(sum, n float64) float64 {
		switch {
		case vForm:
			return 2 * sum / (n * n)
		case n < 2:
			return 0
		}
		return 2 * sum / (n * (n - 1))
	}
	var left, right, cross float64 // sums of distances over unordered pairs
	for i, x := range xs {
		for _, y := range xs[i+1:] {
			right += math.Abs(x - y)
		}
	}
	q := make([]float64, len(xs))
	q[0] = math.NaN()
	for k := 1; k < len(xs); k++ {
		var toLeft, toRight float64
		for _, y := range xs[:k-1] {
			toLeft += math.Abs(xs[k-1] - y)
		}
		for _, y := range xs[k:] {
			toRight += math.Abs(xs[k-1] - y)
		}
		left, right, cross = left+toLeft, right-toRight, cross-toLeft+toRight
		n, m := float64(k), float64(len(xs)-k)
		q[k] = n * m / (n + m) * (2*cross/(n*m) - within(left, n) - within(right, m))
	}
	return q
}
