package logits

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
)

// dataField begins a line that holds a value; the other fields of server-sent
// events say nothing about tokens.
var (
	dataField   = []byte("data:")
	otherFields = [][]byte{[]byte("event:"), []byte("id:"), []byte("retry:"), []byte(":")}
	doneMark    = []byte("[DONE]")
)

// events makes a stream of server-sent events readable as JSON values, one an
// event: it blanks out what is around them, which keeps the offsets. Other input
// passes unchanged.
func events(r *bufio.Reader) io.Reader {
	head, _ := r.Peek(32)
	head = bytes.TrimLeft(head, " \r\n\t")
	if bytes.HasPrefix(head, dataField) || isOtherField(head) {
		return &eventReader{r: r, lineStart: true}
	}
	return r
}

// isOtherField recognises comments, too, which servers send to keep a connection.
func isOtherField(line []byte) bool {
	return slices.ContainsFunc(otherFields, func(f []byte) bool { return bytes.HasPrefix(line, f) })
}

type eventReader struct {
	r         *bufio.Reader
	rest      []byte // of the current piece, already blanked
	lineStart bool   // the next piece begins a line
	blank     bool   // the current line is blanked to its end
	err       error
}

// Read implements [io.Reader].
func (e *eventReader) Read(b []byte) (int, error) {
	for len(e.rest) == 0 {
		if e.err != nil {
			return 0, e.err
		}
		e.piece()
	}
	n := copy(b, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// piece reads a line, or as much of it as fits the buffer.
func (e *eventReader) piece() {
	e.rest, e.err = e.r.ReadSlice('\n')
	if errors.Is(e.err, bufio.ErrBufferFull) {
		e.err = nil
	}
	if e.lineStart {
		e.blank = isOtherField(e.rest)
		if value, ok := bytes.CutPrefix(e.rest, dataField); ok {
			e.blank = bytes.Equal(bytes.TrimSpace(value), doneMark)
			blank(e.rest[:len(dataField)])
		}
	}
	e.lineStart = bytes.HasSuffix(e.rest, []byte("\n"))
	if e.blank {
		blank(e.rest)
	}
}

// blank overwrites what is no part of a value with what JSON skips.
func blank(b []byte) {
	for i := range b {
		b[i] = ' '
	}
}
