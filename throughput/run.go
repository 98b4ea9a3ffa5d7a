package throughput

import (
	"math"

	"example.com/servemath/internal/jsonout"
	"example.com/servemath/throughput/stat"
)

// Run is what one benchmark run measured, as its file says it. What the file
// does not say is absent, never zero.
type Run struct {
	Key      Key
	Load     Load
	Workload Workload
	Metrics  []Value
	Source   string  // file, and the place in it
	Warnings []error // decoded, but read this
}

// Key says what was measured. An empty field is unknown.
type Key struct {
	Platform     string `json:"platform,omitzero"`
	Machine      string `json:"machine,omitzero"`
	Engine       string `json:"engine,omitzero"`
	Version      string `json:"version,omitzero"`
	Model        string `json:"model,omitzero"`
	Quantization string `json:"quantization,omitzero"`
	Setup        string `json:"setup,omitzero"`
}

// Load is how requests were offered.
type Load struct {
	Concurrency int     `json:"concurrency,omitzero"`         // requests in flight at most; 0 is unknown or unlimited
	RequestRate float64 `json:"requests_per_second,omitzero"` // 0 is unknown or unlimited
	Unbounded   bool    `json:"unbounded,omitzero"`           // every request was sent at once
}

// Workload is what was asked of the engine and what it served. 0 is unknown.
type Workload struct {
	PromptTokensAsked  int64   `json:"prompt_tokens_asked,omitzero"` // per request
	OutputTokensAsked  int64   `json:"output_tokens_asked,omitzero"`
	PromptTokensServed int64   `json:"prompt_tokens_served,omitzero"` // sums over completed requests
	OutputTokensServed int64   `json:"output_tokens_served,omitzero"`
	Completed          int64   `json:"completed,omitzero"` // requests
	Failed             int64   `json:"failed,omitzero"`
	DurationSeconds    float64 `json:"duration_seconds,omitzero"`
}

// Get returns the value of a metric's statistic, the first if there are several.
func (r Run) Get(m Metric, s Stat) (Value, bool) {
	for _, v := range r.Metrics {
		if v.Metric == m && v.Stat == s {
			return v, true
		}
	}
	return Value{}, false
}

// Value is one measured figure, with the definition that its tool gives it. Two
// of them are comparable or not: see [Comparable].
type Value struct {
	Metric  Metric
	Def     Definition
	Stat    Stat
	Value   float64   // seconds, tokens per second or requests per second
	N       int       // observations behind it; 0 is unknown
	SD      float64   // their standard deviation; NaN is unknown
	Samples []float64 // the observations, where the file carries them; at most 100,000
	// Sketch holds the observations where they are too many for Samples.
	Sketch *stat.Sketch
	// Warnings say where a converted figure is approximate.
	Warnings []error
}

// known is a figure whose zero means unknown, as JSON leaves it out.
func known(x float64) float64 {
	if x == 0 {
		return math.NaN()
	}
	return x
}

// MarshalJSON leaves out what is unknown, and the sketch.
func (v Value) MarshalJSON() ([]byte, error) {
	o := jsonout.Object{
		{Name: "metric", Value: v.Metric}, {Name: "stat", Value: v.Stat}, {Name: "value", Value: v.Value}, {Name: "unit", Value: v.Metric.Unit()},
		{Name: "n", Value: known(float64(v.N))}, {Name: "sd", Value: v.SD}, {Name: "definition", Value: v.Def},
	}
	if v.Samples != nil {
		o = append(o, jsonout.Field{Name: "samples", Value: v.Samples})
	}
	return append(o, jsonout.Field{Name: "warnings", Value: v.Warnings}).MarshalJSON()
}

// MarshalJSON leaves out what is unknown.
func (r Run) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "source", Value: r.Source}, {Name: "key", Value: r.Key}, {Name: "load", Value: r.Load}, {Name: "workload", Value: r.Workload},
		{Name: "metrics", Value: r.Metrics}, {Name: "warnings", Value: r.Warnings},
	}.MarshalJSON()
}
