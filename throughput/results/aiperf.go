package results

import (
	"fmt"

	"example.com/servemath/throughput"
)

// units are the unit names of AIPerf and GenAI-Perf. A figure whose unit is not
// among them is refused.
var units = map[string]float64{
	"ns": nano, "us": 1e-6, "ms": milli, "s": second, "sec": second, "seconds": second,
	"requests/sec": 1, "req/s": 1, "requests/s": 1,
	"tokens/sec": 1, "tok/s": 1, "tokens/s": 1,
	"tokens/sec/user": 1, "tok/s/user": 1, "tokens/s/user": 1,
	"tokens": 1, "requests": 1,
}

// unitOf reads the unit beside a figure.
func unitOf(o object) float64 {
	name := o.text("unit")
	unit, ok := units[name]
	if !ok && o.node != nil {
		o.faultAt("unit", fmt.Errorf("unit %q is not known", name))
	}
	return unit
}

// aiperfTags are AIPerf's metrics over requests, in the unit beside each figure.
// What it calls the inter-token latency of a request is (latency - TTFT) /
// (tokens - 1): a TPOT. The rate of a user is the mean of reciprocals, not the
// reciprocal of the mean.
var aiperfTags = []named{
	{"time_to_first_token", known("AIPerf", throughput.TTFT, 1)},
	{"inter_token_latency", known("AIPerf", throughput.TPOT, 1)},
	{"inter_chunk_latency", known("AIPerf", throughput.ITL, 1)},
	{"request_latency", known("AIPerf", throughput.E2E, 1)},
	{"output_token_throughput_per_user", known("AIPerf", throughput.UserRateDecode, 1)},
	{"prefill_throughput", perRequest("AIPerf", throughput.PrefillRate)},
}

// genaiTags are GenAI-Perf's: its gaps are spread over the tokens of a chunk.
var genaiTags = []named{
	{"time_to_first_token", known("GenAI-Perf", throughput.TTFT, 1)},
	{"inter_token_latency", known("GenAI-Perf", throughput.ITL, 1)},
	{"request_latency", known("GenAI-Perf", throughput.E2E, 1)},
	{"output_token_throughput_per_user", perRequest("GenAI-Perf", throughput.UserRateDecode)},
}

// decodeAIPerf reads profile_export_aiperf.json.
func decodeAIPerf(o object, r *run) {
	r.aggregate(o, "AIPerf", aiperfTags)
	if o.flag("was_cancelled") {
		r.warn("the benchmark was cancelled before its end")
	}
}

// decodeGenAIPerf reads profile_export_genai_perf.json, of the same shape.
func decodeGenAIPerf(o object, r *run) { r.aggregate(o, "GenAI-Perf", genaiTags) }

func (r *run) aggregate(o object, tool string, tags []named) {
	r.aiperfInput(o.in("input_config"))
	requests := o.in("request_count")
	r.Workload.Completed = requests.count("avg")
	r.Workload.Failed = o.in("error_request_count").count("avg")
	r.Workload.PromptTokensServed = r.served(o.in("total_isl"), o.in("input_sequence_length"))
	r.Workload.OutputTokensServed = r.served(o.in("total_osl"), o.in("output_sequence_length"))
	if d := o.in("benchmark_duration"); d.node != nil {
		r.duration(d, "avg", unitOf(d))
	}
	if requests.has("avg") && !r.anyCompleted() {
		return
	}
	for _, t := range []struct {
		tag    string
		metric throughput.Metric
	}{
		{"request_throughput", throughput.RequestRate}, {"output_token_throughput", throughput.OutputRate},
		{"total_token_throughput", throughput.TotalRate}, {"goodput", throughput.Goodput},
	} {
		if m := o.in(t.tag); m.node != nil {
			r.scaled(t.metric, tool, m, "avg", unitOf(m))
		}
	}
	for _, t := range tags {
		m := o.in(t.name)
		if m.node == nil {
			continue
		}
		t.unit = unitOf(m)
		var n int64
		if t.metric == throughput.TTFT || t.metric == throughput.E2E {
			n = r.Workload.Completed
		}
		r.spread(t.gauge).all(m).done(n, nil)
	}
}

// served is a total of tokens, which older reports give by its mean only.
func (r *run) served(total, perRequest object) int64 {
	if total.has("avg") {
		return total.count("avg")
	}
	return tokens(perRequest, "avg", r.Workload.Completed)
}

// aiperfInput reads the model and the load from the echoed configuration.
func (r *run) aiperfInput(config object) {
	names, _ := config.in("endpoint").node.Get("model_names")
	if names.Items() != nil {
		r.Key.Model = names.Items()[0].Text()
	}
	load := config.in("loadgen")
	r.Load.Concurrency = int(load.count("concurrency"))
	r.Load.RequestRate, _ = load.rate("request_rate")
}
