package throughput

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// ReadTable reads published tables of engine speeds. A line is one of
//
//	### Apple Silicon                    a heading: the platform of what follows
//	| Machine | Model | Setup | tok/s |  a header, its columns in any order, figures last
//	|---|---|---|---|                    the rule below it
//	| M5 Max 128 GB | Gemma-4-E2B | Single decode | Pie 205 · MLX 185 · llama.cpp 166 |
//	Pie 205 · MLX 185 · llama.cpp 166    figures alone, of no named machine
//
// or the same cells between tabs, without pipes and rule. Figures are an
// engine's name, a space and a positive number, with commas between thousands
// or none ("21,112"), parted by a middle dot, in the last cell of a row. Without
// a header the cells before it are machine, model and setup, after a platform if
// there are four. Columns that a header names otherwise are passed over, and so
// are empty lines.
//
// Anything else is a [TableError] with line and column, and so is an engine
// measured twice in one place. A row that lacks its closing pipe is
// [ErrTruncated]; so is, without pipes, a last line without its line end, since a
// cut number passes for a number. Only figures alone on the only line need none.
func ReadTable(r io.Reader) ([]Row, error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("throughput: reading a table: %w", err)
	}
	t := &tableReader{seen: map[Row]int{}}
	text := strings.TrimPrefix(string(b), "\uFEFF")
	for line := range strings.Lines(text) {
		t.line++
		if err := t.read(line); err != nil {
			return nil, err
		}
	}
	if len(t.rows) == 0 {
		return nil, fmt.Errorf("%w: the table holds no figure", ErrEmpty)
	}
	return t.rows, nil
}

type tableReader struct {
	line     int
	platform string
	columns  []string // of the table being read; nil: none named
	rows     []Row
	seen     map[Row]int // rows without their value -> line
}

// read takes one line with its line end.
func (t *tableReader) read(line string) error {
	if !utf8.ValidString(line) {
		return t.fail(1, ErrTable, "not UTF-8")
	}
	text := strings.TrimRight(line, "\r\n \t")
	cut := !strings.HasSuffix(line, "\n")
	switch first := strings.TrimLeft(text, " \t"); {
	case first == "":
		t.columns = nil
		return nil
	case first[0] == '|':
		return t.piped(line, text, cut)
	case cut && (t.line > 1 || first[0] == '#' || strings.Contains(text, "\t")):
		return t.fail(1, ErrTruncated, "a last line without its line end")
	case first[0] == '#':
		t.platform, t.columns = strings.TrimSpace(strings.TrimLeft(first, "#")), nil
		return nil
	}
	return t.row(split(strings.TrimRight(line, "\r\n"), "\t", 0))
}

// piped takes a line between pipes. A cut can leave a pipe at its end: then the
// cells do not make a row.
func (t *tableReader) piped(line, text string, cut bool) error {
	if strings.Count(text, "|") < 2 || !strings.HasSuffix(text, "|") {
		return t.fail(1, ErrTruncated, "a row without its closing pipe")
	}
	start := strings.IndexByte(line, '|') + 1
	n := len(t.rows)
	err := t.row(split(line[start:len(text)-1], "|", start))
	if cut && (errors.Is(err, ErrTable) || err == nil && len(t.rows) == n) {
		return t.fail(1, ErrTruncated, "the last line holds no whole row")
	}
	return err
}

// row takes the cells of a header, a rule or a row of figures.
func (t *tableReader) row(cells []cell) error {
	if isRule(cells) {
		return nil
	}
	if names, ok := header(cells); ok {
		t.columns = names
		return nil
	}
	names := t.columns
	if names == nil {
		names = positions(len(cells))
	}
	if len(names) != len(cells) {
		return t.fail(1, ErrTable, "%d cells, want %s", len(cells), wanted(t.columns))
	}
	at := Row{Platform: t.platform}
	last := len(cells) - 1
	for i, c := range cells[:last] {
		if f := at.field(names[i]); f != nil {
			*f = c.text
		} else if strings.Contains(c.text, "·") {
			return t.fail(c.column, ErrTable, "a second cell of figures")
		}
	}
	return t.figures(at, cells[last])
}

// figures takes the cell of a row that holds its numbers.
func (t *tableReader) figures(at Row, c cell) error {
	for _, part := range split(c.raw, "·", c.start) {
		i := strings.LastIndexByte(part.text, ' ')
		if i < 0 {
			return t.fail(part.column, ErrTable, "%q is not an engine's name and its figure", part.text)
		}
		row, number := at, part.text[i+1:]
		row.Engine = strings.TrimSpace(part.text[:i])
		var err error
		if row.Value, err = figure(number); err != nil {
			return t.fail(part.column+utf8.RuneCountInString(part.text[:i+1]), err, "%q is not a published figure", number)
		}
		if err := t.add(row, part.column); err != nil {
			return err
		}
	}
	return nil
}

// add keeps a row, once. Figures alone name no place, so they may repeat.
func (t *tableReader) add(row Row, column int) error {
	key := row
	key.Value = 0
	if first, ok := t.seen[key]; ok && (row.place() != place{platform: t.platform} || first == t.line) {
		return t.fail(column, ErrDuplicate, "%s stands on line %d already", row.name(), first)
	}
	t.seen[key] = t.line
	t.rows = append(t.rows, row)
	return nil
}

func (t *tableReader) fail(column int, err error, format string, args ...any) error {
	return &TableError{t.line, column, fmt.Sprintf(format, args...), err}
}

// wanted says which cells a row should have.
func wanted(columns []string) string {
	if columns == nil {
		return "figures alone, or machine, model, setup and figures, after a platform or not"
	}
	return fmt.Sprintf("the header's %d", len(columns))
}

// positions names the cells of a row without a header; nil where their number
// leaves it open.
func positions(n int) []string {
	names := []string{"platform", "machine", "model", "setup", "figures"}
	switch n {
	case 1, 4, 5:
		return names[len(names)-n:]
	}
	return nil
}

// header returns the columns that cells name, the last being the figures.
func header(cells []cell) ([]string, bool) {
	names := make([]string, len(cells))
	for i, c := range cells {
		names[i] = strings.ToLower(c.text)
	}
	if !slices.Contains(names, "machine") && !slices.Contains(names, "model") {
		return nil, false
	}
	names[len(names)-1] = "figures"
	return names, true
}
