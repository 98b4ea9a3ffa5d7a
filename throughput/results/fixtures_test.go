package results

import (
	"path/filepath"
	"testing"

	"example.com/servemath/throughput"
)

// fixtures are files typed for this package in the shape that each tool writes;
// testdata/README.md says from what.
var fixtures = []expect{
	{
		file: "vllm_serve_2025.json", runs: 1,
		key:  throughput.Key{Engine: "vLLM", Model: "org/model-3b", Machine: "2xGPU"},
		load: throughput.Load{Unbounded: true},
		work: throughput.Workload{PromptTokensAsked: 1000, OutputTokensAsked: 500, PromptTokensServed: 30000, OutputTokensServed: 8000, Completed: 30, Failed: 2, DurationSeconds: 4},
		figures: []figure{
			{throughput.RequestRate, total, 7.5}, {throughput.OutputRate, total, 2000}, {throughput.TotalRate, total, 9500},
			{throughput.Goodput, total, 6.25}, {throughput.TTFT, mean, 0.050}, {throughput.TTFT, median, 0.048}, {throughput.TTFT, p99, 0.090},
			{throughput.TPOT, mean, 0.014}, {throughput.TPOT, p999, 0.0185}, {throughput.ITL, median, 0.0125},
		},
		absent: []throughput.Metric{throughput.E2E, throughput.InputRate},
	},
	{
		file: "vllm_serve_2026.json", runs: 1,
		key:     throughput.Key{Engine: "vLLM", Model: "org/model-600b"},
		load:    throughput.Load{Concurrency: 64, RequestRate: 4},
		work:    throughput.Workload{PromptTokensServed: 900, OutputTokensServed: 1800, Completed: 9, Failed: 1, DurationSeconds: 2.5},
		figures: []figure{{throughput.OutputRate, total, 720}, {throughput.PeakRate, total, 900}, {throughput.E2E, mean, 1.04}, {throughput.E2E, p99, 1.2}},
		absent:  []throughput.Metric{throughput.TPOT, throughput.ITL, throughput.Goodput},
		warning: "mean of tpot is 0",
	},
	{
		file: "vllm_serve_appended.json", runs: 2, run: 1,
		key:     throughput.Key{Engine: "vLLM", Model: "m"},
		load:    throughput.Load{Concurrency: 2, RequestRate: 2},
		work:    throughput.Workload{PromptTokensServed: 80, OutputTokensServed: 800, Completed: 8, DurationSeconds: 4},
		figures: []figure{{throughput.OutputRate, total, 200}, {throughput.TTFT, mean, 0.025}},
	},
	{
		file: "vllm_serve_detailed.json", runs: 1,
		key:     throughput.Key{Engine: "vLLM", Model: "m"},
		load:    throughput.Load{Concurrency: 4},
		work:    throughput.Workload{PromptTokensServed: 350, OutputTokensServed: 16, Completed: 3, Failed: 1, DurationSeconds: 0.9},
		figures: []figure{{throughput.TTFT, mean, 0.28333333333333337}, {throughput.TPOT, mean, 0.04166666666666667}, {throughput.ITL, mean, 0.07142857142857143}, {throughput.ITL, median, 0.06}, {throughput.E2E, mean, 0.45}},
	},
	{
		file: "vllm_serve_multiturn.json", runs: 1,
		key:     throughput.Key{Model: "org/model-27b", Setup: "multi_turn"},
		load:    throughput.Load{Concurrency: 2},
		work:    throughput.Workload{PromptTokensServed: 20000, OutputTokensServed: 4000, Completed: 8, DurationSeconds: 50},
		figures: []figure{{throughput.RequestRate, total, 0.16}, {throughput.InputRate, total, 400}, {throughput.ITL, mean, 0.066}},
		warning: "5.5 tokens",
	},
	{
		file: "vllm_nightly.json", runs: 2, run: 1,
		key:     throughput.Key{Engine: "vLLM", Version: "060", Machine: "A100", Setup: "llama8B_tp1_sharegpt_qps_inf"},
		load:    throughput.Load{Unbounded: true},
		work:    throughput.Workload{PromptTokensServed: 100000, OutputTokensServed: 107000, Completed: 500},
		figures: []figure{{throughput.RequestRate, total, 9}, {throughput.InputRate, total, 1850}, {throughput.OutputRate, total, 1960}, {throughput.TTFT, mean, 8}, {throughput.TPOT, mean, 0.12}},
	},
	{
		file: "vllm_latency.json", runs: 1, key: throughput.Key{Engine: "vLLM"},
		figures: []figure{{throughput.E2E, mean, 1.25}, {throughput.E2E, median, 1.25}, {throughput.E2E, p99, 1.299}},
	},
	{
		file: "vllm_throughput.json", runs: 1, key: throughput.Key{Engine: "vLLM"},
		load:    throughput.Load{Unbounded: true},
		work:    throughput.Workload{Completed: 1000, DurationSeconds: 20},
		figures: []figure{{throughput.TotalRate, total, 25000}, {throughput.RequestRate, total, 50}},
		absent:  []throughput.Metric{throughput.OutputRate}, // the rate counts the prompt
	},
	{
		file: "sglang_2024.jsonl", runs: 2,
		key:     throughput.Key{Engine: "SGLang", Setup: "random"},
		load:    throughput.Load{Unbounded: true},
		work:    throughput.Workload{PromptTokensAsked: 10, OutputTokensAsked: 512, PromptTokensServed: 1000, OutputTokensServed: 51200, Completed: 100, DurationSeconds: 4},
		figures: []figure{{throughput.OutputRate, total, 12800}, {throughput.E2E, mean, 3.8}, {throughput.TTFT, median, 0.1}, {throughput.ITL, median, 0.037}},
		absent:  []throughput.Metric{throughput.TPOT, throughput.RequestRate},
	},
	{
		file: "sglang_2024.jsonl", runs: 2, run: 1,
		key:     throughput.Key{Engine: "SGLang", Setup: "random"},
		load:    throughput.Load{Concurrency: 16, RequestRate: 2},
		work:    throughput.Workload{PromptTokensServed: 900, OutputTokensServed: 25000, Completed: 100, DurationSeconds: 50},
		figures: []figure{{throughput.OutputRate, total, 500}},
	},
	{
		file: "sglang_2026.jsonl", runs: 1,
		key:     throughput.Key{Engine: "SGLang", Setup: "sharegpt"},
		load:    throughput.Load{Concurrency: 8},
		work:    throughput.Workload{OutputTokensAsked: 256, PromptTokensServed: 4000, OutputTokensServed: 10240, Completed: 40, DurationSeconds: 10},
		figures: []figure{{throughput.OutputRate, total, 1024}, {throughput.TotalRate, total, 1424}, {throughput.InputRate, total, 400}, {throughput.MeanConcurrency, total, 7.38}, {throughput.ITL, "p95", 0.011}, {throughput.ITL, throughput.Max, 0.08}, {throughput.E2E, p99, 2.1}},
	},
	{
		file: "sglang_one_batch.jsonl", runs: 1,
		key:     throughput.Key{Engine: "SGLang", Setup: "before"},
		load:    throughput.Load{Concurrency: 16},
		work:    throughput.Workload{PromptTokensAsked: 256, OutputTokensAsked: 32, Completed: 16, DurationSeconds: 0.3},
		figures: []figure{{throughput.PrefillRate, total, 102400}, {throughput.DecodeRate, median, 2000}, {throughput.ITL, median, 0.008}, {throughput.TotalRate, total, 15360}},
		absent:  []throughput.Metric{throughput.TTFT, throughput.OutputRate},
	},
	{
		file: "llama_bench.json", runs: 2,
		key:     throughput.Key{Engine: "llama.cpp", Version: "b6000 (0123abcd)", Platform: "CUDA", Machine: "GPU", Model: "llama 7B Q4_0", Setup: "pp512 flash_attn=false"},
		load:    throughput.Load{Concurrency: 1},
		work:    throughput.Workload{PromptTokensAsked: 512},
		figures: []figure{{throughput.PrefillRate, mean, 2304}},
		absent:  []throughput.Metric{throughput.DecodeRate},
	},
	{
		file: "llama_bench.json", runs: 2, run: 1,
		key:     throughput.Key{Engine: "llama.cpp", Version: "b6000 (0123abcd)", Platform: "CUDA", Machine: "GPU", Model: "llama 7B Q4_0", Setup: "pp512+tg128 @ d4096 flash_attn=true"},
		load:    throughput.Load{Concurrency: 1},
		work:    throughput.Workload{PromptTokensAsked: 512, OutputTokensAsked: 128},
		figures: []figure{{throughput.MixedRate, mean, 500}},
		absent:  []throughput.Metric{throughput.DecodeRate, throughput.PrefillRate},
	},
	{
		file: "llama_bench.jsonl", runs: 2, run: 1,
		key:     throughput.Key{Engine: "llama.cpp", Version: "b1275 (3469684)", Machine: "GPU", Model: "llama 7B mostly Q4_0", Setup: "tg128"},
		load:    throughput.Load{Concurrency: 1},
		work:    throughput.Workload{OutputTokensAsked: 128},
		figures: []figure{{throughput.DecodeRate, mean, 128}},
	},
	{
		file: "llama_bench.csv", runs: 2,
		key:     throughput.Key{Engine: "llama.cpp", Version: "b6000 (0123abcd)", Platform: "CUDA", Machine: `GPU "Ti"`, Model: "llama 7B Q4_0", Setup: "pp512"},
		load:    throughput.Load{Concurrency: 1},
		work:    throughput.Workload{PromptTokensAsked: 512},
		figures: []figure{{throughput.PrefillRate, mean, 2413.341687}},
	},
	{
		file: "llama_bench.sql", runs: 2, run: 1,
		key:     throughput.Key{Engine: "llama.cpp", Version: "b6000 (0123abcd)", Model: "llama 7B, Q4_0", Setup: "tg128"},
		load:    throughput.Load{Concurrency: 1},
		work:    throughput.Workload{OutputTokensAsked: 128},
		figures: []figure{{throughput.DecodeRate, mean, 130.891159}},
	},
	{
		file: "llama_bench.md", runs: 4, run: 1,
		key:     throughput.Key{Engine: "llama.cpp", Version: "b6000 (0123abcd)", Platform: "CUDA", Model: "llama 7B Q4_0", Setup: "tg128 ngl=20"},
		load:    throughput.Load{Concurrency: 1},
		work:    throughput.Workload{OutputTokensAsked: 128},
		figures: []figure{{throughput.DecodeRate, mean, 13.45}},
	},
	{
		file: "llama_bench.md", runs: 4, run: 3,
		key:     throughput.Key{Engine: "llama.cpp", Version: "b6000 (0123abcd)", Platform: "CUDA", Model: "llama 7B Q4_0", Setup: "tg128 @ d4096 ngl=20"},
		load:    throughput.Load{Concurrency: 1},
		work:    throughput.Workload{OutputTokensAsked: 128},
		figures: []figure{{throughput.DecodeRate, mean, 11}},
	},
	{
		file: "batched_bench.jsonl", runs: 2, run: 1,
		key:     throughput.Key{Engine: "llama.cpp", Setup: "pp128 tg128"},
		load:    throughput.Load{Concurrency: 2},
		work:    throughput.Workload{PromptTokensAsked: 128, OutputTokensAsked: 128, Completed: 2, DurationSeconds: 5.37},
		figures: []figure{{throughput.PrefillRate, total, 512}, {throughput.DecodeRate, total, 50}, {throughput.MixedRate, total, 71.508380}},
		absent:  []throughput.Metric{throughput.TTFT}, // t_pp is the batch's
		warning: "share one prompt",
	},
	{
		file: "batched_bench.md", runs: 2, run: 1,
		key:     throughput.Key{Engine: "llama.cpp", Setup: "pp128 tg128"},
		load:    throughput.Load{Concurrency: 4},
		work:    throughput.Workload{PromptTokensAsked: 128, OutputTokensAsked: 128, Completed: 4, DurationSeconds: 7.251},
		figures: []figure{{throughput.PrefillRate, total, 1373.96}, {throughput.DecodeRate, total, 74.44}, {throughput.MixedRate, total, 141.23}},
	},
	{
		file: "guidellm_v2.json", runs: 2,
		key:  throughput.Key{Model: "org/model", Setup: "constant"},
		load: throughput.Load{RequestRate: 2}, // not the 10240 that the file also carries
		work: throughput.Workload{PromptTokensAsked: 100, OutputTokensAsked: 11, PromptTokensServed: 400, OutputTokensServed: 44, Completed: 4, Failed: 1, DurationSeconds: 5},
		figures: []figure{
			{throughput.RequestRate, total, 0.8}, {throughput.OutputRate, total, 8.8}, {throughput.TotalRate, total, 88.8}, {throughput.InputRate, total, 80},
			{throughput.MeanConcurrency, total, 1.6}, {throughput.E2E, mean, 2}, {throughput.TTFT, mean, 1}, {throughput.TTFT, "p0.1", 0.9}, {throughput.TTFT, p999, 1.101},
			{throughput.TPOT, mean, 0.1818}, {throughput.ITL, mean, 0.1},
		},
		warning: "1 requests were cut off",
	},
	{
		file: "guidellm_v2.json", runs: 2, run: 1,
		key:     throughput.Key{Model: "org/model", Setup: "concurrent"},
		load:    throughput.Load{Concurrency: 2},
		work:    throughput.Workload{PromptTokensAsked: 100, OutputTokensAsked: 11, PromptTokensServed: 400, OutputTokensServed: 44, Completed: 4, Failed: 1, DurationSeconds: 5},
		figures: []figure{{throughput.OutputRate, total, 8.8}},
		warning: "1 requests were cut off",
	},
	{
		file: "aiperf.json", runs: 1,
		key:  throughput.Key{Model: "org/model"},
		load: throughput.Load{Concurrency: 8},
		work: throughput.Workload{PromptTokensServed: 55000, OutputTokensServed: 10000, Completed: 100, Failed: 2, DurationSeconds: 25},
		figures: []figure{
			{throughput.RequestRate, total, 4}, {throughput.OutputRate, total, 400}, {throughput.TTFT, mean, 0.15}, {throughput.TTFT, p99, 0.3},
			{throughput.TPOT, mean, 0.0185}, {throughput.ITL, mean, 0.037}, {throughput.E2E, mean, 2}, {throughput.UserRateDecode, mean, 54}, {throughput.PrefillRate, mean, 3000},
		},
		warning: "cancelled",
	},
	{
		file: "aiperf_records.jsonl", runs: 1,
		work: throughput.Workload{PromptTokensServed: 1100, OutputTokensServed: 22, Completed: 2, Failed: 1, DurationSeconds: 0.5},
		figures: []figure{
			{throughput.TTFT, mean, 0.15}, {throughput.TTFT, throughput.Max, 0.2}, {throughput.E2E, mean, 0.35}, {throughput.TPOT, mean, 0.02},
			{throughput.ITL, mean, (5*0.020 + 10*0.030) / 15}, {throughput.OutputRate, total, 44}, {throughput.RequestRate, total, 4}, {throughput.UserRateDecode, mean, (100 + 10/0.3) / 2},
		},
	},
	{
		file: "genai_perf.json", runs: 1, key: throughput.Key{},
		figures: []figure{{throughput.RequestRate, total, 2.87}, {throughput.OutputRate, total, 45.84}, {throughput.TTFT, mean, 0.02}, {throughput.ITL, mean, 0.021}, {throughput.E2E, mean, 0.3478}},
	},
	{
		file: "trtllm.json", runs: 1,
		key:  throughput.Key{Engine: "TensorRT-LLM", Version: "1.2", Model: "org/model", Machine: "GPU", Quantization: "NVFP4", Setup: "pytorch"},
		load: throughput.Load{Unbounded: true},
		work: throughput.Workload{PromptTokensServed: 1290, OutputTokensServed: 320, Completed: 20, DurationSeconds: 5},
		figures: []figure{
			{throughput.OutputRate, total, 64}, {throughput.TotalRate, total, 322}, {throughput.RequestRate, total, 4}, {throughput.MeanConcurrency, total, 4},
			{throughput.E2E, mean, 1}, {throughput.E2E, p99, 1.3}, {throughput.E2E, throughput.Max, 1.35}, {throughput.UserRateE2E, mean, 16}, {throughput.UserRateDecode, mean, 75},
			{throughput.TTFT, mean, 0.8}, {throughput.TTFT, throughput.Min, 0.7}, {throughput.TPOT, mean, 0.013}, {throughput.TPOT, median, 0.0135},
		},
	},
	{
		file: "inferencex.json", runs: 2,
		key:  throughput.Key{Engine: "vLLM", Version: "vllm/vllm:v1", Model: "org/model", Machine: "h200", Quantization: "fp8", Setup: "tp=4 ep=1"},
		load: throughput.Load{Concurrency: 16},
		work: throughput.Workload{PromptTokensAsked: 1024, OutputTokensAsked: 8192},
		figures: []figure{
			{throughput.TotalRate, total, 4000}, {throughput.OutputRate, total, 3200}, {throughput.InputRate, total, 800}, {throughput.TTFT, mean, 0.25}, {throughput.TTFT, p99, 0.9},
			{throughput.TPOT, p99, 0.04}, {throughput.E2E, mean, 164}, {throughput.UserRateDecode, "p1", 25}, {throughput.UserRateDecode, median, 62.5},
		},
	},
	{
		file: "inferencex.json", runs: 2, run: 1,
		key:     throughput.Key{Engine: "TensorRT-LLM", Version: "dynamo:v1", Model: "org/model", Machine: "gb200", Quantization: "fp4", Setup: "spec_decoding=mtp disagg=true num_prefill_gpu=4 num_decode_gpu=8"},
		load:    throughput.Load{Concurrency: 512},
		work:    throughput.Workload{PromptTokensAsked: 1024, OutputTokensAsked: 1024},
		figures: []figure{{throughput.TotalRate, total, 12000}, {throughput.OutputRate, total, 6000}, {throughput.InputRate, total, 6000}},
	},
	{
		file: "inference_perf_stage.json", runs: 1,
		load: throughput.Load{RequestRate: 2},
		work: throughput.Workload{PromptTokensServed: 1000, OutputTokensServed: 99, Completed: 9, Failed: 1},
		figures: []figure{
			{throughput.OutputRate, total, 20}, {throughput.E2E, mean, 1}, {throughput.E2E, p999, 1.9}, {throughput.E2E, "p0.1", 0.5}, {throughput.NTPOT, mean, 0.1}, {throughput.NTPOT, throughput.Min, 0},
			{throughput.TPOT, mean, 0.08}, {throughput.TTFT, median, 0.19}, {throughput.ITL, "p25", 0}, {throughput.ITL, median, 0.00004},
		},
		warning: "100 of 1000 prompt tokens",
	},
	{
		file: "inference_perf_prometheus.json", runs: 1,
		work:    throughput.Workload{Completed: 18},
		figures: []figure{{throughput.RequestRate, total, 1.5}, {throughput.OutputRate, total, 75}, {throughput.InputRate, total, 150}, {throughput.E2E, mean, 4}, {throughput.TTFT, p99, 4.9}, {throughput.TPOT, median, 0.0195}},
		warning: "server's counters",
	},
	{
		file: "llmperf_summary.json", runs: 1,
		key:  throughput.Key{Engine: "anyscale", Model: "org/model-7b"},
		load: throughput.Load{Concurrency: 5},
		work: throughput.Workload{PromptTokensAsked: 550, OutputTokensAsked: 150, PromptTokensServed: 80850, OutputTokensServed: 22197, Completed: 147, Failed: 3},
		figures: []figure{
			{throughput.OutputRate, total, 198.25}, {throughput.RequestRate, total, 1.3}, {throughput.ITL, mean, 0.0189}, {throughput.TTFT, p99, 0.456},
			{throughput.E2E, throughput.Max, 3.36}, {throughput.UserRateE2E, mean, 51.7},
		},
	},
	{
		file: "llmperf_individual.json", runs: 1,
		work:    throughput.Workload{PromptTokensServed: 1100, OutputTokensServed: 200, Completed: 2, Failed: 1},
		figures: []figure{{throughput.TTFT, mean, 0.3}, {throughput.E2E, throughput.Max, 4}, {throughput.ITL, mean, 0.03}, {throughput.UserRateE2E, throughput.Min, 25}},
	},
	{
		file: "llmd_v01.json", runs: 1,
		key:     throughput.Key{Engine: "vLLM", Version: "0.9.0.1", Model: "org/model", Machine: "H100", Quantization: "fp16"},
		work:    throughput.Workload{PromptTokensServed: 19200, OutputTokensServed: 960, Completed: 32, Failed: 1, DurationSeconds: 16},
		figures: []figure{{throughput.OutputRate, total, 60}, {throughput.E2E, mean, 3.3}, {throughput.TTFT, mean, 0.8}, {throughput.TPOT, mean, 0.083}, {throughput.NTPOT, p999, 0.1976}},
	},
	{
		file: "llmd_v02.json", runs: 1,
		key:     throughput.Key{Engine: "vLLM", Version: "0.11", Model: "org/model", Machine: "H100"},
		load:    throughput.Load{RequestRate: 10},
		work:    throughput.Workload{PromptTokensAsked: 2148, PromptTokensServed: 1131000, OutputTokensServed: 500000, Completed: 500},
		figures: []figure{{throughput.OutputRate, total, 900}, {throughput.RequestRate, total, 9}, {throughput.TTFT, mean, 0.04}, {throughput.E2E, throughput.Max, 20}},
	},
	{
		file: "mlperf_server.txt", runs: 1,
		key:     throughput.Key{Machine: "Llama-Server", Setup: "Server"},
		load:    throughput.Load{RequestRate: 39.6},
		figures: []figure{{throughput.RequestRate, total, 39.25}, {throughput.OutputRate, total, 10755.59}, {throughput.E2E, mean, 36}, {throughput.E2E, p999, 144}, {throughput.TTFT, mean, 0.208}, {throughput.TTFT, p99, 0.357}, {throughput.TPOT, p99, 0.152}},
	},
	{
		file: "mlperf_offline_invalid.txt", runs: 1,
		key:     throughput.Key{Machine: "Mixtral", Setup: "Offline"},
		load:    throughput.Load{Unbounded: true},
		figures: []figure{{throughput.RequestRate, total, 80.5}, {throughput.OutputRate, total, 11600.25}, {throughput.E2E, throughput.Max, 90}},
		absent:  []throughput.Metric{throughput.TTFT, throughput.TPOT},
		warning: "INVALID: Increase expected QPS",
	},
	{
		file: "ollama.benchfmt", runs: 2, run: 1,
		key:     throughput.Key{Engine: "Ollama", Model: "gemma3", Quantization: "Q4_K_M"},
		load:    throughput.Load{Concurrency: 1},
		work:    throughput.Workload{Completed: 1, DurationSeconds: 1.4},
		figures: []figure{{throughput.PrefillRate, mean, 12500}, {throughput.DecodeRate, mean, 50000}, {throughput.TTFT, mean, 0.046}, {throughput.E2E, mean, 1.4}},
	},
	{
		file: "ollama.csv", runs: 1,
		key:     throughput.Key{Engine: "Ollama", Model: "gemma3", Quantization: "Q4_K_M"},
		load:    throughput.Load{Concurrency: 1},
		work:    throughput.Workload{PromptTokensServed: 128, OutputTokensServed: 512, Completed: 1, DurationSeconds: 2.86},
		figures: []figure{{throughput.PrefillRate, mean, 12800}, {throughput.DecodeRate, mean, 51200}, {throughput.TTFT, mean, 0.045}, {throughput.E2E, mean, 2.86}},
		warning: "1.5 s of loading",
	},
	{
		file: "ollama.md", runs: 1,
		key:     throughput.Key{Engine: "Ollama", Model: "gemma3"},
		load:    throughput.Load{Concurrency: 1},
		work:    throughput.Workload{PromptTokensServed: 128, OutputTokensServed: 512, Completed: 1, DurationSeconds: 2.5},
		figures: []figure{{throughput.PrefillRate, mean, 12800}, {throughput.DecodeRate, mean, 512}, {throughput.E2E, mean, 2.5}},
		warning: "1.49 s of loading",
	},
	{
		file: "ollama_verbose.txt", runs: 2,
		key:     throughput.Key{Engine: "Ollama"},
		load:    throughput.Load{Concurrency: 1},
		work:    throughput.Workload{PromptTokensServed: 26, OutputTokensServed: 298, Completed: 1, DurationSeconds: 2.86},
		figures: []figure{{throughput.PrefillRate, mean, 200}, {throughput.DecodeRate, mean, 119.2}, {throughput.E2E, mean, 2.86}},
	},
	{
		file: "ollama_verbose.txt", runs: 2, run: 1, // the prompt was cached: no count and no rate
		key:     throughput.Key{Engine: "Ollama"},
		load:    throughput.Load{Concurrency: 1},
		work:    throughput.Workload{OutputTokensServed: 5000, Completed: 1, DurationSeconds: 62.5},
		figures: []figure{{throughput.DecodeRate, mean, 80.13}},
		absent:  []throughput.Metric{throughput.PrefillRate},
		warning: "prefill is 0",
	},
	{
		file: "ollama_api.jsonl", runs: 2,
		key:     throughput.Key{Engine: "Ollama", Model: "gemma3"},
		load:    throughput.Load{Concurrency: 1},
		work:    throughput.Workload{PromptTokensServed: 26, OutputTokensServed: 300, Completed: 1, DurationSeconds: 4},
		figures: []figure{{throughput.PrefillRate, mean, 200}, {throughput.DecodeRate, mean, 150}, {throughput.E2E, mean, 4}},
		absent:  []throughput.Metric{throughput.TTFT},
		warning: "1.5 s of loading",
	},
	{
		file: "ollama_api.jsonl", runs: 2, run: 1, // the prompt was cached: no count
		key:     throughput.Key{Engine: "Ollama", Model: "gemma3"},
		load:    throughput.Load{Concurrency: 1},
		work:    throughput.Workload{OutputTokensServed: 200, Completed: 1, DurationSeconds: 2.5},
		figures: []figure{{throughput.DecodeRate, mean, 100}, {throughput.E2E, mean, 2.5}},
		absent:  []throughput.Metric{throughput.PrefillRate},
	},
	{
		file: "mlx_trials.txt", runs: 1,
		key:     throughput.Key{Engine: "MLX"},
		load:    throughput.Load{Concurrency: 1},
		work:    throughput.Workload{PromptTokensAsked: 512, OutputTokensAsked: 128},
		figures: []figure{{throughput.PrefillRate, mean, 1050}, {throughput.DecodeRate, mean, 52}},
	},
	{
		file: "mlx_table.md", runs: 3, run: 1,
		key:     throughput.Key{Engine: "MLX", Version: "0.28.2", Machine: "64GB M4 Max", Model: "org/Model-4B", Quantization: "q4"},
		load:    throughput.Load{Concurrency: 1},
		work:    throughput.Workload{PromptTokensAsked: 2048, OutputTokensAsked: 128},
		figures: []figure{{throughput.PrefillRate, mean, 1622.27}, {throughput.DecodeRate, mean, 134.52}},
	},
	{
		file: "mlx_table.md", runs: 3, run: 2,
		key:     throughput.Key{Engine: "MLX", Version: "0.28.2", Machine: "64GB M4 Max", Model: "org/Model-30B", Quantization: "bf16"},
		load:    throughput.Load{Concurrency: 1},
		work:    throughput.Workload{PromptTokensAsked: 2048, OutputTokensAsked: 128},
		absent:  []throughput.Metric{throughput.PrefillRate, throughput.DecodeRate},
		warning: "did not run",
	},
	{
		file: "published.md", runs: 5, run: 3,
		key:     throughput.Key{Platform: "Apple Silicon", Machine: "M5 Max 128 GB", Model: "Gemma-4-E2B", Setup: "Batched prefill", Engine: "Pie"},
		figures: []figure{{throughput.PrefillRate, total, 27717}},
	},
}

func TestFixtures(t *testing.T) {
	for _, e := range fixtures {
		t.Run(e.file, func(t *testing.T) { e.check(t, filepath.Join("testdata", e.file)) })
	}
}
