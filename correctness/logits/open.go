package logits

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"unicode"
	"unicode/utf8"

	"example.com/servemath/correctness"
)

// Open opens a file in whichever format it is, judged by its content: a base file
// of llama.cpp, .npy, .npz, safetensors or JSON responses. Close it when done. A
// file that needs [Options], such as raw float32, is an error that says which. The
// two sides of a comparison are for [OpenPair], which gives their tokens the same
// ids.
func Open(path string) (Reader, error) { return OpenWith(path, nil) }

// OpenWith is [Open] with options. With Options.VocabSize a file without any mark
// of a format is raw float32.
func OpenWith(path string, o *Options) (Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("logits: %w", err)
	}
	r, err := openFile(f, o.orDefault())
	if err != nil {
		f.Close()
		return nil, err
	}
	return r, nil
}

// OpenPair opens the two sides of a comparison so that their tokens have the same
// ids: where one of them tells tokens apart by their bytes, both do, with one
// table, which is Options.Tokens if set. Two sides that declare different
// temperatures are [correctness.ErrTemperature].
func OpenPair(ref, got string, o *Options) (r, g Reader, err error) {
	opts := o.orDefault()
	given := opts.Tokens != nil
	r, g, err = openBoth(ref, got, &opts)
	if err == nil && !given && r.Tokens() != g.Tokens() {
		if err = errors.Join(r.Close(), g.Close()); err != nil {
			return nil, nil, err
		}
		opts.Tokens = new(correctness.TokenTable)
		r, g, err = openBoth(ref, got, &opts)
	}
	if err != nil {
		return nil, nil, err
	}
	if err = matching(r, g, given); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("logits: %s and %s: %w", ref, got, err), r.Close(), g.Close())
	}
	return r, g, nil
}

// matching refuses what makes rows of two readers mean different things. A table
// that the caller gave may hold the model's own ids.
func matching(r, g Reader, given bool) error {
	if !given && r.Tokens() != g.Tokens() {
		return fmt.Errorf("%w: one knows tokens by their ids only, the other by their bytes only", correctness.ErrTokenMismatch)
	}
	if a, b := r.Temperature(), g.Temperature(); a < b || a > b { // NaN is not declared
		return fmt.Errorf("%w: one declares temperature %g, the other %g", correctness.ErrTemperature, a, b)
	}
	return nil
}

// openBoth opens both files or none.
func openBoth(ref, got string, o *Options) (r, g Reader, err error) {
	if r, err = OpenWith(ref, o); err != nil {
		return nil, nil, err
	}
	if g, err = OpenWith(got, o); err != nil {
		return nil, nil, errors.Join(err, r.Close())
	}
	return r, g, nil
}

// openFile hands the file to the reader of its format, which then owns it.
func openFile(f *os.File, o Options) (Reader, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("logits: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("logits: %s: not a regular file: %w", f.Name(), correctness.ErrFormat)
	}
	h := handle{name: f.Name(), closers: []io.Closer{f}}
	head := make([]byte, min(info.Size(), 64))
	if err := h.readAt(f, head, at(0)); err != nil {
		return nil, err
	}
	return dispatch(h, f, head, info.Size(), o)
}

// dispatch goes by the first bytes. A safetensors file and JSON both have a brace
// near the start, but the eight bytes before the former's are a length that no
// text can be. Raw numbers can begin with anything.
func dispatch(h handle, f *os.File, head []byte, size int64, o Options) (Reader, error) {
	switch text := bytes.TrimLeft(head, "\ufeff \t\r\n"); {
	case bytes.HasPrefix(head, []byte(baseMagic)):
		b := &Base{handle: h, r: f}
		return readerOf(b, b.open(size, o))
	case bytes.HasPrefix(head, []byte(npyMagic)):
		a := &array{handle: h, data: f}
		return readerOf(a, a.openNPY(size, o))
	case bytes.HasPrefix(head, []byte("PK")):
		a := &array{handle: h}
		return readerOf(a, a.openNPZ(f, size, o))
	case isSafetensors(head):
		a := &array{handle: h, data: f}
		return readerOf(a, a.openSafetensors(size, o))
	case beginsResponse(text) && (o.VocabSize == 0 || isText(head)):
		d := &responses{handle: h, options: o}
		return readerOf(d, d.open(f, formats))
	case o.VocabSize > 0:
		a := &array{handle: h, data: f, element: float32s}
		return readerOf(a, a.openRaw(size, o))
	case size == 0:
		return nil, h.errorf(correctness.ErrTruncated, at(0), "the file is empty")
	}
	return nil, h.errorf(correctness.ErrFormat, at(0), "begins with %.16q: a llama.cpp base file, .npy, .npz, safetensors and JSON responses are read, and raw float32 if Options.VocabSize tells its rows", head)
}

// isSafetensors recognises the header's first brace after its length, which no text
// and hardly any number looks like. Whether that length is true is for the reader
// to say.
func isSafetensors(head []byte) bool {
	return len(head) > 8 && head[7] == 0 && head[8] == '{'
}

// beginsResponse recognises JSON, and the fields of server-sent events.
func beginsResponse(text []byte) bool {
	return len(text) > 0 && (text[0] == '{' || text[0] == '[') || bytes.HasPrefix(text, dataField) || isOtherField(text)
}

// isText tells text, whose last character may be cut, from numbers that begin like
// it, as those of one raw file in eighty do.
func isText(head []byte) bool {
	for len(head) > 0 {
		r, n := utf8.DecodeRune(head)
		if r == utf8.RuneError && n == 1 {
			return !utf8.FullRune(head)
		}
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return false
		}
		head = head[n:]
	}
	return true
}
