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
