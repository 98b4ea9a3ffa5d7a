package throughput

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Rows turns runs into rows that [CompareEngines] takes: one statistic of one
// metric, whose definitions must agree, in the first run's by [Convert] where that
// is exact. A row's Setup tells apart what the runs tell apart: setup, load and
// the tokens asked for; its Model carries the quantization; its Engine carries the
// version where the runs have several of one engine. Runs equal in all of these are
// repetitions, and give one row with their mean.
//
// A run without the figure, or with one that does not compare or is no positive
// number, is an error that names its source.
func Rows(runs []Run, m Metric, s Stat) ([]Row, error) {
	if len(runs) == 0 {
		return nil, fmt.Errorf("%w: no runs", ErrEmpty)
	}
	versions := versionsOf(runs)
	figures := map[Row][]float64{}
	var order []Row
	var first Value
	for i, r := range runs {
		v, err := r.figure(m, s)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			first = v
		}
		if v, err = alike(v, first.Def, r); err != nil {
			return nil, fmt.Errorf("%s against %s: %w", r.name(), runs[0].name(), err)
		}
		key := r.row(len(versions[r.Key.Engine]) > 1)
		if figures[key] == nil {
			order = append(order, key)
		}
		figures[key] = append(figures[key], v.Value)
	}
	for i, key := range order {
		order[i].Value = sum(figures[key]) / float64(len(figures[key]))
	}
	return order, nil
}

// figure returns a run's value of a metric, or why there is none.
func (r Run) figure(m Metric, s Stat) (Value, error) {
	if r.Workload.Completed == 0 && r.Workload.Failed > 0 {
		return Value{}, fmt.Errorf("%w: %d requests of %s", ErrAllFailed, r.Workload.Failed, r.name())
	}
	v, ok := r.Get(m, s)
	if !ok {
		return Value{}, fmt.Errorf("%w: %s has no %s of %s", ErrEmpty, r.name(), s, m)
	}
	return v, r.usable(v)
}

// usable refuses what no measurement gives.
func (r Run) usable(v Value) error {
	err := ErrNonPositive
	switch {
	case math.IsNaN(v.Value) || math.IsInf(v.Value, 0):
		err = ErrNonFinite
	case v.Value > 0:
		return nil
	}
	return fmt.Errorf("%w: %s of %s is %g in %s", err, v.Stat, v.Metric, v.Value, r.name())
}

// alike returns a value in another definition, if it converts exactly.
func alike(v Value, to Definition, in Run) (Value, error) {
	to.Tool = cmp.Or(to.Tool, v.Def.Tool)
	same := v
	same.Def = to
	differs := Comparable(v, same)
	if differs == nil {
		return v, nil
	}
	got, err := Convert(v, to, in)
	if err != nil || len(got.Warnings) > len(v.Warnings) {
		return Value{}, differs
	}
	return got, nil
}

func versionsOf(runs []Run) map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for _, r := range runs {
		if out[r.Key.Engine] == nil {
			out[r.Key.Engine] = map[string]bool{}
		}
		out[r.Key.Engine][r.Key.Version] = true
	}
	return out
}

// row is what tells a run's figure from others, without the figure.
func (r Run) row(version bool) Row {
	k := r.Key
	engine := k.Engine
	if version {
		engine = joined(k.Engine, k.Version)
	}
	setup := []string{k.Setup, r.Load.String(), r.Workload.Asked()}
	setup = slices.DeleteFunc(setup, func(s string) bool { return s == "" })
	return Row{Platform: k.Platform, Machine: k.Machine, Model: joined(k.Model, k.Quantization),
		Setup: strings.Join(setup, ", "), Engine: engine}
}

func joined(a, b string) string { return strings.TrimSpace(a + " " + b) }

// String gives the form "C=8", "2.5 req/s", "all at once" or, unknown, "".
func (l Load) String() string {
	var parts []string
	if l.Concurrency > 0 {
		parts = append(parts, fmt.Sprintf("C=%d", l.Concurrency))
	}
	if l.RequestRate > 0 {
		parts = append(parts, fmt.Sprintf("%g req/s", l.RequestRate))
	}
	if l.Unbounded {
		parts = append(parts, "all at once")
	}
	return strings.Join(parts, ", ")
}

// Asked gives the form "1000 in, 256 out".
func (w Workload) Asked() string {
	var parts []string
	if w.PromptTokensAsked > 0 {
		parts = append(parts, fmt.Sprintf("%d in", w.PromptTokensAsked))
	}
	if w.OutputTokensAsked > 0 {
		parts = append(parts, fmt.Sprintf("%d out", w.OutputTokensAsked))
	}
	return strings.Join(parts, ", ")
}

// name is how messages call a run.
func (r Run) name() string {
	return cmp.Or(r.Source, r.row(true).name(), "a run")
}
