package capacity

import "slices"

// Weights below these shares of the largest one are dropped at the ends.
const (
	negligible = 1e-300 // keeps every probability that a float64 can hold
	uncounted  = 1e-40  // no mean notices
)

// chain describes positive weights w(0), w(1), ... w(top) by their ratios.
type chain struct {
	ratio  func(n int) float64 // w(n)/w(n-1), n from 1 to top
	top    int
	mode   int     // an index with the largest weight
	cut    float64 // weights below it are dropped at the ends,
	lo, hi int     // but none from lo to hi
}

// outward returns the weights from index first on, 1 at the mode. Multiplying
// ratios outwards from the mode neither overflows nor cancels, unlike factorials
// and the subtracting recursions of mean-value analysis (Casale and Serazzi
// 2005); a weight's relative error grows with its distance from the mode only.
func (c chain) outward() (first int, w []float64) {
	w = append(make([]float64, 0, min(c.top, 1023)+1), 1)
	run := scaled{f: 1}
	n := c.mode
	for ; n > 0; n-- {
		run.times(1 / c.ratio(n))
		x := run.float()
		if x < c.cut && n <= c.lo {
			break
		}
		w = append(w, x)
	}
	slices.Reverse(w)
	run = scaled{f: 1}
	for i := c.mode + 1; i <= c.top; i++ {
		run.times(c.ratio(i))
		x := run.float()
		if x < c.cut && i > c.hi {
			break
		}
		w = append(w, x)
	}
	return n, w
}

// scan finds the mode among 0 to top by multiplying all the way; it returns the
// weights there and at top.
func (c chain) scan(top int) (mode int, best, last scaled) {
	best, last = scaled{f: 1}, scaled{f: 1}
	for n := 1; n <= top; n++ {
		last.times(c.ratio(n))
		if last.above(best) {
			mode, best = n, last
		}
	}
	return mode, best, last
}
