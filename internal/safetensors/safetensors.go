// Package safetensors reads the header of a safetensors file: which tensors it
// holds, and where. It never reads the tensors themselves.
//
// Layout: a little-endian uint64 with the length of the header, the header as a
// JSON object of name to {dtype, shape, data_offsets}, the data. Offsets count
// from the start of the data. "__metadata__" is a map of strings beside the
// tensors.
package safetensors

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"

	"example.com/servemath/internal/jsontree"
)

// MaxHeader bounds the header, in bytes; the format's own limit is 100 MB.
const MaxHeader = 100_000_000

// Sentinels that a [HeaderError] wraps.
var (
	ErrTruncated = errors.New("file ends early")
	ErrHeader    = errors.New("not a safetensors header")
)

// HeaderError says what is wrong with a file, and with which tensor.
type HeaderError struct {
	Tensor string // empty: the file as a whole
	Offset int64  // bytes from the start of the file
	Reason string
	Err    error
}

// Error implements error.
func (e *HeaderError) Error() string {
	if e.Tensor != "" {
		return fmt.Sprintf("safetensors: offset %d: tensor %q: %s", e.Offset, e.Tensor, e.Reason)
	}
	return fmt.Sprintf("safetensors: offset %d: %s", e.Offset, e.Reason)
}

// Unwrap returns the sentinel, or the error of the JSON.
func (e *HeaderError) Unwrap() error { return e.Err }

// Header is the table of contents of a file.
type Header struct {
	Tensors    []Tensor // by their place in the data
	Metadata   map[string]string
	DataOffset int64 // where the data begins, bytes from the start of the file
}

// Tensor is one entry of the table. Its data are the bytes [Begin, End) after
// the header's DataOffset.
type Tensor struct {
	Name       string
	DType      string // as written: F32, F16, BF16, U8, ...
	Shape      []int64
	Begin, End int64
}

// Bytes is the size of the tensor's data.
func (t Tensor) Bytes() int64 { return t.End - t.Begin }

// DataBytes is the size of all tensors.
func (h *Header) DataBytes() (n int64) {
	for _, t := range h.Tensors {
		n += t.Bytes()
	}
	return n
}

// ReadHeader reads the header from the start of a file of size bytes; size -1 is
// unknown, and then the ends of the tensors are not held against it. Memory is
// bounded by what the file really holds, whatever its header claims.
func ReadHeader(r io.Reader, size int64) (*Header, error) {
	var prefix [8]byte
	if n, err := io.ReadFull(r, prefix[:]); err != nil {
		return nil, cut(int64(n), err)
	}
	length := binary.LittleEndian.Uint64(prefix[:])
	if length > MaxHeader {
		return nil, &HeaderError{Reason: fmt.Sprintf("a header of %d bytes, over the limit of %d", length, MaxHeader), Err: ErrHeader}
	}
	if size >= 0 && int64(length) > size-8 {
		return nil, &HeaderError{Offset: size, Reason: fmt.Sprintf("a header of %d bytes in a file of %d", length, size), Err: ErrTruncated}
	}
	text, err := io.ReadAll(io.LimitReader(r, int64(length)))
	if err == nil && uint64(len(text)) < length {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, cut(8+int64(len(text)), err)
	}
	return parse(text, size)
}

func cut(offset int64, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &HeaderError{Offset: offset, Reason: "the file ends inside its header", Err: ErrTruncated}
	}
	return &HeaderError{Offset: offset, Reason: err.Error(), Err: err}
}

func parse(text []byte, size int64) (*Header, error) {
	root, err := jsontree.Parse(text)
	if err != nil {
		return nil, &HeaderError{Offset: 8, Reason: "header: " + err.Error(), Err: errors.Join(ErrHeader, err)}
	}
	if root.Kind != jsontree.Object {
		return nil, &HeaderError{Offset: 8, Reason: "the header is " + root.Kind.String() + ", not an object", Err: ErrHeader}
	}
	h := &Header{DataOffset: 8 + int64(len(text))}
	for name, n := range root.Members() {
		if name == "__metadata__" {
			h.Metadata, err = metadata(n)
		} else {
			err = h.add(name, n)
		}
		if err != nil {
			return nil, err
		}
	}
	return h, h.check(size)
}

func metadata(n *jsontree.Node) (map[string]string, error) {
	out := make(map[string]string, n.Len())
	for k, v := range n.Members() {
		s, ok := v.Str()
		if !ok {
			return nil, &HeaderError{Offset: 8 + v.Offset, Reason: fmt.Sprintf("metadata %q is %s, not a string", k, v.Kind), Err: ErrHeader}
		}
		out[k] = s
	}
	return out, nil
}

func (h *Header) add(name string, n *jsontree.Node) error {
	fail := func(reason string) error {
		return &HeaderError{Tensor: name, Offset: 8 + n.Offset, Reason: reason, Err: ErrHeader}
	}
	dtype, _ := n.Get("dtype")
	t := Tensor{Name: name}
	var ok bool
	if t.DType, ok = dtype.Str(); !ok {
		return fail("no dtype")
	}
	shape, ok := n.Get("shape")
	if t.Shape = ints(shape); !ok || t.Shape == nil {
		return fail("shape is not a list of non-negative integers")
	}
	offsets, _ := n.Get("data_offsets")
	at := ints(offsets)
	if len(at) != 2 || at[1] < at[0] {
		return fail("data_offsets is not [begin, end]")
	}
	t.Begin, t.End = at[0], at[1]
	if want, known := dataBytes(t.DType, t.Shape); known && want != t.Bytes() {
		return fail(fmt.Sprintf("%s%v takes %d bytes, data_offsets give %d", t.DType, t.Shape, want, t.Bytes()))
	}
	h.Tensors = append(h.Tensors, t)
	return nil
}

// ints returns a list of non-negative integers; nil if it is none.
func ints(n *jsontree.Node) []int64 {
	if n == nil || n.Kind != jsontree.Array {
		return nil
	}
	out := make([]int64, 0, n.Len())
	for i := range n.Items() {
		v, ok := n.Items()[i].Int()
		if !ok || v < 0 {
			return nil
		}
		out = append(out, v)
	}
	return out
}

// dataBytes is the size that a type and a shape ask for; -1 where that
// overflows. Types it does not know are not held against their size.
func dataBytes(dtype string, shape []int64) (n int64, known bool) {
	width := map[string]uint64{"F64": 8, "I64": 8, "U64": 8, "F32": 4, "I32": 4, "U32": 4,
		"F16": 2, "BF16": 2, "I16": 2, "U16": 2, "I8": 1, "U8": 1, "BOOL": 1, "F8_E4M3": 1, "F8_E5M2": 1, "F8_E8M0": 1}[dtype]
	if width == 0 {
		return 0, false
	}
	if slices.Contains(shape, 0) {
		return 0, true
	}
	for _, d := range shape {
		hi, lo := bits.Mul64(width, uint64(d))
		if hi != 0 || lo > math.MaxInt64 {
			return -1, true
		}
		width = lo
	}
	return int64(width), true
}

// check orders the tensors and refuses overlaps and data past the end.
func (h *Header) check(size int64) error {
	slices.SortStableFunc(h.Tensors, func(a, b Tensor) int {
		if a.Begin != b.Begin {
			return int(min(max(a.Begin-b.Begin, -1), 1))
		}
		return int(min(max(a.End-b.End, -1), 1))
	})
	var end int64
	for _, t := range h.Tensors {
		if t.Begin < end {
			return &HeaderError{Tensor: t.Name, Offset: h.DataOffset, Reason: "its data overlap another tensor's", Err: ErrHeader}
		}
		end = t.End
		if size >= 0 && end > size-h.DataOffset {
			return &HeaderError{Tensor: t.Name, Offset: size, Reason: fmt.Sprintf("its data end at byte %d of a file of %d", h.DataOffset+end, size), Err: ErrTruncated}
		}
	}
	return nil
}
