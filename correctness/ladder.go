package correctness

import (
	"cmp"
	"math"
	"slices"

	"example.com/servemath/internal/resample"
)

// rung is a number of positions of one prompt that have one value.
type rung struct {
	value  float64
	prompt int
	count  int64
}

// ladder is every position's divergence in ascending order.
type ladder struct {
	rungs   []rung
	n       int64
	prompts int
	sizes   []int64 // positions by prompt
}

func newLadder(prompts []*prompt) *ladder {
	l := &ladder{prompts: len(prompts), sizes: make([]int64, len(prompts))}
	for i, g := range prompts {
		for _, x := range g.values {
			l.rungs = append(l.rungs, rung{x, i, 1})
		}
		for _, b := range g.buckets {
			l.rungs = append(l.rungs, rung{b.value(), i, b.Count})
		}
		if n := g.counts[countInfinite]; n > 0 {
			l.rungs = append(l.rungs, rung{math.Inf(1), i, n})
		}
		l.sizes[i] = g.counts[countKL] + g.counts[countInfinite]
		l.n += l.sizes[i]
	}
	slices.SortFunc(l.rungs, func(a, b rung) int {
		return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.prompt, b.prompt))
	})
	return l
}

// quantile returns the linear quantile (type 7 of Hyndman and Fan 1996, as numpy
// and llama.cpp have it).
func (l *ladder) quantile(q float64) float64 {
	return l.weighted(q, l.n, nil)
}

// weighted is quantile with every prompt taken times[prompt] times, n positions
// in all; nil is once each. It walks from the top, which is near for high q.
func (l *ladder) weighted(q float64, n int64, times []int64) float64 {
	at := q * float64(n-1)
	below := int64(at)
	frac := at - float64(below)
	// Positions above the two that the quantile lies between.
	above := n - 1 - below
	upper := math.NaN()
	var passed int64
	for i := len(l.rungs) - 1; i >= 0; i-- {
		c := l.rungs[i].count
		if times != nil {
			c *= times[l.rungs[i].prompt]
		}
		passed += c
		if math.IsNaN(upper) && passed >= above && c > 0 {
			upper = l.rungs[i].value
		}
		if passed > above {
			if lower := l.rungs[i].value; frac > 0 && upper != lower {
				return lower + frac*(upper-lower)
			} else {
				return lower
			}
		}
	}
	return math.NaN()
}

// interval returns the percentile bootstrap interval of a quantile, by prompts.
func (l *ladder) interval(q float64, o *SummaryOptions) (lo, hi float64) {
	if l.prompts < 2 {
		return 0, math.Inf(1)
	}
	reps := make([]float64, o.Replicates)
	resample.Each(len(reps), func() []int64 { return make([]int64, l.prompts) }, func(i int, times []int64) {
		clear(times)
		r := resample.Rand(o.Seed, i)
		var n int64
		for range times {
			g := r.IntN(len(times))
			times[g]++
			n += l.sizes[g]
		}
		reps[i] = l.weighted(q, n, times)
	})
	slices.Sort(reps)
	tail := (1 - o.Level) / 2
	return orderStat(reps, tail), orderStat(reps, 1-tail)
}

// topShare returns the part of the sum that the largest hundredth carries.
func (l *ladder) topShare() float64 {
	left := (l.n + 99) / 100
	var top, all float64
	for i := len(l.rungs) - 1; i >= 0; i-- {
		r := l.rungs[i]
		k := min(left, r.count)
		left -= k
		top += float64(k) * r.value
		all += float64(r.count) * r.value
	}
	if all == 0 {
		return 0
	}
	return top / all
}
