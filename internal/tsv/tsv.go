// Package tsv reads tab-separated values with a header, by column name. It is
// strict where a loose reader would lose data without a word: every row is as
// wide as the header and the last one ends with a line break, so that a cut file
// is an error and not a shorter one.
package tsv

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Sentinels that an [Error] wraps.
var (
	ErrEmpty     = errors.New("tsv: nothing to read")
	ErrTruncated = errors.New("tsv: file ends inside a row")
	ErrColumn    = errors.New("tsv: wrong columns")
	ErrValue     = errors.New("tsv: wrong value")
)

// Error places what is wrong with a file.
type Error struct {
	File   string
	Line   int // from 1; 0 is the file as a whole
	Column string
	Reason string
	Err    error
}

// Error implements error.
func (e *Error) Error() string {
	s := e.File
	if e.Line > 0 {
		s += ":" + strconv.Itoa(e.Line)
	}
	if e.Column != "" {
		s += ": column " + e.Column
	}
	return s + ": " + e.Reason
}

// Unwrap returns the sentinel.
func (e *Error) Unwrap() error { return e.Err }

// Row is one line of a file.
type Row struct {
	Line    int
	file    string
	columns []string
	cells   []string
}

// Text returns a cell; "" where the file has no such column.
func (r Row) Text(column string) string {
	if i := slices.Index(r.columns, column); i >= 0 {
		return r.cells[i]
	}
	return ""
}

// Float returns a cell that holds a finite number.
func (r Row) Float(column string) (float64, error) {
	x, err := strconv.ParseFloat(r.Text(column), 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, r.Errorf(column, "%q is not a finite number", r.Text(column))
	}
	return x, nil
}

// Errorf returns an [Error] at the row.
func (r Row) Errorf(column, format string, args ...any) error {
	return &Error{r.file, r.Line, column, fmt.Sprintf(format, args...), ErrValue}
}

// Read yields the rows of r below its header, which must name the required
// columns and may name others. Lines that begin with # and blank lines are
// passed over. The first error ends the sequence.
func Read(r io.Reader, file string, required ...string) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		row := Row{file: file}
		rows := 0
		for cells, err := range lines(r, &row) {
			switch {
			case err != nil:
			case row.columns == nil:
				if row.columns, err = slices.Clone(cells), row.checkHeader(cells, required); err == nil {
					continue
				}
			default:
				err = row.checkWidth(cells)
				row.cells = cells
				rows++
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
		if rows == 0 {
			yield(row, &Error{file, 0, "", emptyReason(row.columns), ErrEmpty})
		}
	}
}

func emptyReason(columns []string) string {
	if columns == nil {
		return "the file is empty"
	}
	return "the file has a header and no rows"
}

// lines yields the cells of each line that counts, and keeps row.Line.
func lines(r io.Reader, row *Row) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		br := bufio.NewReader(r)
		for {
			text, err := br.ReadBytes('\n')
			if errors.Is(err, io.EOF) && len(text) == 0 {
				return
			}
			if row.Line++; row.Line == 1 {
				text = bytes.TrimPrefix(text, []byte("\uFEFF"))
			}
			cells, err := split(text, err, row)
			if err == nil && cells == nil {
				continue
			}
			if !yield(cells, err) || err != nil {
				return
			}
		}
	}
}

// split returns the cells of a line; nil for one that does not count.
func split(text []byte, err error, row *Row) ([]string, error) {
	switch {
	case errors.Is(err, io.EOF):
		return nil, &Error{row.file, row.Line, "", "the file ends inside this row: its last line has no line break", ErrTruncated}
	case err != nil:
		return nil, &Error{row.file, row.Line, "", err.Error(), err}
	case !utf8.Valid(text):
		return nil, &Error{row.file, row.Line, "", "not UTF-8 text", ErrValue}
	}
	line := strings.TrimRight(string(text), "\r\n")
	if line == "" || line[0] == '#' {
		return nil, nil
	}
	return strings.Split(line, "\t"), nil
}

func (r Row) checkHeader(columns, required []string) error {
	for i, c := range columns {
		if slices.Contains(columns[:i], c) {
			return &Error{r.file, r.Line, c, "named twice in the header", ErrColumn}
		}
	}
	for _, c := range required {
		if !slices.Contains(columns, c) {
			return &Error{r.file, r.Line, c, fmt.Sprintf("missing; the header has %s", strings.Join(columns, ", ")), ErrColumn}
		}
	}
	return nil
}

func (r Row) checkWidth(cells []string) error {
	if len(cells) == len(r.columns) {
		return nil
	}
	return &Error{r.file, r.Line, "", fmt.Sprintf("%d cells where the header has %d", len(cells), len(r.columns)), ErrColumn}
}
