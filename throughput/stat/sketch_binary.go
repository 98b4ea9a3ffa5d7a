package stat

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// ErrCorrupt is a binary sketch that is none.
var ErrCorrupt = errors.New("throughput/stat: not a sketch")

// The binary form: the tag, four floats (relative error, sum, min, max), then
// varints: observations, zeros, the first bucket, the number of buckets and their
// counts. Little endian.
const sketchTag = "tsk1"

// MarshalBinary implements [encoding.BinaryMarshaler].
func (s *Sketch) MarshalBinary() ([]byte, error) {
	b := []byte(sketchTag)
	for _, x := range []float64{s.RelativeError(), s.sum, s.min, s.max} {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	b = binary.AppendUvarint(b, s.n)
	b = binary.AppendUvarint(b, s.zeros)
	b = binary.AppendVarint(b, int64(s.first))
	b = binary.AppendUvarint(b, uint64(len(s.counts)))
	for _, c := range s.counts {
		b = binary.AppendUvarint(b, c)
	}
	return b, nil
}

// UnmarshalBinary implements [encoding.BinaryUnmarshaler]. Bytes that
// [Sketch.MarshalBinary] cannot have written leave the sketch as it was:
// [ErrCorrupt].
func (s *Sketch) UnmarshalBinary(b []byte) error {
	r := sketchReader{rest: b}
	if string(r.bytes(len(sketchTag))) != sketchTag {
		return fmt.Errorf("%w: it does not begin with %q", ErrCorrupt, sketchTag)
	}
	out := Sketch{relErr: r.float(), sum: r.float(), min: r.float(), max: r.float()}
	out.n, out.zeros = r.uvarint(), r.uvarint()
	out.first = int(r.varint())
	size := r.uvarint()
	if size > uint64(len(r.rest)) { // each count takes a byte or more
		r.short = true
	} else {
		out.counts = make([]uint64, size)
		for i := range out.counts {
			out.counts[i] = r.uvarint()
		}
	}
	if r.short || len(r.rest) > 0 {
		return fmt.Errorf("%w: %d bytes are too few or too many", ErrCorrupt, len(b))
	}
	if err := out.check(); err != nil {
		return err
	}
	*s = out
	return nil
}

// check refuses what no observations can have made.
func (s *Sketch) check() error {
	fresh, err := NewSketch(s.relErr)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	left, ok := s.n-s.zeros, s.zeros <= s.n
	for _, c := range s.counts {
		ok = ok && c <= left
		left -= c
	}
	ok = ok && left == 0 && s.sum >= 0 && !math.IsInf(s.sum, 1) && s.min >= 0 && s.min <= s.max && s.max <= limit
	if n := len(s.counts); ok && n > 0 {
		// The extremes bound the buckets; a bucket's neighbour allows for rounding.
		top := fresh.bucket(limit) + 1
		ok = s.first >= fresh.bucket(smallest)-1 && s.first <= top && s.first+n-1 <= top
	}
	if !ok {
		return fmt.Errorf("%w: its figures contradict one another", ErrCorrupt)
	}
	return nil
}

// sketchReader takes pieces off the front of its bytes; short says that they ran
// out.
type sketchReader struct {
	rest  []byte
	short bool
}

func (r *sketchReader) bytes(n int) []byte {
	if len(r.rest) < n {
		r.short, r.rest = true, nil
		return make([]byte, n)
	}
	out := r.rest[:n]
	r.rest = r.rest[n:]
	return out
}

func (r *sketchReader) float() float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(r.bytes(8)))
}

func (r *sketchReader) uvarint() uint64 {
	v, n := binary.Uvarint(r.rest)
	r.advance(n)
	return v
}

func (r *sketchReader) varint() int64 {
	v, n := binary.Varint(r.rest)
	r.advance(n)
	return v
}

func (r *sketchReader) advance(n int) {
	if n <= 0 {
		r.short, n = true, len(r.rest)
	}
	r.rest = r.rest[n:]
}
