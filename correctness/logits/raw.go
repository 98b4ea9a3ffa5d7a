package logits

import (
	"io"

	"example.com/servemath/correctness"
)

// RawFloat32 reads little-endian float32 without a header, row after row, from a
// file of size bytes. Nothing in such a file says how long a row is:
// Options.VocabSize must, and HeaderBytes skips what another tool put in front.
func RawFloat32(r io.ReaderAt, size int64, o *Options) (Reader, error) {
	a := &array{data: r, element: float32s}
	return readerOf(a, a.openRaw(size, o.orDefault()))
}

// openRaw takes the shape from the size.
func (a *array) openRaw(size int64, o Options) error {
	if err := o.check(&a.handle); err != nil {
		return err
	}
	a.kind, a.at = o.Kind, o.HeaderBytes
	rowBytes, ok := product(4, int64(o.VocabSize))
	switch body := size - o.HeaderBytes; {
	case o.VocabSize < 1 || !ok:
		return a.errorf(correctness.ErrVocab, at(0), "raw float32 does not say how long its rows are: set Options.VocabSize")
	case body < rowBytes:
		return a.errorf(correctness.ErrTruncated, at(size), "a header of %d bytes and one row of %d do not fit into %d", o.HeaderBytes, rowBytes, size)
	case body%rowBytes != 0:
		return a.errorf(correctness.ErrTruncated, at(size), "%d bytes after the header are no whole number of rows of %d", body, rowBytes)
	default:
		return a.setShape([]int64{body / rowBytes, int64(o.VocabSize)}, body, o)
	}
}
