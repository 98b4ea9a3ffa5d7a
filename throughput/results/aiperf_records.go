package results

import (
	"fmt"

	"example.com/servemath/internal/jsontree"
	"example.com/servemath/throughput"
)

// aiperfRecords sums up a stream of requests in bounded memory.
type aiperfRecords struct {
	r          *run
	seen       []series // beside aiperfTags
	start, end int64    // nanoseconds since the epoch
	timed      bool     // start and end are known
	last       position // of the end last read
}

// decodeAIPerfRecords reads profile_export.jsonl, one request a line, as one run.
// Warm-up requests are left out; failed and cancelled ones are counted.
func decodeAIPerfRecords(s *source) []throughput.Run {
	a := &aiperfRecords{r: newRun(s), seen: make([]series, len(aiperfTags))}
	for o := range s.objects() {
		if o.in("metadata").text("benchmark_phase") == "warmup" {
			continue
		}
		a.request(o)
	}
	a.finish()
	return []throughput.Run{a.r.Run}
}

func (a *aiperfRecords) request(o object) {
	failure, _ := o.node.Get("error")
	if meta := o.in("metadata"); failure != nil && failure.Kind != jsontree.Null || meta.flag("was_cancelled") {
		a.r.Workload.Failed++
		return
	}
	a.r.Workload.Completed++
	a.window(o.in("metadata"))
	metrics := o.in("metrics")
	a.r.Workload.PromptTokensServed += metrics.in("input_sequence_length").count("value")
	a.r.Workload.OutputTokensServed += metrics.in("output_sequence_length").count("value")
	for i := range aiperfTags {
		if m := metrics.in(aiperfTags[i].name); m.node != nil {
			a.observe(&a.seen[i], m, unitOf(m))
		}
	}
}

// observe adds a value, or each of a list.
func (a *aiperfRecords) observe(s *series, m object, unit float64) {
	if v, _ := m.node.Get("value"); v != nil && v.Kind == jsontree.Array {
		for _, x := range m.numbers("value") {
			s.add(x * unit)
		}
		return
	}
	if x, ok := m.amount("value"); ok {
		s.add(x * unit)
	}
}

// window widens the time from the first request to the last response.
func (a *aiperfRecords) window(meta object) {
	start, ok1 := meta.instant("request_start_ns")
	end, ok2 := meta.instant("request_end_ns")
	if !ok1 || !ok2 {
		return
	}
	if end < start {
		meta.faultAt("request_end_ns", fmt.Errorf("before the request's start"))
		return
	}
	if !a.timed || start < a.start {
		a.start = start
	}
	f, _ := meta.get("request_end_ns")
	a.end, a.timed, a.last = max(a.end, end), true, f.at
}

func (a *aiperfRecords) finish() {
	r := a.r
	if !r.anyCompleted() {
		return
	}
	if a.timed {
		a.rates()
	}
	for i, t := range aiperfTags {
		r.observed(t.gauge, &a.seen[i])
	}
}

// rates divides what the requests did by the time that they took.
func (a *aiperfRecords) rates() {
	r := a.r
	d := float64(a.end-a.start) * nano
	if d == 0 {
		r.src.fault("metadata.request_end_ns", a.last, fmt.Errorf("%w: the requests took no time", throughput.ErrNonPositive))
		return
	}
	r.Workload.DurationSeconds = d
	def := throughput.Definition{Tool: "AIPerf"}
	r.add(gauge{throughput.RequestRate, def, 1}, throughput.Total, float64(r.Workload.Completed)/d)
	if n := r.Workload.OutputTokensServed; n > 0 {
		r.add(gauge{throughput.OutputRate, def, 1}, throughput.Total, float64(n)/d)
	}
}
