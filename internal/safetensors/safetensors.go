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
