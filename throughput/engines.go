package throughput

import (
	"fmt"
	"math"

	"example.com/servemath/internal/jsonout"
	"example.com/servemath/throughput/stat"
)

// EngineComparison says how engine A does against engine B over the places where
// both were measured. Rows of one machine move together, so the verdict rests on
// the machines' means; the narrower interval over rows is for comparison with
// figures published elsewhere.
type EngineComparison struct {
	A, B               string
	N, Machines        int           // places, and machines they lie on
	Estimate           float64       // geometric mean of A / B over places
	Rows               stat.Interval // places taken as independent: too narrow
	ByMachine          stat.Interval // around the machines' mean, which is not Estimate
	Bootstrap          stat.Interval // percentiles over resampled machines
	P                  float64       // two-sided t test of the machines' means; NaN for one machine
	Wins, Ties, Losses int           // places that A wins; equal prints tie
	OneStep            int           // wins and losses by one step of the last printed digit
	RoundingError      float64       // the most that rounded prints can have moved Estimate, relative
	Margin             float64
	Verdict            Verdict // on A
	Warnings           []error
}

// CompareEngines pairs two engines over platform, machine, model and setup. Its
// estimate is the geometric mean of A / B. The verdict comes from Student's t
// test on the unweighted machine means of the log ratio, with one degree of
// freedom less than machines: Equivalent when two one-sided tests put it within
// the margin, else Faster or Slower when its P is below 1 - Level.
//
// It refuses values that are not positive, a place measured twice for one of the
// engines, and engines without a common place.
func CompareEngines(rows []Row, a, b string, o *EngineOptions) (EngineComparison, error) {
	opt, err := o.defaults()
	if err != nil {
		return EngineComparison{}, err
	}
	if a == b {
		return EngineComparison{}, fmt.Errorf("%w: %q against itself", ErrUnpaired, a)
	}
	ix, err := newIndex(rows, func(r Row) bool { return opt.admits(r) && (r.Engine == a || r.Engine == b) })
	if err != nil {
		return EngineComparison{}, err
	}
	pairs := ix.pairs(a, b)
	if len(pairs) == 0 {
		return EngineComparison{}, fmt.Errorf("%w: %q has %d places, %q has %d, and none is common", ErrUnpaired, a, ix.count(a), b, ix.count(b))
	}
	return comparePairs(a, b, pairs, opt), nil
}

func (o EngineOptions) admits(r Row) bool {
	return (o.Platform == "" || r.Platform == o.Platform) && (o.Setup == "" || r.Setup == o.Setup)
}

// comparePairs is [CompareEngines] on pairs in order of place.
func comparePairs(a, b string, pairs []pair, o EngineOptions) EngineComparison {
	c := EngineComparison{A: a, B: b, N: len(pairs), Margin: o.Margin}
	c.count(pairs, o.LowerIsBetter)
	logs := make([]float64, len(pairs))
	for i, p := range pairs {
		logs[i] = math.Log(p.a / p.b)
	}
	groups := machines(pairs, logs)
	c.Machines = len(groups)
	c.Estimate = math.Exp(sum(logs) / float64(len(logs)))
	c.Rows, _ = ratioOf(logs, o.Level)
	c.Bootstrap = bootstrap(groups, c.Estimate, o)
	c.judge(groups, o)
	return c
}

// count tallies wins, ties and losses and what rounding can have done.
func (c *EngineComparison) count(pairs []pair, lowerIsBetter bool) {
	var off float64
	for _, p := range pairs {
		stepA, stepB := step(p.a), step(p.b)
		off += math.Log1p(stepA/2/p.a) + math.Log1p(stepB/2/p.b)
		switch {
		case p.a == p.b:
			c.Ties++
			continue
		case p.a > p.b != lowerIsBetter:
			c.Wins++
		default:
			c.Losses++
		}
		if math.Abs(p.a-p.b) <= max(stepA, stepB)*(1+1e-9) {
			c.OneStep++
		}
	}
	c.RoundingError = math.Expm1(off / float64(len(pairs)))
}

// judge sets the interval over machines, its P and the verdict.
func (c *EngineComparison) judge(groups []group, o EngineOptions) {
	means := make([]float64, len(groups))
	for i, g := range groups {
		means[i] = g.sum / float64(g.n)
	}
	var test stat.TestResult
	c.ByMachine, test = ratioOf(means, o.Level)
	c.P = test.P
	if len(groups) < 2 {
		c.Warnings = append(c.Warnings, fmt.Errorf("%w: one machine says nothing about others", ErrTooFew))
		return
	}
	c.Verdict = verdict(test, o.Level, o.Margin, o.LowerIsBetter)
	if len(groups) < 4 {
		c.Warnings = append(c.Warnings, fmt.Errorf("%w: %d machines make a wide interval", ErrTooFew, len(groups)))
	}
	if test.StdErr == 0 {
		c.Warnings = append(c.Warnings, fmt.Errorf("%w: every machine has the same mean ratio", ErrNoVariation))
	}
	if (c.Estimate-1)*(c.ByMachine.Estimate-1) < 0 {
		c.Warnings = append(c.Warnings, fmt.Errorf("%w: the mean over places is %.3f, over machines %.3f",
			ErrDisagree, c.Estimate, c.ByMachine.Estimate))
	}
}

// verdict reads a t test of a log ratio. Lying within the margin is two
// one-sided tests at alpha (Schuirmann 1987); it comes first, since a difference
// that cannot matter is no news however sure it is.
func verdict(t stat.TestResult, level, margin float64, lowerIsBetter bool) Verdict {
	alpha := 1 - level
	switch {
	case t.Within(margin).P < alpha:
		return Equivalent
	case !(t.P < alpha):
		return Inconclusive
	case t.Diff > 0 != lowerIsBetter:
		return Faster
	}
	return Slower
}

// ratioOf is Student's interval of a mean log ratio, as a ratio. One observation
// leaves it unbounded, and its test unknown.
func ratioOf(logs []float64, level float64) (stat.Interval, stat.TestResult) {
	if len(logs) < 2 {
		nan := math.NaN()
		return stat.Interval{Estimate: math.Exp(logs[0]), Lo: 0, Hi: math.Inf(1), Level: level},
			stat.TestResult{Statistic: nan, P: nan, Diff: logs[0], StdErr: nan}
	}
	t, _ := stat.OneSample(logs) // logarithms of positive numbers, two or more: it cannot fail
	i, _ := t.Ratio(level)
	return i, t
}

// String gives one line, such as "Pie against SGLang: 1.091 (1.047 to 1.118, 95%
// over 10 machines), 68-4-11 of 83: faster".
func (c EngineComparison) String() string {
	return fmt.Sprintf("%s against %s: %.3f (%.3f to %.3f, %g%% over %d machines), %d-%d-%d of %d: %v", c.A, c.B, c.Estimate,
		c.ByMachine.Lo, c.ByMachine.Hi, 100*c.ByMachine.Level, c.Machines, c.Wins, c.Ties, c.Losses, c.N, c.Verdict)
}

// MarshalJSON writes an unbounded side as text and leaves out what is unknown.
func (c EngineComparison) MarshalJSON() ([]byte, error) { return c.object().MarshalJSON() }

func (c EngineComparison) object() jsonout.Object {
	return jsonout.Object{
		{Name: "a", Value: c.A}, {Name: "b", Value: c.B}, {Name: "n", Value: c.N}, {Name: "machines", Value: c.Machines},
		{Name: "ratio", Value: c.Estimate}, {Name: "rows", Value: c.Rows}, {Name: "by_machine", Value: c.ByMachine},
		{Name: "bootstrap", Value: c.Bootstrap}, {Name: "p", Value: c.P},
		{Name: "wins", Value: c.Wins}, {Name: "ties", Value: c.Ties}, {Name: "losses", Value: c.Losses},
		{Name: "one_step", Value: c.OneStep}, {Name: "rounding_error", Value: c.RoundingError},
		{Name: "margin", Value: c.Margin}, {Name: "verdict", Value: c.Verdict}, {Name: "warnings", Value: c.Warnings},
	}
}
