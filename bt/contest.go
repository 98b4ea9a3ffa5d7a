package bt

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// Contest is one measurement of several items under equal conditions: the
// engines that ran one model on one machine.
type Contest struct {
	Scores map[string]float64
	Weight float64           // of each of its comparisons; 0 means 1
	Group  map[string]string // labels, such as machine and model
}

// ContestOptions says how two scores decide a comparison.
type ContestOptions struct {
	LowerIsBetter bool
	TieWithin     float64 // scores that differ by at most this share of the larger one tie; 0: only equal scores
}

// AddContest compares every pair of scored items, in sorted item order and
// without an order effect. A lone item is only registered. Nil options mean
// that higher scores win and equal ones tie.
func (d *Data) AddContest(c Contest, o *ContestOptions) {
	defer func() { d.adds++ }()
	opts := ContestOptions{}
	if o != nil {
		opts = *o
	}
	names := slices.Sorted(maps.Keys(c.Scores))
	if reason := c.invalid(names, opts); reason != "" {
		d.fail(reason)
		return
	}
	group := d.labels.intern(c.Group)
	for _, name := range names {
		d.item(name)
	}
	for i, a := range names {
		for _, b := range names[i+1:] {
			o := outcome{a: a, b: b, share: opts.share(c.Scores[a], c.Scores[b]), count: 1, weight: c.weight()}
			d.record(o, group)
			d.recordRatio(o, group, opts.logRatio(c.Scores[a], c.Scores[b]))
		}
	}
}

func (c Contest) weight() float64 {
	if c.Weight == 0 {
		return 1
	}
	return c.Weight
}

// invalid says why c cannot be used, or nothing.
func (c Contest) invalid(names []string, o ContestOptions) string {
	if !(o.TieWithin >= 0 && o.TieWithin < 1) {
		return fmt.Sprintf("tie threshold %v is outside [0, 1)", o.TieWithin)
	}
	if !usable(c.Weight) {
		return fmt.Sprintf("weight %v of the contest is not a finite number >= 0", c.Weight)
	}
	if c.weight() < lightest {
		return fmt.Sprintf("weight %v of the contest is beyond a float64", c.Weight)
	}
	for _, name := range names {
		if name == "" {
			return "an item has no name"
		}
		if s := c.Scores[name]; math.IsNaN(s) || math.IsInf(s, 0) {
			return fmt.Sprintf("score %v of %q is not finite", s, name)
		}
	}
	return ""
}

// share is the first score's share of the outcome.
func (o ContestOptions) share(a, b float64) float64 {
	switch {
	case o.tied(a, b):
		return 0.5
	case (a > b) != o.LowerIsBetter:
		return 1
	}
	return 0
}

// tied forgives the rounding of decimal scores: 1.9 and 2.0 are within 5%.
func (o ContestOptions) tied(a, b float64) bool {
	if a == b {
		return true
	}
	const rounding = 4 * 0x1p-52
	larger := max(math.Abs(a), math.Abs(b))
	return o.TieWithin > 0 && math.Abs(a/larger-b/larger) <= o.TieWithin+rounding
}
