package stat

import (
	"fmt"
	"math"

	"example.com/servemath/internal/jsonout"
	"gonum.org/v1/gonum/mathext"
)

// Autocorrelation returns the correlation of a series with itself shifted by 0
// to maxLag, from autocovariances divided by n. A constant series has none:
// [ErrConstant].
func Autocorrelation(xs []float64, maxLag int) ([]float64, error) {
	if err := checkFinite("xs", xs, 2); err != nil {
		return nil, err
	}
	if maxLag < 0 || maxLag >= len(xs) {
		return nil, fmt.Errorf("%w: lag %d of %d observations", ErrParameter, maxLag, len(xs))
	}
	out := make([]float64, maxLag+1)
	centred := centre(xs)
	for k := range out {
		out[k] = autocovariance(centred, k)
	}
	if out[0] == 0 {
		return nil, fmt.Errorf("%w: all %d observations are %g", ErrConstant, len(xs), xs[0])
	}
	for k := maxLag; k >= 0; k-- {
		out[k] /= out[0]
	}
	return out, nil
}

// centre returns the deviations from the mean.
func centre(xs []float64) []float64 {
	m := mean(xs)
	out := make([]float64, len(xs))
	for i, x := range xs {
		out[i] = x - m
	}
	return out
}

// autocovariance of deviations at a lag, divided by n.
func autocovariance(centred []float64, lag int) float64 {
	var sum float64
	for i := lag; i < len(centred); i++ {
		sum += centred[i] * centred[i-lag]
	}
	return sum / float64(len(centred))
}

// LongRunStdErr returns the standard error of a mean whose observations are
// correlated up to a lag: Newey and West (1987), Bartlett's weights.
func LongRunStdErr(xs []float64, maxLag int) (float64, error) {
	if err := checkFinite("xs", xs, 2); err != nil {
		return 0, err
	}
	if maxLag < 0 || maxLag >= len(xs) {
		return 0, fmt.Errorf("%w: lag %d of %d observations", ErrParameter, maxLag, len(xs))
	}
	centred := centre(xs)
	v := autocovariance(centred, 0)
	for k := 1; k <= maxLag; k++ {
		v += 2 * (1 - float64(k)/float64(maxLag+1)) * autocovariance(centred, k)
	}
	return math.Sqrt(v / float64(len(xs))), nil
}

// EffectiveSize returns how many independent observations a correlated series is
// worth, n / tau, with tau summed over Geyer's (1992) initial positive sequence:
// pairs of neighbouring autocorrelations up to the first that is not positive, or
// up to lag 2,000. It is at most n.
func EffectiveSize(xs []float64) (float64, error) {
	if err := checkFinite("xs", xs, 2); err != nil {
		return 0, err
	}
	centred := centre(xs)
	c0 := autocovariance(centred, 0)
	if c0 == 0 {
		return 0, fmt.Errorf("%w: all %d observations are %g", ErrConstant, len(xs), xs[0])
	}
	tau := -1.0
	const maxLag = 2000 // a drift never ends, and every lag takes n steps
	for k := 0; k+1 < min(len(xs), maxLag); k += 2 {
		pair := (autocovariance(centred, k) + autocovariance(centred, k+1)) / c0
		if pair <= 0 {
			break
		}
		tau += 2 * pair
	}
	return float64(len(xs)) / max(1, tau), nil
}

// BatchMeans returns the mean with Student's interval over the means of
// consecutive batches of equal size, which correlate less than their members. A
// rest that fills no batch is left out at the start, where warm-up is.
func BatchMeans(xs []float64, batches int, level float64) (Interval, error) {
	if batches < 2 {
		return Interval{}, fmt.Errorf("%w: %d batches, want 2 or more", ErrParameter, batches)
	}
	if err := checkFinite("xs", xs, batches); err != nil {
		return Interval{}, err
	}
	size := len(xs) / batches
	rest := xs[len(xs)-size*batches:]
	means := make([]float64, batches)
	for i := range means {
		means[i] = mean(rest[i*size : (i+1)*size])
	}
	r, err := OneSample(means)
	if err != nil {
		return Interval{}, err
	}
	return r.Interval(level)
}

// ChiSquareResult is a test whose statistic has a chi-square distribution.
type ChiSquareResult struct{ Statistic, DF, P float64 }

// LjungBox tests the first lags of a series for autocorrelation (Ljung and Box
// 1978).
func LjungBox(xs []float64, lags int) (ChiSquareResult, error) {
	r, err := Autocorrelation(xs, lags)
	if err != nil {
		return ChiSquareResult{}, err
	}
	if lags < 1 {
		return ChiSquareResult{}, fmt.Errorf("%w: %d lags, want 1 or more", ErrParameter, lags)
	}
	n := float64(len(xs))
	var q float64
	for k := 1; k <= lags; k++ {
		q += r[k] * r[k] / (n - float64(k))
	}
	q *= n * (n + 2)
	return ChiSquareResult{q, float64(lags), mathext.GammaIncRegComp(float64(lags)/2, q/2)}, nil
}

// String gives the one-line form.
func (r ChiSquareResult) String() string {
	return fmt.Sprintf("chi-square %.3g on %g degrees of freedom, p = %.2g", r.Statistic, r.DF, r.P)
}

// MarshalJSON gives the figures.
func (r ChiSquareResult) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "statistic", Value: r.Statistic}, {Name: "df", Value: r.DF}, {Name: "p", Value: r.P},
	}.MarshalJSON()
}
