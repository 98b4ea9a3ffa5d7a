package results

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"example.com/servemath/internal/jsontree"
	"example.com/servemath/throughput"
)

// field is one value as the file has it.
type field struct {
	kind jsontree.Kind
	text string
	at   position
}

// fieldOf is a node's value, unless that is null or empty.
func fieldOf(n *jsontree.Node) (field, bool) {
	if n.Kind == jsontree.Null || n.Kind == jsontree.String && n.Text() == "" {
		return field{}, false
	}
	return field{n.Kind, n.Text(), position{offset: n.Offset}}, true
}

// infinite reports infinity as Python, Go and YAML spell it.
func (f field) infinite() bool {
	switch strings.ToLower(f.text) {
	case "inf", "+inf", ".inf", "infinity":
		return f.kind == jsontree.String || f.kind == jsontree.NonFinite
	}
	return false
}

// number is the value as a finite number. Digits in a string count: several tools
// write them so.
func (f field) number() (float64, error) {
	switch f.kind {
	case jsontree.NonFinite:
		return 0, fmt.Errorf("%w: %s", throughput.ErrNonFinite, f.text)
	case jsontree.Number:
		x, err := strconv.ParseFloat(f.text, 64)
		if err != nil { // the text is a number: it can only be out of range
			return 0, fmt.Errorf("%w: %s", throughput.ErrNonFinite, f.text)
		}
		return x, nil
	case jsontree.String:
		return parseNumber(f.text)
	}
	return 0, fmt.Errorf("%w: %v", errNumber, f.kind)
}

// parseNumber reads a finite decimal number, with or without thousands commas.
func parseNumber(s string) (float64, error) {
	clean := s
	if strings.Contains(s, ",") {
		clean = strings.ReplaceAll(s, ",", "")
	}
	x, err := strconv.ParseFloat(strings.TrimSpace(clean), 64)
	switch {
	case math.IsInf(x, 0) || math.IsNaN(x):
		return 0, fmt.Errorf("%w: %q", throughput.ErrNonFinite, s)
	case err != nil || strings.ContainsAny(clean, "xX_"):
		return 0, fmt.Errorf("%w: %q", errNumber, s)
	}
	return x, nil
}

// element is a number in a list, which cannot be negative.
func element(n *jsontree.Node) (float64, error) {
	x, err := field{kind: n.Kind, text: n.Text()}.number()
	if err == nil && x < 0 {
		err = fmt.Errorf("%w: %g", throughput.ErrNonPositive, x)
	}
	return x, err
}
