package main

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"example.com/servemath/capacity"
	"example.com/servemath/internal/tsv"
	"example.com/servemath/throughput"
	"example.com/servemath/throughput/results"
)

// Columns of a sweep in tab-separated form.
var (
	sweepColumns    = []string{"concurrency", "ttft_seconds", "tps"}
	optionalColumns = []string{"ttft_stderr_seconds", "tps_stderr", "output_tps"}
)

// kinds of TPS by the name that -tps-kind gives them.
var tpsKinds = map[string]capacity.TPSKind{"decode": capacity.DecodeTPS, "e2e": capacity.EndToEndTPS}

// readSweep reads a table of our own, or a file or folder of files that a
// benchmark tool wrote. A flag that is 0 or empty leaves the choice to the file.
func readSweep(path string, outputTokens int, kind string) (*capacity.Sweep, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		runs, errs := results.DecodeFS(os.DirFS(path))
		if len(errs) > 0 {
			return nil, fmt.Errorf("%s: %w", path, errs[0])
		}
		return fromRuns(path, runs, outputTokens, kind)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if isTable(text) {
		return fromTable(path, text, outputTokens, kind)
	}
	runs, err := results.Decode(bytes.NewReader(text), path)
	if err != nil {
		return nil, fmt.Errorf("%w; a table of your own begins with the columns %s", err, strings.Join(sweepColumns, ", "))
	}
	return fromRuns(path, runs, outputTokens, kind)
}

// isTable reports whether the header line names the first column of ours.
func isTable(text []byte) bool { return slices.Contains(header(text), sweepColumns[0]) }

// header is the first line that is neither blank nor a comment, in cells.
func header(text []byte) []string {
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimRight(line, "\r\n"); line != "" && !strings.HasPrefix(line, "#") {
			return strings.Split(line, "\t")
		}
	}
	return nil
}

// fromTable refuses a column it does not know: a misspelt optional one would be
// lost without a word.
func fromTable(path string, text []byte, outputTokens int, kind string) (*capacity.Sweep, error) {
	for _, c := range header(text) {
		if !slices.Contains(sweepColumns, c) && !slices.Contains(optionalColumns, c) {
			return nil, fmt.Errorf("%s: unknown column %q; known: %s, and optionally %s", path, c, strings.Join(sweepColumns, ", "), strings.Join(optionalColumns, ", "))
		}
	}
	var levels []capacity.Level
	for row, err := range tsv.Read(bytes.NewReader(text), path, sweepColumns...) {
		if err != nil {
			return nil, err
		}
		l, err := tableLevel(row)
		if err != nil {
			return nil, err
		}
		levels = append(levels, l)
	}
	if outputTokens == 0 {
		outputTokens = defaultOutput
	}
	if kind == "" {
		kind = "decode"
	}
	s, err := capacity.NewSweep(capacity.Workload{OutputTokens: outputTokens, TPS: tpsKinds[kind]}, levels)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// tableLevel reads one row; an empty cell of an optional column is not known.
func tableLevel(row tsv.Row) (capacity.Level, error) {
	c, err := strconv.Atoi(row.Text("concurrency"))
	if err != nil {
		return capacity.Level{}, row.Errorf("concurrency", "%q is not a whole number", row.Text("concurrency"))
	}
	l := capacity.Level{Concurrency: c}
	for column, x := range map[string]*float64{
		"ttft_seconds": &l.TTFTSeconds, "tps": &l.TPS,
		"ttft_stderr_seconds": &l.TTFTStdErr, "tps_stderr": &l.TPSStdErr, "output_tps": &l.OutputTPS,
	} {
		if row.Text(column) == "" && slices.Contains(optionalColumns, column) {
			continue
		}
		if *x, err = row.Float(column); err != nil {
			return l, err
		}
	}
	return l, nil
}

// fromRuns turns the runs of one configuration into a sweep.
func fromRuns(path string, runs []throughput.Run, outputTokens int, kind string) (*capacity.Sweep, error) {
	measured, err := throughput.Levels(runs)
	switch {
	case errors.Is(err, throughput.ErrNoConcurrency):
		return nil, fmt.Errorf("%s: %w; a sweep is made of runs at a fixed number of requests at once", path, err)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	w := capacity.Workload{OutputTokens: outputTokens}
	if measured[0].Kind == throughput.UserRateE2E {
		w.TPS = capacity.EndToEndTPS
	}
	if kind != "" && tpsKinds[kind] != w.TPS {
		return nil, fmt.Errorf("-tps-kind: %q is not what %s holds", kind, path)
	}
	if outputTokens == 0 {
		if w.OutputTokens, err = meanReply(runs); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	levels := make([]capacity.Level, len(measured))
	for i, m := range measured {
		levels[i] = capacity.Level{
			Concurrency: m.Concurrency, TTFTSeconds: m.TTFTSeconds, TPS: m.TPS,
			TTFTStdErr: m.TTFTStdErr, TPSStdErr: m.TPSStdErr, OutputTPS: m.OutputTPS,
		}
	}
	s, err := capacity.NewSweep(w, levels)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// meanReply is the mean reply of all runs, or what was asked for where a run does
// not count its tokens.
func meanReply(runs []throughput.Run) (int, error) {
	var tokens, requests float64
	for _, r := range runs {
		switch w := r.Workload; {
		case w.OutputTokensServed > 0 && w.Completed > 0:
			tokens, requests = tokens+float64(w.OutputTokensServed), requests+float64(w.Completed)
		case w.OutputTokensAsked > 0:
			tokens, requests = tokens+float64(w.OutputTokensAsked), requests+1
		default:
			return 0, fmt.Errorf("%s does not say how long its replies were; give -output-tokens", r.Source)
		}
	}
	return int(math.Round(tokens / requests)), nil
}
