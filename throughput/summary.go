package throughput

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"example.com/servemath/internal/jsonout"
	"example.com/servemath/throughput/stat"
)

// SummaryOptions are the settings of [Summarize]; the zero value is ready.
type SummaryOptions struct {
	Level float64 // of the intervals; 0: 0.95
}

// Summary describes repeated measurements of one quantity, in its unit.
type Summary struct {
	N                          int
	Mean, Lo, Hi, Level        float64 // Student's interval of the mean
	SD, StdErr, CV             float64 // n - 1; CV is SD / |Mean|
	Median, MedianLo, MedianHi float64 // between order statistics; infinite where N is too small
	MedianLevel                float64 // attained, at least Level
	MAD, IQR, Min, Max         float64 // MAD unscaled; IQR of type 7
	EffectiveN                 float64 // independent observations the series is worth; N unless autocorrelated
	Warnings                   []error
}

// Summarize describes a series in the order measured. What it warns of, by
// [errors.Is]:
//
//   - [ErrTooFew]: fewer than 6, so the median has no 95% interval
//   - [ErrDrift]: a trend by Mann and Kendall at 1%, such as a warm-up
//   - [ErrAutocorrelated]: a first autocorrelation above chance at 1%, so the
//     interval is too short; EffectiveN says by how much
//   - [ErrOutliers]: observations beyond 7 scaled MADs from the median
//   - [ErrNoVariation]: all observations equal
//
// One observation has no interval: Lo and Hi are infinite, SD is NaN.
func Summarize(xs []float64, o *SummaryOptions) (Summary, error) {
	level := 0.95
	if o != nil {
		level = cmp.Or(o.Level, level)
	}
	if !(level > 0 && level < 1) {
		return Summary{}, fmt.Errorf("%w: Level = %g", ErrOptions, level)
	}
	median, err := stat.Quantile(xs, 0.5, stat.Type7) // refuses what is no sample
	if err != nil {
		return Summary{}, fmt.Errorf("throughput: %w", err)
	}
	s := Summary{N: len(xs), Level: level, Median: median, EffectiveN: float64(len(xs))}
	s.Min, s.Max = slices.Min(xs), slices.Max(xs)
	s.spread(xs)
	s.mean(xs)
	s.medianInterval(xs)
	s.warn(xs)
	return s, nil
}

// spread sets the robust measures.
func (s *Summary) spread(xs []float64) {
	off := make([]float64, len(xs))
	for i, x := range xs {
		off[i] = math.Abs(x - s.Median)
	}
	s.MAD, _ = stat.Quantile(off, 0.5, stat.Type7)
	upper, _ := stat.Quantile(xs, 0.75, stat.Type7)
	lower, _ := stat.Quantile(xs, 0.25, stat.Type7)
	s.IQR = upper - lower
}

// mean sets the mean and what depends on its standard error.
func (s *Summary) mean(xs []float64) {
	t, err := stat.OneSample(xs)
	if err != nil { // one observation
		s.Mean, s.Lo, s.Hi = xs[0], math.Inf(-1), math.Inf(1)
		s.SD, s.StdErr, s.CV = math.NaN(), math.NaN(), math.NaN()
		return
	}
	i, _ := t.Interval(s.Level)
	s.Mean, s.Lo, s.Hi = i.Estimate, i.Lo, i.Hi
	s.StdErr = t.StdErr
	s.SD = t.StdErr * math.Sqrt(float64(s.N))
	s.CV = s.SD / math.Abs(s.Mean)
	if s.Mean == 0 {
		s.CV = math.NaN()
	}
}

// medianInterval leaves both sides open where the sample is too small for either.
func (s *Summary) medianInterval(xs []float64) {
	i, err := stat.MedianInterval(xs, s.Level)
	if errors.Is(err, stat.ErrTooFew) {
		i = stat.Interval{Lo: math.Inf(-1), Hi: math.Inf(1), Level: 1}
		s.Warnings = append(s.Warnings, fmt.Errorf("no interval of the median at %g%%: %w", 100*s.Level, err))
	}
	s.MedianLo, s.MedianHi, s.MedianLevel = i.Lo, i.Hi, i.Level
}

// minSeries is the shortest series that is examined for drift, autocorrelation
// and outliers: below it the tests see nothing or everything.
const minSeries = 8

func (s *Summary) warn(xs []float64) {
	if s.Min == s.Max && s.N > 1 {
		s.Warnings = append(s.Warnings, fmt.Errorf("%w: all %d observations are %g", ErrNoVariation, s.N, s.Min))
		return
	}
	if s.N < minSeries {
		return
	}
	if t, err := stat.MannKendall(xs); err == nil && t.P < 0.01 {
		s.Warnings = append(s.Warnings, fmt.Errorf("%w: from %g to %g, %v", ErrDrift, xs[0], xs[s.N-1], t))
	}
	if r, err := stat.Autocorrelation(xs, 1); err == nil && correlated(r[1], float64(s.N)) {
		s.EffectiveN, _ = stat.EffectiveSize(xs)
		s.Warnings = append(s.Warnings, fmt.Errorf("%w: correlation %.2f, %d observations are worth about %.0f; see stat.BatchMeans",
			ErrAutocorrelated, r[1], s.N, s.EffectiveN))
	}
	if far := s.outliers(xs); len(far) > 0 {
		s.Warnings = append(s.Warnings, fmt.Errorf("%w: %d of %d, the first is [%d] = %g", ErrOutliers, len(far), s.N, far[0], xs[far[0]]))
	}
}

// correlated tests the first autocorrelation of n observations against the mean
// and variance it has without correlation (Moran 1948), at 1% on one side.
func correlated(r, n float64) bool {
	sd := (n - 2) / (n * math.Sqrt(n-1))
	return (r+1/n)/sd > 2.3263478740408408
}

// outliers returns the places of observations more than 7 scaled median absolute
// deviations from the median. The MAD of a small sample can be small by chance:
// one normal sample of 8 in 60 has such an observation, a longer one hardly ever.
func (s *Summary) outliers(xs []float64) []int {
	const toSD = 1.4826022185056018 // 1 / normal quantile of 3/4
	var far []int
	for i, x := range xs {
		if math.Abs(x-s.Median) > 7*toSD*s.MAD {
			far = append(far, i)
		}
	}
	return far
}

// String gives the form "118.9 (117.6 to 120.2, 95%), median 119, CV 0.88%, n = 5".
func (s Summary) String() string {
	i := stat.Interval{Estimate: s.Mean, Lo: s.Lo, Hi: s.Hi, Level: s.Level}
	scatter := ""
	if !math.IsNaN(s.CV) {
		scatter = fmt.Sprintf("CV %s, ", percent(s.CV))
	}
	return fmt.Sprintf("%v, median %.4g, %sn = %d", i, s.Median, scatter, s.N)
}

// percent has two digits, and never an exponent where the share is large.
func percent(share float64) string {
	if share >= 0.1 {
		return fmt.Sprintf("%.0f%%", 100*share)
	}
	return fmt.Sprintf("%.2g%%", 100*share)
}

// MarshalJSON writes an unbounded side as text and leaves out what is unknown.
func (s Summary) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "n", Value: s.N}, {Name: "mean", Value: s.Mean}, {Name: "lo", Value: s.Lo}, {Name: "hi", Value: s.Hi},
		{Name: "level", Value: s.Level}, {Name: "sd", Value: s.SD}, {Name: "std_err", Value: s.StdErr}, {Name: "cv", Value: s.CV},
		{Name: "median", Value: s.Median}, {Name: "median_lo", Value: s.MedianLo}, {Name: "median_hi", Value: s.MedianHi},
		{Name: "median_level", Value: s.MedianLevel}, {Name: "mad", Value: s.MAD}, {Name: "iqr", Value: s.IQR},
		{Name: "min", Value: s.Min}, {Name: "max", Value: s.Max}, {Name: "effective_n", Value: s.EffectiveN},
		{Name: "warnings", Value: s.Warnings},
	}.MarshalJSON()
}
