package main

import (
	"slices"
	"strings"

	"example.com/servemath/internal/tsv"
	"example.com/servemath/testdata"
	"example.com/servemath/throughput"
)

const setup = "Single decode"

// singleDecode are the published figures of one request at a time.
func singleDecode() ([]throughput.Row, error) {
	var rows []throughput.Row
	for row, err := range tsv.Read(strings.NewReader(testdata.Measurements), "measurements.tsv", "platform", "machine", "model", "setup", "engine", "tok_per_s") {
		if err != nil {
			return nil, err
		}
		value, err := row.Float("tok_per_s")
		if err != nil {
			return nil, err
		}
		if row.Text("setup") == setup {
			rows = append(rows, throughput.Row{Platform: row.Text("platform"), Machine: row.Text("machine"),
				Model: row.Text("model"), Setup: setup, Engine: row.Text("engine"), Value: value})
		}
	}
	return rows, nil
}

// platforms are the platforms of rows in order of appearance.
func platforms(rows []throughput.Row) []string {
	var out []string
	for _, r := range rows {
		if !slices.Contains(out, r.Platform) {
			out = append(out, r.Platform)
		}
	}
	return out
}

// on returns the rows of one platform.
func on(rows []throughput.Row, platform string) []throughput.Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r throughput.Row) bool { return r.Platform != platform })
}
