package stat

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// Power returns the chance that a two-sided two-sample t test of n1 and n2
// observations at alpha finds a difference of d standard deviations. The P of a
// one-sided test at alpha is that of a two-sided one at twice alpha, short of the
// chance to be wrong about the direction.
func Power(n1, n2 int, d, alpha float64) (float64, error) {
	if n1 < 2 || n2 < 2 {
		return 0, fmt.Errorf("%w: %d and %d, need 2 each", ErrTooFew, n1, n2)
	}
	if err := checkOpen("alpha", alpha, 0, 1); err != nil {
		return 0, err
	}
	if !(math.Abs(d) <= limit) {
		return 0, fmt.Errorf("%w: d = %g", ErrNonFinite, d)
	}
	return power(n1, n2, d, alpha), nil
}

func power(n1, n2 int, d, alpha float64) float64 {
	return powerAt(math.Abs(d)*math.Sqrt(1/(1/float64(n1)+1/float64(n2))), float64(n1+n2-2), alpha)
}

// powerAt is the power for an effect of shift standard errors.
func powerAt(shift, df, alpha float64) float64 {
	return beyond(studentQuantile(1-alpha/2, df), shift, df)
}

// beyond returns P(|T| > t) for an effect of shift standard errors.
func beyond(t, shift, df float64) float64 {
	return 1 - noncentralT(t, df, shift) + noncentralT(-t, df, shift)
}

// MinDetectable returns the smallest difference, in standard deviations, that a
// two-sided two-sample t test of n1 and n2 observations at alpha finds with the
// given power. Times the coefficient of variation it is a relative effect: what a
// comparison that found nothing could have seen. For a one-sided test pass twice
// its alpha.
func MinDetectable(n1, n2 int, alpha, power float64) (float64, error) {
	if n1 < 2 || n2 < 2 {
		return 0, fmt.Errorf("%w: %d and %d, need 2 each", ErrTooFew, n1, n2)
	}
	shift, err := minShift(float64(n1+n2-2), alpha, power)
	return shift * math.Sqrt(1/float64(n1)+1/float64(n2)), err
}

// Detectable returns the smallest effect that a test with this standard error and
// these degrees of freedom finds at alpha, two-sided, with the given power. For a
// one-sided test pass twice its alpha.
func (r TestResult) Detectable(alpha, power float64) (float64, error) {
	shift, err := minShift(r.DF, alpha, power)
	return shift * r.StdErr, err
}

// minShift solves for the effect in standard errors: the power grows with it. The
// root is bracketed and found by the Illinois form of false position, which halves
// the value of an end that stays.
func minShift(df, alpha, power float64) (float64, error) {
	if err := checkOpen("alpha", alpha, 0, 1); err != nil {
		return 0, err
	}
	if err := checkOpen("power", power, 0, 1); err != nil {
		return 0, err
	}
	if !(df > 0) {
		return 0, fmt.Errorf("%w: %g degrees of freedom", ErrParameter, df)
	}
	t := studentQuantile(1-alpha/2, df)
	short := func(shift float64) float64 { return beyond(t, shift, df) - power }
	lo, flo := 0.0, alpha-power
	if flo >= 0 {
		return 0, nil // chance alone has that power
	}
	// A little above what the normal approximation of Johnson and Welch (1940) says.
	hi := 1.02 * (t + math.Max(0, distuv.UnitNormal.Quantile(power))*math.Sqrt(1+t*t/(2*df)))
	fhi := short(hi)
	for ; fhi < 0; fhi = short(hi) {
		lo, flo, hi = hi, fhi, 2*hi
	}
	for range 100 {
		x := hi - fhi*(hi-lo)/(fhi-flo)
		if hi-lo <= 1e-13*hi || x <= lo || x >= hi {
			break
		}
		switch fx := short(x); {
		case math.Abs(fx) < 1e-12:
			return x, nil
		case fx < 0:
			lo, flo, fhi = x, fx, fhi/2
		default:
			hi, fhi, flo = x, fx, flo/2
		}
	}
	return hi, nil
}

// noncentralT returns P(T <= t) of the noncentral t distribution, by Lenth's
// algorithm AS 243 (1989): a Poisson mixture of incomplete beta functions.
func noncentralT(t, df, shift float64) float64 {
	if t < 0 {
		return 1 - noncentralT(-t, df, -shift)
	}
	half := shift * shift / 2
	switch {
	case half > 700 && shift < 0:
		return 1
	case half > 700: // the weights underflow
		return noncentralFar(t, df, shift)
	}
	x, a, b := t*t/(t*t+df), 0.5, df/2
	rest := math.Exp(b * math.Log1p(-x))
	odd, even := mathext.RegIncBeta(a, b, x), 1-rest
	oddStep := 2 * rest * math.Exp(math.Log(x)/2-mathext.Lbeta(a, b))
	evenStep := b * x * rest
	p := math.Exp(-half) / 2
	q := math.Sqrt(2/math.Pi) * p * shift
	sum, left := p*odd+q*even, 0.5-p
	for i := 1.0; i < 10_000 && left*(odd-oddStep) > 1e-17; i++ {
		a++
		odd, even = odd-oddStep, even-evenStep
		oddStep *= x * (a + b - 1) / a
		evenStep *= x * (a + b - 0.5) / (a + 0.5)
		p *= half / i
		q *= half / (i + 0.5)
		left -= p
		sum += p*odd + q*even
	}
	return normalBelow(-shift) + sum
}

// noncentralFar is the same for a large positive shift, from the definition: T is
// below t where Z < t S - shift, Z being normal and S the root of a chi-square over
// its degrees of freedom. Beyond 9 either way Z does not matter; between, Simpson's
// rule.
func noncentralFar(t, df, shift float64) float64 {
	if t == 0 {
		return 0
	}
	const reach, steps = 9.0, 360
	lnGamma, _ := math.Lgamma(df / 2)
	density := func(s float64) float64 {
		return 2 * math.Exp(df/2*math.Log(df/2)-lnGamma+(df-1)*math.Log(s)-df*s*s/2)
	}
	far := (shift + reach) / t
	sum := 0.0
	for i := 0; i <= steps; i++ {
		z := reach * (2*float64(i)/steps - 1)
		weight := 2 * float64(1+i%2)
		if i == 0 || i == steps {
			weight = 1
		}
		sum += weight * normalBelow(z) * density((shift+z)/t)
	}
	return sum*2*reach/steps/3/t + mathext.GammaIncRegComp(df/2, df*far*far/2)
}
