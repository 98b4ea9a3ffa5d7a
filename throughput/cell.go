package throughput

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// cell is a piece of a table's line and where it stands there.
type cell struct {
	raw, text string // as it stands, and trimmed
	start     int    // characters of the line before raw
	column    int    // of text, from 1
}

// split cuts a piece of a line at a separator; start is the number of
// characters before it.
func split(s, sep string, start int) []cell {
	var cells []cell
	for part := range strings.SplitSeq(s, sep) {
		left := strings.TrimLeft(part, " ")
		indent := utf8.RuneCountInString(part) - utf8.RuneCountInString(left)
		cells = append(cells, cell{part, strings.TrimSpace(part), start, start + indent + 1})
		start += utf8.RuneCountInString(part) + utf8.RuneCountInString(sep)
	}
	return cells
}

// isRule reports the line of dashes under a Markdown header.
func isRule(cells []cell) bool {
	for _, c := range cells {
		if len(c.text) == 0 || strings.Trim(c.text, "-:") != "" {
			return false
		}
	}
	return true
}

// figure parses a positive number whose thousands may be parted by commas; the
// error is the sentinel of what is wrong.
func figure(s string) (float64, error) {
	whole, _, _ := strings.Cut(s, ".")
	if groups := strings.Split(whole, ","); len(groups) > 1 {
		if len(groups[0]) > 3 || groups[0] == "" {
			return 0, ErrTable
		}
		for _, g := range groups[1:] {
			if len(g) != 3 {
				return 0, ErrTable
			}
		}
		s = strings.ReplaceAll(whole, ",", "") + s[len(whole):]
	}
	x, err := strconv.ParseFloat(s, 64)
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return 0, ErrNonFinite
	case err != nil || strings.Trim(s, "-.0123456789") != "":
		return 0, ErrTable
	case x <= 0:
		return 0, ErrNonPositive
	}
	return x, nil
}
