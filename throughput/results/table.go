package results

import (
	"fmt"
	"iter"
	"slices"
	"strings"
)

// row is a line of a table, split. A row that is not whole was cut off.
type row struct {
	line
	cells []string
	whole bool
}

// records gives the rows under their header's names. All rows must be as long as
// the header: nothing is realigned.
func (s *source) records(header []string, rows iter.Seq[row]) iter.Seq[object] {
	return func(yield func(object) bool) {
		for r := range rows {
			switch {
			case !r.whole, s.text.isLast(r.line) && (len(r.cells) < len(header) || strings.HasSuffix(r.s, ",")):
				s.fault("", r.at, fmt.Errorf("%w inside a row", ErrTruncated))
				return
			case len(r.cells) != len(header):
				s.fault("", r.at, fmt.Errorf("a row of %d values under a header of %d", len(r.cells), len(header)))
				return
			}
			o := s.underNames(header, r)
			if s.err != nil || !yield(o) || s.err != nil {
				return
			}
		}
	}
}

// underNames gives a row's cells the names of their columns, no two the same.
func (s *source) underNames(header []string, r row) object {
	o := object{src: s, at: r.at, cells: make(map[string]string, len(header))}
	for i, name := range header {
		if _, twice := o.cells[name]; twice && name != "" {
			s.fault(name, r.at, fmt.Errorf("%w in the header", ErrDuplicateKey))
		}
		o.cells[name] = strings.TrimSpace(r.cells[i])
	}
	return o
}

// splitCSV splits one line at its commas; "" inside quotes is a quote. It is not
// whole when a quote stays open.
func splitCSV(l line) row {
	r := row{line: l, whole: true}
	rest := l.s
	for more := true; more; {
		var cell string
		if cell, rest, more, r.whole = csvCell(rest); !r.whole {
			break
		}
		r.cells = append(r.cells, cell)
	}
	return r
}

func csvCell(s string) (cell, rest string, more, whole bool) {
	if !strings.HasPrefix(s, `"`) {
		cell, rest, more = strings.Cut(s, ",")
		return cell, rest, more, true
	}
	for i := 1; i < len(s); i++ {
		if s[i] != '"' {
			continue
		}
		if i+1 < len(s) && s[i+1] == '"' {
			i++
			continue
		}
		cell = strings.ReplaceAll(s[1:i], `""`, `"`)
		rest, more = strings.CutPrefix(s[i+1:], ",")
		return cell, rest, more, more || rest == ""
	}
	return "", "", false, false
}

// splitPipes splits a Markdown row. With a leading pipe it is whole once it has
// its closing one.
func splitPipes(l line) row {
	s := strings.TrimSpace(l.s)
	r := row{line: l, whole: true}
	if inner, ok := strings.CutPrefix(s, "|"); ok {
		s, r.whole = strings.CutSuffix(inner, "|")
		r.whole = r.whole && inner != ""
	}
	for cell := range strings.SplitSeq(s, "|") {
		r.cells = append(r.cells, strings.TrimSpace(cell))
	}
	return r
}

// rule reports whether a Markdown row is the line under a header.
func (r row) rule() bool {
	for _, c := range r.cells {
		if strings.Trim(c, ":-") != "" || !strings.Contains(c, "-") {
			return false
		}
	}
	return true
}

// closedRow reports whether a line ends as a row of a Markdown table does.
func closedRow(l string) bool { return strings.HasSuffix(l, "|") }

// tables finds the Markdown tables whose header holds all the columns, among
// whatever else is in the file, and yields their rows.
func (s *source) tables(columns ...string) iter.Seq[object] {
	return func(yield func(object) bool) {
		for i := 0; i < len(s.text.lines) && s.err == nil; i++ {
			if !containsAll(splitPipes(s.text.lines[i]).cells, columns) {
				continue
			}
			_, rows, end := s.tableAt(i)
			for o := range rows {
				if !yield(o) {
					return
				}
			}
			i = end - 1
		}
	}
}

// tableAt returns the Markdown table whose header is line i, and the line after
// it.
func (s *source) tableAt(i int) (header []string, rows iter.Seq[object], end int) {
	lines := s.text.lines
	for end = i + 1; end < len(lines) && strings.Contains(lines[end].s, "|"); {
		end++
	}
	header = splitPipes(lines[i]).cells
	return header, s.records(header, pipeRows(lines[i+1:end])), end
}

func pipeRows(lines []line) iter.Seq[row] {
	return func(yield func(row) bool) {
		for i, l := range lines {
			if r := splitPipes(l); (i > 0 || !r.whole || !r.rule()) && !yield(r) {
				return
			}
		}
	}
}

func containsAll(have, want []string) bool {
	for _, w := range want {
		if !slices.Contains(have, w) {
			return false
		}
	}
	return true
}
