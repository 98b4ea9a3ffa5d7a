package throughput

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"example.com/servemath/internal/jsonout"
	"example.com/servemath/throughput/stat"
)

// HistoryOptions are the settings of [History]; the zero value is ready.
type HistoryOptions struct {
	LowerIsBetter bool               // the series is of latencies
	MinChange     float64            // relative: smaller changes of level are passed over; 0: 0.03, negative: none are
	Detect        stat.ChangeOptions // how changes are found
}

// Change is a change of level in a series.
type Change struct {
	stat.ChangePoint
	Ratio   float64 // After / Before
	Verdict Verdict // Faster or Slower
}

// Timeline is what [History] found.
type Timeline struct {
	N        int
	Changes  []Change
	Current  Summary // of the observations since the last change
	Warnings []error
}

// History finds the changes of level in a series of figures, one a build or a
// night, in their order: what the moving average of a chart hides and a gate
// against the last build alone cannot see. Changes smaller than MinChange are
// passed over, the smallest first, and their neighbours' levels taken anew. The
// level since the last change is summed up, with an [ErrDrift] among its Warnings
// where it creeps.
//
// Every figure must be positive.
func History(series []float64, o *HistoryOptions) (Timeline, error) {
	var opt HistoryOptions
	if o != nil {
		opt = *o
	}
	opt.MinChange = cmp.Or(opt.MinChange, 0.03)
	if math.IsNaN(opt.MinChange) {
		return Timeline{}, fmt.Errorf("%w: MinChange = %g", ErrOptions, opt.MinChange)
	}
	for i, x := range series {
		if x < 1/largest {
			return Timeline{}, &InputError{Name: "series", Index: i, Value: x, Err: ErrNonPositive}
		}
	}
	points, err := stat.ChangePoints(series, &opt.Detect)
	if err != nil {
		return Timeline{}, fmt.Errorf("throughput: %w", err)
	}
	t := Timeline{N: len(series), Changes: []Change{}}
	from := 0
	for _, c := range large(series, points, opt.MinChange) {
		c.Verdict = Slower
		if c.Ratio > 1 != opt.LowerIsBetter {
			c.Verdict = Faster
		}
		t.Changes = append(t.Changes, c)
		from = c.Index
	}
	t.Current, err = Summarize(series[from:], nil)
	t.Warnings = t.Current.Warnings
	return t, err
}

// large drops the smallest change until all that remain are large enough.
func large(series []float64, points []stat.ChangePoint, least float64) []Change {
	var at []int
	for _, p := range points {
		at = append(at, p.Index)
	}
	for {
		changes := changesAt(series, at)
		if len(changes) == 0 {
			return nil
		}
		size := func(c Change) float64 { return math.Abs(c.Ratio - 1) }
		smallest := slices.MinFunc(changes, func(a, b Change) int { return cmp.Compare(size(a), size(b)) })
		if size(smallest) >= least {
			return changes
		}
		at = slices.DeleteFunc(at, func(i int) bool { return i == smallest.Index })
	}
}

// changesAt describes the changes at given places.
func changesAt(series []float64, at []int) []Change {
	var out []Change
	for i, k := range at {
		before, after := 0, len(series)
		if i > 0 {
			before = at[i-1]
		}
		if i+1 < len(at) {
			after = at[i+1]
		}
		w, err := stat.Welch(series[before:k], series[k:after])
		if err != nil {
			continue // segments of a change have two observations or more
		}
		a, b := sum(series[before:k])/float64(k-before), sum(series[k:after])/float64(after-k)
		out = append(out, Change{ChangePoint: stat.ChangePoint{Index: k, Before: a, After: b, P: w.P}, Ratio: b / a})
	}
	return out
}

// String gives one line a change and one for the current level.
func (t Timeline) String() string {
	var s strings.Builder
	for _, c := range t.Changes {
		s.WriteString(fmt.Sprintf("%v: %v\n", c.ChangePoint, c.Verdict))
	}
	return s.String() + fmt.Sprintf("now %v", t.Current)
}

// MarshalJSON adds the ratio and verdict to the change point.
func (c Change) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "index", Value: c.Index}, {Name: "before", Value: c.Before}, {Name: "after", Value: c.After},
		{Name: "ratio", Value: c.Ratio}, {Name: "p", Value: c.P}, {Name: "verdict", Value: c.Verdict},
	}.MarshalJSON()
}

// MarshalJSON gives the warnings as text.
func (t Timeline) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "n", Value: t.N}, {Name: "changes", Value: t.Changes}, {Name: "current", Value: t.Current},
		{Name: "warnings", Value: t.Warnings},
	}.MarshalJSON()
}
