package throughput

import (
	"fmt"
	"strings"

	"example.com/servemath/internal/jsonout"
)

// FindingKind says what an audit came upon.
type FindingKind string

const (
	RateMismatch   FindingKind = "rate_mismatch"    // a rate is not its count over the run's length
	TPOTMismatch   FindingKind = "tpot_mismatch"    // nor a time per token what the request times leave for it
	LittleMismatch FindingKind = "little_mismatch"  // more requests in flight than Little's law or the cap allows
	Disorder       FindingKind = "disorder"         // percentiles, extremes or latencies out of order
	IdleSlots      FindingKind = "idle_slots"       // fewer in flight than offered
	TokensPerChunk FindingKind = "tokens_per_chunk" // chunks of several tokens, as in speculative decoding
	BurstChunks    FindingKind = "burst_chunks"     // tokens of a chunk stamped with one time
	EarlyStop      FindingKind = "early_stop"       // served less than asked
	Failures       FindingKind = "failures"         // requests that did not complete
	BelowSingle    FindingKind = "below_single"     // more requests at once gave less output
	PrefixCache    FindingKind = "prefix_cache"     // prompts faster than the engine can read them
)

// Finding is one thing in a report that another contradicts or explains.
type Finding struct {
	Kind     FindingKind
	Source   string
	Metric   Metric
	Reported float64
	Derived  float64 // what the rest of the report makes of it
	// Severe findings are contradictions: one of the figures is wrong. The others
	// are read with care.
	Severe bool
	Text   string
}

// String gives one line.
func (f Finding) String() string {
	level := "note"
	if f.Severe {
		level = "contradiction"
	}
	return strings.TrimPrefix(fmt.Sprintf("%s: %s: %s (%s)", f.Source, level, f.Text, f.Kind), ": ")
}

// MarshalJSON leaves out what is unknown.
func (f Finding) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "kind", Value: f.Kind}, {Name: "source", Value: f.Source}, {Name: "metric", Value: f.Metric},
		{Name: "reported", Value: f.Reported}, {Name: "derived", Value: f.Derived}, {Name: "severe", Value: f.Severe}, {Name: "text", Value: f.Text},
	}.MarshalJSON()
}
