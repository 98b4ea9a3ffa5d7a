package gate

import (
	"errors"
	"fmt"
	"math"

	"example.com/servemath/throughput"
	"example.com/servemath/throughput/stat"
	"gonum.org/v1/gonum/stat/combin"
)

// Check holds a candidate's runs against a base's. A line is one metric of one
// benchmark: platform, machine, engine, model, quantization, setup, load and tokens
// asked, whatever the engine's version. It fails where a loss is established,
//
//	P(no loss) after Holm over all lines < Alpha
//
// and exceeds MaxLoss and the Floor. It passes where a larger loss than these is
// excluded at Alpha, one-sided; else it is inconclusive. The hypothesis that is tested is no
// loss at all: testing against MaxLoss itself would find a loss of 5% with a
// chance of 2%.
//
// Figures are of requests that completed, so a report in which a larger share fails
// than did, by more than MaxLoss, is held: see [Policy].Failing.
//
// Runs are the repetitions: requests of one run share its noise. The error is for
// no runs, and for a policy out of range.
func Check(base, candidate []throughput.Run, p Policy) (*Report, error) {
	p, err := p.defaults()
	if err != nil {
		return nil, err
	}
	for _, s := range []struct {
		name string
		runs []throughput.Run
	}{{"base", base}, {"candidate", candidate}} {
		if len(s.runs) == 0 {
			return nil, fmt.Errorf("gate: %s: %w", s.name, throughput.ErrEmpty)
		}
	}
	b, c := gather(base, p), gather(candidate, p)
	r := &Report{Policy: p, failing: failsMore(b, c, p.MaxLoss)}
	for _, l := range lines(b, c) {
		r.Entries = append(r.Entries, newEntry(l, b, c, p))
	}
	r.judge()
	r.Warnings = append(r.Warnings, lost(b, c, p)...)
	return r, nil
}

// judge gives every line its outcome and the report its own.
func (r *Report) judge() {
	p := make([]float64, len(r.Entries))
	for i, e := range r.Entries {
		p[i] = e.P
		if e.tested {
			r.Tested++
		}
	}
	adjusted := stat.Holm(p)
	if r.Policy.Uncorrected {
		adjusted = p
	}
	alpha := r.lineAlpha()
	for i := range r.Entries {
		e := &r.Entries[i]
		e.AdjustedP = adjusted[i]
		e.detectable(alpha, r.Policy.Power)
		e.Outcome = e.judge(r.Policy)
	}
	r.warn(alpha)
	r.Outcome = r.outcome()
}

// lineAlpha is the alpha of the line that Holm is hardest on.
func (r *Report) lineAlpha() float64 {
	if r.Policy.Uncorrected {
		return r.Policy.Alpha
	}
	return r.Policy.Alpha / float64(max(1, r.Tested))
}

// outcome is the worst that the policy makes of the lines.
func (r *Report) outcome() Outcome {
	act := map[Outcome]Action{Pass: Ignore, Fail: Reject, Inconclusive: r.Policy.Inconclusive, Untested: r.Policy.Missing}
	worst := Ignore
	if r.failing {
		worst = r.Policy.Failing
	}
	for _, e := range r.Entries {
		if !e.New() {
			worst = max(worst, act[e.Outcome])
		}
	}
	switch {
	case worst == Reject:
		return Fail
	case worst == Hold || r.Tested == 0:
		return Inconclusive // a gate that tested nothing has not passed
	}
	return Pass
}

// warn says where a test is blind.
func (r *Report) warn(alpha float64) {
	blind, constant := 0, 0
	least := 1.0
	for _, e := range r.Entries {
		if !e.tested {
			continue
		}
		if e.test.StdErr == 0 {
			constant++
		}
		if p := rankFloor(e.NBase, e.NCandidate); r.Policy.Test == Ranks && p >= alpha {
			blind++
			least = min(least, p)
		}
	}
	if blind > 0 {
		r.Warnings = append(r.Warnings, fmt.Errorf("%w: %d lines by ranks, whose P is never below %.2g where %.2g is needed; add runs or use Welch", ErrCannotFail, blind, least, alpha))
	}
	if constant > 0 {
		r.Warnings = append(r.Warnings, fmt.Errorf("%w: %d lines repeat the same figures, so any difference is established", throughput.ErrNoVariation, constant))
	}
	if r.Tested == 0 {
		r.Warnings = append(r.Warnings, errors.New("gate: nothing was tested"))
	}
}

// rankFloor is the one-sided P of two samples without overlap.
func rankFloor(n, m int) float64 {
	return math.Exp(-combin.LogGeneralizedBinomial(float64(n+m), float64(n)))
}
