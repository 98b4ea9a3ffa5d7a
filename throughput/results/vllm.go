package results

import (
	"cmp"

	"example.com/servemath/throughput"
)

// perRequest is a figure with one observation a request.
func perRequest(tool string) throughput.Definition {
	return throughput.Definition{Tool: tool, Weight: throughput.PerRequest, Percentile: throughput.Type7, PopulationSD: true}
}

// vllmGauges are the metrics of vLLM's client. A gap is between streamed chunks,
// which may hold several tokens.
func vllmGauges(tool string, unit float64) []named {
	request := perRequest(tool)
	gap := request
	gap.Weight, gap.Gap = throughput.PerGap, throughput.ChunkGap
	return []named{
		{"ttft", gauge{throughput.TTFT, request, unit}},
		{"tpot", gauge{throughput.TPOT, request, unit}},
		{"itl", gauge{throughput.ITL, gap, unit}},
		{"e2el", gauge{throughput.E2E, request, unit}},
	}
}

var (
	vllmServe  = vllmGauges("vLLM", milli)
	inferenceX = vllmGauges("InferenceX", second) // the same client's
)

// decodeVLLMServe reads `vllm bench serve --save-result`, its predecessor
// benchmark_serving.py and the rewrite of 2026, of which only the top level is
// read: its per-turn rates divide by the time of all turns.
func decodeVLLMServe(o object, r *run) {
	const tool = "vLLM"
	r.Key = throughput.Key{
		Engine: cmp.Or(engineName(o.text("endpoint_type")), engineName(o.text("backend"))), Model: o.text("model_id"),
		Machine: o.word("gpu"), Setup: o.word("label"),
	}
	if mode := o.word("mode"); mode != "" {
		r.Key.Setup = mode
	}
	r.servingLoad(o, o.first("max_concurrency", "multi_turn_concurrency"))
	r.Workload.PromptTokensAsked = metadata(o, "input_len")
	r.Workload.OutputTokensAsked = metadata(o, "output_len")
	r.Workload.PromptTokensServed = o.count("total_input_tokens")
	r.Workload.OutputTokensServed = o.count("total_output_tokens")
	r.Workload.Completed = o.count("completed")
	r.Workload.Failed = o.count("failed")
	if !o.has("failed") && o.has("num_prompts") {
		r.Workload.Failed = max(0, o.count("num_prompts")-r.Workload.Completed)
	}
	r.duration(o, "duration", second)
	if !r.anyCompleted() {
		return
	}
	r.total(throughput.RequestRate, tool, o, "request_throughput")
	r.total(throughput.InputRate, tool, o, "input_throughput")
	r.total(throughput.OutputRate, tool, o, "output_throughput")
	r.total(throughput.TotalRate, tool, o, "total_token_throughput")
	r.goodput(o, tool, o.first("request_goodput", "request_goodput:")) // files of 2025 have the colon
	r.flat(o, vllmServe, "_ms", detail(o, r))
	if accepted, ok := o.amount("spec_decode_acceptance_length"); ok && accepted > 1 {
		r.warn("speculative decoding: a gap of ITL brings %.3g tokens on average", accepted)
	}
}

// servingLoad reads the load of a client that paces requests, caps those in
// flight, or both.
func (r *run) servingLoad(o object, capKey string) {
	r.Load.Concurrency = int(o.count(capKey))
	var infinite bool
	r.Load.RequestRate, infinite = o.rate("request_rate")
	r.Load.Unbounded = infinite && r.Load.Concurrency == 0
}

// anyCompleted reports whether there is anything to measure; with no completed
// request a tool's zeros are no figures.
func (r *run) anyCompleted() bool {
	if r.Workload.Completed == 0 {
		r.warn("%w: the run has no figures", throughput.ErrAllFailed)
	}
	return r.Workload.Completed > 0
}

// goodput may be 0: that no request met its targets is a measurement.
func (r *run) goodput(o object, tool, key string) {
	if x, ok := o.amount(key); ok {
		r.add(gauge{throughput.Goodput, throughput.Definition{Tool: tool}, 1}, throughput.Total, x)
	}
}

// metadata reads a count from the user's own key=value pairs, which may hold
// anything under that name.
func metadata(o object, key string) int64 {
	f, _ := o.get(key)
	x, err := f.number()
	if err != nil || x < 0 || x != float64(int64(x)) {
		return 0
	}
	return int64(x)
}
