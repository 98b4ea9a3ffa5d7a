package stat

import "math"

// mean of a checked sample.
func mean(xs []float64) float64 {
	var sum float64
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

// meanVar returns the mean and the sample variance (n - 1), in two passes: the
// rates of one engine differ by a thousandth of their size, which the one-pass
// form cancels away. The variance of one observation is NaN.
func meanVar(xs []float64) (m, v float64) {
	m = mean(xs)
	var sum, slip float64
	for _, x := range xs {
		d := x - m
		sum += d * d
		slip += d // what rounding left in the mean
	}
	n := float64(len(xs))
	return m, (sum - slip*slip/n) / (n - 1)
}

// logs returns the natural logarithms of a checked sample.
func logs(xs []float64) []float64 {
	out := make([]float64, len(xs))
	for i, x := range xs {
		out[i] = math.Log(x)
	}
	return out
}
