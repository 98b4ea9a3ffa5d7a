// Package texttable writes aligned text: words to the left, numbers to the
// right, two spaces between columns, no trailing spaces.
package texttable

import (
	"io"
	"strings"
	"unicode/utf8"
)

// Align is the side a column's cells stand on.
type Align int

const (
	Left Align = iota
	Right
)

// Column is one column of a table.
type Column struct {
	Title string
	Align Align
}

// Table gathers rows. Cells past the last column are dropped, missing ones are
// empty.
type Table struct {
	columns []Column
	rows    [][]string
}

// New returns a table with those columns.
func New(columns ...Column) *Table { return &Table{columns: columns} }

// Row adds a row.
func (t *Table) Row(cells ...string) {
	row := make([]string, len(t.columns))
	copy(row, cells)
	t.rows = append(t.rows, row)
}

// Write writes the titles and the rows, each line after indent.
func (t *Table) Write(w io.Writer, indent string) error {
	titles := make([]string, len(t.columns))
	for i, c := range t.columns {
		titles[i] = c.Title
	}
	all := append([][]string{titles}, t.rows...)
	widths := make([]int, len(t.columns))
	for _, row := range all {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, row := range all {
		b.WriteString(t.line(row, widths, indent))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (t *Table) line(row []string, widths []int, indent string) string {
	var b strings.Builder
	b.WriteString(indent)
	for i, cell := range row {
		if i > 0 {
			b.WriteString("  ")
		}
		pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
		if t.columns[i].Align == Right {
			cell = pad + cell
		} else {
			cell += pad
		}
		b.WriteString(cell)
	}
	return strings.TrimRight(b.String(), " ") + "\n"
}
