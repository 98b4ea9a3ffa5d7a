package capacity

import (
	"cmp"
	"slices"
	"sort"
)

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

// jumps are sorted by time, not by the number in service: TTFT may fall with load.
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
