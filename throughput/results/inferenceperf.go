package results

import "example.com/servemath/throughput"

// inferencePerfGauges are the latencies of inference-perf, in seconds. All tokens
// of a chunk share its time, so gaps inside a chunk are zero.
var inferencePerfGauges = []named{
	{"time_to_first_token", known("inference-perf", throughput.TTFT, second)},
	{"time_per_output_token", known("inference-perf", throughput.TPOT, second)},
	{"inter_token_latency", known("inference-perf", throughput.ITL, second)},
	{"request_latency", known("inference-perf", throughput.E2E, second)},
	{"normalized_time_per_output_token", known("inference-perf", throughput.NTPOT, second)},
}

// decodeInferencePerf reads stage_N_, and summary_lifecycle_metrics.json.
func decodeInferencePerf(o object, r *run) {
	const tool = "inference-perf"
	load, ok := o.in("load_summary"), o.in("successes")
	r.Load.RequestRate, r.Load.Unbounded = load.rate("requested_rate")
	r.Load.Concurrency = int(load.count("concurrency"))
	n := ok.count("count")
	r.Workload.Completed, r.Workload.Failed = n, o.in("failures").count("count")
	r.Workload.PromptTokensServed = tokens(ok.in("prompt_len"), "mean", n)
	r.Workload.OutputTokensServed = tokens(ok.in("output_len"), "mean", n)
	if prompt := ok.in("prompt_tokens"); prompt.has("total") {
		r.Workload.PromptTokensServed = prompt.count("total")
		if cached := prompt.count("cached"); cached > 0 {
			r.warn("%d of %d prompt tokens came from a cache, which shortens TTFT", cached, prompt.count("total"))
		}
	}
	r.duration(o, "benchmark_time_seconds", second)
	if !r.anyCompleted() {
		return
	}
	rates := ok.in("throughput")
	r.total(throughput.RequestRate, tool, rates, "requests_per_sec")
	r.total(throughput.InputRate, tool, rates, "input_tokens_per_sec")
	r.total(throughput.OutputRate, tool, rates, "output_tokens_per_sec")
	r.total(throughput.TotalRate, tool, rates, "total_tokens_per_sec")
	newer := ok.in("prompt_tokens").node != nil
	for _, g := range inferencePerfGauges {
		// Files of 2025 give a TTFT to requests of one token too.
		g.def.TwoTokens = g.def.TwoTokens && newer
		s := r.spread(g.gauge).all(ok.in("latency").in(g.name))
		var all int64
		if g.metric == throughput.E2E || g.metric == throughput.NTPOT {
			all = n // the others leave out requests of one token
		}
		s.done(all, nil)
	}
}

// decodeInferencePerfPrometheus reads stage_N_prometheus_metrics.json: figures of
// the server's own counters, whose definitions the file does not tell.
func decodeInferencePerfPrometheus(o object, r *run) {
	const tool = "inference-perf Prometheus"
	ok := o.in("successes")
	r.Workload.Completed, r.Workload.Failed = ok.count("count"), o.in("failures").count("count")
	if !r.anyCompleted() {
		return
	}
	r.warn("figures of the server's counters: percentiles come from histogram buckets, and no identity can be checked")
	r.total(throughput.RequestRate, tool, ok, "rate")
	r.total(throughput.InputRate, tool, ok.in("prompt_len"), "rate")
	r.total(throughput.OutputRate, tool, ok.in("output_len"), "rate")
	for _, g := range inferencePerfGauges {
		g.def = throughput.Definition{Tool: tool}
		r.spread(g.gauge).all(ok.in(g.name)).done(0, nil)
	}
}
