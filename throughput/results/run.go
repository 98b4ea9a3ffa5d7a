package results

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.com/servemath/throughput"
)

var nan = math.NaN()

// run gathers one throughput.Run from a record.
type run struct {
	throughput.Run
	src *source
}

func newRun(s *source) *run { return &run{src: s} }

func (r *run) warn(format string, args ...any) {
	r.Warnings = append(r.Warnings, fmt.Errorf(format, args...))
}

// gauge says what a tool's figure is: the metric, its definition, and what one
// of the file's units is in seconds or per second.
type gauge struct {
	metric throughput.Metric
	def    throughput.Definition
	unit   float64
}

const (
	second = 1.0
	milli  = 1e-3
	nano   = 1e-9
)

// total adds a figure of the whole run. Zero means that nothing was measured.
func (r *run) total(m throughput.Metric, tool string, o object, key string) {
	r.scaled(m, tool, o, key, 1)
}

func (r *run) scaled(m throughput.Metric, tool string, o object, key string, unit float64) {
	switch x, ok := o.amount(key); {
	case ok && x == 0:
		r.warn("%s%s is 0, taken for not measured", o.path, key)
	case ok:
		r.add(gauge{m, throughput.Definition{Tool: tool}, unit}, throughput.Total, x)
	}
}

// add appends one figure.
func (r *run) add(g gauge, s throughput.Stat, x float64) {
	r.Metrics = append(r.Metrics, throughput.Value{Metric: g.metric, Def: g.def, Stat: s, Value: x * g.unit, SD: nan})
}

// tokens is the total behind a mean over n requests.
func tokens(o object, key string, n int64) int64 {
	mean, _ := o.amount(key)
	total := math.Round(mean * float64(n))
	if total > maxCount {
		o.faultAt(key, fmt.Errorf("%w: %g over %d requests", errCount, mean, n))
		return 0
	}
	return int64(total)
}

// duration sets the run's length, which completed requests cannot have left at
// zero.
func (r *run) duration(o object, key string, unit float64) {
	x, ok := o.amount(key)
	if ok && x == 0 && r.Workload.Completed > 0 {
		o.faultAt(key, fmt.Errorf("%w: 0, with completed requests", throughput.ErrNonPositive))
	}
	r.Workload.DurationSeconds = x * unit
}

// spread is a metric that a record gives by several statistics.
type spread struct {
	gauge
	run    *run
	values []throughput.Value
	sd     float64
}

func (r *run) spread(g gauge) *spread { return &spread{gauge: g, run: r, sd: nan} }

// put takes the member at key as the statistic of that name. Names of no
// statistic are left.
func (s *spread) put(name string, o object, key string) {
	stat, isSD, ok := parseStat(name)
	if !ok {
		return
	}
	x, ok := o.amount(key)
	switch {
	case !ok:
	case isSD:
		s.sd = x * s.unit
	case s.index(stat) < 0: // a tool may give the mean under two names
		s.values = append(s.values, throughput.Value{Metric: s.metric, Def: s.def, Stat: stat, Value: x * s.unit})
	}
}

// all takes every member of an object.
func (s *spread) all(o object) *spread {
	for key := range o.node.Members() {
		s.put(key, o, key)
	}
	return s
}

func (s *spread) index(stat throughput.Stat) int {
	for i, v := range s.values {
		if v.Stat == stat {
			return i
		}
	}
	return -1
}

// sorted puts the statistics in the order of their names, where the file's order
// was lost.
func (s *spread) sorted() *spread {
	slices.SortFunc(s.values, func(a, b throughput.Value) int { return strings.Compare(string(a.Stat), string(b.Stat)) })
	return s
}

// done adds the metric to the run. n observations are behind it, 0 if that is
// unknown. A centre of zero is how tools write that nothing was measured.
func (s *spread) done(n int64, seen *series) {
	for _, centre := range []throughput.Stat{throughput.Mean, throughput.Median} {
		i := s.index(centre)
		if i >= 0 && s.values[i].Value == 0 {
			s.run.warn("%s of %s is 0, taken for not measured", centre, s.metric)
			return
		}
		if i >= 0 {
			break
		}
	}
	for _, v := range s.values {
		v.N, v.SD = int(n), s.sd
		seen.attach(&v)
		s.run.Metrics = append(s.run.Metrics, v)
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
	return throughput.Percentile(p), false, ok
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
