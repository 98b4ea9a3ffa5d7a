package results

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"example.com/servemath/throughput"
)

// decodePublished reads tables of the form "Pie 205 · MLX 185", one run a figure.
// The setup tells prefill from decode; of a batched one the figure is the peak
// over the concurrencies that were tried.
func decodePublished(s *source) []throughput.Run {
	rows, err := throughput.ReadTable(bytes.NewReader(s.text.raw))
	if err != nil {
		s.failTable(err)
		return nil
	}
	runs := make([]throughput.Run, len(rows))
	for i, row := range rows {
		r := newRun(s)
		r.Key = throughput.Key{Platform: row.Platform, Machine: row.Machine, Model: row.Model, Setup: row.Setup, Engine: row.Engine}
		r.add(gauge{r.publishedMetric(row.Setup), throughput.Definition{Tool: "published table"}, 1}, throughput.Total, row.Value)
		runs[i] = r.Run
	}
	return runs
}

func (r *run) publishedMetric(setup string) throughput.Metric {
	setup = strings.ToLower(setup)
	if strings.HasPrefix(setup, "single") {
		r.Load.Concurrency = 1
	}
	switch {
	case strings.HasSuffix(setup, "decode"):
		return throughput.DecodeRate
	case strings.HasSuffix(setup, "prefill"):
		return throughput.PrefillRate
	}
	r.warn("the setup %q does not say which tokens the rate counts: taken for output", setup)
	return throughput.OutputRate
}

func (s *source) failTable(err error) {
	table, ok := errors.AsType[*throughput.TableError](err)
	if !ok {
		s.fault("", position{}, err)
		return
	}
	if errors.Is(err, throughput.ErrTruncated) {
		err = fmt.Errorf("%w: %w", ErrTruncated, err)
	}
	s.fault("", s.text.lines[table.Line-1].at, err)
}
