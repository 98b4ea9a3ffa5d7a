package stat

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/combin"
)

// untiedTails returns P(U <= u) and P(U >= u) without ties. Only the shorter tail
// is counted; the other is its complement with the arrangements at u in both.
func untiedTails(r ranked) (less, greater float64) {
	u, nm := int(math.Round(r.u)), r.n*r.m
	flip := 2*u > nm
	if flip {
		u = nm - u
	}
	counts := untiedCounts(r.n, r.m, u)
	return bothTails(counts, u, choose(r.n+r.m, r.n), flip)
}

// bothTails turns the counts up to and including the observed one into the two
// tails; flip swaps them.
func bothTails(counts []float64, at int, total float64, flip bool) (less, greater float64) {
	upTo := min(1, floats.Sum(counts[:at+1])/total)
	from := 1 - floats.Sum(counts[:at])/total
	if flip {
		return from, upTo
	}
	return upTo, from
}

// untiedCounts returns how many arrangements of n and m observations have each
// U from 0 to top: coefficients of the Gaussian binomial, the product over i of
// (1 - q^(m+i)) / (1 - q^i) (Harding 1984). Every partial product has coefficients
// that grow up to the middle, so rounding stays relative to the result.
func untiedCounts(n, m, top int) []float64 {
	n, m = min(n, m), max(n, m)
	c := make([]float64, top+1)
	c[0] = 1
	for i := 1; i <= n; i++ {
		for k := top; k >= m+i; k-- {
			c[k] -= c[k-m-i]
		}
		for k := i; k <= top; k++ {
			c[k] += c[k-i]
		}
	}
	return c
}

// choose is the binomial coefficient; it may exceed the integers.
func choose(n, k int) float64 { return math.Round(combin.GeneralizedBinomial(float64(n), float64(k))) }

// tiedTails returns P(U <= u) and P(U >= u) over all choices of the observed
// midranks.
func tiedTails(r ranked) (less, greater float64) {
	// Choosing the smaller sample is less work, and low sums less than high ones.
	twice, size := int(math.Round(2*r.u)), r.n
	flip := r.n > r.m
	if flip {
		twice, size = 2*r.n*r.m-twice, r.m
	}
	ranks := r.doubled
	if twice > r.n*r.m {
		ranks = mirrored(ranks)
		twice = 2*r.n*r.m - twice
		flip = !flip
	}
	counts := tiedCounts(ranks, size, twice)
	return bothTails(counts, twice, choose(r.n+r.m, size), flip)
}

// mirrored counts doubled ranks from the top.
func mirrored(ranks []int) []int {
	out := make([]int, len(ranks))
	for i, r := range ranks {
		out[len(out)-1-i] = 2*(len(ranks)+1) - r
	}
	return out
}

// tiedCounts returns how many choices of size observations have each value of
// 2U from 0 to top. Groups of ties are taken one by one from the lowest; by[k]
// counts the ways to have chosen k observations so far, by twice the sum of their
// ranks less k(k + 1), what the k lowest would sum to without ties. Choosing c of
// the group at places i+1 to j adds c(i + j - 2k - c), which is never negative, and
// the cheapest way to choose the rest adds 2(size - k)(j - k): sums that would end
// past top are dropped.
func tiedCounts(ranks []int, size, top int) []float64 {
	by := make([][]float64, size+1)
	reach := make([]int, size+1) // by[k] is zero from here on
	for k := range by {
		by[k] = make([]float64, top+1)
	}
	by[0][0], reach[0] = 1, 1
	for i, j := 0, 0; i < len(ranks); i = j {
		for j = i + 1; j < len(ranks) && ranks[j] == ranks[i]; j++ {
		}
		rest := len(ranks) - j // with fewer chosen by now, size is out of reach
		for to := min(j, size); to >= max(1, size-rest); to-- {
			for c := 1; c <= min(j-i, to); c++ {
				k := to - c
				shift := c * (i + j - 2*k - c)
				n := min(reach[k], top+1-shift-2*(size-to)*(j-to))
				if k > i || n <= 0 {
					continue
				}
				floats.AddScaled(by[to][shift:shift+n], choose(j-i, c), by[k][:n])
				reach[to] = max(reach[to], shift+n)
			}
		}
	}
	return by[size]
}
