package gate_test

import (
	"fmt"
	"os"
	"testing"

	"example.com/servemath/throughput"
	"example.com/servemath/throughput/gate"
)

// nightly makes runs of one benchmark from their output rates.
func nightly(model string, rates ...float64) []throughput.Run {
	var runs []throughput.Run
	for _, rate := range rates {
		runs = append(runs, throughput.Run{
			Key:     throughput.Key{Engine: "vLLM", Model: model},
			Load:    throughput.Load{Concurrency: 8},
			Metrics: []throughput.Value{{Metric: throughput.OutputRate, Stat: throughput.Total, Value: rate}},
		})
	}
	return runs
}

func ExampleCheck() {
	base := append(nightly("Qwen3-0.6B", 812, 806, 809, 815, 811), nightly("Gemma-4-E2B", 503, 511, 507, 509, 502)...)
	candidate := append(nightly("Qwen3-0.6B", 810, 813, 807, 812, 809), nightly("Gemma-4-E2B", 468, 473, 470, 466, 474)...)
	report, err := gate.Check(base, candidate, gate.Policy{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report)
	for _, e := range report.Entries {
		fmt.Printf("%s: %v, loss %.1f%%, sees %.1f%%\n", e.Benchmark, e.Outcome, 100*e.Loss, 100*e.Detectable)
	}
	fmt.Println("exit status", report.ExitCode())
	// Output:
	// fail: 1 of 2 lines failed, 0 inconclusive, 0 untested
	// vLLM, Gemma-4-E2B, C=8: fail, loss 7.1%, sees 1.5%
	// vLLM, Qwen3-0.6B, C=8: pass, loss 0.0%, sees 0.7%
	// exit status 1
}

func ExampleReport_WriteMarkdown() {
	report, err := gate.Check(nightly("Qwen3-0.6B", 812, 806, 809), nightly("Qwen3-0.6B", 810, 813, 807), gate.Policy{})
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = report.WriteMarkdown(os.Stdout)
	// Output:
	// **pass: 0 of 1 lines failed, 0 inconclusive, 0 untested**
	//
	// | benchmark | metric | base | candidate | unit | n | change | p | sees | outcome |
	// | --- | --- | ---: | ---: | --- | ---: | ---: | ---: | ---: | --- |
	// | vLLM, Qwen3-0.6B, C=8 | output_rate | 809 | 810 | tok/s | 3 v 3 | +0.1% | 0.65 | 0.9% | pass |
	//
	// n: repetitions. p: one-sided, of no loss, after Holm over 1 lines; fails below 0.05 with a loss over 3%. sees: the loss that a line would show in 80% of such runs.
}

func ExampleReport_WriteText() {
	report, err := gate.Check(nightly("Qwen3-0.6B", 812, 806, 809), nightly("Qwen3-0.6B", 710, 713, 707), gate.Policy{})
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = report.WriteText(os.Stdout)
	// Output:
	// benchmark              metric       base  candidate  unit       n  change        p  sees  outcome
	// vLLM, Qwen3-0.6B, C=8  output_rate   809        710  tok/s  3 v 3  -12.2%  1.4e-06  1.0%  fail: a loss of 12% is established
	// n: repetitions. p: one-sided, of no loss, after Holm over 1 lines; fails below 0.05 with a loss over 3%. sees: the loss that a line would show in 80% of such runs.
	// fail: 1 of 1 lines failed, 0 inconclusive, 0 untested
}

func ExampleReport_WriteBenchmark() {
	report, err := gate.Check(nightly("Qwen3-0.6B", 812, 806, 809), nightly("Qwen3-0.6B", 810, 813, 807), gate.Policy{})
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = report.WriteBenchmark(os.Stdout)
	// Output:
	// Unit output_rate-tok/s better=higher
	//
	// side: base
	// BenchmarkServe/vLLM/Qwen3-0.6B/C=8 1 812 output_rate-tok/s
	// BenchmarkServe/vLLM/Qwen3-0.6B/C=8 1 806 output_rate-tok/s
	// BenchmarkServe/vLLM/Qwen3-0.6B/C=8 1 809 output_rate-tok/s
	//
	// side: candidate
	// BenchmarkServe/vLLM/Qwen3-0.6B/C=8 1 810 output_rate-tok/s
	// BenchmarkServe/vLLM/Qwen3-0.6B/C=8 1 813 output_rate-tok/s
	// BenchmarkServe/vLLM/Qwen3-0.6B/C=8 1 807 output_rate-tok/s
}

func ExampleRequire() {
	test := func(t *testing.T) {
		base := nightly("Qwen3-0.6B", 812, 806, 809)      // results.DecodeFS(os.DirFS("testdata/base"))
		candidate := nightly("Qwen3-0.6B", 810, 813, 807) // results.DecodeFS(os.DirFS("out"))
		gate.Require(t, base, candidate, gate.Policy{MaxLoss: 0.05})
	}
	fmt.Println(testing.RunTests(func(_, _ string) (bool, error) { return true, nil },
		[]testing.InternalTest{{Name: "TestServingSpeed", F: test}}))
	// Output:
	// true
}
