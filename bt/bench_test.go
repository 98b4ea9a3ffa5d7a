package bt

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"
)

// meet adds n comparisons of items i and j with outcomes drawn from their
// log-strengths x.
func meet(d *Data, rng *rand.Rand, names []string, x []float64, i, j, n int) {
	wins := 0
	for range n {
		if rng.Float64() < sigmoid(x[i]-x[j]) {
			wins++
		}
	}
	d.AddWin(names[i], names[j], float64(wins))
	d.AddWin(names[j], names[i], float64(n-wins))
}

// field names n items with log-strengths from N(0, 1).
func field(rng *rand.Rand, n int) (d *Data, names []string, x []float64) {
	d = new(Data)
	for i := range n {
		names = append(names, fmt.Sprint("item ", i))
		x = append(x, rng.NormFloat64())
		d.item(names[i])
	}
	return d, names, x
}

// dense is input A: n items, every pair met per times.
func dense(n, per int) *Data {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	d, names, x := field(rng, n)
	for i := range n {
		for j := range i {
			meet(d, rng, names, x, i, j, per)
		}
	}
	return d
}

// scattered is input B: pairs drawn evenly, or (popularity 1) input C: an item
// of rank r in proportion to 1/r.
func scattered(n, pairs, per int, popularity float64) *Data {
	rng := rand.New(rand.NewPCG(2, uint64(n)))
	d, names, x := field(rng, n)
	upTo := make([]float64, n)
	sum := 0.0
	for i := range n {
		sum += math.Pow(float64(i+1), -popularity)
		upTo[i] = sum
	}
	draw := func() int { return sort.SearchFloat64s(upTo, rng.Float64()*sum) }
	seen := map[[2]int]bool{}
	for len(seen) < pairs {
		i, j := draw(), draw()
		if i == j || seen[[2]int{min(i, j), max(i, j)}] {
			continue
		}
		seen[[2]int{min(i, j), max(i, j)}] = true
		meet(d, rng, names, x, i, j, per)
	}
	return d
}

// chain is input D: each item met its 4 nearest, two on either side.
func chain(n, per int) *Data {
	rng := rand.New(rand.NewPCG(3, uint64(n)))
	d, names, x := field(rng, n)
	for i := range n {
		for j := i + 1; j <= min(i+2, n-1); j++ {
			meet(d, rng, names, x, i, j, per)
		}
	}
	return d
}

func benchmarkFit(b *testing.B, d *Data) {
	require.NoError(b, d.Err())
	b.ReportAllocs()
	for b.Loop() {
		m, err := Fit(d, nil)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(m.Iterations()), "steps")
		b.ReportMetric(m.MaxScore(), "score")
	}
}

// The inputs of doc.go's table. A: 1e6 comparisons of 1,225 pairs.
func BenchmarkFitA(b *testing.B) { benchmarkFit(b, dense(50, 816)) }

// B: 1e7 comparisons of 25,000 pairs.
func BenchmarkFitB(b *testing.B) { benchmarkFit(b, scattered(1000, 25_000, 400, 0)) }

// C: 1e7 comparisons of 1e6 pairs.
func BenchmarkFitC(b *testing.B) { benchmarkFit(b, scattered(10_000, 1_000_000, 10, 1)) }

// D: 2e5 comparisons of 1,997 pairs.
func BenchmarkFitD(b *testing.B) { benchmarkFit(b, chain(1000, 100)) }

func BenchmarkFitTen(b *testing.B) { benchmarkFit(b, dense(10, 100)) }

func BenchmarkAddWin(b *testing.B) {
	var d Data
	b.ReportAllocs()
	for b.Loop() {
		d.AddWin("a", "b", 1)
	}
}

func BenchmarkBootstrapA(b *testing.B) {
	m, err := Fit(dense(50, 816), nil)
	require.NoError(b, err)
	for b.Loop() {
		if _, err := m.Bootstrap(nil); err != nil {
			b.Fatal(err)
		}
	}
}
