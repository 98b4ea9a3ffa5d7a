package results_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing/fstest"

	"example.com/servemath/throughput"
	"example.com/servemath/throughput/results"
)

func ExampleDecode() {
	f, err := os.Open("testdata/vllm_serve_2025.json")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	runs, err := results.Decode(f, "serve.json")
	if err != nil {
		fmt.Println(err)
		return
	}
	r := runs[0]
	ttft, _ := r.Get(throughput.TTFT, throughput.Percentile(99))
	rate, _ := r.Get(throughput.OutputRate, throughput.Total)
	fmt.Printf("%s, %s: p99 TTFT %.3f s, %.0f tokens/s\n", r.Key.Engine, r.Key.Model, ttft.Value, rate.Value)
	_, ok := r.Get(throughput.E2E, throughput.Mean)
	fmt.Println("E2E measured:", ok)
	// Output:
	// vLLM, org/model-3b: p99 TTFT 0.090 s, 2000 tokens/s
	// E2E measured: false
}

func ExampleDecodeFS() {
	fsys := fstest.MapFS{
		"pp.md":     {Data: []byte("| model | test | t/s |\n|---|---|---|\n| 7B Q4_0 | pp512 | 2368.80 ± 93.24 |\n")},
		"notes.txt": {Data: []byte("run again on Monday\n")},
	}
	runs, errs := results.DecodeFS(fsys)
	for _, r := range runs {
		fmt.Println(r.Source, r.Key.Setup, r.Metrics[0].Value)
	}
	fmt.Println(len(errs), "not read:", errors.Is(errs[0], results.ErrUnknownFormat))
	// Output:
	// pp.md pp512 2368.8
	// 1 not read: true
}

func ExampleFormats() {
	for _, name := range results.Formats() {
		if strings.HasPrefix(name, "vLLM") {
			fmt.Println(name)
		}
	}
	// Output:
	// vLLM serve
	// vLLM nightly table
	// vLLM latency
	// vLLM throughput
}

func ExampleDecodeError() {
	_, err := results.Decode(strings.NewReader(`{"duration": 10, "completed": 5, "mean_ttf`), "serve.json")
	if e, ok := errors.AsType[*results.DecodeError](err); ok {
		fmt.Println(e.File, "at byte", e.Offset, "truncated:", errors.Is(err, results.ErrTruncated))
	}
	// Output:
	// serve.json at byte 42 truncated: true
}
