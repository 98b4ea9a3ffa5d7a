package logits

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"

	"example.com/servemath/correctness"
	"github.com/stretchr/testify/require"
)

const benchVocab = 128_256

// benchLogits is one row of raw float32.
func benchLogits() []byte {
	r := rand.New(rand.NewPCG(1, 2))
	row := make([]float32, benchVocab)
	for i := range row {
		row[i] = float32(3 * r.NormFloat64())
	}
	return rawBytes(row)
}

func perEntry(b *testing.B, next func(*correctness.Row) error) {
	var row correctness.Row
	for b.Loop() {
		require.NoError(b, next(&row))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchVocab, "ns/entry")
}

// again rewinds a reader whenever it is at its end.
func again(open func() (correctness.Source, error)) func(*correctness.Row) error {
	var src correctness.Source
	return func(row *correctness.Row) (err error) {
		if src != nil {
			if err = src.Next(row); err != io.EOF {
				return err
			}
		}
		if src, err = open(); err != nil {
			return err
		}
		return src.Next(row)
	}
}

func BenchmarkRawFloat32(b *testing.B) {
	data := bytes.Repeat(benchLogits(), 8)
	perEntry(b, again(func() (correctness.Source, error) {
		return sized(RawFloat32, &Options{VocabSize: benchVocab})(data)
	}))
}

func benchBase(b *testing.B) []byte {
	h := BaseHeader{Context: 16, Vocab: benchVocab, Tokens: make([]int32, 16)}
	src, err := sized(RawFloat32, &Options{VocabSize: benchVocab})(bytes.Repeat(benchLogits(), 7))
	require.NoError(b, err)
	var file bytes.Buffer
	require.NoError(b, WriteLlamaCppBase(&file, h, src))
	return file.Bytes()
}

func BenchmarkLlamaCppBase(b *testing.B) {
	data := benchBase(b)
	perEntry(b, again(func() (correctness.Source, error) { return sized(LlamaCppBase, nil)(data) }))
}

func BenchmarkEncodeRow(b *testing.B) {
	src, err := sized(RawFloat32, &Options{VocabSize: benchVocab})(benchLogits())
	require.NoError(b, err)
	var row correctness.Row
	require.NoError(b, src.Next(&row))
	raw := make([]byte, rowHeader+2*benchVocab)
	for b.Loop() {
		encodeRow(raw, row.Values, 16)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchVocab, "ns/entry")
}
