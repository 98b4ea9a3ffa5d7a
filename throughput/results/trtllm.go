package results

import (
	"strings"

	"example.com/servemath/throughput"
)

// decodeTensorRTLLM reads the report of trtllm-bench --report_json. A request of
// one token counts as a TPOT of zero, and percentiles do not interpolate. The
// rate of a user is over the whole request; token_output_speed leaves out the
// time to the first token.
func decodeTensorRTLLM(o object, r *run) {
	const tool = "TensorRT-LLM"
	engine, request, perf, streaming := o.in("engine"), o.in("request_info"), o.in("performance"), o.in("streaming_metrics")
	r.Key = throughput.Key{
		Engine: tool, Version: engine.word("version"), Model: engine.text("model"), Machine: o.in("machine").text("name"),
		Quantization: engine.word(engine.first("quantization", "dtype")), Setup: strings.ToLower(engine.text("backend")),
	}
	r.Load.RequestRate, r.Load.Unbounded = o.in("world_info").rate("issue_rate")
	n := request.count("num_requests")
	r.Workload.Completed = n
	r.Workload.PromptTokensServed = tokens(request, "avg_input_length", n)
	r.Workload.OutputTokensServed = tokens(request, "avg_output_length", n)
	r.duration(perf, "total_latency_ms", milli)
	if !r.anyCompleted() {
		return
	}
	r.total(throughput.MeanConcurrency, tool, request, "avg_num_concurrent_requests")
	r.total(throughput.RequestRate, tool, perf, "request_throughput_req_s")
	r.total(throughput.OutputRate, tool, perf, "system_output_throughput_tok_s")
	r.total(throughput.TotalRate, tool, perf, "system_total_throughput_tok_s")

	speed := known(tool, throughput.UserRateE2E, 1) // defined as its sister is
	speed.metric = throughput.UserRateDecode
	for _, g := range []struct {
		from        object
		mean, table string
		gauge
	}{
		{perf, "avg_request_latency_ms", "request_latency_percentiles_ms", known(tool, throughput.E2E, milli)},
		{perf, "output_throughput_per_user_tok_s", "", known(tool, throughput.UserRateE2E, 1)},
		{streaming, "avg_ttft_ms", "ttft_percentiles", known(tool, throughput.TTFT, milli)},
		{streaming, "avg_tpot_ms", "tpot_percentiles", known(tool, throughput.TPOT, milli)},
		{streaming, "token_output_speed_tok_s", "gen_tps_percentiles", speed},
	} {
		s := r.spread(g.gauge)
		s.put("mean", g.from, g.mean)
		s.all(g.from.in(g.table)).done(n, nil)
	}
}
