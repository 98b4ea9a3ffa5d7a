package results

import (
	"io"
	"unicode/utf8"
)

// tail passes reads through and remembers the last bytes, to tell a character
// that was cut off from one that was wrong.
type tail struct {
	r     io.Reader
	total int64
	last  []byte // up to utf8.UTFMax bytes
}

// Read implements io.Reader.
func (t *tail) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	t.total += int64(n)
	t.last = append(t.last, p[max(0, n-utf8.UTFMax):n]...)
	t.last = append(t.last[:0], t.last[max(0, len(t.last)-utf8.UTFMax):]...)
	return n, err
}

// cuts reports whether the input ends inside the character at that offset.
func (t *tail) cuts(offset int64) bool {
	left := t.total - offset
	return left > 0 && left <= int64(len(t.last)) && !utf8.FullRune(t.last[int64(len(t.last))-left:])
}
