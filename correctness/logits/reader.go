package logits

import (
	"errors"
	"fmt"
	"io"
	"math"

	"example.com/servemath/correctness"
)

// Reader is a [correctness.Source] over a file or a stream. Those of arrays and of
// base files also have Rows() int64, the number of rows in all. A reader is for one
// goroutine.
type Reader interface {
	correctness.Source
	io.Closer
	// Warnings returns what was read but deserves a second look. It is complete
	// once Next has returned io.EOF.
	Warnings() []error
	// Tokens returns the table that gave the ids, nil where they are the model's
	// own. [correctness.CompareSources] compares tokens of two tables by their
	// bytes.
	Tokens() *correctness.TokenTable
	// Temperature returns what the responses declare so far, NaN if nothing:
	// whether it enters the log-probabilities differs between servers.
	Temperature() float64
}

// handle is what every reader has in common: the name for its messages, what
// Close closes, the warnings.
type handle struct {
	name     string
	closers  []io.Closer
	warnings []error
}

// Close closes what the reader itself opened.
func (h *handle) Close() (err error) {
	for _, c := range h.closers {
		err = errors.Join(err, c.Close())
	}
	h.closers = nil
	return err
}

// Warnings implements [Reader].
func (h *handle) Warnings() []error { return h.warnings }

// Tokens implements [Reader]: arrays count by the model's ids.
func (h *handle) Tokens() *correctness.TokenTable { return nil }

// Temperature implements [Reader].
func (h *handle) Temperature() float64 { return math.NaN() }

// place is where an error is; -1 and "" where that does not apply.
type place struct {
	prompt          string
	position, index int
	offset          int64 // bytes from the start of the file
}

// at is a place known by its offset alone.
func at(offset int64) place { return place{position: -1, index: -1, offset: offset} }

// errorf makes an [correctness.InputError] of one of the package's sentinels.
func (h *handle) errorf(is error, p place, format string, args ...any) error {
	reason := fmt.Sprintf(format, args...)
	if p.offset >= 0 {
		reason = fmt.Sprintf("offset %d: %s", p.offset, reason)
	}
	if h.name != "" {
		reason = h.name + ": " + reason
	}
	return &correctness.InputError{Prompt: p.prompt, Position: p.position, Index: p.index, Reason: reason, Err: is}
}

// readAt fills b from r at offset; a short read is [correctness.ErrTruncated].
func (h *handle) readAt(r io.ReaderAt, b []byte, p place) error {
	n, err := r.ReadAt(b, p.offset)
	if n == len(b) && (err == nil || err == io.EOF) {
		return nil
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return h.errorf(correctness.ErrTruncated, p, "%d bytes wanted, %d are there", len(b), n)
	}
	return h.errorf(err, p, "%v", err)
}

// readHead fills head from the start of a file of size bytes that begins with
// magic. A file cut inside its magic is cut, and one that differs there is another
// format.
func (h *handle) readHead(r io.ReaderAt, size int64, head []byte, magic string) error {
	there := head[:max(0, min(size, int64(len(head))))]
	if err := h.readAt(r, there, at(0)); err != nil {
		return err
	}
	if n := min(len(there), len(magic)); n == 0 || string(there[:n]) != magic[:n] {
		return h.errorf(correctness.ErrFormat, at(0), "no %q at the start", magic)
	}
	if len(there) < len(head) {
		return h.errorf(correctness.ErrTruncated, at(size), "the file ends inside its header: %d bytes wanted, %d are there", len(head), size)
	}
	return nil
}

// readerOf keeps a failed reader from being returned beside its error.
func readerOf(r Reader, err error) (Reader, error) {
	if err != nil {
		return nil, err
	}
	return r, nil
}

// resize gives a slice of n elements, which keep no meaning, in old memory if it
// suffices.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
