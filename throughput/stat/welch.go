package stat

import (
	"fmt"
	"math"
)

// Welch tests whether the means of two samples of two or more differ, without
// taking their variances for equal (Welch 1947). The effect is mean(b) - mean(a);
// the degrees of freedom are Satterthwaite's.
func Welch(a, b []float64) (TestResult, error) {
	if err := checkFinite("a", a, 2); err != nil {
		return TestResult{}, err
	}
	if err := checkFinite("b", b, 2); err != nil {
		return TestResult{}, err
	}
	return welch(a, b), nil
}

func welch(a, b []float64) TestResult {
	ma, va := meanVar(a)
	mb, vb := meanVar(b)
	na, nb := float64(len(a)), float64(len(b))
	sa, sb := va/na, vb/nb
	df := (sa + sb) * (sa + sb) / (sa*sa/(na-1) + sb*sb/(nb-1))
	if sa+sb == 0 || math.IsNaN(df) { // no variation, or too small to square
		df = na + nb - 2
	}
	return tTest(mb-ma, math.Sqrt(sa+sb), df)
}

// LogRatio is [Welch] on natural logarithms: its effect is the logarithm of the
// ratio of geometric means, b over a. [TestResult.Ratio] turns it into one.
func LogRatio(a, b []float64) (TestResult, error) {
	if err := checkPositive("a", a, 2); err != nil {
		return TestResult{}, err
	}
	if err := checkPositive("b", b, 2); err != nil {
		return TestResult{}, err
	}
	return welch(logs(a), logs(b)), nil
}

// Fieller returns the ratio of means, mean(b) / mean(a), of independent samples
// with Fieller's interval (1954) on Welch's degrees of freedom of the
// difference. Where mean(a) itself cannot be told from zero the ratio has no
// bounded interval: [ErrParameter].
func Fieller(a, b []float64, level float64) (Interval, error) {
	r, err := Welch(a, b)
	if err != nil {
		return Interval{}, err
	}
	if err := checkOpen("level", level, 0, 1); err != nil {
		return Interval{}, err
	}
	ma, va := meanVar(a)
	mb, vb := meanVar(b)
	va, vb = va/float64(len(a)), vb/float64(len(b))
	t := halfWidth(level, r.DF)
	g := t * t * va / (ma * ma)
	if !(g < 1) {
		return Interval{}, fmt.Errorf("%w: mean(a) = %g is within %g standard errors of 0, so the ratio is unbounded", ErrParameter, ma, t)
	}
	ratio := mb / ma
	half := t / math.Abs(ma) * math.Sqrt(vb*(1-g)+ratio*ratio*va)
	return Interval{ratio, (ratio - half) / (1 - g), (ratio + half) / (1 - g), level}, nil
}
