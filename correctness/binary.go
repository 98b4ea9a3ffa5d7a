package correctness

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
)

// binaryMagic opens the binary form; its last byte is the version.
const binaryMagic = "smcorr\x00\x01"

// MarshalBinary returns everything the accumulator holds, in an order that does
// not depend on how it was collected, followed by a CRC-32.
func (a *Accumulator) MarshalBinary() ([]byte, error) {
	w := binaryWriter(binaryMagic)
	w.uint(uint64(a.exactCap()))
	w.bool(a.full)
	w.uint(uint64(len(a.prompts)))
	for _, name := range a.names() {
		w.text(name)
		w.prompt(a.prompts[name])
	}
	w.uint(uint64(len(a.worst)))
	for _, p := range a.worst {
		w.text(p.Prompt)
		w.uint(uint64(p.Index))
		w.float(p.KL)
		w.int(int64(p.TopRef))
		w.int(int64(p.TopGot))
	}
	return binary.LittleEndian.AppendUint32(w, crc32.ChecksumIEEE(w)), nil
}

// UnmarshalBinary replaces the accumulator's content. Input that ends early is
// ErrTruncated, other input that [Accumulator.MarshalBinary] did not write is
// ErrFormat; the content is unchanged then.
func (a *Accumulator) UnmarshalBinary(data []byte) error {
	if len(data) < len(binaryMagic)+4 {
		return fmt.Errorf("%w: %d bytes of an accumulator", ErrTruncated, len(data))
	}
	if string(data[:len(binaryMagic)]) != binaryMagic {
		return fmt.Errorf("%w: no accumulator of this version", ErrFormat)
	}
	body := data[:len(data)-4]
	r := binaryReader{data: body, at: len(binaryMagic)}
	b := r.accumulator()
	switch {
	case r.err != nil:
		return r.err
	case r.at != len(body):
		return fmt.Errorf("%w: %d bytes after the accumulator at offset %d", ErrFormat, len(body)-r.at, r.at)
	case binary.LittleEndian.Uint32(data[len(body):]) != crc32.ChecksumIEEE(body):
		return fmt.Errorf("%w: check sum of the accumulator", ErrFormat)
	}
	*a = *b
	return nil
}

type binaryWriter []byte

func (w *binaryWriter) uint(x uint64) { *w = binary.AppendUvarint(*w, x) }
func (w *binaryWriter) int(x int64)   { *w = binary.AppendVarint(*w, x) }
func (w *binaryWriter) float(x float64) {
	*w = binary.LittleEndian.AppendUint64(*w, math.Float64bits(x))
}

func (w *binaryWriter) bool(x bool) {
	if x {
		*w = append(*w, 1)
	} else {
		*w = append(*w, 0)
	}
}

func (w *binaryWriter) text(s string) {
	w.uint(uint64(len(s)))
	*w = append(*w, s...)
}

func (w *binaryWriter) prompt(g *prompt) {
	for _, s := range g.sums {
		w.float(s.Hi)
		w.float(s.Lo)
	}
	for _, n := range g.counts {
		w.uint(uint64(n))
	}
	for _, x := range g.peaks {
		w.float(x)
	}
	w.uint(uint64(len(g.seen)))
	for _, r := range g.seen {
		w.uint(uint64(r[0]))
		w.uint(uint64(r[1]))
	}
	w.uint(uint64(len(g.values)))
	for _, x := range g.sorted() {
		w.float(x)
	}
	w.uint(uint64(len(g.buckets)))
	for _, b := range g.buckets {
		w.int(int64(b.At))
		w.uint(uint64(b.Count))
	}
}

// sorted returns the kept values in ascending order.
func (g *prompt) sorted() []float64 {
	s := slices.Clone(g.values)
	slices.Sort(s)
	return s
}

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
