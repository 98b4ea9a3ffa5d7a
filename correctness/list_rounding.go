package correctness

import (
	"fmt"
	"math"
	"slices"
)

// unround puts back the residual that rounding has swallowed.
func (l *list) unround() {
	by := (1 - minResidual) / (1 - l.rest)
	if l.precision == 0 {
		l.precision = grid(l.entries)
	}
	l.precision += math.Abs(math.Log(by)) // the true figures are that much farther off
	l.scale(by)
	l.rest, l.rounded = minResidual, true
}

// restWithin returns the range of the probability that is not listed, given the
// precision of what is.
func (l *list) restWithin() (least, most float64) {
	if l.rest == 0 || l.precision == 0 {
		return l.rest, l.rest
	}
	listed := 1 - l.rest
	return max(0, 1-listed*math.Exp(l.precision)), 1 - listed*math.Exp(-l.precision)
}

func (l *list) warning(side string) error {
	return fmt.Errorf("the list of %s reaches a mass of 1 by rounding: %g is taken to be left out, and log-probabilities to be off by up to %.2g",
		side, minResidual, l.precision)
}

// grid returns half the spacing of the numbers that all log-probabilities are
// multiples of: up to nine decimals, else bfloat16 or float32; 0 is none of them.
// A masked token is on all of them.
func grid(entries []entry) float64 {
	all := func(on func(x float64) bool) bool {
		return !slices.ContainsFunc(entries, func(e entry) bool { return e.pr > 0 && !on(e.log) })
	}
	unit := 1.0
	for range 9 {
		unit *= 10
		if all(func(x float64) bool { return math.Abs(x*unit-math.Round(x*unit)) < 1e-6 }) {
			return 0.5 / unit
		}
	}
	deepest := 0.0
	for _, e := range entries {
		if e.pr > 0 {
			deepest = max(deepest, math.Abs(e.log))
		}
	}
	switch {
	case all(func(x float64) bool { return math.Float32bits(float32(x))&0xffff == 0 && float64(float32(x)) == x }):
		return deepest * 0x1p-8
	case all(func(x float64) bool { return float64(float32(x)) == x }):
		return deepest * 0x1p-24
	}
	return 0
}
