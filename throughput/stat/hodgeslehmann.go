package stat

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"
)

// hodgesLehmannLimit keeps the differences of two samples within 80 MB.
const hodgesLehmannLimit = 10_000_000

// HodgesLehmann returns the median of all differences b - a, the shift between
// two samples that one bad run cannot move (Hodges and Lehmann 1963), between the
// differences that the Mann-Whitney test at that level does not reject. Level is
// the one attained, exact up to n m = 10,000 for samples without ties, and at
// least that with them. Samples too small for the level: [ErrTooFew].
func HodgesLehmann(a, b []float64, level float64) (Interval, error) {
	if err := checkFinite("a", a, 1); err != nil {
		return Interval{}, err
	}
	if err := checkFinite("b", b, 1); err != nil {
		return Interval{}, err
	}
	if err := checkOpen("level", level, 0, 1); err != nil {
		return Interval{}, err
	}
	if float64(len(a))*float64(len(b)) > hodgesLehmannLimit {
		return Interval{}, fmt.Errorf("%w: %d by %d observations make more than %d differences", ErrParameter, len(a), len(b), hodgesLehmannLimit)
	}
	diffs := make([]float64, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			diffs = append(diffs, y-x)
		}
	}
	k, attained := shiftOrder(len(a), len(b), level)
	return orderedInterval(diffs, k, attained, fmt.Sprintf("%d and %d", len(a), len(b)))
}

// Pseudomedian returns the median of the means of all pairs, the centre of a
// symmetric distribution, between the pair means that the signed-rank test at
// that level does not reject (Hodges and Lehmann 1963). Level is the one
// attained, exact up to 200 observations without ties. At most 4,000.
func Pseudomedian(xs []float64, level float64) (Interval, error) {
	if err := checkFinite("xs", xs, 1); err != nil {
		return Interval{}, err
	}
	if err := checkOpen("level", level, 0, 1); err != nil {
		return Interval{}, err
	}
	if len(xs) > 4000 {
		return Interval{}, fmt.Errorf("%w: %d observations, at most 4000", ErrParameter, len(xs))
	}
	var walsh []float64
	for i, x := range xs {
		for _, y := range xs[i:] {
			walsh = append(walsh, x/2+y/2)
		}
	}
	k, attained := signedRankOrder(len(xs), level)
	return orderedInterval(walsh, k, attained, fmt.Sprint(len(xs)))
}

// orderedInterval is the median of values between the k-th from either end.
func orderedInterval(values []float64, k int, level float64, sizes string) (Interval, error) {
	if k < 1 {
		return Interval{}, fmt.Errorf("%w: %s observations reject no shift at this level", ErrTooFew, sizes)
	}
	slices.Sort(values)
	return Interval{median(values), values[k-1], values[len(values)-k], level}, nil
}

// shiftOrder returns the largest k with P(U < k) <= (1 - level)/2, and the level
// of the interval between the k-th smallest and k-th largest difference.
func shiftOrder(n, m int, level float64) (k int, attained float64) {
	nm := float64(n * m)
	if n*m > exactLimit {
		return normalOrder(nm, math.Sqrt(nm*float64(n+m+1)/12), level)
	}
	return countedOrder(untiedCounts(n, m, n*m/2), choose(n+m, n), level)
}

// signedRankOrder is [shiftOrder] of the signed-rank statistic.
func signedRankOrder(n int, level float64) (k int, attained float64) {
	pairs := float64(n*(n+1)) / 2
	if n > signedRankLimit {
		return normalOrder(pairs, math.Sqrt(pairs*float64(2*n+1)/12), level)
	}
	return countedOrder(signedRankShares(n)[:n*(n+1)/4+1], 1, level)
}

// countedOrder reads the order off the exact distribution's lower half.
func countedOrder(counts []float64, total, level float64) (k int, attained float64) {
	below := 0.0
	for k < len(counts) && (below+counts[k])/total <= (1-level)/2 {
		below += counts[k]
		k++
	}
	return k, 1 - 2*below/total
}

// normalOrder reads it off the normal approximation (Lehmann 1975).
func normalOrder(pairs, sigma, level float64) (k int, attained float64) {
	z := distuv.UnitNormal.Quantile(0.5 + level/2)
	k = int(math.Floor(pairs/2 - z*sigma))
	return k, 1 - 2*normalBelow((float64(k)-pairs/2)/sigma)
}

// signedRankShares returns P(W = w) without ties for w from 0 to n(n + 1)/2.
func signedRankShares(n int) []float64 {
	c := make([]float64, n*(n+1)/2+1)
	c[0] = 1
	for i := 1; i <= n; i++ {
		old := slices.Clone(c)
		floats.Add(c[i:], old[:len(c)-i])
		floats.Scale(0.5, c)
	}
	return c
}
