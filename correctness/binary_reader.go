package correctness

import (
	"encoding/binary"
	"fmt"
	"math"
)

// binaryReader keeps the first error and returns zeros after it.
type binaryReader struct {
	data []byte
	at   int
	err  error
}

func (r *binaryReader) fail(err error, what string) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: %s at offset %d of an accumulator", err, what, r.at)
	}
}

func (r *binaryReader) take(n int) []byte {
	if r.err != nil {
		return nil
	}
	if n > len(r.data)-r.at {
		r.fail(ErrTruncated, "end")
		return nil
	}
	b := r.data[r.at : r.at+n]
	r.at += n
	return b
}

func (r *binaryReader) varint(read func([]byte) int) {
	if r.err != nil {
		return
	}
	switch n := read(r.data[r.at:]); {
	case n == 0:
		r.fail(ErrTruncated, "end")
	case n < 0:
		r.fail(ErrFormat, "number")
	default:
		r.at += n
	}
}

func (r *binaryReader) uint() (x uint64) {
	r.varint(func(b []byte) (n int) { x, n = binary.Uvarint(b); return n })
	return x
}

func (r *binaryReader) int() (x int64) {
	r.varint(func(b []byte) (n int) { x, n = binary.Varint(b); return n })
	return x
}

// size reads a number of items of at least min bytes each, so that a damaged one
// cannot ask for more memory than the input is long.
func (r *binaryReader) size(least int) int {
	n := r.uint()
	if r.err == nil && n > uint64((len(r.data)-r.at)/least) {
		r.fail(ErrTruncated, fmt.Sprintf("end before %d items", n))
	}
	if r.err != nil {
		return 0
	}
	return int(n)
}

func (r *binaryReader) float() float64 {
	b := r.take(8)
	if b == nil {
		return 0
	}
	x := math.Float64frombits(binary.LittleEndian.Uint64(b))
	if math.IsNaN(x) {
		r.fail(ErrFormat, "NaN")
	}
	return x
}

func (r *binaryReader) text() string { return string(r.take(r.size(1))) }

func (r *binaryReader) accumulator() *Accumulator {
	a := &Accumulator{prompts: map[string]*prompt{}}
	a.ExactCap = int(r.uint() & math.MaxInt)
	a.full = r.uint() == 1
	last := ""
	for i := range r.size(1) {
		name := r.text()
		if i > 0 && name <= last {
			r.fail(ErrFormat, "prompts out of order")
		}
		last = name
		g := r.prompt()
		if r.err != nil {
			return nil
		}
		a.prompts[name] = g
		a.kept += len(g.values)
	}
	for range r.size(1) {
		a.worst = append(a.worst, WorstPosition{r.text(), int(r.uint()), r.float(), int(r.int()), int(r.int())})
	}
	return a
}

func (r *binaryReader) prompt() *prompt {
	g := &prompt{}
	for i := range g.sums {
		g.sums[i] = exact{r.float(), r.float()}
	}
	for i := range g.counts {
		g.counts[i] = int64(r.uint())
	}
	for i := range g.peaks {
		g.peaks[i] = r.float()
	}
	for range r.size(2) {
		g.seen = append(g.seen, [2]int{int(r.uint()), int(r.uint())})
	}
	for range r.size(8) {
		g.values = append(g.values, r.float())
	}
	for range r.size(2) {
		g.buckets = append(g.buckets, bucket{int32(r.int()), int64(r.uint())})
	}
	return g
}
