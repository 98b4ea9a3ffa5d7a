package results

import (
	"fmt"

	"example.com/servemath/throughput"
)

// guideGauges are GuideLLM's latencies. Its time per output token counts the
// first one and weights requests by their tokens; its inter-token latency is a
// request's mean gap, weighted by the gaps. What misses enters as 0.
var guideGauges = []named{
	{"time_to_first_token_ms", known("GuideLLM", throughput.TTFT, milli)},
	{"time_per_output_token_ms", known("GuideLLM", throughput.TPOT, milli)},
	{"inter_token_latency_ms", known("GuideLLM", throughput.ITL, milli)},
	{"request_latency", known("GuideLLM", throughput.E2E, second)},
}

// guideRates are distributions over time, whose mean is the rate of the run.
var guideRates = []struct {
	key    string
	metric throughput.Metric
}{
	{"requests_per_second", throughput.RequestRate},
	{"prompt_tokens_per_second", throughput.InputRate},
	{"output_tokens_per_second", throughput.OutputRate},
	{"tokens_per_second", throughput.TotalRate},
	{"request_concurrency", throughput.MeanConcurrency},
}

// decodeGuideLLM reads benchmarks.json of schema 2, one run a benchmark.
func decodeGuideLLM(s *source) (runs []throughput.Run) {
	for o := range s.objects() {
		if v := o.in("metadata").count("version"); v != 2 {
			o.in("metadata").faultAt("version", fmt.Errorf("%w: schema %d of GuideLLM; 2 is read", ErrUnknownFormat, v))
			return nil
		}
		for b := range o.list("benchmarks") {
			r := newRun(s)
			r.guideAsked(o.in("config").in("spec"))
			decodeGuideBenchmark(b, r)
			runs = append(runs, r.Run)
		}
	}
	return runs
}

// guideAsked reads the lengths of a synthetic data set.
func (r *run) guideAsked(spec object) {
	for data := range spec.list("data") {
		if data.word("kind") == "synthetic_text" {
			r.Workload.PromptTokensAsked = data.count("prompt_tokens")
			r.Workload.OutputTokensAsked = data.count("output_tokens")
		}
	}
}

func decodeGuideBenchmark(b object, r *run) {
	config, metrics := b.in("config"), b.in("metrics")
	r.Key.Model = config.in("backend").text("model")
	r.guideLoad(config.in("strategy"))
	totals := metrics.in("request_totals")
	r.Workload.Completed, r.Workload.Failed = totals.count("successful"), totals.count("errored")
	if n := totals.count("incomplete"); n > 0 {
		r.warn("%d requests were cut off by the end of the benchmark", n)
	}
	r.Workload.PromptTokensServed = metrics.in("prompt_token_count").in("successful").count("total_sum")
	r.Workload.OutputTokensServed = metrics.in("output_token_count").in("successful").count("total_sum")
	r.duration(b, "duration", second)
	if !r.anyCompleted() {
		return
	}
	for _, rate := range guideRates {
		r.total(rate.metric, "GuideLLM", metrics.in(rate.key).in("successful"), "mean")
	}
	for _, g := range guideGauges {
		from := metrics.in(g.name).in("successful")
		s := r.spread(g.gauge).all(from).all(from.in("percentiles"))
		n := r.Workload.Completed
		if g.metric == throughput.ITL {
			n = 0 // requests of one token are in no gap
		}
		s.done(n, nil)
	}
}

// guideLoad reads the strategy: some cap the requests in flight, some pace them,
// and those that pace also carry a cap that is out of reach.
func (r *run) guideLoad(strategy object) {
	kind := strategy.text("type_")
	r.Key.Setup = kind
	switch kind {
	case "synchronous":
		r.Load.Concurrency = 1
	case "concurrent":
		r.Load.Concurrency = int(strategy.count(strategy.first("streams", "max_concurrency")))
	case "throughput":
		r.Load.Concurrency = int(strategy.count("max_concurrency"))
		r.Load.Unbounded = r.Load.Concurrency == 0
	default:
		r.Load.RequestRate, _ = strategy.rate("rate")
	}
}
