package stat

import (
	"fmt"
	"math"
	"slices"
)

// QuantileType is a definition of the sample quantile, numbered as by Hyndman
// and Fan (1996) and in R. Tools disagree on it, and in short samples by much.
type QuantileType int

const (
	Type7      QuantileType = iota // linear over n - 1 gaps: numpy, pandas, R's default, vLLM, SGLang
	Type1                          // the inverse of the empirical distribution; nearest rank
	Type2                          // Type1, averaged at jumps
	Type3                          // the nearest order statistic, SAS
	Type4                          // linear over the empirical distribution
	Type5                          // piecewise linear through the steps' midpoints
	Type6                          // linear over n + 1 gaps: Minitab, SPSS
	Type8                          // about median-unbiased for any distribution
	Type9                          // about unbiased for the normal distribution
	FloorIndex                     // sorted[floor(n q)]: TensorRT-LLM, MLPerf LoadGen
)

// Quantile returns the q-quantile, 0 <= q <= 1, of a sample in any order.
func Quantile(xs []float64, q float64, t QuantileType) (float64, error) {
	if err := checkFinite("xs", xs, 1); err != nil {
		return 0, err
	}
	if !(q >= 0 && q <= 1) {
		return 0, fmt.Errorf("%w: q = %g, want 0 to 1", ErrParameter, q)
	}
	if t < Type7 || t > FloorIndex {
		return 0, fmt.Errorf("%w: QuantileType(%d)", ErrParameter, int(t))
	}
	return quantile(slices.Sorted(slices.Values(xs)), q, t), nil
}

// quantile is [Quantile] of a sorted sample.
func quantile(sorted []float64, q float64, t QuantileType) float64 {
	n := float64(len(sorted))
	order := func(i float64) float64 { return sorted[int(min(max(i, 1), n))-1] } // from 1
	j, g := place(n*q+offset(t, q), n)
	switch t {
	case FloorIndex:
		return order(j + 1)
	case Type1, Type2, Type3:
		g = step(t, j, g)
	}
	a, b := order(j), order(j+1)
	if g == 1 {
		return b
	}
	return min(a+g*(b-a), b) // rounding must not carry it past the largest
}

// offset is what a type adds to n q to get the order, from 1, that the quantile
// stands at: q (1 - a - b) + a with the type's plotting constants a and b.
func offset(t QuantileType, q float64) float64 {
	switch t {
	case Type3:
		return -0.5
	case Type5:
		return 0.5
	case Type6:
		return q
	case Type7:
		return 1 - q
	case Type8:
		return (q + 1) / 3
	case Type9:
		return q/4 + 3./8
	}
	return 0
}

// place splits an order into its whole part and the rest; a rest within rounding
// of 0 is 0, since n q = 3 may come out as 2.9999999999999996.
func place(order, n float64) (j, g float64) {
	fuzz := 4 * 0x1p-52 * max(1, n)
	j = math.Floor(order + fuzz)
	if g = order - j; math.Abs(g) < fuzz {
		g = 0
	}
	return j, g
}

// step replaces the rest by the weight that the discontinuous types give.
func step(t QuantileType, j, g float64) float64 {
	switch {
	case g > 0:
		return 1
	case t == Type2:
		return 0.5
	case t == Type3 && math.Mod(j, 2) != 0:
		return 1
	}
	return 0
}

// median of a sorted sample.
func median(sorted []float64) float64 {
	n := len(sorted)
	if n%2 == 1 {
		return sorted[n/2]
	}
	return sorted[n/2-1]/2 + sorted[n/2]/2
}
