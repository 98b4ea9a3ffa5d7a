package logits

import (
	"math"
	"math/bits"
)

// The layout of llama-perplexity's base files, little-endian throughout:
//
//	0   8 bytes   "_logits_"
//	8   uint32    tokens a chunk, n
//	12  int32     vocabulary, v
//	16  int32     chunks, c
//	20  int32     the tokens, c x n
//	    uint16    the rows, c x (n-1-n/2), each of v rounded up to even, plus 4
//
// A row is float32 scale, float32 floor, then a uint16 a token: its
// log-probability is scale*u + floor. The rows of a chunk score the tokens of its
// second half.
const (
	baseMagic  = "_logits_"
	baseHeader = 20
	rowHeader  = 8
	maxCode    = 65535
)

// baseShape is the header's three numbers and the sizes that follow from them.
type baseShape struct{ context, vocab, chunks int64 }

// scored is the number of rows a chunk: positions context/2 to context-2.
func (s baseShape) scored() int64 { return s.context - 1 - s.context/2 }

func (s baseShape) rows() int64 { return s.chunks * s.scored() }

// rowsAt is the offset of the first row, after the tokens.
func (s baseShape) rowsAt() int64 { return baseHeader + 4*s.context*s.chunks }

// rowBytes counts the pad that makes an odd vocabulary even.
func (s baseShape) rowBytes() int64 { return rowHeader + 2*(s.vocab+s.vocab%2) }

// fileBytes is the size of the whole file; not ok when that overflows.
func (s baseShape) fileBytes() (n int64, ok bool) {
	tokens, ok1 := product(4, s.context, s.chunks)
	rows, ok2 := product(s.chunks, s.scored(), s.rowBytes())
	n = baseHeader + tokens + rows
	return n, ok1 && ok2 && n > 0
}

// product multiplies non-negative numbers; not ok when the result, with room for
// a sum of two such and a header, overflows.
func product(xs ...int64) (int64, bool) {
	n := uint64(1)
	for _, x := range xs {
		hi, lo := bits.Mul64(n, uint64(x))
		if x < 0 || hi != 0 || lo > math.MaxInt64/4 {
			return 0, false
		}
		n = lo
	}
	return int64(n), true
}
