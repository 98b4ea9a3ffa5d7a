package gate

import (
	"fmt"

	"example.com/servemath/internal/jsonout"
	"example.com/servemath/throughput"
	"example.com/servemath/throughput/stat"
)

// Outcome is what became of a line or of a report.
type Outcome int

const (
	Inconclusive Outcome = iota // neither a loss nor the absence of one is established
	Pass
	Fail
	Untested // a line only: one side lacks it, or has too few runs
)

var outcomes = [...]string{"inconclusive", "pass", "fail", "untested"}

// String gives the outcome as a word.
func (o Outcome) String() string {
	if o < 0 || int(o) >= len(outcomes) {
		return fmt.Sprintf("Outcome(%d)", int(o))
	}
	return outcomes[o]
}

// MarshalText gives the outcome as a word.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// Entry is one metric of one benchmark.
type Entry struct {
	Benchmark         string
	Metric            throughput.Metric
	NBase, NCandidate int     // independent observations
	Base, Candidate   float64 // geometric means; NaN: none
	Loss, Lo, Hi      float64 // relative, of the candidate, with its interval at 1 - 2 Alpha; below 0 is a gain
	P, AdjustedP      float64 // of no loss, one-sided; after Holm
	Detectable        float64 // the loss that this line would show with the policy's power, after Holm
	Outcome           Outcome
	Reason            string // "" where it passes

	tested          bool
	test            stat.TestResult // of log ratios
	base, candidate []float64
}

// New reports whether the base lacks the line: it is shown and not judged.
func (e Entry) New() bool { return e.NBase == 0 }

// Report is what [Check] found.
type Report struct {
	Outcome  Outcome // Pass, Fail or Inconclusive
	Entries  []Entry // in order of benchmark and metric
	Tested   int     // lines that could be judged
	Policy   Policy  // with its defaults
	Warnings []error

	failing bool // the share of failed requests rose
}

// ExitCode returns 0 for a pass, 1 for a failure and 3 for neither; 2 is left to
// bad input.
func (r *Report) ExitCode() int {
	switch r.Outcome {
	case Pass:
		return 0
	case Fail:
		return 1
	}
	return 3
}

// count returns how many lines have an outcome.
func (r *Report) count(o Outcome) int {
	n := 0
	for _, e := range r.Entries {
		if e.Outcome == o && !e.New() {
			n++
		}
	}
	return n
}

// String gives one line, such as "fail: 1 of 48 lines failed, 5 inconclusive, 0
// untested".
func (r *Report) String() string {
	return fmt.Sprintf("%v: %d of %d lines failed, %d inconclusive, %d untested",
		r.Outcome, r.count(Fail), r.Tested, r.count(Inconclusive), r.count(Untested))
}

// MarshalJSON leaves out what is unknown.
func (r *Report) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "outcome", Value: r.Outcome}, {Name: "tested", Value: r.Tested},
		{Name: "failed", Value: r.count(Fail)}, {Name: "inconclusive", Value: r.count(Inconclusive)}, {Name: "untested", Value: r.count(Untested)},
		{Name: "alpha", Value: r.Policy.Alpha}, {Name: "max_loss", Value: r.Policy.MaxLoss}, {Name: "power", Value: r.Policy.Power},
		{Name: "entries", Value: r.Entries}, {Name: "warnings", Value: r.Warnings},
	}.MarshalJSON()
}

// MarshalJSON leaves out what is unknown.
func (e Entry) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "benchmark", Value: e.Benchmark}, {Name: "metric", Value: e.Metric}, {Name: "unit", Value: e.Metric.Unit()},
		{Name: "n_base", Value: e.NBase}, {Name: "n_candidate", Value: e.NCandidate},
		{Name: "base", Value: e.Base}, {Name: "candidate", Value: e.Candidate},
		{Name: "loss", Value: e.Loss}, {Name: "lo", Value: e.Lo}, {Name: "hi", Value: e.Hi},
		{Name: "p", Value: e.P}, {Name: "adjusted_p", Value: e.AdjustedP}, {Name: "detectable", Value: e.Detectable},
		{Name: "outcome", Value: e.Outcome}, {Name: "reason", Value: e.Reason},
	}.MarshalJSON()
}
