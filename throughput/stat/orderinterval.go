package stat

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/mathext"
)

// MedianInterval returns the sample median between two order statistics,
// whatever the distribution. Its Level is the one attained, at least level. It
// needs 6 observations at 95%.
func MedianInterval(xs []float64, level float64) (Interval, error) {
	return QuantileInterval(xs, 0.5, level)
}

// QuantileInterval returns the q-quantile, of type 7, between two order
// statistics that exclude it with at most (1 - level)/2 on each side, whatever
// the distribution (Thompson 1936). A side that the sample is too small to bound
// is infinite; where both are, the error is [ErrTooFew]. See [MinForQuantile].
func QuantileInterval(xs []float64, q, level float64) (Interval, error) {
	if err := checkFinite("xs", xs, 1); err != nil {
		return Interval{}, err
	}
	lo, hi, attained, err := orders(len(xs), q, level)
	if err != nil {
		return Interval{}, err
	}
	sorted := slices.Sorted(slices.Values(xs))
	i := Interval{quantile(sorted, q, Type7), math.Inf(-1), math.Inf(1), attained}
	if lo >= 1 {
		i.Lo = sorted[lo-1]
	}
	if hi <= len(xs) {
		i.Hi = sorted[hi-1]
	}
	return i, nil
}

// orders returns the order statistics, from 1, around the q-quantile of n
// observations; 0 and n + 1 are unbounded. The number of observations below the
// quantile is binomial.
func orders(n int, q, level float64) (lo, hi int, attained float64, err error) {
	if err := checkOpen("q", q, 0, 1); err != nil {
		return 0, 0, 0, err
	}
	if err := checkOpen("level", level, 0, 1); err != nil {
		return 0, 0, 0, err
	}
	tail := (1 - level) / 2
	lo = sort.Search(n, func(k int) bool { return binomialCDF(n, q, k) > tail })
	hi = sort.Search(n, func(k int) bool { return 1-binomialCDF(n, q, k) <= tail }) + 1
	if lo == 0 && hi == n+1 {
		need := min(minBounded(q, tail), minBounded(1-q, tail))
		return 0, 0, 0, fmt.Errorf("%w: %d observations bound no side of the %g-quantile, need %d", ErrTooFew, n, q, need)
	}
	return lo, hi, binomialCDF(n, q, hi-1) - binomialCDF(n, q, lo-1), nil
}

// binomialCDF returns P(X <= k) for n trials of chance p.
func binomialCDF(n int, p float64, k int) float64 {
	switch {
	case k < 0:
		return 0
	case k >= n:
		return 1
	}
	return mathext.RegIncBeta(float64(n-k), float64(k+1), 1-p)
}

// MinForQuantile returns how many observations it takes for the largest to be an
// upper limit of the q-quantile: the smallest n with q^n <= (1 - level)/2. A p99
// at 95% takes 368.
func MinForQuantile(q, level float64) (int, error) {
	if err := checkOpen("q", q, 0, 1); err != nil {
		return 0, err
	}
	if err := checkOpen("level", level, 0, 1); err != nil {
		return 0, err
	}
	return minBounded(q, (1-level)/2), nil
}

func minBounded(q, tail float64) int {
	n := math.Ceil(math.Log(tail) / math.Log(q))
	if math.Pow(q, n-1) <= tail { // the quotient of the logarithms rounded up
		n--
	}
	return int(n)
}
