package logits

import (
	"encoding/binary"
	"math"
	"slices"

	"example.com/servemath/correctness"
)

// element is a type of number: its width and how to make float32 of its
// little-endian bytes.
type element struct {
	name   string
	width  int64
	decode func(a *array, dst []float32, src []byte) error
}

var (
	float16  = element{"float16", 2, func(a *array, dst []float32, src []byte) error { return correctness.DecodeF16(dst, a.words(src)) }}
	bfloat16 = element{"bfloat16", 2, func(a *array, dst []float32, src []byte) error { return correctness.DecodeBF16(dst, a.words(src)) }}
	float32s = element{"float32", 4, func(a *array, dst []float32, src []byte) error {
		for i := range dst {
			dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(src[4*i:]))
		}
		return nil
	}}
	float64s = element{"float64", 8, func(a *array, dst []float32, src []byte) error {
		for i := range dst {
			x := math.Float64frombits(binary.LittleEndian.Uint64(src[8*i:]))
			if x > math.MaxFloat32 && !math.IsInf(x, 1) {
				return beyondFloat32(i)
			}
			dst[i] = float32(x) // below -MaxFloat32 a weight is 0 all the same
		}
		return nil
	}}
)

// beyondFloat32 is the index of a finite value that float32 cannot hold.
type beyondFloat32 int

func (beyondFloat32) Error() string { return "a value that float32 cannot hold" }

// words views little-endian bytes as 16-bit words.
func (a *array) words(src []byte) []uint16 {
	a.scratch = resize(a.scratch, len(src)/2)
	for i := range a.scratch {
		a.scratch[i] = binary.LittleEndian.Uint16(src[2*i:])
	}
	return a.scratch
}

// swap turns big-endian elements into little-endian ones.
func swap(b []byte, width int) {
	for ; len(b) >= width; b = b[width:] {
		slices.Reverse(b[:width])
	}
}
