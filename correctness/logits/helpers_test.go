package logits

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"example.com/servemath/correctness"
	"github.com/stretchr/testify/require"
)

func testFile(tb testing.TB, elem ...string) []byte {
	tb.Helper()
	b, err := os.ReadFile(filepath.Join(append([]string{"testdata"}, elem...)...))
	require.NoError(tb, err)
	return b
}

// allRows reads a source to its end, each row in slices of its own.
func allRows(tb testing.TB, src correctness.Source) []correctness.Row {
	tb.Helper()
	rows, err := readAll(src)
	require.NoError(tb, err)
	return rows
}

func readAll(src correctness.Source) (rows []correctness.Row, err error) {
	for {
		var row correctness.Row
		switch err := src.Next(&row); {
		case errors.Is(err, io.EOF):
			return rows, nil
		case err != nil:
			return rows, err
		}
		rows = append(rows, row)
	}
}

// refuses checks that a failure is placed and wraps the sentinel.
func refuses(tb testing.TB, err, sentinel error, text string) {
	tb.Helper()
	require.ErrorIs(tb, err, sentinel)
	input, ok := errors.AsType[*correctness.InputError](err)
	require.True(tb, ok, "%T is no InputError", err)
	require.Contains(tb, placed(input), text)
}

// placed spells out an error's fields, whatever its own wording.
func placed(e *correctness.InputError) (s string) {
	if e.Prompt != "" {
		s += fmt.Sprintf("prompt %q ", e.Prompt)
	}
	if e.Position >= 0 {
		s += fmt.Sprintf("position %d ", e.Position)
	}
	if e.Index >= 0 {
		s += fmt.Sprintf("index %d ", e.Index)
	}
	return s + e.Reason
}

// sentinels are what an error of a reader may wrap.
var sentinels = []error{
	correctness.ErrVocab, correctness.ErrNaN, correctness.ErrPosInf, correctness.ErrNoSupport, correctness.ErrNotNormalised,
	correctness.ErrPositiveLogProb, correctness.ErrNegativeProb, correctness.ErrMass,
	correctness.ErrDuplicateToken, correctness.ErrTokenMismatch, correctness.ErrAlignment,
	correctness.ErrTruncated, correctness.ErrFormat, correctness.ErrTemperature,
}

// typed fails unless err is nil or an InputError around a sentinel.
func typed(tb testing.TB, err error) {
	tb.Helper()
	if err == nil {
		return
	}
	if _, ok := errors.AsType[*correctness.InputError](err); !ok {
		tb.Fatalf("%T is no InputError: %v", err, err)
	}
	for _, s := range sentinels {
		if errors.Is(err, s) {
			return
		}
	}
	tb.Fatalf("no sentinel in %v", err)
}

// source builds a reader over bytes.
type source func(b []byte) (correctness.Source, error)

func sized[R correctness.Source](open func(io.ReaderAt, int64, *Options) (R, error), o *Options) source {
	return func(b []byte) (correctness.Source, error) { return open(bytes.NewReader(b), int64(len(b)), o) }
}

func streamed(open func(io.Reader, *Options) (Reader, error), o *Options) source {
	return func(b []byte) (correctness.Source, error) { return open(bytes.NewReader(b), o) }
}

func (s source) read(b []byte) ([]correctness.Row, error) {
	src, err := s(b)
	if err != nil {
		return nil, err
	}
	return readAll(src)
}

// cutEverywhere checks that no prefix of a file is taken for a whole one.
func cutEverywhere(tb testing.TB, open source, b []byte) {
	tb.Helper()
	for n := range b {
		_, err := open.read(b[:n])
		if err == nil {
			tb.Fatalf("%d of %d bytes are taken for a whole file", n, len(b))
		}
		typed(tb, err)
	}
}

func rawBytes(v []float32) []byte {
	b, err := binary.Append(nil, binary.LittleEndian, v)
	if err != nil {
		panic(err)
	}
	return b
}
