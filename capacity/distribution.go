package capacity

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
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

// ttftQuantile finds the first jump that reaches q, then looks whether the
// continuous part, the queue, gets there before it.
func (l *law) ttftQuantile(q float64) float64 {
	served := l.st.ttft[l.st.slots()-1]
	jumps := l.jumps()
	wait := func(i int) float64 { return l.waitCDF(jumps[i].t - served) }
	i := sort.Search(len(jumps), func(i int) bool { return jumps[i].below+jumps[i].share+wait(i) >= q })
	switch {
	case i < len(jumps) && jumps[i].below+wait(i) < q:
		return jumps[i].t
	case i < len(jumps):
		return served + l.waitQuantile(q-jumps[i].below)
	case l.tail == 0: // rounding left the sum a hair below q
		return jumps[len(jumps)-1].t
	}
	var below sum
	for _, share := range l.inner {
		below.add(share)
	}
	return served + l.waitQuantile(q-below.value())
}

// jump is a TTFT that newcomers with a free slot have: how many, and how many
// have less.
type jump struct{ t, share, below float64 }

func (l *law) jumps() []jump {
	var jumps []jump
	for n, share := range l.inner {
		jumps = append(jumps, jump{t: l.st.ttft[n-1], share: share})
	}
	slices.SortFunc(jumps, func(a, b jump) int { return cmp.Compare(a.t, b.t) })
	var below sum
	for i := range jumps {
		jumps[i].below = below.value()
		below.add(jumps[i].share)
	}
	return jumps
}

// waitQuantile is the smallest wait that the share q of all newcomers waits for
// a slot at most.
func (l *law) waitQuantile(q float64) float64 {
	if q = min(q, l.queued()*(1-roundOff)); q <= 0 {
		return 0
	}
	short := func(y float64) float64 { return l.waitCDF(y) - q }
	hi := max(l.excess/l.tail, 1) / l.st.topRate() // the mean of those that wait
	for short(hi) < 0 {
		hi *= 2
	}
	return root(short, hi)
}

// root is where a rising f that is negative at 0 and not at hi turns, found by
// false position that halves a bound's weight when it stays (Illinois; Dowell
// and Jarratt 1971).
func root(f func(float64) float64, hi float64) float64 {
	lo, below, above := 0.0, f(0), f(hi)
	for stayed := 0; hi-lo > 1e-15*hi && above > 0; {
		x := lo + (hi-lo)*below/(below-above)
		if x <= lo || x >= hi {
			x = lo + (hi-lo)/2
		}
		if x <= lo || x >= hi {
			break
		}
		if v := f(x); v < 0 {
			lo, below = x, v
			if stayed == 1 {
				above /= 2
			}
			stayed = 1
		} else {
			hi, above = x, v
			if stayed == -1 {
				below /= 2
			}
			stayed = -1
		}
	}
	return hi
}
