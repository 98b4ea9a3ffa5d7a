package stat

import "math"

// Geomean returns the geometric mean, exp(mean(ln x)), the only mean of ratios
// that gives A/B and B/A as reciprocals (Fleming and Wallace 1986). Every
// observation must be positive.
func Geomean(xs []float64) (float64, error) {
	if err := checkPositive("xs", xs, 1); err != nil {
		return 0, err
	}
	return math.Exp(mean(logs(xs))), nil
}

// GeomeanInterval returns the geometric mean of two or more observations with
// Student's interval of the mean logarithm, back-transformed.
func GeomeanInterval(xs []float64, level float64) (Interval, error) {
	if err := checkPositive("xs", xs, 2); err != nil {
		return Interval{}, err
	}
	r, err := OneSample(logs(xs))
	if err != nil {
		return Interval{}, err
	}
	return r.Ratio(level)
}
