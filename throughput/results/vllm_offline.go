package results

import (
	"cmp"
	"strings"

	"example.com/servemath/throughput"
)

// decodeVLLMLatency reads `vllm bench latency`: seconds of a whole batch, over
// repetitions after a warm-up that is not in the list.
func decodeVLLMLatency(o object, r *run) {
	def := throughput.Definition{Tool: "vLLM latency", Weight: throughput.PerRepetition, Percentile: throughput.Type7, PopulationSD: true}
	r.Key.Engine = "vLLM"
	s := r.spread(gauge{throughput.E2E, def, second})
	s.put("mean", o, "avg_latency")
	s.put("std", o, "std_latency")
	percentiles := o.in("percentiles")
	for key := range percentiles.node.Members() {
		s.put("p"+key, percentiles, key)
	}
	var seen series
	for _, x := range o.numbers("latencies") {
		seen.add(x)
	}
	s.done(0, &seen)
}

// decodeVLLMThroughput reads `vllm bench throughput`: everything offered at
// once, and a rate that counts prompt and output tokens.
func decodeVLLMThroughput(o object, r *run) {
	const tool = "vLLM throughput"
	r.Key.Engine, r.Load.Unbounded = "vLLM", true
	r.Workload.Completed = o.count("num_requests")
	r.duration(o, "elapsed_time", second)
	if !r.anyCompleted() {
		return
	}
	r.total(throughput.RequestRate, tool, o, "requests_per_second")
	r.total(throughput.TotalRate, tool, o, "tokens_per_second")
}

// nightlyStats are the statistics that begin the nightly table's titles.
var nightlyStats = []string{"Mean", "Median", "Std", "P99"}

// decodeVLLMNightly reads a row of the tables that vLLM's nightly benchmarks
// published in 2024, whose keys are column titles. The test's name holds the
// model, the parallelism and the rate, as in llama8B_tp1_sharegpt_qps_2.
func decodeVLLMNightly(o object, r *run) {
	const tool = "vLLM"
	engine, version, _ := strings.Cut(o.text("Engine"), "_")
	r.Key.Engine, r.Key.Version = cmp.Or(engineName(engine), engine), version
	r.Key.Machine = o.text("GPU")
	r.Key.Setup = strings.TrimPrefix(o.text("Test name"), o.text("Engine")+"_")
	r.nightlyLoad(o)
	r.Workload.Completed = o.count("Successful req.")
	r.Workload.PromptTokensServed = o.count("Total input tokens")
	r.Workload.OutputTokensServed = o.count("Total output tokens")
	if !r.anyCompleted() {
		return
	}
	r.total(throughput.RequestRate, tool, o, "Tput (req/s)")
	r.total(throughput.InputRate, tool, o, "Input Tput (tok/s)")
	r.total(throughput.OutputRate, tool, o, "Output Tput (tok/s)")
	for _, g := range vllmServe[:2] {
		s := r.spread(g.gauge)
		column := " " + strings.ToUpper(g.name) + " (ms)"
		for _, title := range nightlyStats {
			s.put(strings.ToLower(title), o, title+column)
		}
		s.done(0, nil)
	}
}

// nightlyLoad reads the rate at the end of the test's name.
func (r *run) nightlyLoad(o object) {
	_, rate, ok := strings.Cut(o.text("Test name"), "_qps_")
	if !ok {
		return
	}
	if rate == "inf" {
		r.Load.Unbounded = true
		return
	}
	if x, err := parseNumber(rate); err == nil && x > 0 {
		r.Load.RequestRate = x
	}
}
