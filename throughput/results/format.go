package results

import (
	"bytes"
	"fmt"
	"strings"

	"example.com/servemath/throughput"
)

// format is one shape of file that one tool writes.
type format struct {
	name   string
	needs  []string // all must be there: see the two tables
	decode func(*source) []throughput.Run
	refuse string // in place of decode: known, not read, and what to do
}

// jsonFormats are tried in order. needs are members of the first record: a|b is
// either, a>b is b inside a.
var jsonFormats = []format{
	{name: "InferenceX", needs: []string{"hw", "conc|tp", "framework", "tput_per_gpu"}, decode: eachObject(decodeInferenceX)},
	{name: "SGLang", needs: []string{"total_output_tokens_retokenized|total_output_retokenized", "output_throughput", "duration", "completed"}, decode: eachObject(decodeSGLang)},
	{name: "SGLang one batch", needs: []string{"run_name", "batch_size", "prefill_latency", "overall_throughput"}, decode: eachObject(decodeSGLangBatch)},
	{name: "vLLM serve", needs: []string{"duration", "completed", "request_throughput", "output_throughput"}, decode: eachObject(decodeVLLMServe)},
	{name: "vLLM nightly table", needs: []string{"Test name", "Engine", "Successful req.", "Output Tput (tok/s)"}, decode: eachObject(decodeVLLMNightly)},
	{name: "vLLM latency", needs: []string{"avg_latency", "percentiles"}, decode: eachObject(decodeVLLMLatency)},
	{name: "vLLM throughput", needs: []string{"elapsed_time", "num_requests", "tokens_per_second"}, decode: eachObject(decodeVLLMThroughput)},
	{name: "vLLM PyTorch sidecar", needs: []string{"benchmark", "model", "metric"}, refuse: "it repeats the result file beside it: read that one"},
	{name: "llama-bench", needs: []string{"n_prompt", "n_gen", "avg_ts"}, decode: decodeLlamaBenchJSON},
	{name: "llama-batched-bench", needs: []string{"pp", "tg", "pl", "speed_pp", "speed_tg"}, decode: eachObject(decodeBatchedBench)},
	{name: "GuideLLM", needs: []string{"metadata>guidellm_version|args", "benchmarks"}, decode: decodeGuideLLM},
	{name: "AIPerf records", needs: []string{"metadata>benchmark_phase", "metrics"}, decode: decodeAIPerfRecords},
	{name: "AIPerf", needs: []string{"request_throughput", "request_latency", "was_cancelled|error_summary|aiperf_version"}, decode: eachObject(decodeAIPerf)},
	{name: "GenAI-Perf", needs: []string{"request_throughput", "request_latency", "input_config"}, decode: eachObject(decodeGenAIPerf)},
	{name: "TensorRT-LLM", needs: []string{"engine", "world_info", "performance>request_throughput_req_s"}, decode: eachObject(decodeTensorRTLLM)},
	{name: "inference-perf", needs: []string{"load_summary", "successes>latency|successes>throughput"}, decode: eachObject(decodeInferencePerf)},
	{name: "inference-perf Prometheus", needs: []string{"load_summary", "successes>rate"}, decode: eachObject(decodeInferencePerfPrometheus)},
	{name: "LLMPerf", needs: []string{"results_ttft_s_mean", "results_num_completed_requests"}, decode: eachObject(decodeLLMPerf)},
	{name: "LLMPerf individual", needs: []string{"ttft_s", "end_to_end_latency_s", "number_output_tokens|error_code"}, decode: decodeLLMPerfIndividual},
	{name: "Ollama API", needs: []string{"model", "created_at", "response|message", "done"}, decode: decodeOllamaAPI},
	{name: "llm-d report v0.1", needs: []string{"version", "metrics>latency", "metrics>throughput"}, decode: eachObject(decodeLLMD1)},
	{name: "llm-d report v0.2", needs: []string{"version", "results>request_performance"}, decode: eachObject(decodeLLMD2)},
}

// textFormats are tried in order. needs are phrases that the head of the file
// must hold.
var textFormats = []format{
	{name: "llama-bench SQL", needs: []string{"CREATE TABLE|INSERT INTO", "n_prompt", "n_gen", "avg_ts"}, decode: decodeLlamaBenchSQL},
	{name: "llama-bench CSV", needs: []string{"n_prompt,n_gen,", "avg_ts,"}, decode: decodeLlamaBenchCSV},
	{name: "llama-bench Markdown", needs: []string{" model ", " test ", " t/s "}, decode: decodeLlamaBenchMarkdown},
	{name: "llama-batched-bench Markdown", needs: []string{"S_PP t/s", "S_TG t/s", "N_KV"}, decode: decodeBatchedBenchMarkdown},
	{name: "MLPerf summary", needs: []string{"MLPerf Results Summary"}, decode: decodeMLPerf},
	{name: "Ollama bench", needs: []string{"BenchmarkModel/name="}, decode: decodeOllamaBench},
	{name: "Ollama CSV", needs: []string{"NAME,STEP,COUNT,NS_PER_COUNT,TOKEN_PER_SEC"}, decode: decodeOllamaCSV},
	{name: "Ollama Markdown", needs: []string{"nsPerToken", "tokensPerSec"}, decode: decodeOllamaMarkdown},
	{name: "Ollama verbose", needs: []string{"prompt eval rate:", "eval duration:"}, decode: decodeOllamaVerbose},
	{name: "MLX-LM benchmark", needs: []string{"prompt_tps=", "generation_tps="}, decode: decodeMLXTrials},
	{name: "MLX-LM table", needs: []string{"Precision", "Prompt (", "Generation (", "tok/sec"}, decode: decodeMLXTable},
	{name: "published table", needs: []string{" · |Single decode|Single prefill|Batched decode|Batched prefill"}, decode: decodePublished},
	{name: "AIPerf CSV", needs: []string{"Metric,avg,min,max"}, refuse: "read the JSON export beside it"},
	{name: "llm-d report YAML", needs: []string{"version:", "scenario:", "metrics:|request_performance:|stack:"}, refuse: "YAML: convert it with `yq -o=json . report.yaml`"},
	{name: "inference-perf YAML", needs: []string{"load_summary:", "successes:"}, refuse: "YAML: convert it with `yq -o=json . report.yaml`"},
	{name: "GuideLLM YAML", needs: []string{"guidellm_version:", "benchmarks:"}, refuse: "YAML: convert it with `yq -o=json . report.yaml`, or export JSON"},
	{name: "MLPerf detail log", needs: []string{":::MLLOG"}, refuse: "read mlperf_log_summary.txt beside it"},
}

// Formats lists the formats that [Decode] reads.
func Formats() []string {
	var names []string
	for _, table := range [][]format{jsonFormats, textFormats} {
		for _, f := range table {
			if f.refuse == "" {
				names = append(names, f.name)
			}
		}
	}
	return names
}

func sniffJSON(o object) (*format, error) {
	return sniff(jsonFormats, "member", func(need string) bool { return hasMember(o, need) })
}

func sniffText(head []byte) (*format, error) {
	return sniff(textFormats, "text", func(need string) bool { return bytes.Contains(head, []byte(need)) })
}

// sniff returns the first format that has all it needs. Where none has, the
// error names the nearest and what it lacks.
func sniff(table []format, what string, has func(string) bool) (*format, error) {
	var nearest *format
	best, lacks := 0.0, ""
	for i := range table {
		f := &table[i]
		met, lack := meet(f.needs, has)
		if lack == "" {
			if f.refuse != "" {
				return f, fmt.Errorf("%w: %s", ErrUnknownFormat, f.refuse)
			}
			return f, nil
		}
		if score := float64(met) / float64(len(f.needs)); score > best {
			nearest, best, lacks = f, score, lack
		}
	}
	if nearest == nil {
		return nil, fmt.Errorf("%w: it shares nothing with any of the %d that are read", ErrUnknownFormat, len(Formats()))
	}
	return nil, fmt.Errorf("%w: nearest is %s, but it has no %s %s", ErrUnknownFormat, nearest.name, what, spell(lacks))
}

// spell gives a need in words.
func spell(need string) string {
	return `"` + strings.NewReplacer("|", `" or "`, ">", ".").Replace(need) + `"`
}

// meet counts the needs that are met, and returns the first that is not.
func meet(needs []string, has func(string) bool) (met int, lack string) {
	for _, need := range needs {
		ok := false
		for alternative := range strings.SplitSeq(need, "|") {
			ok = ok || alternative != "" && has(alternative)
		}
		switch {
		case ok:
			met++
		case lack == "":
			lack = need
		}
	}
	return met, lack
}

// missing returns the first need that a record does not meet.
func missing(o object, needs []string) string {
	_, lack := meet(needs, func(need string) bool { return hasMember(o, need) })
	return lack
}

func hasMember(o object, path string) bool {
	outer, inner, nested := strings.Cut(path, ">")
	if nested {
		return hasMember(o.in(outer), inner)
	}
	_, ok := o.node.Get(path)
	return ok
}

// guess names the format of JSON that does not parse by the keys that its head
// mentions; nil where no format has them all.
func guess(head []byte) *format {
	for i := range jsonFormats {
		_, lack := meet(jsonFormats[i].needs, func(need string) bool {
			_, key, nested := strings.Cut(need, ">")
			if !nested {
				key = need
			}
			return bytes.Contains(head, []byte(`"`+key+`"`))
		})
		if lack == "" {
			return &jsonFormats[i]
		}
	}
	return nil
}
