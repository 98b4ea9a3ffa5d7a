package bt

import (
	"fmt"
	"math"
)

// ratioCells add up log ratios of equal items, labels and weight.
type ratioCells struct {
	cells  []ratioCell
	lookup map[ratioKey]int32
	err    error // of the first score that has no logarithm
}

type ratioKey struct {
	lo, hi int32
	group  int32
	weight float64
}

// ratioCell keeps mean and squared deviations apart, so that near-equal ratios
// keep their digits (Welford 1962).
type ratioCell struct {
	ratioKey
	n, mean, deviations float64
}

// logRatio is positive when a is better; NaN when a score has no logarithm.
func (o ContestOptions) logRatio(a, b float64) float64 {
	if !(a > 0 && b > 0) {
		return math.NaN()
	}
	if o.LowerIsBetter {
		a, b = b, a
	}
	return math.Log(a) - math.Log(b)
}

// recordRatio adds the log ratio y of a valid comparison.
func (d *Data) recordRatio(o outcome, group int32, y float64) {
	r := &d.ratios
	if math.IsNaN(y) {
		if r.err == nil {
			r.err = &InputError{Index: d.adds, Reason: fmt.Sprintf("the ratio of %q to %q needs scores above 0", o.a, o.b)}
		}
		return
	}
	lo, hi := d.item(o.a), d.item(o.b)
	if lo > hi {
		lo, hi, y = hi, lo, -y
	}
	c := r.cell(ratioKey{lo, hi, group, o.weight})
	c.n++
	step := y - c.mean
	c.mean += step / c.n
	c.deviations += step * (y - c.mean)
}

func (r *ratioCells) cell(key ratioKey) *ratioCell {
	k, ok := r.lookup[key]
	if !ok {
		if r.lookup == nil {
			r.lookup = make(map[ratioKey]int32)
		}
		k = int32(len(r.cells))
		r.cells = append(r.cells, ratioCell{ratioKey: key})
		r.lookup[key] = k
	}
	return &r.cells[k]
}

// squares is the sum of squared deviations from d.
func (c *ratioCell) squares(d float64) float64 {
	return c.deviations + c.n*(c.mean-d)*(c.mean-d)
}
