package gate

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"example.com/servemath/throughput"
)

// Policy says what a gate lets pass; the zero value is ready.
type Policy struct {
	// Metrics to judge; nil: OutputRate, PrefillRate, DecodeRate, TTFT, TPOT and
	// E2E, and whatever else a run has that has none of these. Each further metric
	// costs the others power.
	Metrics []throughput.Metric
	MaxLoss float64 // relative loss that may pass however sure it is; 0: 0.03
	// Floor is, by metric and in its unit, a loss too small to care about: 5 ms of a
	// TTFT of 50 ms may be 10%.
	Floor        map[throughput.Metric]float64
	Alpha        float64 // chance of any false failure in the whole suite; 0: 0.05
	Uncorrected  bool    // Alpha is each line's: no Holm
	MinRuns      int     // runs a side that a line needs, 2 or more; 0: 3
	Test         Test
	Power        float64 // at which Entry.Detectable is stated; 0: 0.8
	Missing      Action  // for a line that cannot be judged: one side lacks it or has too few runs; default Hold
	Failing      Action  // where the share of failed requests rose by more than MaxLoss: figures are of the others; default Hold
	Inconclusive Action  // for a line with neither a loss nor the absence of one established; default Ignore
}

// Test is how a loss is established.
type Test int

const (
	Welch Test = iota // one-sided, on logarithms
	Ranks             // Mann-Whitney, one-sided: see [ErrCannotFail]
)

// Action is what a line does to the outcome.
type Action int

const (
	Default Action = iota
	Ignore         // nothing
	Hold           // makes a pass inconclusive
	Reject         // makes it a failure
)

// Errors of a policy, and what a report warns of.
var (
	ErrPolicy     = errors.New("gate: policy out of range")
	ErrCannotFail = errors.New("gate: the test can never fail a line")
)

// headline are the metrics judged unless the policy names its own.
var headline = []throughput.Metric{
	throughput.OutputRate, throughput.PrefillRate, throughput.DecodeRate, throughput.TTFT, throughput.TPOT, throughput.E2E,
}

func (p Policy) defaults() (Policy, error) {
	p.MaxLoss = cmp.Or(p.MaxLoss, 0.03)
	p.Alpha = cmp.Or(p.Alpha, 0.05)
	p.Power = cmp.Or(p.Power, 0.8)
	p.MinRuns = cmp.Or(p.MinRuns, 3)
	p.Missing = cmp.Or(p.Missing, Hold)
	p.Failing = cmp.Or(p.Failing, Hold)
	p.Inconclusive = cmp.Or(p.Inconclusive, Ignore)
	return p, p.check()
}

func (p Policy) check() error {
	for _, f := range []struct {
		name  string
		value float64
	}{{"MaxLoss", p.MaxLoss}, {"Alpha", p.Alpha}, {"Power", p.Power}} {
		if !(f.value > 0 && f.value < 1) {
			return fmt.Errorf("%w: %s = %g, want more than 0 and less than 1", ErrPolicy, f.name, f.value)
		}
	}
	for m, x := range p.Floor {
		if !(x >= 0) || math.IsInf(x, 1) {
			return fmt.Errorf("%w: Floor of %s = %g", ErrPolicy, m, x)
		}
	}
	switch {
	case p.MinRuns < 2:
		return fmt.Errorf("%w: MinRuns = %d, want 2 or more", ErrPolicy, p.MinRuns)
	case p.Test < Welch || p.Test > Ranks:
		return fmt.Errorf("%w: Test(%d)", ErrPolicy, int(p.Test))
	}
	for _, a := range []Action{p.Missing, p.Failing, p.Inconclusive} {
		if a < Default || a > Reject {
			return fmt.Errorf("%w: Action(%d)", ErrPolicy, int(a))
		}
	}
	return nil
}
