package jsontree

import (
	"errors"
	"fmt"
	"io"
)

// DefaultMaxBytes bounds one value of a [Decoder].
const DefaultMaxBytes = 256 << 20

// Decoder reads values that follow one another: JSON lines, or objects appended
// to one file. It holds one value at a time.
type Decoder struct {
	MaxBytes int // of one value; 0 is DefaultMaxBytes

	r    io.Reader
	buf  []byte // unread bytes are buf[pos:]
	pos  int
	base int64 // offset of buf[0] in the input
	err  error // of the reader; io.EOF at the end
	p    parser
}

// NewDecoder returns a decoder of what r yields.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{r: r} }

// Offset is where the next value is looked for.
func (d *Decoder) Offset() int64 { return d.base + int64(d.pos) }

// Next returns the next value, which is valid until the following call, or
// [io.EOF] when only white space is left.
func (d *Decoder) Next() (*Node, error) {
	if err := d.skipSpace(); err != nil {
		return nil, err
	}
	size, err := d.extent()
	if err != nil {
		return nil, err
	}
	d.p.slab = d.p.slab[:0]
	n, end, err := d.p.value(string(d.buf[d.pos:d.pos+size]), d.Offset())
	if err != nil {
		return nil, err
	}
	d.pos += end
	return n, nil
}

func (d *Decoder) skipSpace() error {
	for {
		for d.pos < len(d.buf) {
			if !space(d.buf[d.pos]) {
				return nil
			}
			d.pos++
		}
		if err := d.more(); err != nil {
			return err
		}
	}
}

// extent finds the end of the value at d.pos: the closing bracket of its
// container, or the white space after a scalar.
func (d *Decoder) extent() (int, error) {
	var s scanner
	for i := 0; ; i++ {
		if d.pos+i == len(d.buf) {
			if i > d.limit() {
				return 0, &SyntaxError{Offset: d.Offset(), Reason: fmt.Sprintf("a value of more than %d bytes", d.limit()), Err: ErrTooLarge}
			}
			switch err := d.more(); {
			case errors.Is(err, io.EOF):
				return i, nil // the parser says whether it is whole
			case err != nil:
				return 0, err
			}
		}
		if end := s.step(d.buf[d.pos+i]); end {
			return i + s.width, nil
		}
	}
}

func (d *Decoder) limit() int {
	if d.MaxBytes > 0 {
		return d.MaxBytes
	}
	return DefaultMaxBytes
}

// more reads on, first dropping what has been used.
func (d *Decoder) more() error {
	if d.err != nil {
		return d.err
	}
	if d.pos > 0 {
		d.base += int64(d.pos)
		d.buf = d.buf[:copy(d.buf, d.buf[d.pos:])]
		d.pos = 0
	}
	if len(d.buf) == cap(d.buf) {
		d.buf = append(make([]byte, 0, max(4<<10, 2*cap(d.buf))), d.buf...)
	}
	n, err := d.r.Read(d.buf[len(d.buf):cap(d.buf)])
	d.buf = d.buf[:len(d.buf)+n]
	if d.err = err; n == 0 && err != nil {
		return err
	}
	return nil
}

// scanner finds the end of a value without parsing it.
type scanner struct {
	depth    int
	inString bool
	escaped  bool
	width    int // bytes of the last step that belong to the value
}

func (s *scanner) step(c byte) (end bool) {
	s.width = 1
	switch {
	case s.escaped:
		s.escaped = false
	case s.inString:
		s.escaped = c == '\\'
		s.inString = c != '"'
		return c == '"' && s.depth == 0
	case c == '"':
		s.inString = true
	case c == '{' || c == '[':
		s.depth++
	case c == '}' || c == ']':
		s.depth--
		return s.depth <= 0
	case space(c) && s.depth == 0:
		s.width = 0
		return true
	}
	return false
}

func space(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }
