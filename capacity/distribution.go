package capacity

import (
	"fmt"
	"math"
)

// TTFTCDF is the share of arrivals whose first token comes within seconds. It is
// NaN for a NaN, and on a projected sweep, whose TTFT under load is not known.
func (p Point) TTFTCDF(seconds float64) float64 {
	switch {
	case p.seen == nil || p.seen.st.projected || math.IsNaN(seconds):
		return math.NaN()
	case seconds < 0:
		return 0
	case seconds == 0: // a target of 0 would be none
		seconds = math.SmallestNonzeroFloat64
	}
	return p.seen.attainment(Targets{MaxTTFTSeconds: seconds})
}

// Attainment is the share of arrivals that meet every target that is set, by the
// state that each finds. The share that t itself asks for plays no part.
func (p Point) Attainment(t Targets) (float64, error) {
	if err := t.check(); err != nil {
		return math.NaN(), err
	}
	if p.seen == nil {
		return math.NaN(), fmt.Errorf("%w: a Point that no method of a Sweep returned", ErrEmptySweep)
	}
	if p.seen.st.projected && t.MaxTTFTSeconds > 0 {
		return math.NaN(), errProjected
	}
	return p.seen.attainment(t), nil
}

// TTFTQuantile is the smallest time within which the share q of arrivals has its
// first token. The distribution has a jump at the TTFT of every number in
// service, so neighbouring q often share a quantile. q outside (0, 1) is
// [ErrTargets].
func (p Point) TTFTQuantile(q float64) (float64, error) {
	if !(q > 0 && q < 1) {
		return math.NaN(), fmt.Errorf("%w: quantile %v is not between 0 and 1", ErrTargets, q)
	}
	if p.seen == nil {
		return math.NaN(), fmt.Errorf("%w: a Point that no method of a Sweep returned", ErrEmptySweep)
	}
	if p.seen.st.projected {
		return math.NaN(), errProjected
	}
	return p.seen.ttftQuantile(q), nil
}

// attainment sums positive terms only, so small shares keep their precision.
func (l *law) attainment(t Targets) float64 {
	st, k := l.st, l.st.slots()
	var s sum
	for n, share := range l.inner {
		if st.meets(n, t) {
			s.add(share)
		}
	}
	if st.meets(k, t) {
		s.add(l.waitCDF(st.spare(t)))
	}
	return s.value()
}

// meets reports whether a request that makes n in service meets the targets.
func (st *station) meets(n int, t Targets) bool {
	return t.met(st.ttft[n-1], st.work.tps(st.ttft[n-1], st.tpot[n-1]), st.resp[n-1])
}

// spare is the wait for a slot that the targets leave to a request served with
// every slot busy.
func (st *station) spare(t Targets) float64 {
	k, spare := st.slots()-1, math.Inf(1)
	if t.MaxTTFTSeconds > 0 {
		spare = min(spare, t.MaxTTFTSeconds-st.ttft[k])
	}
	if t.MaxE2ESeconds > 0 {
		spare = min(spare, t.MaxE2ESeconds-st.resp[k])
	}
	return spare
}

// waitCDF is the share of newcomers that wait for a slot, but no longer than y:
// the one that makes k+i present waits for i completions, an Erlang time, and
// P(Erlang(i) <= y) is P(Poisson(mu y) >= i). Summed over the Poisson count
// instead, every term is positive.
func (l *law) waitCDF(y float64) float64 {
	mu, k := l.st.topRate(), l.st.slots()
	switch {
	case l.tail == 0 || y <= 0:
		return 0
	case l.rho > 0:
		return l.queued() * -math.Expm1(-mu*(1-l.rho)*y)
	}
	from := max(0, k+1-l.first) // the first waiting state in p
	offset := l.first + from - k
	waiting := l.p[from:]
	last := offset + len(waiting) - 1
	x := mu * y // may be infinite
	if x >= float64(2*last+1500) {
		return l.queued() // by Chernoff's bound more than last completions, but for 1e-300
	}
	first, w := poissonWeights(x)
	var reached, total, s sum
	next := 0
	for i, v := range w {
		for next < len(waiting) && offset+next <= first+i {
			reached.add(waiting[next])
			next++
		}
		total.add(v)
		s.add(v * reached.value())
	}
	return s.value() / total.value() * mu / l.x
}

// poissonWeights are proportional to the Poisson probabilities of mean x.
func poissonWeights(x float64) (first int, w []float64) {
	mode := int(x)
	return chain{
		ratio: func(n int) float64 { return x / float64(n) },
		top:   math.MaxInt, cut: negligible, mode: mode, lo: mode, hi: mode,
	}.outward()
}
