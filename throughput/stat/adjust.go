package stat

import (
	"cmp"
	"math"
	"slices"
)

// The adjusted P values below are those of R's p.adjust, in the order of p. An
// unknown P, NaN or outside 0 to 1, becomes NaN and does not count as a test.

// Bonferroni multiplies by the number of tests.
func Bonferroni(p []float64) []float64 {
	return adjust(p, false, func(p float64, rank, m int) float64 { return float64(m) * p })
}

// Holm controls the chance of any false claim under any dependence, and is never
// weaker than Bonferroni (Holm 1979).
func Holm(p []float64) []float64 {
	return adjust(p, false, func(p float64, rank, m int) float64 { return float64(m-rank) * p })
}

// Sidak is Bonferroni's bound with the product that independent tests allow: a
// little stronger.
func Sidak(p []float64) []float64 {
	return adjust(p, false, func(p float64, rank, m int) float64 { return -math.Expm1(float64(m) * math.Log1p(-p)) })
}

// Hochberg steps up where Holm steps down; valid for independent and some
// positively dependent tests (Hochberg 1988).
func Hochberg(p []float64) []float64 {
	return adjust(p, true, func(p float64, rank, m int) float64 { return float64(m-rank) * p })
}

// BenjaminiHochberg controls the expected share of false claims among all claims,
// for independent and some positively dependent tests (1995).
func BenjaminiHochberg(p []float64) []float64 {
	return adjust(p, true, func(p float64, rank, m int) float64 { return float64(m) / float64(rank+1) * p })
}

// BenjaminiYekutieli is the same under any dependence (2001).
func BenjaminiYekutieli(p []float64) []float64 {
	return adjust(p, true, func(p float64, rank, m int) float64 {
		var harmonic float64
		for i := m; i >= 1; i-- {
			harmonic += 1 / float64(i)
		}
		return harmonic * float64(m) / float64(rank+1) * p
	})
}

// adjust scales each P by its rank from the smallest, 0 to m - 1, and then makes
// the results monotone: from the smallest up, or from the largest down.
func adjust(p []float64, down bool, scale func(p float64, rank, m int) float64) []float64 {
	out := slices.Repeat([]float64{math.NaN()}, len(p))
	var order []int
	for i, v := range p {
		if v >= 0 && v <= 1 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	m := len(order)
	bound := 0.0
	if down {
		bound = 1
	}
	for k := range order {
		rank := k
		if down {
			rank = m - 1 - k
		}
		i := order[rank]
		v := min(1, scale(p[i], rank, m))
		if down {
			bound = min(bound, v)
		} else {
			bound = max(bound, v)
		}
		out[i] = bound
	}
	return out
}
