package gate

import (
	"fmt"
	"math"

	"example.com/servemath/throughput"
	"example.com/servemath/throughput/stat"
)

// newEntry compares one line, without judging it.
func newEntry(l line, base, candidate side, p Policy) Entry {
	e := Entry{Benchmark: l.name, Metric: l.metric, AdjustedP: math.NaN(), P: math.NaN(),
		Detectable: math.NaN(), Loss: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
	b, c := base.values[l], candidate.values[l]
	e.base, e.candidate = samples(b), samples(c)
	e.NBase, e.NCandidate = len(e.base), len(e.candidate)
	e.Base, e.Candidate = geomean(e.base), geomean(e.candidate)
	if e.Reason = unjudgeable(b, c, e, p); e.Reason == "" {
		e.compare(p)
	}
	return e
}

// geomean is NaN where there is none.
func geomean(xs []float64) float64 {
	g, err := stat.Geomean(xs)
	if err != nil {
		return math.NaN()
	}
	return g
}

// unjudgeable says why a line cannot be tested; "" where it can.
func unjudgeable(b, c []throughput.Value, e Entry, p Policy) string {
	switch {
	case len(b) == 0:
		return "new: the base lacks it"
	case len(c) == 0:
		return "missing: the candidate lacks it"
	}
	for _, v := range append(b[1:len(b):len(b)], c...) {
		if err := throughput.Comparable(b[0], v); err != nil {
			return err.Error()
		}
	}
	for _, s := range []struct {
		name string
		xs   []float64
	}{{"base", e.base}, {"candidate", e.candidate}} {
		if len(s.xs) < p.MinRuns {
			return fmt.Sprintf("too few: %s has %d runs, need %d", s.name, len(s.xs), p.MinRuns)
		}
		if _, err := stat.Geomean(s.xs); err != nil {
			return s.name + ": " + err.Error()
		}
	}
	return ""
}

// compare sets the loss, its interval and the one-sided P of no loss.
func (e *Entry) compare(p Policy) {
	t, err := stat.LogRatio(e.base, e.candidate)
	if err != nil {
		e.Reason = err.Error()
		return
	}
	e.tested, e.test = true, t
	i, _ := t.Ratio(1 - 2*p.Alpha)
	e.Loss, e.Lo, e.Hi = 1-i.Estimate, 1-i.Hi, 1-i.Lo
	e.P = t.Less(0)
	if e.Metric.LowerIsBetter() {
		e.Loss, e.Lo, e.Hi = i.Estimate-1, i.Lo-1, i.Hi-1
		e.P = t.Greater(0)
	}
	if p.Test == Ranks {
		u, err := stat.MannWhitney(e.candidate, e.base)
		if e.P = u.PLess; e.Metric.LowerIsBetter() {
			e.P = u.PGreater
		}
		if err != nil {
			e.P = math.NaN()
		}
	}
}

// detectable sets the loss that the line, at its scatter, would show with the
// policy's power.
func (e *Entry) detectable(alpha, power float64) {
	if !e.tested {
		return
	}
	effect, err := e.test.Detectable(2*alpha, power) // one-sided
	if err != nil {
		return
	}
	e.Detectable = -math.Expm1(-effect)
	if e.Metric.LowerIsBetter() {
		e.Detectable = math.Expm1(effect)
	}
}

func (e *Entry) judge(p Policy) Outcome {
	if !e.tested {
		return Untested
	}
	most := max(p.MaxLoss, p.Floor[e.Metric]/e.Base) // the loss that may pass
	switch {
	case e.Loss > most && e.AdjustedP < p.Alpha:
		e.Reason = fmt.Sprintf("a loss of %s is established", percent(e.Loss))
		return Fail
	case e.Hi <= most:
		return Pass
	}
	e.Reason = fmt.Sprintf("a loss of up to %s is not excluded", percent(e.Hi))
	return Inconclusive
}
