package results

import (
	"cmp"
	"fmt"
	"strings"

	"example.com/servemath/throughput"
)

// decodeInferenceX reads a row of InferenceX's agg_*.json: a vLLM client's result
// whose latencies were turned into seconds and whose rates were divided by the
// GPUs. Rates are multiplied back: in disaggregated serving input ran on the
// prefill GPUs and output on the decode GPUs.
func decodeInferenceX(o object, r *run) {
	r.Key = throughput.Key{
		Machine: o.word("hw"), Engine: cmp.Or(engineName(o.text("framework")), o.text("framework")), Version: o.word("image"),
		Model: o.text("model"), Quantization: o.word("precision"), Setup: inferenceXSetup(o),
	}
	r.Load.Concurrency = int(o.count("conc"))
	r.Workload.PromptTokensAsked, r.Workload.OutputTokensAsked = o.count("isl"), o.count("osl")
	r.inferenceXRates(o)
	r.flat(o, inferenceX, "", nil)
	r.interactivity(o)
}

func (r *run) inferenceXRates(o object) {
	all, decode, prefill := o.count("tp"), o.count("tp"), o.count("tp")
	switch {
	case o.has("num_prefill_gpu"):
		prefill, decode = o.count("num_prefill_gpu"), o.count("num_decode_gpu")
		all = prefill + decode
	case o.flag("disagg"):
		prefill = 0 // which of them did what is not told
	}
	if prefill == 0 || decode == 0 {
		r.warn("rates per GPU are left out: the number of GPUs is %w", errMissing)
		return
	}
	const tool = "InferenceX"
	r.scaled(throughput.TotalRate, tool, o, "tput_per_gpu", float64(all))
	r.scaled(throughput.OutputRate, tool, o, "output_tput_per_gpu", float64(decode))
	r.scaled(throughput.InputRate, tool, o, "input_tput_per_gpu", float64(prefill))
}

// inferenceXSetup names what tells configurations of one GPU and engine apart.
func inferenceXSetup(o object) string {
	var parts []string
	for _, key := range []string{"tp", "ep", "dp_attention", "spec_decoding", "mtp", "disagg", "num_prefill_gpu", "num_decode_gpu"} {
		if v := o.word(key); v != "" && v != "false" && v != "none" {
			parts = append(parts, key+"="+v)
		}
	}
	return strings.Join(parts, " ")
}

// interactivity reads the rates of a user, 1 / TPOT. The key p99_intvty comes from
// the slow tail, p99 of TPOT, so it is the 1st percentile of the rate; mean_intvty
// is the reciprocal of a mean, which is no mean of rates, and is left.
func (r *run) interactivity(o object) {
	s := r.spread(perRequest("InferenceX", throughput.UserRateDecode))
	for key := range o.node.Members() {
		name, ok := strings.CutSuffix(key, "_intvty")
		if !ok {
			continue
		}
		if name == "median" {
			s.put(name, o, key)
		} else if p, ok := parsePercentile(name); ok {
			s.put(fmt.Sprintf("p%.10g", 100-p), o, key)
		}
	}
	s.done(0, nil)
}
