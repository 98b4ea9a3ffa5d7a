package logits

import (
	"encoding/binary"
	"io"
	"strconv"
	"strings"

	"example.com/servemath/correctness"
)

// An array file is the magic, a byte each of major and minor version, the length of
// the header (uint16 in version 1, uint32 after), the header as a Python literal,
// padded with spaces, and the elements.
const (
	npyMagic = "\x93NUMPY"
	// maxNPYHeader bounds the header of a plain array, which takes about 100
	// bytes.
	maxNPYHeader = 1 << 16
)

// NPY reads a numpy array file of size bytes: float16, float32 or float64 of
// either byte order, in C or Fortran order, of shape (rows, vocabulary) or
// (prompts, rows, vocabulary). float64 is rounded to float32. Row i is what
// Options.Kind says, and its data token is unknown.
//
// In Fortran order rows lie scattered over the file: blocks of them are gathered
// in 32 MiB, with one read a vocabulary entry and block.
func NPY(r io.ReaderAt, size int64, o *Options) (Reader, error) {
	a := &array{data: r}
	return readerOf(a, a.openNPY(size, o.orDefault()))
}

// openNPY reads the header of a.data, which ends at size.
func (a *array) openNPY(size int64, o Options) error {
	if err := o.check(&a.handle); err != nil {
		return err
	}
	text, err := a.npyHeader(size)
	if err != nil {
		return err
	}
	h, ok := parseNPY(text)
	if !ok {
		return a.errorf(correctness.ErrFormat, at(int64(len(npyMagic))), "the header %.80q is not the description of an array of numbers", text)
	}
	if !a.setDType(h.descr, o.BFloat16) {
		return a.errorf(correctness.ErrFormat, at(int64(len(npyMagic))), "elements of type %q are not read (16-bit words can be, as Options.BFloat16)", h.descr)
	}
	a.fortran, a.kind = h.fortran, o.Kind
	return a.setShape(h.shape, size-a.at, o)
}

// npyHeader returns the text of the header and sets a.at to where it ends.
func (a *array) npyHeader(size int64) (string, error) {
	var head [12]byte
	if err := a.readHead(a.data, size, head[:], npyMagic); err != nil {
		return "", err
	}
	n := int64(binary.LittleEndian.Uint16(head[8:]))
	switch a.at = 10; head[6] {
	case 1:
	case 2, 3:
		n, a.at = int64(binary.LittleEndian.Uint32(head[8:])), 12
	default:
		return "", a.errorf(correctness.ErrFormat, at(6), "version %d.%d is not read", head[6], head[7])
	}
	switch {
	case n > maxNPYHeader:
		return "", a.errorf(correctness.ErrFormat, at(8), "a header of %d bytes, over the limit of %d", n, maxNPYHeader)
	case n > size-a.at:
		return "", a.errorf(correctness.ErrTruncated, at(size), "a header of %d bytes in a file of %d", n, size)
	}
	text := make([]byte, n)
	err := a.readAt(a.data, text, at(a.at))
	a.at += n
	return string(text), err
}

// setDType takes numpy's name of a type: byte order, letter, width.
func (a *array) setDType(descr string, bf16 bool) bool {
	if len(descr) != 3 {
		return false
	}
	switch descr[0] {
	case '<', '=', '|':
	case '>':
		a.big = true
	default:
		return false
	}
	switch descr[1:] {
	case "f2":
		a.element = float16
	case "f4":
		a.element = float32s
	case "f8":
		a.element = float64s
	case "V2", "u2":
		a.element = bfloat16
		return bf16
	default:
		return false
	}
	return true
}

type npyHeader struct {
	descr   string
	fortran bool
	shape   []int64
}

// parseNPY reads the Python literal of the header: a dictionary of exactly descr,
// fortran_order and shape.
func parseNPY(text string) (h npyHeader, ok bool) {
	s := pyScanner{strings.TrimSpace(text), true}
	s.take("{")
	for seen := map[string]bool{}; s.ok && !s.has("}"); {
		key := s.quoted()
		s.take(":")
		s.ok = s.ok && !seen[key]
		seen[key] = true
		switch key {
		case "descr":
			h.descr = s.quoted()
		case "fortran_order":
			if h.fortran = s.has("True"); !h.fortran {
				s.take("False")
			}
		case "shape":
			h.shape = s.tuple()
		default:
			return h, false
		}
		if !s.has(",") {
			s.take("}")
			break
		}
	}
	return h, s.ok && s.rest == "" && h.descr != "" && h.shape != nil
}

// pyScanner reads the few Python literals that a header is made of. The first
// failure sticks.
type pyScanner struct {
	rest string
	ok   bool
}

// has consumes a literal if it is next.
func (s *pyScanner) has(lit string) bool {
	rest, found := strings.CutPrefix(s.rest, lit)
	if found {
		s.rest = strings.TrimSpace(rest)
	}
	return found
}

// take consumes a literal that must be next.
func (s *pyScanner) take(lit string) { s.ok = s.has(lit) && s.ok }

// quoted reads a string; numpy writes none with escapes or quotes inside.
func (s *pyScanner) quoted() string {
	if !s.has("'") {
		s.take(`"`)
	}
	end := strings.IndexAny(s.rest, `'"`)
	if !s.ok || end < 0 {
		s.ok = false
		return ""
	}
	text := s.rest[:end]
	s.rest = strings.TrimSpace(s.rest[end+1:])
	return text
}

// tuple reads numbers in brackets, which Python 2 ended in L.
func (s *pyScanner) tuple() []int64 {
	s.take("(")
	out := []int64{}
	for s.ok && !s.has(")") {
		n := strings.IndexAny(s.rest, ",)")
		if n < 0 {
			s.ok = false
			break
		}
		x, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(s.rest[:n], "L")), 10, 64)
		s.ok = err == nil && x >= 0
		out = append(out, x)
		s.rest = s.rest[n:]
		s.has(",")
	}
	return out
}
