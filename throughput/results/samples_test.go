package results

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/servemath/internal/testkit"
	"example.com/servemath/throughput"
)

// samples are real and documented files of the tools, which are not part of this
// module. Figures are as printed in the files, in their units times the factor.
var samples = []expect{
	{
		file: "guidellm/report_v2_mock.json", runs: 2,
		key:  throughput.Key{Model: "e2e-mock-model", Setup: "constant"},
		load: throughput.Load{RequestRate: 2},
		work: throughput.Workload{PromptTokensAsked: 32, OutputTokensAsked: 8, PromptTokensServed: 143, OutputTokensServed: 16, Completed: 2, DurationSeconds: 5.01964807510376},
		figures: []figure{
			{throughput.RequestRate, total, 0.39843430656414264}, {throughput.OutputRate, total, 3.1950675815128577}, {throughput.E2E, mean, 0.01978909969329834},
			{throughput.TTFT, mean, 11.481165885925293e-3}, {throughput.TPOT, mean, 2.4421364068984985e-3}, {throughput.ITL, mean, 1.1508464813232422e-3},
		},
	},
	{
		file: "inference-perf/vllm_stage_0_lifecycle_metrics.json", runs: 1,
		load: throughput.Load{RequestRate: 1}, work: throughput.Workload{PromptTokensServed: 12246, OutputTokensServed: 3789, Completed: 60},
	},
	{
		file: "inference-perf/vllm_stage_5_lifecycle_metrics.json", runs: 1,
		load: throughput.Load{RequestRate: 152.98},
		// 204.10241882763128 and 62.32763129222053 tokens a request
		work: throughput.Workload{PromptTokensServed: 1873252, OutputTokensServed: 572043, Completed: 9178},
		figures: []figure{
			{throughput.OutputRate, total, 6323.774659230487}, {throughput.TotalRate, total, 27032.049260882508}, {throughput.RequestRate, total, 101.46021159671109},
			{throughput.E2E, mean, 4.161168321326422}, {throughput.TTFT, mean, 2.93708448660302}, {throughput.TPOT, mean, 0.009483972422951594},
			{throughput.ITL, median, 4.807801451534033e-05}, {throughput.ITL, mean, 0.009483890226426888}, {throughput.NTPOT, p999, 0.16670383600686683},
		},
	},
	{
		file: "inference-perf/vllm_summary_lifecycle_metrics.json", runs: 1, // no requested rate in a summary
		work:    throughput.Workload{PromptTokensServed: 7902202, OutputTokensServed: 2414678, Completed: 38717},
		figures: []figure{{throughput.OutputRate, total, 3957.912190053508}, {throughput.E2E, mean, 3.1322648623684803}, {throughput.NTPOT, throughput.Min, 0}},
	},
	{
		file: "inference-perf/vllm_chunking_and_prefix_caching_stage_0_lifecycle_metrics.json", runs: 1,
		load: throughput.Load{RequestRate: 1}, work: throughput.Workload{PromptTokensServed: 12202, OutputTokensServed: 3699, Completed: 60},
		figures: []figure{{throughput.E2E, mean, 0.4795607211533934}},
	},
	{
		file: "inference-perf/vllm_chunking_and_prefix_caching_stage_5_lifecycle_metrics.json", runs: 1,
		load: throughput.Load{RequestRate: 212.24}, work: throughput.Workload{PromptTokensServed: 2585757, OutputTokensServed: 794962, Completed: 12734},
		figures: []figure{{throughput.OutputRate, total, 10625.772478963527}, {throughput.E2E, mean, 2.421046128219934}},
	},
	{
		file: "inference-perf/vllm_chunking_and_prefix_caching_summary_lifecycle_metrics.json", runs: 1,
		work:    throughput.Workload{PromptTokensServed: 10894591, OutputTokensServed: 3349025, Completed: 53652},
		figures: []figure{{throughput.OutputRate, total, 5935.417987233208}, {throughput.E2E, mean, 1.6053237314370132}},
	},
	{
		file: "inference-perf/vllm_eagle_stage_0_lifecycle_metrics.json", runs: 1,
		load: throughput.Load{RequestRate: 1}, work: throughput.Workload{PromptTokensServed: 12091, OutputTokensServed: 3748, Completed: 60},
		figures: []figure{{throughput.OutputRate, total, 62.70378838194921}, {throughput.E2E, mean, 0.7134543793353563}},
	},
	{
		file: "inference-perf/vllm_eagle_summary_lifecycle_metrics.json", runs: 1,
		work:    throughput.Workload{PromptTokensServed: 4442307, OutputTokensServed: 1387343, Completed: 22042},
		figures: []figure{{throughput.OutputRate, total, 2427.5380358797493}, {throughput.E2E, mean, 3.8427295362450065}},
	},
	{
		file: "inference-perf/vllm_stage_5_prometheus_metrics.json", runs: 1,
		work:    throughput.Workload{Completed: 18353},
		figures: []figure{{throughput.RequestRate, total, 168.380877}, {throughput.OutputRate, total, 10738.915446}, {throughput.TTFT, mean, 2.942519}, {throughput.TPOT, mean, 0.019422}},
		warning: "server's counters",
	},
	{
		file: "llama-batched-bench/readme.jsonl", runs: 2, run: 1,
		key: throughput.Key{Engine: "llama.cpp", Setup: "pp128 tg128"}, load: throughput.Load{Concurrency: 2},
		work:    throughput.Workload{PromptTokensAsked: 128, OutputTokensAsked: 128, Completed: 2, DurationSeconds: 11.528713},
		figures: []figure{{throughput.PrefillRate, total, 605.770935}, {throughput.DecodeRate, total, 23.050371}, {throughput.MixedRate, total, 44.410854}},
	},
	{
		file: "llama-batched-bench/readme.md", runs: 12, run: 11,
		key: throughput.Key{Engine: "llama.cpp", Setup: "pp128 tg256"}, load: throughput.Load{Concurrency: 32},
		work:    throughput.Workload{PromptTokensAsked: 128, OutputTokensAsked: 256, Completed: 32, DurationSeconds: 22.633},
		figures: []figure{{throughput.PrefillRate, total, 1201.35}, {throughput.DecodeRate, total, 426.15}, {throughput.MixedRate, total, 542.93}},
	},
	{
		file: "llama-bench/b1275.json", runs: 2,
		key:  throughput.Key{Engine: "llama.cpp", Version: "b1275 (3469684)", Machine: "NVIDIA GeForce RTX 3090 Ti", Model: "llama 7B mostly Q4_0", Setup: "pp512"},
		load: throughput.Load{Concurrency: 1}, work: throughput.Workload{PromptTokensAsked: 512},
		figures: []figure{{throughput.PrefillRate, mean, 2410.974041}},
	},
	{
		file: "llama-bench/b1275.jsonl", runs: 2, run: 1,
		key:  throughput.Key{Engine: "llama.cpp", Version: "b1275 (3469684)", Machine: "NVIDIA GeForce RTX 3090 Ti", Model: "llama 7B mostly Q4_0", Setup: "tg128"},
		load: throughput.Load{Concurrency: 1}, work: throughput.Workload{OutputTokensAsked: 128},
		figures: []figure{{throughput.DecodeRate, mean, 130.965708}},
	},
	{
		file: "llama-bench/b5163.json", runs: 2,
		key:  throughput.Key{Engine: "llama.cpp", Version: "b5163 (8cf427ff)", Platform: "CUDA", Machine: "NVIDIA GeForce RTX 4080", Model: "qwen2 7B Q4_K - Medium", Setup: "pp512"},
		load: throughput.Load{Concurrency: 1}, work: throughput.Workload{PromptTokensAsked: 512},
		figures: []figure{{throughput.PrefillRate, mean, 7100.002165}},
	},
	{
		file: "llama-bench/b5163.jsonl", runs: 2,
		key:  throughput.Key{Engine: "llama.cpp", Version: "b5163 (8cf427ff)", Platform: "CUDA", Machine: "NVIDIA GeForce RTX 4080", Model: "qwen2 7B Q4_K - Medium", Setup: "pp512"},
		load: throughput.Load{Concurrency: 1}, work: throughput.Workload{PromptTokensAsked: 512},
		figures: []figure{{throughput.PrefillRate, mean, 7263.609157}},
	},
	{
		file: "llama-bench/ngl_sweep.md", runs: 16, run: 15,
		key:  throughput.Key{Engine: "llama.cpp", Platform: "CUDA", Model: "llama 7B mostly Q4_0", Setup: "tg128 ngl=35"},
		load: throughput.Load{Concurrency: 1}, work: throughput.Workload{OutputTokensAsked: 128},
		figures: []figure{{throughput.DecodeRate, mean, 131.66}},
	},
	{
		file: "llama-bench/readme.md", runs: 2,
		key:  throughput.Key{Engine: "llama.cpp", Platform: "CUDA", Model: "llama 7B mostly Q4_0", Setup: "pp512"},
		load: throughput.Load{Concurrency: 1}, work: throughput.Workload{PromptTokensAsked: 512},
		figures: []figure{{throughput.PrefillRate, mean, 2368.80}},
	},
	{
		file: "llmperf/individual_anyscale_7b.json", runs: 1,
		work: throughput.Workload{PromptTokensServed: 82500, OutputTokensServed: 22649, Completed: 150},
		figures: []figure{ // the means that LLMPerf itself gives in the summary
			{throughput.TTFT, mean, 0.22518338954666584}, {throughput.ITL, mean, 0.01887842475580952}, {throughput.E2E, mean, 2.947270269773333}, {throughput.UserRateE2E, mean, 51.726368047692425},
		},
	},
	{
		file: "llmperf/summary_anyscale_7b.json", runs: 1,
		key: throughput.Key{Engine: "anyscale", Model: "meta-llama/Llama-2-7b-chat-hf"}, load: throughput.Load{Concurrency: 5},
		work: throughput.Workload{PromptTokensAsked: 550, OutputTokensAsked: 150, PromptTokensServed: 82500, OutputTokensServed: 22649, Completed: 150},
		figures: []figure{
			{throughput.OutputRate, total, 198.25122608178637}, {throughput.RequestRate, total, 78.77879971460449 / 60}, {throughput.ITL, mean, 0.01887842475580952},
			{throughput.TTFT, p99, 0.4557511319600058}, {throughput.E2E, mean, 2.947270269773333}, {throughput.UserRateE2E, mean, 51.726368047692425},
		},
	},
	{
		file: "mlperf/server_llama2-70b_summary.txt", runs: 1,
		key: throughput.Key{Machine: "llama2-70b-Server-SUT", Setup: "Server"}, load: throughput.Load{RequestRate: 39.6},
		figures: []figure{
			{throughput.RequestRate, total, 39.25}, {throughput.OutputRate, total, 10755.59}, {throughput.E2E, mean, 35.975781094}, {throughput.TTFT, p99, 0.357223316},
			{throughput.TPOT, p99, 0.151920554}, {throughput.TPOT, p999, 0.161987165}, {throughput.TTFT, throughput.Min, 0.02833339},
		},
	},
	{
		file: "mlx-lm/BENCHMARKS.md", runs: 12, run: 6,
		key:  throughput.Key{Engine: "MLX", Version: "0.28.2", Machine: "64GB M4 Max", Model: "Qwen/Qwen3-4B-Instruct-2507", Quantization: "q4"},
		load: throughput.Load{Concurrency: 1}, work: throughput.Workload{PromptTokensAsked: 2048, OutputTokensAsked: 128},
		figures: []figure{{throughput.PrefillRate, mean, 1622.27}, {throughput.DecodeRate, mean, 134.52}},
	},
	{
		file: "ollama/bench.benchfmt.txt", runs: 1,
		key: throughput.Key{Engine: "Ollama", Model: "gemma3", Quantization: "Q4_K_M"}, load: throughput.Load{Concurrency: 1},
		work:    throughput.Workload{Completed: 1, DurationSeconds: 2.861047625},
		figures: []figure{{throughput.PrefillRate, mean, 12800}, {throughput.DecodeRate, mean, 51200}, {throughput.TTFT, mean, 0.045123}},
		warning: "loading the model",
	},
	{
		file: "ollama/bench.csv", runs: 1,
		key: throughput.Key{Engine: "Ollama", Model: "gemma3", Quantization: "Q4_K_M"}, load: throughput.Load{Concurrency: 1},
		work:    throughput.Workload{PromptTokensServed: 128, OutputTokensServed: 512, Completed: 1, DurationSeconds: 2.861047625},
		figures: []figure{{throughput.PrefillRate, mean, 12800}, {throughput.DecodeRate, mean, 51200}, {throughput.TTFT, mean, 0.045123}},
		warning: "loading the model",
	},
	{
		file: "sglang/deepseek_dp_mla_output.jsonl", runs: 1,
		key: throughput.Key{Engine: "SGLang", Setup: "random"}, load: throughput.Load{Unbounded: true},
		work:    throughput.Workload{PromptTokensAsked: 1, OutputTokensAsked: 512, PromptTokensServed: 10000, OutputTokensServed: 5120000, Completed: 10000, DurationSeconds: 412.49091206211597},
		figures: []figure{{throughput.OutputRate, total, 12412.394674113431}, {throughput.E2E, mean, 381.23682297268615}, {throughput.TTFT, median, 10.014104524045251}},
	},
	{
		file: "sglang/llama_3_3_70b_online_output.jsonl", runs: 7,
		key: throughput.Key{Engine: "SGLang", Setup: "random"}, load: throughput.Load{RequestRate: 1},
		work:    throughput.Workload{PromptTokensServed: 152612, OutputTokensServed: 160347, Completed: 300, DurationSeconds: 298.3675805060193},
		figures: []figure{{throughput.OutputRate, total, 537.4142851849319}, {throughput.TTFT, median, 85.74514742940664e-3}, {throughput.ITL, median, 13.638956006616354e-3}},
	},
	{
		file: "sglang/llama_3_3_70b_offline_output.jsonl", runs: 7,
		key: throughput.Key{Engine: "SGLang", Setup: "random"}, load: throughput.Load{Unbounded: true},
		work: throughput.Workload{PromptTokensServed: 1525074, OutputTokensServed: 1544818, Completed: 3000, DurationSeconds: 341.72106836596504},
	},
	{
		file: "trtllm/report_gb10_fixture.json", runs: 1,
		key:  throughput.Key{Engine: "TensorRT-LLM", Version: "1.2", Model: "selftest/model", Machine: "NVIDIA GB10", Quantization: "NVFP4", Setup: "pytorch"},
		work: throughput.Workload{PromptTokensServed: 64, OutputTokensServed: 16, Completed: 1, DurationSeconds: 4.7435},
		figures: []figure{
			{throughput.OutputRate, total, 3.37}, {throughput.TotalRate, total, 16.86}, {throughput.UserRateE2E, mean, 3.37}, {throughput.UserRateDecode, mean, 71.29},
			{throughput.TTFT, mean, 4.5331}, {throughput.TPOT, mean, 0.01403}, {throughput.E2E, p99, 4.7435},
		},
	},
	{
		file: "vllm/nightly_2024-08_053post1.json", runs: 5, run: 4,
		key:  throughput.Key{Engine: "vLLM", Version: "053post1", Machine: "A100-SXM4-80GB", Setup: "llama8B_tp1_sharegpt_qps_inf"},
		load: throughput.Load{Unbounded: true}, work: throughput.Workload{PromptTokensServed: 100895, OutputTokensServed: 106450, Completed: 500},
		figures: []figure{{throughput.OutputRate, total, 1960.2442707620914}, {throughput.TTFT, mean, 8253.584657643922e-3}, {throughput.TPOT, mean, 120.45163516184954e-3}},
	},
	{
		file: "vllm/serve_2025-05_rate10.json", runs: 1,
		key:  throughput.Key{Engine: "vLLM", Model: "meta-llama/Llama-3.2-3B-Instruct", Machine: "4xNVIDIA_L40S"},
		load: throughput.Load{RequestRate: 10},
		work: throughput.Workload{PromptTokensAsked: 1000, OutputTokensAsked: 500, PromptTokensServed: 299700, OutputTokensServed: 81050, Completed: 300, DurationSeconds: 36.034275877000255},
		figures: []figure{
			{throughput.OutputRate, total, 2249.247363167692}, {throughput.TotalRate, total, 10566.328606120898}, {throughput.TTFT, mean, 54.577085783294024e-3},
			{throughput.TPOT, mean, 13.577995860227945e-3}, {throughput.ITL, p99, 34.210415409961556e-3},
		},
	},
	{
		file: "vllm/serve_2025-05_rateinf.json", runs: 1,
		key:  throughput.Key{Engine: "vLLM", Model: "meta-llama/Llama-3.2-3B-Instruct", Machine: "4xNVIDIA_L40S"},
		load: throughput.Load{Unbounded: true},
		work: throughput.Workload{PromptTokensAsked: 1000, OutputTokensAsked: 500, PromptTokensServed: 899100, OutputTokensServed: 240163, Completed: 900, DurationSeconds: 20.918269691000205},
	},
	{
		file: "vllm/serve_2026-03_mock.json", runs: 1,
		key: throughput.Key{Model: "deepseek-ai/DeepSeek-R1-0528"}, load: throughput.Load{Concurrency: 64},
		work:    throughput.Workload{PromptTokensServed: 127000, OutputTokensServed: 127853, Completed: 1000, DurationSeconds: 0.883650948991999},
		figures: []figure{{throughput.OutputRate, total, 144687.22083741875}, {throughput.TTFT, p99, 77.79025232302956e-3}, {throughput.TPOT, mean, 0.010592051617808856e-3}},
		absent:  []throughput.Metric{throughput.PeakRate},
		warning: "less than a second",
	},
	{
		file: "vllm/vllm-bench_multiturn_specdecode_c1.json", runs: 1,
		key: throughput.Key{Model: "Qwen/Qwen3.8-27B-FP8", Setup: "multi_turn"}, load: throughput.Load{Concurrency: 1},
		work:    throughput.Workload{PromptTokensServed: 19149, OutputTokensServed: 4096, Completed: 8, DurationSeconds: 56.276253075},
		figures: []figure{{throughput.OutputRate, total, 72.78380802185274}, {throughput.InputRate, total, 340.2678563990376}, {throughput.ITL, mean, 66.08813162251654e-3}, {throughput.TPOT, mean, 12.205657581213309e-3}, {throughput.E2E, mean, 7034.3788485e-3}},
		warning: "5.49 tokens",
	},
}

// refused are the samples that are not read, and why.
var refused = map[string]struct {
	is    error
	tool  string
	says  string
	place func(*DecodeError) bool
}{
	"aiperf/profile_export.jsonl":                 {ErrDuplicateKey, "AIPerf records", "time_to_first_token", func(e *DecodeError) bool { return e.Offset == 778 && e.Field == "time_to_first_token" }},
	"llama-bench/b1275.csv":                       {nil, "llama-bench CSV", "27 values under a header of 26", func(e *DecodeError) bool { return e.Line == 2 }},
	"llama-bench/b1275.sql":                       {nil, "llama-bench SQL", "27 values under a header of 26", func(e *DecodeError) bool { return e.Line == 30 }},
	"inference-perf/lifecycle_v1.yaml":            {ErrUnknownFormat, "inference-perf YAML", "yq -o=json", nil},
	"llm-d-benchmark-report/br_v0_1_example.yaml": {ErrUnknownFormat, "llm-d report YAML", "yq -o=json", nil},
	"llm-d-benchmark-report/br_v0_2_example.yaml": {ErrUnknownFormat, "llm-d report YAML", "yq -o=json", nil},
}

func TestSamples(t *testing.T) {
	for _, e := range samples {
		t.Run(e.file, func(t *testing.T) { e.check(t, testkit.Samples(t, "throughput", "samples", e.file)) })
	}
}

func TestSamplesRefused(t *testing.T) {
	for file, want := range refused {
		t.Run(file, func(t *testing.T) {
			_, err := decodePath(t, testkit.Samples(t, "throughput", "samples", file))
			e, ok := errors.AsType[*DecodeError](err)
			require.True(t, ok, "%v", err)
			assert.Equal(t, want.tool, e.Tool)
			assert.Contains(t, err.Error(), want.says)
			assert.True(t, want.place == nil || want.place(e), "place of %v", err)
			if want.is != nil {
				assert.ErrorIs(t, err, want.is)
			}
		})
	}
}

// TestEverySampleIsReadOrRefused decodes the whole folder: runs with a headline
// figure, or a documented refusal. History series are another package's.
func TestEverySampleIsReadOrRefused(t *testing.T) {
	fsys := os.DirFS(testkit.Samples(t, "throughput", "samples"))
	var files int
	require.NoError(t, fs.WalkDir(fsys, ".", func(path string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		if d.IsDir() || strings.HasSuffix(path, "SOURCE.tsv") || strings.HasPrefix(path, "otava/") {
			return nil
		}
		files++
		runs, err := decodeFile(fsys, path)
		if _, ok := refused[path]; ok {
			assert.Error(t, err, path)
			return nil
		}
		if assert.NoError(t, err, path) {
			assert.NotEmpty(t, runs, path)
		}
		for _, r := range runs {
			assert.True(t, len(r.Metrics) > 0 || len(r.Warnings) > 0, "%s says nothing", r.Source)
		}
		return nil
	}))
	listed := map[string]bool{}
	for _, e := range samples {
		listed[e.file] = true
	}
	assert.Equal(t, files, len(listed)+len(refused), "every sample stands in one of the two tables")

	runs, errs := DecodeFS(fsys)
	assert.NotEmpty(t, runs)
	for _, err := range errs {
		e, ok := errors.AsType[*DecodeError](err)
		require.True(t, ok)
		_, known := refused[e.File]
		assert.True(t, known || strings.HasSuffix(e.File, "SOURCE.tsv") || strings.HasPrefix(e.File, "otava/"), "%v", err)
	}
}
