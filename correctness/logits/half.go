package logits

import "example.com/servemath/correctness"

var (
	float16  = element{"float16", 2, func(a *array, dst []float32, src []byte) error { return correctness.DecodeF16(dst, a.words(src)) }}
	bfloat16 = element{"bfloat16", 2, func(a *array, dst []float32, src []byte) error { return correctness.DecodeBF16(dst, a.words(src)) }}
)

func (a *array) words(src []byte) []uint16 {
	a.scratch = resize(a.scratch, len(src)/2)
	for i := range a.scratch {
		a.scratch[i] = a.order.Uint16(src[2*i:])
	}
	return a.scratch
}
