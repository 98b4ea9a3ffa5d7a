package gate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/servemath/throughput"
)

// nameOf names what two runs must share to be repetitions or each other's
// counterpart: all but the engine's version.
func nameOf(r throughput.Run) string {
	k := r.Key
	parts := []string{k.Platform, k.Machine, k.Engine, strings.TrimSpace(k.Model + " " + k.Quantization), k.Setup, r.Load.String(), r.Workload.Asked()}
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return cmp.Or(strings.Join(parts, ", "), "unnamed")
}

// line is one figure of a benchmark.
type line struct {
	name   string
	metric throughput.Metric
}

// side is one set of runs, by line.
type side struct {
	values map[line][]throughput.Value // one a run
	tally  map[string]tally
}

// tally counts what a benchmark's runs brought.
type tally struct {
	runs, figures     int
	completed, failed int64
	warned            int   // runs that come with warnings
	warning           error // the first
}

func gather(runs []throughput.Run, p Policy) side {
	s := side{map[line][]throughput.Value{}, map[string]tally{}}
	for _, r := range runs {
		name := nameOf(r)
		t := s.tally[name]
		t.runs++
		if len(r.Warnings) > 0 {
			t.warned++
			t.warning = cmp.Or(t.warning, r.Warnings[0])
		}
		t.completed += r.Workload.Completed
		t.failed += r.Workload.Failed
		for _, m := range judged(r, p.Metrics) {
			if v, ok := judgedFigure(r, m); ok {
				s.values[line{name, m}] = append(s.values[line{name, m}], v)
				t.figures++
			}
		}
		s.tally[name] = t
	}
	return s
}

// failedShare is the share of requests that failed.
func (t tally) failedShare() float64 {
	return float64(t.failed) / float64(max(1, t.failed+t.completed))
}

// failsMore reports a benchmark of whose requests a larger share fails than did, by
// more than limit.
func failsMore(base, candidate side, limit float64) bool {
	for name, is := range candidate.tally {
		if was, ok := base.tally[name]; ok && is.failedShare() > was.failedShare()+limit {
			return true
		}
	}
	return false
}

// warnings sums up what readers warned of in a benchmark's runs.
func (t tally) warnings(name, side string) []error {
	if t.warned == 0 {
		return nil
	}
	return []error{fmt.Errorf("gate: %s: warnings in %d of %d %s runs, the first: %w", name, t.warned, t.runs, side, t.warning)}
}

// lost warns of what no line shows: runs without a figure, or with warnings of
// their own, metrics that no run has, and requests that fail more often than they
// did.
func lost(base, candidate side, p Policy) []error {
	var out []error
	names := slices.Collect(maps.Keys(base.tally))
	for name := range candidate.tally {
		if _, ok := base.tally[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		was, is := base.tally[name], candidate.tally[name]
		if was.figures+is.figures == 0 {
			out = append(out, fmt.Errorf("gate: %s has no figure to judge", name))
		}
		out = append(out, was.warnings(name, "base")...)
		out = append(out, is.warnings(name, "candidate")...)
		if was, is := was.failedShare(), is.failedShare(); is > was {
			out = append(out, fmt.Errorf("gate: %s: %s of the candidate's requests failed, %s of the base's", name, percent(is), percent(was)))
		}
	}
	for _, m := range p.Metrics {
		if !slices.ContainsFunc(lines(base, candidate), func(l line) bool { return l.metric == m }) {
			out = append(out, fmt.Errorf("gate: no run has %q", m))
		}
	}
	return out
}

// judged returns the metrics of a run that the policy wants.
func judged(r throughput.Run, want []throughput.Metric) []throughput.Metric {
	if want != nil {
		return want
	}
	has := func(m throughput.Metric) bool { _, ok := judgedFigure(r, m); return ok }
	if slices.ContainsFunc(headline, has) {
		return headline
	}
	var all []throughput.Metric
	for _, v := range r.Metrics {
		if v.Metric != throughput.MeanConcurrency && !slices.Contains(all, v.Metric) {
			all = append(all, v.Metric)
		}
	}
	return all
}

// judgedFigure is the statistic of a metric that a gate judges.
func judgedFigure(r throughput.Run, m throughput.Metric) (throughput.Value, bool) {
	for _, s := range []throughput.Stat{throughput.Total, throughput.Mean, throughput.Median} {
		if v, ok := r.Get(m, s); ok {
			return v, true
		}
	}
	return throughput.Value{}, false
}

// samples are the independent observations behind the values of a line: one a run,
// unless the tool repeats its measurement within a run. Requests of one run share
// its noise and do not count.
func samples(values []throughput.Value) []float64 {
	var out []float64
	for _, v := range values {
		if v.Def.Weight == throughput.PerRepetition && len(v.Samples) > 1 {
			out = append(out, v.Samples...)
		} else {
			out = append(out, v.Value)
		}
	}
	return out
}

// lines returns those of either side, in order of name.
func lines(base, candidate side) []line {
	var out []line
	for _, s := range []side{base, candidate} {
		for l := range s.values {
			out = append(out, l)
		}
	}
	slices.SortFunc(out, func(a, b line) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.metric, b.metric))
	})
	return slices.Compact(out)
}
