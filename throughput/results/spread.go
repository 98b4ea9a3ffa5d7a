package results

import (
	"slices"
	"strconv"
	"strings"

	"example.com/servemath/throughput"
)

// spread is a metric that a record gives by several statistics.
type spread struct {
	gauge
	run    *run
	points []point
	sd     float64
}

// point is one statistic, in the file's unit.
type point struct {
	stat throughput.Stat
	x    float64
}

func (r *run) spread(g gauge) *spread { return &spread{gauge: g, run: r, sd: nan} }

// put takes the member at key as the statistic of that name. Names of no
// statistic are left.
func (s *spread) put(name string, o object, key string) {
	if f, ok := o.get(key); ok {
		s.take(name, o, key, f)
	}
}

func (s *spread) take(name string, o object, key string, f field) {
	stat, isSD, ok := parseStat(name)
	if !ok {
		return
	}
	x, ok := o.amountOf(key, f)
	switch {
	case !ok:
	case isSD:
		s.sd = x
	case s.index(stat) < 0: // a tool may give the mean under two names
		s.points = append(s.points, point{stat, x})
	}
}

// all takes every member of an object.
func (s *spread) all(o object) *spread {
	for key, n := range o.node.Members() {
		if f, ok := fieldOf(n); ok {
			s.take(key, o, key, f)
		}
	}
	return s
}

func (s *spread) index(stat throughput.Stat) int {
	return slices.IndexFunc(s.points, func(p point) bool { return p.stat == stat })
}

// done adds the metric to the run. n observations are behind it, 0 if that is
// unknown. A centre of zero is how tools write that nothing was measured. Of a
// metric that the file only lists, the list is summed up.
func (s *spread) done(n int64, seen *series) {
	if len(s.points) == 0 && seen != nil {
		s.run.observed(s.gauge, seen)
		return
	}
	if centre, zero := s.zero(); zero {
		s.run.warn("%s of %s is 0, taken for not measured", centre, s.metric)
		return
	}
	for _, p := range s.points {
		v := throughput.Value{Metric: s.metric, Def: s.def, Stat: p.stat, Value: p.x * s.unit, N: int(n), SD: s.sd * s.unit}
		seen.attach(&v)
		s.run.Metrics = append(s.run.Metrics, v)
	}
}

// zero looks at the mean, or without one at the median.
func (s *spread) zero() (centre throughput.Stat, zero bool) {
	for _, centre := range []throughput.Stat{throughput.Mean, throughput.Median} {
		if i := s.index(centre); i >= 0 {
			return centre, s.points[i].x == 0
		}
	}
	return "", false
}

// named is a gauge by its name in the keys of a flat record.
type named struct {
	name string
	gauge
}

// flat collects statistics from keys such as mean_ttft_ms: the statistic, then
// the name of a gauge, then the suffix. N is known where every completed request
// counts: a request of one token has no TPOT.
func (r *run) flat(o object, gauges []named, suffix string, seen map[throughput.Metric]*series) {
	spreads := make([]spread, len(gauges))
	for i, g := range gauges {
		spreads[i] = spread{gauge: g.gauge, run: r, sd: nan}
	}
	for key, n := range o.node.Members() {
		stem, ok := strings.CutSuffix(key, suffix)
		stat, name, split := strings.Cut(stem, "_")
		if !ok || !split {
			continue
		}
		i := slices.IndexFunc(gauges, func(g named) bool { return g.name == name })
		if f, ok := fieldOf(n); ok && i >= 0 {
			spreads[i].take(stat, o, key, f)
		}
	}
	for i := range spreads {
		s := &spreads[i]
		var n int64
		if s.metric == throughput.TTFT || s.metric == throughput.E2E {
			n = r.Workload.Completed
		}
		s.done(n, seen[s.metric])
	}
}

// parseStat reads the names that tools give to statistics.
func parseStat(name string) (stat throughput.Stat, isSD, ok bool) {
	switch name {
	case "mean", "avg", "average":
		return throughput.Mean, false, true
	case "median":
		return throughput.Median, false, true
	case "min", "minimum":
		return throughput.Min, false, true
	case "max", "maximum":
		return throughput.Max, false, true
	case "std", "stddev", "std_dev":
		return "", true, true
	}
	p, ok := parsePercentile(name)
	if !ok {
		return "", false, false
	}
	return throughput.Percentile(p), false, true
}

// parsePercentile reads p99, p99.9, p99p9 and GuideLLM's p999 and p001.
func parsePercentile(name string) (float64, bool) {
	digits, ok := strings.CutPrefix(name, "p")
	if !ok {
		return 0, false
	}
	if digits == "001" || digits == "999" {
		digits = digits[:2] + "." + digits[2:]
	}
	p, err := strconv.ParseFloat(strings.Replace(digits, "p", ".", 1), 64)
	return p, err == nil && p >= 0 && p <= 100
}
