package throughput

import "example.com/servemath/throughput/stat"

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
	Platform, Machine, Engine, Version, Model, Quantization, Setup string
}

// Load is how requests were offered.
type Load struct {
	Concurrency int     // requests in flight at most; 0 is unknown or unlimited
	RequestRate float64 // requests per second; 0 is unknown or unlimited
	Unbounded   bool    // every request was sent at once
}

// Workload is what was asked of the engine and what it served. Totals are sums
// over completed requests; 0 is unknown.
type Workload struct {
	PromptTokensAsked, OutputTokensAsked   int64 // per request
	PromptTokensServed, OutputTokensServed int64 // sums over completed requests
	Completed, Failed                      int64 // requests
	DurationSeconds                        float64
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
