package stat

import (
	"fmt"
	"math"

	"example.com/servemath/internal/jsonout"
)

// TestResult is a t test of an effect against none.
type TestResult struct {
	Statistic float64 // t
	DF        float64 // degrees of freedom
	P         float64 // two-sided
	Diff      float64 // the effect
	StdErr    float64 // its standard error
}

// tTest judges an effect by its standard error.
func tTest(effect, stdErr, df float64) TestResult {
	t := statistic(effect, stdErr)
	return TestResult{Statistic: t, DF: df, P: studentTwoSided(t, df), Diff: effect, StdErr: stdErr}
}

// Greater returns the one-sided P of the alternative "the effect is above mu".
func (r TestResult) Greater(mu float64) float64 {
	return studentAbove(statistic(r.Diff-mu, r.StdErr), r.DF)
}

// Less returns the one-sided P of the alternative "the effect is below mu".
func (r TestResult) Less(mu float64) float64 {
	return studentAbove(statistic(mu-r.Diff, r.StdErr), r.DF)
}

// Interval returns the two-sided confidence interval of the effect.
func (r TestResult) Interval(level float64) (Interval, error) {
	if err := checkOpen("level", level, 0, 1); err != nil {
		return Interval{}, err
	}
	if !(r.DF > 0) {
		return Interval{}, fmt.Errorf("%w: %g degrees of freedom", ErrParameter, r.DF)
	}
	w := halfWidth(level, r.DF) * r.StdErr
	return Interval{r.Diff, r.Diff - w, r.Diff + w, level}, nil
}

// Ratio is [TestResult.Interval] of a test of log ratios, as a ratio.
func (r TestResult) Ratio(level float64) (Interval, error) {
	i, err := r.Interval(level)
	if err != nil {
		return Interval{}, err
	}
	return Interval{math.Exp(i.Estimate), math.Exp(i.Lo), math.Exp(i.Hi), level}, nil
}

// String gives the one-line form.
func (r TestResult) String() string {
	return fmt.Sprintf("difference %.4g ± %.2g, t = %.3g on %.3g degrees of freedom, p = %.2g",
		r.Diff, r.StdErr, r.Statistic, r.DF, r.P)
}

// MarshalJSON writes infinities as text.
func (r TestResult) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "statistic", Value: r.Statistic}, {Name: "df", Value: r.DF}, {Name: "p", Value: r.P},
		{Name: "diff", Value: r.Diff}, {Name: "std_err", Value: r.StdErr},
	}.MarshalJSON()
}

// OneSample tests whether the mean of xs is zero: Student's t (1908) on n - 1
// degrees of freedom. It needs two observations.
func OneSample(xs []float64) (TestResult, error) {
	if err := checkFinite("xs", xs, 2); err != nil {
		return TestResult{}, err
	}
	m, v := meanVar(xs)
	n := float64(len(xs))
	return tTest(m, math.Sqrt(v/n), n-1), nil
}
