package results

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/servemath/throughput"
)

// mlperfTotals are the rates of the run by scenario: Server says Completed,
// Offline does not.
var mlperfTotals = []struct {
	key    string
	metric throughput.Metric
}{
	{"completed samples per second", throughput.RequestRate}, {"samples per second", throughput.RequestRate},
	{"completed tokens per second", throughput.OutputRate}, {"tokens per second", throughput.OutputRate},
}

// mlperfLatencies are the latencies in nanoseconds, by what follows the statistic
// in the key.
var mlperfLatencies = []struct {
	name   string
	metric throughput.Metric
}{
	{"first token latency (ns)", throughput.TTFT},
	{"time to output token (ns)", throughput.TPOT},
	{"latency (ns)", throughput.E2E},
}

// decodeMLPerf reads mlperf_log_summary.txt, lines of "key : value" whose spacing
// and capitals vary. Its last line says how many errors there were; without it
// the file was cut off. Percentiles do not interpolate.
func decodeMLPerf(s *source) []throughput.Run {
	r := newRun(s)
	o := object{src: s, at: s.text.last(), cells: map[string]string{}}
	places := map[string]position{}
	var why []string
	complete := false
	for _, l := range s.text.lines {
		key, value, ok := strings.Cut(l.s, ":")
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		switch {
		case l.s == "No errors encountered during test.", strings.Contains(l.s, " ERROR") && strings.HasSuffix(l.s, "encountered. See detailed log."):
			complete = true
		case strings.HasPrefix(l.s, " *"):
			why = append(why, strings.TrimSpace(strings.TrimPrefix(l.s, " *")))
		case ok && places[key] == position{}:
			o.cells[key], places[key] = value, l.at
		case ok && o.cells[key] != value:
			r.warn("%s is %s and %s: the first is taken", key, o.cells[key], value)
		}
	}
	if !complete {
		s.fault("", s.text.last(), fmt.Errorf("%w: the line on errors, its last, is missing", ErrTruncated))
		return nil
	}
	decodeMLPerfRun(mlperfRecord{o, places}, r)
	if result := o.word("result is"); result != "VALID" {
		r.warn("the result is %s: %s", result, strings.Join(why, "; "))
	}
	return []throughput.Run{r.Run}
}

// mlperfRecord is the file's keys with the place of each.
type mlperfRecord struct {
	object
	places map[string]position
}

// placed returns the record placed at a key, for its error.
func (m mlperfRecord) placed(key string) object {
	o := m.object
	o.at = m.places[key]
	return o
}

func decodeMLPerfRun(m mlperfRecord, r *run) {
	const tool = "MLPerf"
	r.Key.Machine, r.Key.Setup = m.word("sut name"), m.word("scenario")
	r.Load.RequestRate, _ = m.placed("target_qps").rate("target_qps")
	if r.Load.Unbounded = r.Key.Setup == "Offline"; r.Load.Unbounded {
		r.Load.RequestRate = 0 // all samples are one query; the target only sizes the run
	}
	spreads := map[throughput.Metric]*spread{}
	for _, l := range mlperfLatencies {
		spreads[l.metric] = r.spread(known(tool, l.metric, nano))
	}
	for _, key := range slices.Sorted(maps.Keys(m.cells)) {
		m.latency(key, spreads)
	}
	for _, t := range mlperfTotals {
		r.total(t.metric, tool, m.placed(t.key), t.key)
	}
	for _, l := range mlperfLatencies {
		spreads[l.metric].done(0, nil)
	}
}

// latency takes keys such as "99.90 percentile first token latency (ns)".
func (m mlperfRecord) latency(key string, spreads map[throughput.Metric]*spread) {
	for _, l := range mlperfLatencies {
		stat, ok := strings.CutSuffix(key, " "+l.name)
		if !ok {
			continue
		}
		if percent, ok := strings.CutSuffix(stat, " percentile"); ok {
			stat = "p" + percent
		}
		spreads[l.metric].put(stat, m.placed(key), key)
		return
	}
}
