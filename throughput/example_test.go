package throughput_test

import (
	"fmt"
	"os"
	"strings"

	"example.com/servemath/throughput"
)

const table = `### Apple Silicon

| Machine | Model | Setup | tok/s |
|---|---|---|---:|
| M5 Max 128 GB | Gemma-4-E2B | Single decode | Pie 205 · MLX 185 · llama.cpp 166 |
| M5 Max 128 GB | Gemma-4-E4B | Single decode | Pie 127 · MLX 120 · llama.cpp 107 |
| M4 Pro 48 GB | Gemma-4-E2B | Single decode | Pie 97.1 · MLX 88.4 · llama.cpp 80 |
| M3 16 GB | Gemma-4-E2B | Single decode | Pie 41.2 · MLX 37.5 · llama.cpp 35 |
| M2 16 GB | Gemma-4-E2B | Single decode | Pie 39 · MLX 34.9 · llama.cpp 33.6 |
`

func ExampleReadTable() {
	rows, err := throughput.ReadTable(strings.NewReader(table))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(rows), rows[1])

	_, err = throughput.ReadTable(strings.NewReader("Pie 205 · MLX n/a\n"))
	fmt.Println(err)
	// Output:
	// 15 MLX on Apple Silicon, M5 Max 128 GB, Gemma-4-E2B, Single decode: 185
	// throughput: not the published table form: line 1, column 15: "n/a" is not a published figure
}

func ExampleCompareEngines() {
	rows, err := throughput.ReadTable(strings.NewReader(table))
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := throughput.CompareEngines(rows, "Pie", "MLX", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c)
	fmt.Printf("p = %.2g; rounding moves the ratio by at most %.2g%%\n", c.P, 100*c.RoundingError)
	// Output:
	// Pie against MLX: 1.096 (1.077 to 1.122, 95% over 4 machines), 5-0-0 of 5: faster
	// p = 0.00068; rounding moves the ratio by at most 0.39%
}

func ExampleSummarize() {
	s, err := throughput.Summarize([]float64{119.03, 120.178, 119.43, 118.307, 117.464}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s)
	for _, w := range s.Warnings {
		fmt.Println(w)
	}
	// Output:
	// 118.9 (117.6 to 120.2, 95%), median 119, CV 0.88%, n = 5
	// no interval of the median at 95%: throughput/stat: too few observations: 5 observations bound no side of the 0.5-quantile, need 6
}

// Two builds of one engine, output tokens per second over repeated runs.
var (
	oldBuild = []float64{101.3, 99.8, 102.4, 100.9, 98.7, 103.1, 101.8, 100.2}
	newBuild = []float64{104.6, 103.2, 105.9, 102.7, 104.1, 106.3, 103.8, 105.2, 101.9, 104.9}
)

func ExampleCompare() {
	c, err := throughput.Compare(oldBuild, newBuild, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c)
	fmt.Printf("p = %.2g of no difference, %.2g of more than %g%%\n", c.P, c.PEquivalent, 100*c.Margin)
	// Output:
	// 1.032 (1.018 to 1.047, 95%), n = 8 v 10, sees 2% and more: faster
	// p = 0.00025 of no difference, 0.62 of more than 3%
}

func ExampleCompareAll() {
	rows, err := throughput.ReadTable(strings.NewReader(table))
	if err != nil {
		fmt.Println(err)
		return
	}
	all, err := throughput.CompareAll(rows, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range all {
		fmt.Printf("%s / %s %.3f, p = %.2g, %.2g among %d: %v\n", c.A, c.B, c.Estimate, c.P, c.AdjustedP, len(all), c.Verdict)
	}
	// Output:
	// MLX / Pie 0.912, p = 0.00068, 0.0016 among 3: slower
	// MLX / llama.cpp 1.090, p = 0.017, 0.017 among 3: faster
	// Pie / llama.cpp 1.194, p = 0.00053, 0.0016 among 3: faster
}

func ExampleWriteMatrix() {
	rows, err := throughput.ReadTable(strings.NewReader(table))
	if err != nil {
		fmt.Println(err)
		return
	}
	all, err := throughput.CompareAll(rows, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = throughput.WriteMatrix(os.Stdout, all)
	// Output:
	// Apple Silicon, Single decode
	//                MLX     Pie   llama.cpp
	//   MLX                0.912-      1.090+
	//   Pie        1.096+              1.194+
	//   llama.cpp  0.918-  0.837-
}

func ExampleRankFlips() {
	rows, err := throughput.ReadTable(strings.NewReader(`
| M5 Max 128 GB | Gemma-4-E2B | Single decode | Pie 205 · MLX 185 · llama.cpp 166 |
| M5 Max 128 GB | Gemma-4-E2B | Batched decode | Pie 2,020 · llama.cpp 689 · MLX 185 |
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	flips, err := throughput.RankFlips(rows, "Single decode", "Batched decode")
	fmt.Println(flips[0], err)
	fmt.Println(flips[0].Flipped)
	// Output:
	// M5 Max 128 GB, Gemma-4-E2B: Pie, then Pie; 1 of 3 pairs change places <nil>
	// [{MLX llama.cpp}]
}

// Engine B was swept further, where A was not.
func ExamplePeak() {
	var rows []throughput.Row
	for engine, sweep := range map[string][]float64{"A": {610, 1180, 1390, 1372}, "B": {580, 1110, 1350, 1384, 1391, 1402}} {
		for i, rate := range sweep {
			rows = append(rows, throughput.Row{Machine: "m", Model: "x", Engine: engine, Setup: fmt.Sprintf("C=%03d", 8<<i), Value: rate})
		}
	}
	peaks, err := throughput.Peak(rows, &throughput.PeakOptions{CV: 0.02})
	for _, p := range peaks {
		fmt.Println(p, p.Dropped)
	}
	fmt.Println(err)
	// Output:
	// A on m, x, C=032: 1390, best of 4 shared levels, about 1.1% of it luck []
	// B on m, x, C=064: 1384, best of 4 shared levels, about 1.1% of it luck [C=128 C=256]
	// <nil>
}

func ExampleHistory() {
	nightly := []float64{100.2, 99.7, 100.5, 100.1, 99.9, 100.3, 99.6, 100.4, 93.1, 92.6, 93.4, 92.9, 93.2, 92.8, 93.0, 93.3}
	t, err := throughput.History(nightly, nil)
	fmt.Println(t, err)
	// Output:
	// at 8 from 100.1 to 93.04 (-7.0%), p = 2.4e-16: slower
	// now 93.04 (92.81 to 93.26, 95%), median 93.05, CV 0.29%, n = 8 <nil>
}

// A trace of two requests: the second streams several tokens a chunk.
var trace = []throughput.Request{
	{StartSeconds: 0, EndSeconds: 0.4, PromptTokens: 100, Chunks: []throughput.Chunk{{0.2, 1}, {0.25, 1}, {0.3, 1}, {0.36, 1}, {0.4, 1}}},
	{StartSeconds: 0.1, EndSeconds: 0.8, PromptTokens: 200, Chunks: []throughput.Chunk{{0.5, 1}, {0.6, 3}, {0.72, 4}, {0.8, 2}}},
}

func ExampleMeasure() {
	for _, tool := range []string{"vLLM", "GuideLLM"} {
		d, _ := throughput.DefinitionOf(tool, throughput.TPOT)
		v, err := throughput.Measure(trace, throughput.TPOT, throughput.Mean, d)
		fmt.Printf("%s: %.1f ms %v\n", tool, 1e3*v.Value, err)
	}
	// Output:
	// vLLM: 41.7 ms <nil>
	// GuideLLM: 73.3 ms <nil>
}

func ExampleMeasureGoodput() {
	v, err := throughput.MeasureGoodput(trace, throughput.SLO{MaxTTFTSeconds: 0.3, MaxTPOTSeconds: 0.06})
	fmt.Printf("%.2f req/s of %d requests %v\n", v.Value, len(trace), err)
	// Output:
	// 1.25 req/s of 2 requests <nil>
}

func ExampleDefinitionOf() {
	for _, tool := range []string{"vLLM", "SGLang", "GuideLLM", "LLMPerf"} {
		d, _ := throughput.DefinitionOf(tool, throughput.ITL)
		fmt.Println(tool, d.Gap, d.Weight)
	}
	// Output:
	// vLLM chunk gap
	// SGLang token token
	// GuideLLM per_request token-1
	// LLMPerf e2e_per_chunk request
}

func ExampleComparable() {
	guide, _ := throughput.DefinitionOf("GuideLLM", throughput.TPOT)
	vllm, _ := throughput.DefinitionOf("vLLM", throughput.TPOT)
	err := throughput.Comparable(
		throughput.Value{Metric: throughput.TPOT, Stat: throughput.Mean, Def: guide, Value: 0.0119},
		throughput.Value{Metric: throughput.TPOT, Stat: throughput.Mean, Def: vllm, Value: 0.0100})
	fmt.Println(err)
	// Output:
	// throughput: not the same quantity: whether the first token counts is yes against no
}

// sweepRun is a run as GuideLLM reports it: requests of 100 tokens.
func sweepRun(concurrency int, ttft, tpot float64) throughput.Run {
	one := throughput.Definition{Tool: "GuideLLM", Weight: throughput.PerRequest}
	all, _ := throughput.DefinitionOf("GuideLLM", throughput.TPOT)
	e2e := ttft + 99*tpot
	return throughput.Run{
		Key:      throughput.Key{Machine: "H100", Engine: "vLLM", Model: "Qwen3-0.6B"},
		Load:     throughput.Load{Concurrency: concurrency},
		Workload: throughput.Workload{OutputTokensAsked: 100, Completed: 64, OutputTokensServed: 6400},
		Metrics: []throughput.Value{
			{Metric: throughput.TTFT, Stat: throughput.Mean, Def: one, Value: ttft},
			{Metric: throughput.E2E, Stat: throughput.Mean, Def: one, Value: e2e},
			{Metric: throughput.TPOT, Stat: throughput.Mean, Def: all, Value: e2e / 100},
			{Metric: throughput.OutputRate, Stat: throughput.Total, Value: 100 * float64(concurrency) / e2e},
		},
	}
}

func ExampleConvert() {
	run := sweepRun(8, 0.4, 0.02)
	guide, _ := run.Get(throughput.TPOT, throughput.Mean)
	vllm, _ := throughput.DefinitionOf("vLLM", throughput.TPOT)
	v, err := throughput.Convert(guide, vllm, run)
	fmt.Printf("%.1f ms with the first token, %.1f ms without %v\n", 1e3*guide.Value, 1e3*v.Value, err)
	// Output:
	// 23.8 ms with the first token, 20.0 ms without <nil>
}

func ExampleLevels() {
	levels, err := throughput.Levels([]throughput.Run{sweepRun(1, 0.05, 0.005), sweepRun(8, 0.1, 0.008), sweepRun(32, 0.4, 0.02)})
	for _, l := range levels {
		fmt.Println(l)
	}
	fmt.Println(err)
	// Output:
	// C=1: TTFT 0.05 s, 200 tok/s a user, 183.49 tok/s in all
	// C=8: TTFT 0.1 s, 125 tok/s a user, 896.86 tok/s in all
	// C=32: TTFT 0.4 s, 50 tok/s a user, 1344.5 tok/s in all
	// <nil>
}

func ExampleRows() {
	rows, err := throughput.Rows([]throughput.Run{sweepRun(1, 0.05, 0.005), sweepRun(8, 0.1, 0.008)}, throughput.OutputRate, throughput.Total)
	for _, r := range rows {
		fmt.Printf("%s, %s, %s, %s: %.1f\n", r.Machine, r.Model, r.Setup, r.Engine, r.Value)
	}
	fmt.Println(err)
	// Output:
	// H100, Qwen3-0.6B, C=1, 100 out, vLLM: 183.5
	// H100, Qwen3-0.6B, C=8, 100 out, vLLM: 896.9
	// <nil>
}

func ExampleAudit() {
	run := sweepRun(8, 0.4, 0.02)
	run.Source = "report.json"
	run.Metrics[2].Value /= 2
	for _, f := range throughput.Audit(run) {
		fmt.Println(f)
	}
	// Output:
	// report.json: contradiction: tpot is 11.9 ms, but request times leave 23.8 ms a token: 2 times as much (tpot_mismatch)
}

func ExampleAuditAll() {
	one, eight := sweepRun(1, 0.05, 0.005), sweepRun(8, 0.1, 0.008)
	eight.Source = "c8.json"
	eight.Metrics[3].Value = 150
	for _, f := range throughput.AuditAll([]throughput.Run{one, eight}) {
		fmt.Println(f)
	}
	// Output:
	// c8.json: note: 8 requests at once gave 150 tok/s, one at a time 183.486: other work, or a broken run (below_single)
}

func ExampleRun_Get() {
	v, ok := sweepRun(8, 0.1, 0.008).Get(throughput.TTFT, throughput.Mean)
	fmt.Println(v.Value, v.Metric.Unit(), ok)
	// Output:
	// 0.1 s true
}

func ExamplePercentile() {
	fmt.Println(throughput.Percentile(99.9), throughput.Percentile(50) == throughput.Median)
	// Output:
	// p99.9 true
}
