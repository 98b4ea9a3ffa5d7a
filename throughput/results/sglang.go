package results

import (
	"strings"

	"example.com/servemath/throughput"
)

// sglangGauges are SGLang's metrics. Its native client spreads a chunk's gap over
// its tokens; what the others do changed in 2025 without a mark in the file.
func sglangGauges(backend string) []named {
	const tool = "SGLang"
	gap := known(tool, throughput.ITL, milli)
	if backend != "sglang" && backend != "sglang-native" {
		gap.def.Gap, gap.def.Weight = throughput.GapUnknown, throughput.WeightUnknown
	}
	return []named{
		{"ttft", known(tool, throughput.TTFT, milli)},
		{"tpot", known(tool, throughput.TPOT, milli)},
		{"itl", gap},
		{"e2e_latency", known(tool, throughput.E2E, milli)},
	}
}

// decodeSGLang reads a line of bench_serving, of 2024 or later: totals were
// renamed, and the first generation gives medians only. Rates count the output
// tokens that the server reports, not those re-tokenised.
func decodeSGLang(o object, r *run) {
	const tool = "SGLang"
	backend := o.text("backend")
	r.Key = throughput.Key{Engine: engineName(backend), Model: o.text(o.first("model_id", "model")), Setup: o.text("dataset_name")}
	r.servingLoad(o, "max_concurrency")
	r.sglangAsked(o)
	r.Workload.PromptTokensServed = o.count(o.first("total_input_tokens", "total_input"))
	r.Workload.OutputTokensServed = o.count(o.first("total_output_tokens", "total_output"))
	r.Workload.Completed = o.count("completed")
	r.duration(o, "duration", second)
	if !r.anyCompleted() {
		return
	}
	r.total(throughput.RequestRate, tool, o, "request_throughput")
	r.total(throughput.InputRate, tool, o, "input_throughput")
	r.total(throughput.OutputRate, tool, o, "output_throughput")
	r.total(throughput.TotalRate, tool, o, "total_throughput")
	r.total(throughput.MeanConcurrency, tool, o, "concurrency")
	r.flat(o, sglangGauges(backend), "_ms", detail(o, r))
	if accepted, ok := o.amount("accept_length"); ok && accepted > 1 {
		r.warn("speculative decoding: %.3g tokens accepted at once on average", accepted)
	}
}

// sglangAsked reads the lengths asked for, which are per request only where the
// range is one point.
func (r *run) sglangAsked(o object) {
	if ratio, ok := o.amount("random_range_ratio"); ok && ratio == 1 && strings.HasPrefix(o.text("dataset_name"), "random") {
		r.Workload.PromptTokensAsked = o.count("random_input_len")
		r.Workload.OutputTokensAsked = o.count("random_output_len")
	}
	if n := o.count("sharegpt_output_len"); n > 0 {
		r.Workload.OutputTokensAsked = n
	}
}

// decodeSGLangBatch reads a line of bench_one_batch: one batch, without a
// server. Its decode rate is batch / median step, not a mean.
func decodeSGLangBatch(o object, r *run) {
	const tool = "SGLang one batch"
	r.Key.Engine, r.Key.Setup = "SGLang", o.text("run_name")
	r.Load.Concurrency = int(o.count("batch_size"))
	r.Workload.PromptTokensAsked = o.count("input_len")
	r.Workload.OutputTokensAsked = o.count("output_len")
	r.Workload.Completed = o.count("batch_size")
	r.duration(o, "total_latency", second)
	r.total(throughput.PrefillRate, tool, o, "prefill_throughput")
	r.total(throughput.TotalRate, tool, o, "overall_throughput")
	step := throughput.Definition{Tool: tool, Gap: throughput.TokenGap, Weight: throughput.PerToken}
	for _, g := range []struct {
		key string
		gauge
	}{
		{"median_decode_throughput", gauge{throughput.DecodeRate, step, 1}},
		{"median_decode_latency", gauge{throughput.ITL, step, second}},
	} {
		s := r.spread(g.gauge)
		s.put("median", o, g.key)
		s.done(0, nil)
	}
}
