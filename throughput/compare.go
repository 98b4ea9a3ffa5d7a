package throughput

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"example.com/servemath/internal/jsonout"
	"example.com/servemath/throughput/stat"
	"gonum.org/v1/gonum/stat/combin"
)

// CompareOptions are the settings of [Compare]; the zero value is ready.
type CompareOptions struct {
	Level         float64 // of the interval; 0: 0.95. The verdict's alpha is 1 - Level
	Margin        float64 // relative difference that does not matter; 0: 0.03
	LowerIsBetter bool    // the samples are latencies
	Power         float64 // at which Detectable is stated; 0: 0.8
}

func (o *CompareOptions) defaults() (CompareOptions, error) {
	var out CompareOptions
	if o != nil {
		out = *o
	}
	out.Level = cmp.Or(out.Level, 0.95)
	out.Margin = cmp.Or(out.Margin, 0.03)
	out.Power = cmp.Or(out.Power, 0.8)
	for _, f := range []struct {
		name  string
		value float64
	}{{"Level", out.Level}, {"Margin", out.Margin}, {"Power", out.Power}} {
		if !(f.value > 0 && f.value < 1) {
			return out, fmt.Errorf("%w: %s = %g, want more than 0 and less than 1", ErrOptions, f.name, f.value)
		}
	}
	return out, nil
}

// Comparison says how a candidate's repeated measurements do against a base's.
type Comparison struct {
	NBase, NCandidate int
	Base, Candidate   float64 // geometric means
	Ratio, Lo, Hi     float64 // candidate over base, with its interval
	Level             float64
	P                 float64 // Welch's t test on logarithms, two-sided
	PEquivalent       float64 // of a ratio outside the margin
	PRank             float64 // Mann-Whitney, for comparison
	Margin            float64
	Detectable        float64 // relative difference that samples like these show with probability Power
	Power             float64
	Verdict           Verdict // on the candidate
	Warnings          []error
}

// Compare compares two samples of one quantity, each of two or more positive
// measurements of separate runs: requests or gaps of one run are not separate.
// Welch's test on logarithms gives the ratio of geometric means; two one-sided
// tests at alpha make it Equivalent, even where a difference is established; else
// a P below alpha makes it Faster or Slower; else it is Inconclusive, and
// Detectable says how large a difference could have been missed.
func Compare(base, candidate []float64, o *CompareOptions) (Comparison, error) {
	opt, err := o.defaults()
	if err != nil {
		return Comparison{}, err
	}
	t, err := stat.LogRatio(base, candidate)
	if err != nil {
		return Comparison{}, fmt.Errorf("throughput: base is a, candidate is b: %w", err)
	}
	c := Comparison{NBase: len(base), NCandidate: len(candidate), Level: opt.Level, Margin: opt.Margin, Power: opt.Power, P: t.P}
	c.Base, _ = stat.Geomean(base) // checked above
	c.Candidate, _ = stat.Geomean(candidate)
	i, _ := t.Ratio(opt.Level)
	c.Ratio, c.Lo, c.Hi = i.Estimate, i.Lo, i.Hi
	c.PEquivalent = t.Within(opt.Margin).P
	c.Verdict = verdict(t, opt.Level, opt.Margin, opt.LowerIsBetter)
	u, _ := stat.MannWhitney(base, candidate)
	c.PRank = u.P
	effect, _ := t.Detectable(1-opt.Level, opt.Power)
	c.Detectable = math.Expm1(effect)
	c.warn(base, candidate, opt)
	return c, nil
}

// warn examines each sample, and how the two tests agree.
func (c *Comparison) warn(base, candidate []float64, o CompareOptions) {
	for _, s := range []struct {
		name string
		xs   []float64
	}{{"base", base}, {"candidate", candidate}} {
		summary, err := Summarize(s.xs, &SummaryOptions{Level: o.Level})
		if err != nil {
			continue // no better sample than the comparison's own
		}
		for _, w := range summary.Warnings {
			if !errors.Is(w, ErrTooFew) { // an interval of the median is not asked for
				c.Warnings = append(c.Warnings, fmt.Errorf("%s: %w", s.name, w))
			}
		}
	}
	alpha := 1 - o.Level
	if c.P < alpha != (c.PRank < alpha) && smallestRankP(c.NBase, c.NCandidate) < alpha {
		c.Warnings = append(c.Warnings, fmt.Errorf("%w: p = %.2g by means, %.2g by ranks", ErrDisagree, c.P, c.PRank))
	}
}

// smallestRankP is the P of two samples without overlap, the least that a rank
// test can give.
func smallestRankP(n, m int) float64 {
	return min(1, 2*math.Exp(-combin.LogGeneralizedBinomial(float64(n+m), float64(n))))
}

// String gives one line, such as "1.032 (1.018 to 1.047, 95%), n = 8 v 10, sees
// 1.8% and more: faster".
func (c Comparison) String() string {
	return fmt.Sprintf("%.3f (%.3f to %.3f, %g%%), n = %d v %d, sees %s and more: %v",
		c.Ratio, c.Lo, c.Hi, 100*c.Level, c.NBase, c.NCandidate, percent(c.Detectable), c.Verdict)
}

// MarshalJSON leaves out what is unknown.
func (c Comparison) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "n_base", Value: c.NBase}, {Name: "n_candidate", Value: c.NCandidate},
		{Name: "base", Value: c.Base}, {Name: "candidate", Value: c.Candidate},
		{Name: "ratio", Value: c.Ratio}, {Name: "lo", Value: c.Lo}, {Name: "hi", Value: c.Hi}, {Name: "level", Value: c.Level},
		{Name: "p", Value: c.P}, {Name: "p_equivalent", Value: c.PEquivalent}, {Name: "p_rank", Value: c.PRank},
		{Name: "margin", Value: c.Margin}, {Name: "detectable", Value: c.Detectable}, {Name: "power", Value: c.Power},
		{Name: "verdict", Value: c.Verdict}, {Name: "warnings", Value: c.Warnings},
	}.MarshalJSON()
}
