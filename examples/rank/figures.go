package main

import (
	"io"
	"slices"

	"example.com/servemath/internal/tsv"
)

// figure is one measured rate.
type figure struct {
	platform, machine, model, setup, engine string
	tokPerS                                 float64
}

// source is what a report rests on: figures, and what was published of them.
type source struct {
	figures   []figure
	published *published // nil for the user's own file
}

// readFigures reads tab-separated figures. A second figure for the same
// machine, model, setup and engine is an error: which of the two counts is not
// the program's to choose.
func readFigures(r io.Reader, name string) (*source, error) {
	type key struct{ machine, model, setup, engine string }
	seen := map[key]int{}
	var src source
	for row, err := range tsv.Read(r, name, "platform", "machine", "model", "setup", "engine", "tok_per_s") {
		if err != nil {
			return nil, err
		}
		f, err := newFigure(row)
		if err != nil {
			return nil, err
		}
		k := key{f.machine, f.model, f.setup, f.engine}
		if line, ok := seen[k]; ok {
			return nil, row.Errorf("", "%s, %s, %s, %s: measured twice, first on line %d", f.machine, f.model, f.setup, f.engine, line)
		}
		seen[k] = row.Line
		src.figures = append(src.figures, f)
	}
	return &src, nil
}

func newFigure(row tsv.Row) (figure, error) {
	f := figure{platform: row.Text("platform"), machine: row.Text("machine"), model: row.Text("model"),
		setup: row.Text("setup"), engine: row.Text("engine")}
	for _, c := range []string{"platform", "machine", "model", "setup", "engine"} {
		if row.Text(c) == "" {
			return f, row.Errorf(c, "empty")
		}
	}
	var err error
	if f.tokPerS, err = row.Float("tok_per_s"); err != nil {
		return f, err
	}
	if f.tokPerS <= 0 {
		return f, row.Errorf("tok_per_s", "%g is not a rate above 0", f.tokPerS)
	}
	return f, nil
}

// distinct returns the values of a field in order of first appearance.
func distinct(figures []figure, field func(figure) string) []string {
	var out []string
	for _, f := range figures {
		if v := field(f); !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

func platformOf(f figure) string { return f.platform }
func machineOf(f figure) string  { return f.machine }
func modelOf(f figure) string    { return f.model }
func setupOf(f figure) string    { return f.setup }
func engineOf(f figure) string   { return f.engine }

// where returns the figures with that value in a field.
func where(figures []figure, field func(figure) string, value string) []figure {
	return slices.DeleteFunc(slices.Clone(figures), func(f figure) bool { return field(f) != value })
}
