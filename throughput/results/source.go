package results

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"unicode/utf8"

	"example.com/servemath/internal/jsontree"
	"example.com/servemath/throughput"
)

// headBytes is how much of a file is looked at to tell JSON from text, and to
// name the format of JSON that does not parse.
const headBytes = 4 << 10

// sniffBytes is how much of a text is searched for what names its format.
const sniffBytes = 64 << 10

// maxText bounds a text format: they are tables of a few rows.
const maxText = 64 << 20

// source is one file being decoded: its JSON values or its lines, and the first
// fault found in it.
type source struct {
	file   string
	format *format
	head   []byte
	first  *jsontree.Node // JSON: the first value, already read
	values *jsontree.Decoder
	text   *text
	err    error
}

// open reads far enough to know the format.
func open(r io.Reader, name string) (*source, error) {
	head := make([]byte, headBytes)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, &DecodeError{File: name, Err: err}
	}
	s := &source{file: name, head: head[:n]}
	if err := checkBinary(s.head); err != nil {
		return nil, s.wrap("", position{}, err)
	}
	whole := io.MultiReader(bytes.NewReader(s.head), r)
	if looksJSON(s.head) {
		return s, s.openJSON(whole)
	}
	return s, s.openText(whole)
}

var bom = []byte("\uFEFF")

// checkBinary refuses what is text in no encoding that can be read.
func checkBinary(head []byte) error {
	switch {
	case len(bytes.TrimSpace(bytes.TrimPrefix(head, bom))) == 0:
		return emptyError{}
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return fmt.Errorf("%w: gzip: decompress it first", ErrUnknownFormat)
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}), bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return fmt.Errorf("%w: UTF-16 text: convert it to UTF-8", ErrUnknownFormat)
	case bytes.IndexByte(head, 0) >= 0:
		return fmt.Errorf("%w: binary data", ErrUnknownFormat)
	}
	return nil
}

// looksJSON tells JSON from a Markdown file that begins with a link.
func looksJSON(head []byte) bool {
	head = bytes.TrimSpace(bytes.TrimPrefix(head, bom))
	if head[0] == '{' {
		return true
	}
	inner := bytes.TrimSpace(head[1:])
	return head[0] == '[' && (len(inner) == 0 || bytes.IndexByte([]byte(`{["]-0123456789`), inner[0]) >= 0)
}

func (s *source) openJSON(r io.Reader) (err error) {
	if s.first = s.onlyValue(); s.first == nil {
		s.values = jsontree.NewDecoder(r)
		if s.first, err = s.values.Next(); err != nil {
			s.format = guess(s.head)
			return s.wrapJSON(err)
		}
	}
	sample := s.first
	if sample.Kind == jsontree.Array && sample.Len() > 0 {
		sample = &sample.Items()[0]
	}
	s.format, err = sniffJSON(object{src: s, node: sample})
	return s.wrap("", position{offset: sample.Offset}, err)
}

// onlyValue parses a file of one value that the head holds whole, which needs no
// stream and its buffers; nil where that is not so.
func (s *source) onlyValue() *jsontree.Node {
	if len(s.head) == headBytes {
		return nil
	}
	n, err := jsontree.Parse(s.head)
	if err != nil {
		return nil
	}
	return n
}

func (s *source) openText(r io.Reader) error {
	b, err := io.ReadAll(io.LimitReader(r, maxText+1))
	switch {
	case err != nil:
		return s.wrap("", position{}, err)
	case len(b) > maxText:
		return s.wrap("", position{}, fmt.Errorf("%w: text of more than %d MB", ErrUnknownFormat, maxText>>20))
	}
	s.text = splitText(b)
	if s.format, err = sniffText(b[:min(len(b), sniffBytes)]); err != nil {
		if !s.text.closed {
			err = fmt.Errorf("%w; %w, if its last line is", err, ErrTruncated)
		}
		return s.wrap("", position{}, err)
	}
	i := firstInvalid(b)
	switch {
	case i < 0:
		return nil
	case !utf8.FullRune(b[i:]):
		return s.wrap("", s.text.position(i), fmt.Errorf("%w inside a character", ErrTruncated))
	}
	return s.wrap("", s.text.position(i), errors.New("not UTF-8 text"))
}

// firstInvalid is the index of the first byte that is not UTF-8, or -1.
func firstInvalid(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// fault keeps the first error, with its place.
func (s *source) fault(field string, at position, err error) {
	if s.err == nil {
		s.err = s.wrap(field, at, err)
	}
}

func (s *source) wrap(field string, at position, err error) error {
	if err == nil {
		return nil
	}
	e := &DecodeError{File: s.file, Field: field, Offset: at.offset, Line: at.line, Err: err}
	if s.format != nil {
		e.Tool = s.format.name
	}
	return e
}

// wrapJSON gives the parser's error this package's sentinels.
func (s *source) wrapJSON(err error) error {
	syntax, ok := errors.AsType[*jsontree.SyntaxError](err)
	if !ok {
		return s.wrap("", position{offset: s.values.Offset()}, err)
	}
	cause, field := errors.New(syntax.Reason), ""
	switch {
	case errors.Is(err, jsontree.ErrTruncated):
		cause = fmt.Errorf("%w: the input ends inside a value", ErrTruncated)
	case errors.Is(err, jsontree.ErrDuplicateKey):
		cause, field = ErrDuplicateKey, syntax.Key
	}
	return s.wrap(field, position{offset: syntax.Offset}, cause)
}

// objects yields every JSON object of the file in turn, one in memory at a time:
// the values of the stream, or the elements of a value that is a list. It stops
// at the first fault.
func (s *source) objects() iter.Seq[object] {
	return func(yield func(object) bool) {
		for n := s.first; n != nil && s.err == nil; n = s.next() {
			s.first = nil
			one := []jsontree.Node{*n}
			if n.Kind == jsontree.Array {
				one = n.Items()
			}
			for i := range one {
				if !s.yieldObject(&one[i], yield) {
					return
				}
			}
		}
	}
}

func (s *source) yieldObject(n *jsontree.Node, yield func(object) bool) bool {
	at := position{offset: n.Offset}
	if n.Kind != jsontree.Object {
		s.fault("", at, fmt.Errorf("%v where a record belongs", n.Kind))
		return false
	}
	o := object{src: s, node: n, at: at}
	if why := missing(o, s.format.needs); why != "" {
		s.fault("", at, fmt.Errorf("not a record of this format: it has no member %s", spell(why)))
		return false
	}
	return yield(o) && s.err == nil
}

func (s *source) next() *jsontree.Node {
	if s.values == nil {
		return nil
	}
	n, err := s.values.Next()
	if err != nil && !errors.Is(err, io.EOF) && s.err == nil {
		s.err = s.wrapJSON(err)
	}
	if err != nil {
		return nil
	}
	return n
}

// eachObject decodes a file of independent records, one run each.
func eachObject(f func(object, *run)) func(*source) []throughput.Run {
	return func(s *source) (runs []throughput.Run) {
		for o := range s.objects() {
			r := newRun(s)
			f(o, r)
			runs = append(runs, r.Run)
		}
		return runs
	}
}
