package correctness

import (
	"io"
	"math"
	"math/rand/v2"
	"testing"
)

// naiveKL is the form that most code uses: two softmaxes, then the sum.
func naiveKL(ref, got []float32, p, q []float64) float64 {
	softmax(ref, p)
	softmax(got, q)
	var kl float64
	for i, x := range p {
		if x > 0 {
			kl += x * math.Log(x/q[i])
		}
	}
	return kl
}

func softmax(row []float32, out []float64) {
	top := math.Inf(-1)
	for _, x := range row {
		top = math.Max(top, float64(x))
	}
	var z float64
	for i, x := range row {
		out[i] = math.Exp(float64(x) - top)
		z += out[i]
	}
	for i := range out {
		out[i] /= z
	}
}

// benchRows returns pairs of rows of a Llama-size vocabulary, too many for the
// caches.
func benchRows() (ref, got [][]float32) {
	const rows, vocab = 64, 128256
	r := rand.New(rand.NewPCG(1, 2))
	for range rows {
		a, b := make([]float32, vocab), make([]float32, vocab)
		for i := range a {
			x := r.NormFloat64() * 3
			a[i], b[i] = float32(x), float32(x+r.NormFloat64()*0.05)
		}
		a[7], b[7] = 18, 18.1
		ref, got = append(ref, a), append(got, b)
	}
	return ref, got
}

func perEntry(b *testing.B, f func(ref, got []float32)) {
	ref, got := benchRows()
	b.ReportAllocs()
	b.ResetTimer()
	i := 0
	for b.Loop() {
		f(ref[i%len(ref)], got[i%len(ref)])
		i++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(i*len(ref[0])), "ns/entry")
}

func BenchmarkKL(b *testing.B) {
	perEntry(b, func(ref, got []float32) { _, _ = KL(ref, got) })
}

func BenchmarkNaive(b *testing.B) {
	p, q := make([]float64, 128256), make([]float64, 128256)
	perEntry(b, func(ref, got []float32) { naiveKL(ref, got, p, q) })
}

func BenchmarkCompare(b *testing.B) {
	o := &Options{DataToken: new(7)}
	perEntry(b, func(ref, got []float32) { _, _ = Compare(ref, got, o) })
}

// benchSource streams rows from memory.
type benchSource struct {
	rows    [][]float32
	at, end int
}

func (s *benchSource) Next(row *Row) error {
	if s.at == s.end {
		return io.EOF
	}
	row.Index, row.DataToken = s.at, -1
	row.Values = append(row.Values[:0], s.rows[s.at%len(s.rows)]...)
	s.at++
	return nil
}

// BenchmarkCompareSources with -cpu 1,2 shows what a second processor gives.
func BenchmarkCompareSources(b *testing.B) {
	ref, got := benchRows()
	const rows = 32
	b.ResetTimer()
	n := 0
	for b.Loop() {
		_, err := CompareSources(&benchSource{rows: ref, end: rows}, &benchSource{rows: got, end: rows}, nil)
		if err != nil {
			b.Fatal(err)
		}
		n++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n*rows*len(ref[0])), "ns/entry")
}
