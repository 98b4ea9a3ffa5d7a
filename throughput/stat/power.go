package stat

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
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
	df := float64(n1 + n2 - 2)
	t := studentQuantile(1-alpha/2, df)
	shift := math.Abs(d) * math.Sqrt(1/(1/float64(n1)+1/float64(n2)))
	return 1 - noncentralT(t, df, shift) + noncentralT(-t, df, shift)
}

// MinDetectable returns the smallest difference, in standard deviations, that a
// two-sided two-sample t test of n1 and n2 observations at alpha finds with the
// given power. Times the coefficient of variation it is a relative effect: what a
// comparison that found nothing could have seen. For a one-sided test pass twice
// its alpha.
func MinDetectable(n1, n2 int, alpha, power float64) (float64, error) {
	if err := checkOpen("power", power, 0, 1); err != nil {
		return 0, err
	}
	at0, err := Power(n1, n2, 0, alpha)
	if err != nil {
		return 0, err
	}
	if power <= at0 {
		return 0, nil
	}
	return detectable(n1, n2, alpha, power), nil
}

// detectable bisects on the power, which grows with the difference.
func detectable(n1, n2 int, alpha, want float64) float64 {
	lo, hi := 0.0, 1.0
	for power(n1, n2, hi, alpha) < want && hi < limit {
		lo, hi = hi, 2*hi
	}
	for range 200 {
		mid := lo + (hi-lo)/2
		if mid == lo || mid == hi {
			break
		}
		if power(n1, n2, mid, alpha) < want {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}

// noncentralT returns P(T <= t) of the noncentral t distribution, by Lenth's
// algorithm AS 243 (1989): a Poisson mixture of incomplete beta functions.
func noncentralT(t, df, shift float64) float64 {
	if t < 0 {
		return 1 - noncentralT(-t, df, -shift)
	}
	half := shift * shift / 2
	if half > 700 { // the weights underflow; Johnson and Welch (1940)
		return normalBelow((t*(1-1/(4*df)) - shift) / math.Sqrt(1+t*t/(2*df)))
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
