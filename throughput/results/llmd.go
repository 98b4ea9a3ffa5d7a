package results

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"

	"example.com/servemath/throughput"
)

// llmdUnits are the units of the llm-d benchmark report, each beside its figure.
var llmdUnits = map[string]float64{
	"s": second, "ms": milli, "us": 1e-6, "ns": nano, "s/token": second, "ms/token": milli, "us/token": 1e-6,
	"tokens/s": 1, "queries/s": 1, "requests/s": 1, "count": 1,
}

// llmdLatencies are the report's latencies. It gathers several tools' figures
// and does not tell their definitions.
var llmdLatencies = []struct {
	key    string
	metric throughput.Metric
}{
	{"time_to_first_token", throughput.TTFT},
	{"time_per_output_token", throughput.TPOT},
	{"inter_token_latency", throughput.ITL},
	{"normalized_time_per_output_token", throughput.NTPOT},
	{"request_latency", throughput.E2E},
}

// decodeLLMD1 reads version 0.1 in its JSON form.
func decodeLLMD1(o object, r *run) {
	scenario, metrics := o.in("scenario"), o.in("metrics")
	model := scenario.in("model")
	r.Key.Model, r.Key.Quantization = model.text("name"), model.word("quantization")
	for engine := range scenario.in("platform").list("engine") {
		r.Key.Engine, r.Key.Version = cmp.Or(engineName(engine.text("name")), engine.text("name")), engine.word("version")
	}
	for a := range scenario.in("host").list("accelerator") {
		r.Key.Machine = a.text("model")
	}
	tool := scenario.in("load").word("name")
	r.llmdRequests(metrics.in("requests"))
	r.duration(metrics.in("time"), "duration", second)
	if !r.anyCompleted() {
		return
	}
	rates := metrics.in("throughput")
	r.total(throughput.InputRate, tool, rates, "input_tokens_per_sec")
	r.total(throughput.OutputRate, tool, rates, "output_tokens_per_sec")
	r.total(throughput.TotalRate, tool, rates, "total_tokens_per_sec")
	r.total(throughput.RequestRate, tool, rates, "requests_per_sec")
	r.llmdLatency(metrics.in("latency"), tool)
}

// decodeLLMD2 reads versions 0.2 and 0.2.1 in their JSON form.
func decodeLLMD2(o object, r *run) {
	scenario := o.in("scenario")
	for component := range scenario.list("stack") {
		r.llmdComponent(component.in("standardized"))
	}
	load := scenario.in("load").in("standardized")
	tool := load.word("tool")
	r.Load.RequestRate, _ = load.rate("rate_qps")
	if f, _ := load.get("concurrency"); !f.infinite() {
		r.Load.Concurrency = int(load.count("concurrency"))
	}
	r.Workload.PromptTokensAsked = fixedLength(load.in("input_seq_len"))
	r.Workload.OutputTokensAsked = fixedLength(load.in("output_seq_len"))
	aggregate := o.in("results").in("request_performance").in("aggregate")
	r.llmdRequests(aggregate.in("requests"))
	r.llmdDuration(o.in("run").in("time"), "duration")
	if !r.anyCompleted() {
		return
	}
	rates := aggregate.in("throughput")
	for _, g := range []struct {
		key    string
		metric throughput.Metric
	}{
		{"input_token_rate", throughput.InputRate}, {"output_token_rate", throughput.OutputRate},
		{"total_token_rate", throughput.TotalRate}, {"request_rate", throughput.RequestRate},
	} {
		if m := rates.in(g.key); m.node != nil {
			r.scaled(g.metric, tool, m, "mean", llmdUnit(m))
		}
	}
	r.llmdLatency(aggregate.in("latency"), tool)
}

// llmdDuration reads the run's length, which version 0.2 writes as PT49.97S.
func (r *run) llmdDuration(o object, key string) {
	text := o.text(key)
	if text == "" {
		return
	}
	seconds, err := parseISODuration(text)
	if err != nil {
		o.faultAt(key, err)
		return
	}
	r.took(o, key, seconds)
}

var isoDuration = regexp.MustCompile(`^P(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:\.\d+)?)S)?)?$`)

// parseISODuration reads a duration of ISO 8601, of days and less, in seconds.
func parseISODuration(text string) (seconds float64, err error) {
	m := isoDuration.FindStringSubmatch(text)
	if m == nil {
		return 0, fmt.Errorf("%w of ISO 8601: %q", errDuration, text)
	}
	for i, unit := range []float64{86400, 3600, 60, 1} {
		if m[i+1] != "" {
			x, _ := strconv.ParseFloat(m[i+1], 64) // digits: the pattern says so
			seconds += x * unit
		}
	}
	return seconds, nil
}

// fixedLength is the length that every request asks for, if it is one.
func fixedLength(o object) int64 {
	if o.word("distribution") != "fixed" {
		return 0
	}
	return o.count("value")
}

// llmdComponent takes the key from the engines of the stack. Where they differ
// the last, a decoder in disaggregated serving, stands for them.
func (r *run) llmdComponent(c object) {
	if c.word("kind") != "inference_engine" {
		return
	}
	r.Key.Engine, r.Key.Version = cmp.Or(engineName(c.text("tool")), c.text("tool")), c.word("tool_version")
	r.Key.Model = c.in("model").text("name")
	r.Key.Machine = c.in("accelerator").text("model")
}

// llmdRequests reads the counts. The total holds the failures.
func (r *run) llmdRequests(o object) {
	total, failed, cut := o.count("total"), o.count("failures"), o.count("incomplete")
	if failed+cut > total {
		o.faultAt("total", fmt.Errorf("%d requests, of which %d failed and %d were cut off", total, failed, cut))
		return
	}
	r.Workload.Failed = failed
	r.Workload.Completed = total - failed - cut
	if cut > 0 {
		r.warn("%d requests were cut off by the end of the benchmark", cut)
	}
	r.Workload.PromptTokensServed = tokens(o.in("input_length"), "mean", r.Workload.Completed)
	r.Workload.OutputTokensServed = tokens(o.in("output_length"), "mean", r.Workload.Completed)
}

func (r *run) llmdLatency(latencies object, tool string) {
	for _, l := range llmdLatencies {
		m := latencies.in(l.key)
		if m.node == nil {
			continue
		}
		r.spread(gauge{l.metric, throughput.Definition{Tool: tool}, llmdUnit(m)}).all(m).done(0, nil)
	}
}

func llmdUnit(o object) float64 {
	name := o.text("units")
	unit, ok := llmdUnits[name]
	if !ok {
		o.faultAt("units", fmt.Errorf("unit %q is not known", name))
	}
	return unit
}
