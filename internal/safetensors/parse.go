package safetensors

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"example.com/servemath/internal/jsontree"
)

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
