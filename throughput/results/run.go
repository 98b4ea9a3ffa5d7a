package results

import (
	"fmt"
	"math"

	"example.com/servemath/throughput"
)

var nan = math.NaN()

// run gathers one throughput.Run from a record.
type run struct {
	throughput.Run
	src *source
}

// newRun has room for what most tools give.
func newRun(s *source) *run {
	return &run{src: s, Run: throughput.Run{Metrics: make([]throughput.Value, 0, 16)}}
}

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

// known is a tool's own gauge of a metric, with the tool's definition.
func known(tool string, m throughput.Metric, unit float64) gauge {
	def, _ := throughput.DefinitionOf(tool, m) // not ok: all but the tool is unknown
	return gauge{m, def, unit}
}

// perRequest is a figure with one observation a request, where the table of
// definitions has none.
func perRequest(tool string, m throughput.Metric) gauge {
	def := throughput.Definition{Tool: tool, Weight: throughput.PerRequest, Percentile: throughput.Type7, PopulationSD: true}
	return gauge{m, def, 1}
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

// duration reads the run's length.
func (r *run) duration(o object, key string, unit float64) {
	if x, ok := o.amount(key); ok {
		r.took(o, key, x*unit)
	}
}

// took sets the run's length, which completed requests cannot have left at zero.
func (r *run) took(o object, key string, seconds float64) {
	if seconds == 0 && r.Workload.Completed > 0 {
		o.faultAt(key, fmt.Errorf("%w: 0, with completed requests", throughput.ErrNonPositive))
	}
	r.Workload.DurationSeconds = seconds
}
