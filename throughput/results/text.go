package results

import (
	"bytes"
	"fmt"
	"strings"
)

// text is a file of lines, without its byte order mark and carriage returns.
type text struct {
	raw    []byte
	lines  []line
	closed bool // the last line ended
}

// line is one line and where it begins.
type line struct {
	s  string
	at position
}

func splitText(b []byte) *text {
	t := &text{raw: b, closed: bytes.HasSuffix(b, []byte("\n"))}
	offset := 0
	if bytes.HasPrefix(b, bom) {
		offset = len(bom)
	}
	for l := range strings.Lines(string(b[offset:])) {
		t.lines = append(t.lines, line{strings.TrimRight(l, "\r\n"), position{int64(offset), len(t.lines) + 1}})
		offset += len(l)
	}
	return t
}

// position is the place of a byte.
func (t *text) position(offset int) position {
	at := position{int64(offset), 1}
	for _, l := range t.lines {
		if l.at.offset > int64(offset) {
			break
		}
		at.line = l.at.line
	}
	return at
}

// last is the place of the last line, which a cut falls into.
func (t *text) last() position {
	if len(t.lines) == 0 {
		return position{}
	}
	return t.lines[len(t.lines)-1].at
}

// isLast reports whether l is the file's last line and was not ended: the only
// place where a cut can be.
func (t *text) isLast(l line) bool { return !t.closed && l.at == t.last() }

// endsInside finds the file cut when its last line has no line end and is not one
// that may stand at the end.
func (s *source) endsInside(last func(string) bool) bool {
	l := s.text.lines[len(s.text.lines)-1]
	if s.text.closed || last(strings.TrimSpace(l.s)) {
		return false
	}
	s.fault("", l.at, fmt.Errorf("%w inside its last line", ErrTruncated))
	return true
}
