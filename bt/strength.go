package bt

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// sameStrength is the difference of log-strengths below which two are equal:
// far above rounding, far below anything a benchmark could tell apart.
const sameStrength = 1e-8

// byStrength lists items from the strongest, and numbers their ranks from 1.
// Equals share a rank and keep their own order.
func byStrength(x []float64) (order, rank []int) {
	order, rank = make([]int, len(x)), make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(x[b], x[a]) })
	for k, i := range order {
		rank[i] = k + 1
		if k > 0 && x[order[k-1]]-x[i] <= sameStrength {
			rank[i] = rank[order[k-1]]
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(rank[a]-rank[b], a-b) })
	return order, rank
}

func average(xs []float64) float64 { return floats.Sum(xs) / float64(len(xs)) }

// centre shifts xs to mean zero.
func centre(xs []float64) { floats.AddConst(-average(xs), xs) }
