package results

import (
	"strings"

	"example.com/servemath/internal/jsontree"
	"example.com/servemath/throughput"
)

// llmperfGauges are LLMPerf's metrics, in seconds. Its inter-token latency is the
// whole request over its chunks, the first included.
var llmperfGauges = []named{
	{"ttft_s", known("LLMPerf", throughput.TTFT, second)},
	{"inter_token_latency_s", known("LLMPerf", throughput.ITL, second)},
	{"end_to_end_latency_s", known("LLMPerf", throughput.E2E, second)},
	{"request_output_throughput_token_per_s", known("LLMPerf", throughput.UserRateE2E, 1)},
}

// decodeLLMPerf reads *_summary.json, whose keys are flat and whose request rate
// is per minute.
func decodeLLMPerf(o object, r *run) {
	const tool = "LLMPerf"
	r.Key.Engine, r.Key.Model = o.word("framework"), o.text("model")
	r.Load.Concurrency = int(o.count("num_concurrent_requests"))
	n := o.count("results_num_completed_requests")
	r.Workload.Completed, r.Workload.Failed = n, o.count("results_number_errors")
	r.Workload.PromptTokensAsked, r.Workload.OutputTokensAsked = tokens(o, "mean_input_tokens", 1), tokens(o, "mean_output_tokens", 1)
	r.Workload.PromptTokensServed = tokens(o, "results_number_input_tokens_mean", n)
	r.Workload.OutputTokensServed = tokens(o, "results_number_output_tokens_mean", n)
	if !r.anyCompleted() {
		return
	}
	r.total(throughput.OutputRate, tool, o, "results_mean_output_throughput_token_per_s")
	r.scaled(throughput.RequestRate, tool, o, "results_num_completed_requests_per_min", 1.0/60)
	for _, g := range llmperfGauges {
		s := r.spread(g.gauge)
		prefix := "results_" + g.name + "_"
		for key := range o.node.Members() {
			if name, ok := strings.CutPrefix(key, prefix); ok {
				s.put(strings.TrimPrefix(name, "quantiles_"), o, key)
			}
		}
		s.done(n, nil)
	}
}

// decodeLLMPerfIndividual reads *_individual_responses.json, one record a
// request, as one run. The file has no clock, so there are no rates of the run.
func decodeLLMPerfIndividual(s *source) []throughput.Run {
	r := newRun(s)
	seen := make([]series, len(llmperfGauges))
	for o := range s.objects() {
		if code, _ := o.node.Get("error_code"); code != nil && code.Kind != jsontree.Null {
			r.Workload.Failed++
			continue
		}
		r.Workload.Completed++
		r.Workload.PromptTokensServed += o.count("number_input_tokens")
		r.Workload.OutputTokensServed += o.count("number_output_tokens")
		for i, g := range llmperfGauges {
			if x, ok := o.amount(g.name); ok {
				seen[i].add(x)
			}
		}
	}
	if r.anyCompleted() {
		for i, g := range llmperfGauges {
			r.observed(g.gauge, &seen[i])
		}
	}
	return []throughput.Run{r.Run}
}
