package results

import (
	"cmp"
	"math"

	"example.com/servemath/throughput"
)

// vllmGauges are the metrics of vLLM's client, which others use or wrap.
func vllmGauges(tool string, unit float64) []named {
	gauges := []named{
		{"ttft", known("vLLM", throughput.TTFT, unit)},
		{"tpot", known("vLLM", throughput.TPOT, unit)},
		{"itl", known("vLLM", throughput.ITL, unit)},
		{"e2el", known("vLLM", throughput.E2E, unit)},
	}
	for i := range gauges {
		gauges[i].def.Tool = tool
	}
	return gauges
}

var (
	vllmServe  = vllmGauges("vLLM", milli)
	inferenceX = vllmGauges("InferenceX", second)
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
	r.peak(o)
	r.flat(o, vllmServe, "_ms", detail(o, r))
	if accepted, ok := o.amount("spec_decode_acceptance_length"); ok && accepted > 1 {
		r.warn("speculative decoding: a gap of ITL brings %.3g tokens on average", accepted)
	}
}

// peak reads the most output of one second, which counts streamed chunks. In a run
// shorter than that it is a count, not a rate.
func (r *run) peak(o object) {
	const key = "max_output_tokens_per_s"
	switch x, ok := o.amount(key); {
	case !ok || x == 0:
	case r.Workload.DurationSeconds < 1:
		r.warn("%s is no rate: the run took less than a second", key)
	default:
		def := throughput.Definition{Tool: "vLLM", Gap: throughput.ChunkGap}
		r.add(gauge{throughput.PeakRate, def, 1}, throughput.Total, x)
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
	if err != nil || x < 0 || x > maxCount || x != math.Trunc(x) {
		return 0
	}
	return int64(x)
}
