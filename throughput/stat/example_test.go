package stat_test

import (
	"fmt"

	"example.com/servemath/throughput/stat"
)

func ExampleGeomean() {
	up, _ := stat.Geomean([]float64{2, 8})
	down, _ := stat.Geomean([]float64{0.5, 0.125})
	fmt.Println(up, down)
	// Output: 4 0.25
}

func ExampleGeomeanInterval() {
	i, err := stat.GeomeanInterval([]float64{1.108, 0.986, 1.214, 1.047, 1.332, 0.921, 1.155, 1.076, 1.019, 1.241}, 0.95)
	fmt.Println(i, err)
	// Output: 1.103 (1.018 to 1.197, 95%) <nil>
}

func ExampleOneSample() {
	r, err := stat.OneSample([]float64{0.8, 1.1, 0.9, 1.4})
	fmt.Println(r, err)
	// Output:
	// difference 1.05 ± 0.13, t = 7.94 on 3 degrees of freedom, p = 0.0042 <nil>
}

func ExampleQuantile() {
	xs := []float64{10, 20, 30, 40}
	numpy, _ := stat.Quantile(xs, 0.9, stat.Type7)
	mlperf, _ := stat.Quantile(xs, 0.9, stat.FloorIndex)
	fmt.Println(numpy, mlperf)
	// Output: 37 40
}

func ExampleMedianInterval() {
	i, err := stat.MedianInterval([]float64{9, 1, 5, 3, 7, 8, 2, 6}, 0.95)
	fmt.Println(i, err)
	// Output: 5.5 (1 to 9, 99.2%) <nil>
}

func ExampleQuantileInterval() {
	xs := make([]float64, 20)
	for i := range xs {
		xs[i] = float64(i + 1)
	}
	i, err := stat.QuantileInterval(xs, 0.95, 0.95)
	fmt.Println(i, err) // 20 requests bound a p95 from below only
	// Output: 19.05 (17 to +Inf, 98.4%) <nil>
}

func ExampleMinForQuantile() {
	n, _ := stat.MinForQuantile(0.99, 0.95)
	fmt.Println(n)
	// Output: 368
}

func ExampleKendall() {
	r, err := stat.Kendall([]float64{1, 2, 3, 4, 5, 6, 7, 8}, []float64{1, 3, 2, 5, 4, 8, 6, 7})
	fmt.Println(r, err)
	// Output: tau = 0.714, p = 0.014, n = 8 <nil>
}

// Throughput that climbs through the first runs.
var warmUp = []float64{88.1, 93.5, 97.2, 98.9, 99.6, 100.1, 99.9, 100.4, 100.2, 100.0, 100.3, 99.8}

func ExampleMannKendall() {
	r, err := stat.MannKendall(warmUp)
	fmt.Println(r, err)
	// Output: trend z = 2.81, p = 0.0049 <nil>
}

func ExampleTheilSen() {
	slope, first, err := stat.TheilSen(warmUp)
	fmt.Printf("%.2f a run from %.1f %v\n", slope, first, err)
	// Output: 0.38 a run from 97.8 <nil>
}

func ExampleAutocorrelation() {
	r, err := stat.Autocorrelation([]float64{1, 2, 3, 4, 3, 2, 1, 0}, 2)
	fmt.Printf("%.2f %v\n", r, err)
	// Output: [1.00 0.50 -0.08] <nil>
}

func ExampleLongRunStdErr() {
	se, err := stat.LongRunStdErr(warmUp, 3)
	naive, _ := stat.OneSample(warmUp)
	fmt.Printf("%.2f, not %.2f %v\n", se, naive.StdErr, err)
	// Output:
	// 1.44, not 1.08 <nil>
}

func ExampleEffectiveSize() {
	n, err := stat.EffectiveSize(warmUp)
	fmt.Printf("%.1f of %d %v\n", n, len(warmUp), err)
	// Output:
	// 4.9 of 12 <nil>
}

func ExampleBatchMeans() {
	i, err := stat.BatchMeans(warmUp, 4, 0.95)
	fmt.Println(i, err)
	// Output:
	// 98.17 (92.6 to 103.7, 95%) <nil>
}

func ExampleLjungBox() {
	r, err := stat.LjungBox(warmUp, 3)
	fmt.Println(r, err)
	// Output:
	// chi-square 4.49 on 3 degrees of freedom, p = 0.21 <nil>
}

// Two builds of one engine, tokens per second over repeated runs.
var (
	before = []float64{101.3, 99.8, 102.4, 100.9, 98.7, 103.1, 101.8, 100.2}
	after  = []float64{104.6, 103.2, 105.9, 102.7, 104.1, 106.3, 103.8, 105.2, 101.9, 104.9}
)

func ExampleWelch() {
	r, err := stat.Welch(before, after)
	fmt.Println(r, err)
	// Output:
	// difference 3.235 ± 0.67, t = 4.8 on 15 degrees of freedom, p = 0.00024 <nil>
}

func ExampleLogRatio() {
	r, _ := stat.LogRatio(before, after)
	i, err := r.Ratio(0.95)
	fmt.Println(i, err)
	// Output:
	// 1.032 (1.018 to 1.047, 95%) <nil>
}

func ExampleFieller() {
	i, err := stat.Fieller(before, after, 0.95)
	fmt.Println(i, err)
	// Output:
	// 1.032 (1.018 to 1.047, 95%) <nil>
}

func ExampleTOST() {
	r, err := stat.TOST(before, after, 0.05)
	fmt.Println(r, err)
	// Output:
	// p = 0.0098 of a ratio outside the margin (1.4e-09 below, 0.0098 above) <nil>
}

func ExampleMannWhitney() {
	r, err := stat.MannWhitney([]float64{185, 184, 186, 184, 187, 185, 183}, []float64{185, 188, 187, 186, 189, 187, 185, 188})
	fmt.Println(r, err)
	// Output:
	// U = 8.5, p = 0.026 (exact), chance to exceed 0.15 <nil>
}

func ExampleHodgesLehmann() {
	i, err := stat.HodgesLehmann(before, after, 0.95)
	fmt.Println(i, err)
	// Output:
	// 3.2 (1.7 to 4.8, 95.7%) <nil>
}

func ExamplePseudomedian() {
	i, err := stat.Pseudomedian(before, 0.95)
	fmt.Println(i, err)
	// Output:
	// 101 (99.8 to 102.4, 96.1%) <nil>
}

func ExampleSignedRank() {
	r, err := stat.SignedRank([]float64{1.2, -0.3, 2.1, 0.8, 1.7, 0.4, 0.9})
	fmt.Println(r, err)
	// Output:
	// W = 1 of 7 differences, p = 0.031 <nil>
}

func ExampleSignTest() {
	p, err := stat.SignTest(8, 2)
	fmt.Printf("%.4f %v\n", p, err)
	// Output:
	// 0.1094 <nil>
}

// Three of five are below 5% untreated, two after the correction.
func ExampleHolm() {
	fmt.Printf("%.3f\n", stat.Holm([]float64{0.001, 0.012, 0.03, 0.2, 0.6}))
	// Output:
	// [0.005 0.048 0.090 0.400 0.600]
}

func ExampleBenjaminiHochberg() {
	fmt.Printf("%.3f\n", stat.BenjaminiHochberg([]float64{0.001, 0.012, 0.03, 0.2, 0.6}))
	// Output:
	// [0.005 0.030 0.050 0.250 0.600]
}

func ExampleBenjaminiYekutieli() {
	fmt.Printf("%.3f\n", stat.BenjaminiYekutieli([]float64{0.001, 0.012, 0.03, 0.2, 0.6}))
	// Output:
	// [0.011 0.068 0.114 0.571 1.000]
}

func ExampleBonferroni() {
	fmt.Printf("%.3f\n", stat.Bonferroni([]float64{0.001, 0.012, 0.03, 0.2, 0.6}))
	// Output:
	// [0.005 0.060 0.150 1.000 1.000]
}

func ExampleSidak() {
	fmt.Printf("%.3f\n", stat.Sidak([]float64{0.001, 0.012, 0.03, 0.2, 0.6}))
	// Output:
	// [0.005 0.059 0.141 0.672 0.990]
}

func ExampleHochberg() {
	fmt.Printf("%.3f\n", stat.Hochberg([]float64{0.001, 0.012, 0.03, 0.2, 0.6}))
	// Output:
	// [0.005 0.048 0.090 0.400 0.600]
}

// What five runs a side can see at a coefficient of variation of 2%.
func ExampleMinDetectable() {
	d, err := stat.MinDetectable(5, 5, 0.05, 0.8)
	fmt.Printf("%.1f%% %v\n", 2*d, err)
	// Output:
	// 4.0% <nil>
}

func ExamplePower() {
	p, err := stat.Power(5, 5, 2, 0.05)
	fmt.Printf("%.2f %v\n", p, err)
	// Output:
	// 0.79 <nil>
}

// A regression that was mended eight runs later.
func ExampleChangePoints() {
	series := []float64{100.2, 99.7, 100.5, 100.1, 99.9, 100.3, 99.6, 100.4, 100, 99.8,
		93.1, 92.6, 93.4, 92.9, 93.2, 92.8, 93, 93.3,
		100.1, 99.8, 100.3, 99.9, 100.2, 100}
	points, err := stat.ChangePoints(series, nil)
	for _, p := range points {
		fmt.Println(p)
	}
	fmt.Println(err)
	// Output:
	// at 10 from 100 to 93.04 (-7.0%), p = 4.1e-19
	// at 18 from 93.04 to 100 (+7.5%), p = 5e-16
	// <nil>
}

func ExampleSketch() {
	var morning, evening stat.Sketch
	for i := range 10_000 {
		_ = morning.Add(0.020 + 1e-6*float64(i))
		_ = evening.Add(0.030 + 1e-6*float64(i))
	}
	_ = morning.Merge(&evening)
	fmt.Println(&morning)

	stored, _ := morning.MarshalBinary()
	var back stat.Sketch
	fmt.Println(back.UnmarshalBinary(stored), back.Count())
	// Output:
	// 20000 observations, median 0.0299, p99 0.0396 (±1%)
	// <nil> 20000
}

func ExampleNewSketch() {
	s, err := stat.NewSketch(0.001)
	fmt.Println(s.RelativeError(), err)
	// Output:
	// 0.001 <nil>
}
