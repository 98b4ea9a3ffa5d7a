package logits

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"example.com/servemath/correctness"
)

// NPZ reads one array out of a numpy archive of size bytes, stored or deflated:
// the one that Options.Name names, with or without ".npy". It is otherwise like
// [NPY]. A deflated array is unpacked as it is read; in Fortran order once for
// every 32 MiB of it.
func NPZ(r io.ReaderAt, size int64, o *Options) (Reader, error) {
	a := &array{}
	return readerOf(a, a.openNPZ(r, size, o.orDefault()))
}

// openNPZ opens the member as if it were a file of its own.
func (a *array) openNPZ(r io.ReaderAt, size int64, o Options) error {
	if err := o.check(&a.handle); err != nil {
		return err
	}
	z, err := zip.NewReader(r, size)
	if err != nil {
		return a.zipError(err, at(size))
	}
	f, err := a.pickMember(z, o.Name)
	if err != nil {
		return err
	}
	m := &member{file: f}
	if m.size, err = a.memberSize(f, size); err != nil {
		return err
	}
	a.data, a.closers = m, append([]io.Closer{m}, a.closers...)
	return a.openNPY(m.size, o)
}

// memberSize checks what the directory claims, before memory is asked for by it:
// deflate packs no more than 1032 to 1, and stored members not at all.
func (a *array) memberSize(f *zip.File, size int64) (int64, error) {
	ratio := uint64(1)
	if f.Method != zip.Store {
		ratio = 1032
	}
	if f.CompressedSize64 > uint64(size) || f.UncompressedSize64/ratio > f.CompressedSize64 {
		return 0, a.errorf(correctness.ErrTruncated, at(size), "%s: %d bytes packed into %d cannot come out of a file of %d", f.Name, f.UncompressedSize64, f.CompressedSize64, size)
	}
	return int64(f.UncompressedSize64), nil
}

// pickMember looks among the arrays alone; archives may hold other files. A name
// that comes twice hides one of the two.
func (a *array) pickMember(z *zip.Reader, name string) (*zip.File, error) {
	arrays := map[string]*zip.File{}
	for _, f := range z.File {
		if base, ok := strings.CutSuffix(f.Name, ".npy"); ok {
			if arrays[base] != nil {
				return nil, a.errorf(correctness.ErrFormat, at(-1), "two arrays are called %q", base)
			}
			arrays[base] = f
		}
	}
	key, err := pick(&a.handle, arrays, strings.TrimSuffix(name, ".npy"))
	return arrays[key], err
}

// pick chooses the named array, else the one called "logits", else the only one.
func pick[V any](h *handle, arrays map[string]V, name string) (string, error) {
	names := slices.Sorted(maps.Keys(arrays))
	switch {
	case name == "" && len(names) == 1:
		return names[0], nil
	case name == "":
		name = "logits"
	}
	if !slices.Contains(names, name) {
		return "", h.errorf(correctness.ErrFormat, at(-1), "no array %q among %q: set Options.Name", name, names)
	}
	return name, nil
}

// zipError tells an archive that was cut, which loses the directory at its end,
// from one that is damaged.
func (a *array) zipError(err error, p place) error {
	if errors.Is(err, zip.ErrFormat) {
		return a.errorf(correctness.ErrTruncated, p, "no directory at the end of the archive: cut short, or no zip file")
	}
	return a.errorf(correctness.ErrFormat, p, "%v", err)
}

// member gives random access to a zip member by unpacking it from the start
// whenever the access goes back. Reading to the end checks its checksum.
type member struct {
	file *zip.File
	size int64
	r    io.ReadCloser
	pos  int64
}

// ReadAt implements [io.ReaderAt]; it is for one goroutine.
func (m *member) ReadAt(b []byte, off int64) (int, error) {
	n, err := m.readAt(b, off)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		err = fmt.Errorf("%w: %s: %w", correctness.ErrFormat, m.file.Name, err)
	}
	return n, err
}

// readAt unpacks up to off and then into b.
func (m *member) readAt(b []byte, off int64) (int, error) {
	if m.r == nil || off < m.pos {
		if err := m.rewind(); err != nil {
			return 0, err
		}
	}
	skipped, err := io.CopyN(io.Discard, m.r, off-m.pos)
	if m.pos += skipped; err != nil {
		return 0, err
	}
	n, err := io.ReadFull(m.r, b)
	if m.pos += int64(n); err == nil && m.pos == m.size {
		err = m.checkEnd()
	}
	return n, err
}

// checkEnd asks for one byte too many, upon which zip compares checksums.
func (m *member) checkEnd() error {
	n, err := m.r.Read(make([]byte, 1))
	switch {
	case n > 0:
		return zip.ErrFormat
	case err == io.EOF:
		return nil
	}
	return err
}

// rewind starts unpacking again.
func (m *member) rewind() (err error) {
	m.Close()
	m.pos = 0
	m.r, err = m.file.Open()
	return err
}

// Close implements [io.Closer]. The unpacker would repeat an error that reading
// has reported.
func (m *member) Close() error {
	if m.r != nil {
		_ = m.r.Close()
		m.r = nil
	}
	return nil
}
