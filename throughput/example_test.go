package throughput_test

import (
	"fmt"
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
