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

// tagged is a metric of AIPerf by the tag it goes by.
type tagged struct {
	tag    string
	metric throughput.Metric
	def    throughput.Definition
}

// aiperfTags are AIPerf's metrics over requests. What it calls the inter-token
// latency of a request is (latency - TTFT) / (tokens - 1): a TPOT. The rate of a
// user is the mean of reciprocals, not the reciprocal of the mean.
var aiperfTags = func() []tagged {
	request := perRequest("AIPerf")
	chunk := request
	chunk.Gap, chunk.Weight = throughput.ChunkGap, throughput.PerGap
	return []tagged{
		{"time_to_first_token", throughput.TTFT, request},
		{"inter_token_latency", throughput.TPOT, request},
		{"inter_chunk_latency", throughput.ITL, chunk},
		{"request_latency", throughput.E2E, request},
		{"output_token_throughput_per_user", throughput.UserRateDecode, request},
		{"prefill_throughput", throughput.PrefillRate, request},
	}
}()

// genaiTags are GenAI-Perf's: its gaps are spread over the tokens of a chunk.
var genaiTags = func() []tagged {
	request := perRequest("GenAI-Perf")
	gap := request
	gap.Gap, gap.Weight = throughput.TokenGap, throughput.PerToken
	return []tagged{
		{"time_to_first_token", throughput.TTFT, request},
		{"inter_token_latency", throughput.ITL, gap},
		{"request_latency", throughput.E2E, request},
		{"output_token_throughput_per_user", throughput.UserRateDecode, request},
	}
}()

// decodeAIPerf reads profile_export_aiperf.json.
func decodeAIPerf(o object, r *run) {
	r.aggregate(o, "AIPerf", aiperfTags)
	if o.flag("was_cancelled") {
		r.warn("the benchmark was cancelled before its end")
	}
}

// decodeGenAIPerf reads profile_export_genai_perf.json, of the same shape.
func decodeGenAIPerf(o object, r *run) { r.aggregate(o, "GenAI-Perf", genaiTags) }

func (r *run) aggregate(o object, tool string, tags []tagged) {
	r.aiperfInput(o.in("input_config"))
	requests := o.in("request_count")
	r.Workload.Completed = requests.count("avg")
	r.Workload.Failed = o.in("error_request_count").count("avg")
	r.Workload.PromptTokensServed = o.in("total_isl").count("avg")
	r.Workload.OutputTokensServed = o.in("total_osl").count("avg")
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
		m := o.in(t.tag)
		if m.node == nil {
			continue
		}
		var n int64
		if t.metric == throughput.TTFT || t.metric == throughput.E2E {
			n = r.Workload.Completed
		}
		r.spread(gauge{t.metric, t.def, unitOf(m)}).all(m).done(n, nil)
	}
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
