package results

import (
	"fmt"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.com/servemath/throughput"
)

// llamaTest is what one row of llama-bench measured.
type llamaTest struct{ prompt, gen, depth int64 }

// String is the name that llama-bench prints.
func (t llamaTest) String() string {
	var parts []string
	if t.prompt > 0 {
		parts = append(parts, fmt.Sprintf("pp%d", t.prompt))
	}
	if t.gen > 0 {
		parts = append(parts, fmt.Sprintf("tg%d", t.gen))
	}
	name := strings.Join(parts, "+")
	if t.depth > 0 {
		name += fmt.Sprintf(" @ d%d", t.depth)
	}
	return name
}

// metric is prefill, decode, or the mix of a test that does both, whose rate
// counts prompt and generated tokens.
func (t llamaTest) metric() throughput.Metric {
	switch {
	case t.gen == 0:
		return throughput.PrefillRate
	case t.prompt == 0:
		return throughput.DecodeRate
	}
	return throughput.MixedRate
}

var llamaDef = throughput.Definition{Tool: "llama-bench", Weight: throughput.PerRepetition}

// llamaRun fills in what all of llama-bench's forms share.
func (r *run) llamaRun(t llamaTest) {
	r.Key.Engine, r.Key.Setup = "llama.cpp", t.String()
	r.Load.Concurrency = 1
	r.Workload.PromptTokensAsked, r.Workload.OutputTokensAsked = t.prompt, t.gen
}

// rate adds the mean rate over repetitions, whose number only JSON tells.
func (r *run) repeated(o object, t llamaTest, mean, sd string) {
	s := r.spread(gauge{t.metric(), llamaDef, 1})
	s.put("mean", o, mean)
	s.put("std", o, sd)
	var seen series
	for _, x := range llamaSamples(o, t) {
		seen.add(x)
	}
	s.done(0, &seen)
}

// llamaSamples are the repetitions' rates, from their times where these are
// given: the rates are written with six digits.
func llamaSamples(o object, t llamaTest) []float64 {
	if o.cells != nil {
		return nil
	}
	times := o.numbers("samples_ns")
	rates := make([]float64, len(times))
	for i, ns := range times {
		if ns == 0 {
			o.faultAt("samples_ns", fmt.Errorf("repetition %d took no time", i))
			return nil
		}
		rates[i] = float64(t.prompt+t.gen) / (ns * nano)
	}
	if times == nil {
		return o.numbers("samples_ts")
	}
	return rates
}

// llamaMeasured are the columns that are not the configuration.
var llamaMeasured = []string{"test_time", "avg_ns", "stddev_ns", "avg_ts", "stddev_ts", "samples_ns", "samples_ts", "n_prompt", "n_gen", "n_depth", "test", "t/s", "model_filename", "model_type", "model", "model_size", "model_n_params", "size", "params"}

// llamaRows decodes rows whose columns are read by name, since every few months
// some are new. Columns in which the rows of one file differ go to Setup, so
// that a sweep's rows are not taken for repetitions of one another.
func llamaRows(s *source, rows iter.Seq[object], decode func(object, *run)) []throughput.Run {
	var runs []throughput.Run
	var configs []map[string]string
	for o := range rows {
		r := newRun(s)
		decode(o, r)
		runs = append(runs, r.Run)
		configs = append(configs, llamaConfig(o))
	}
	for i := range runs {
		for _, column := range varying(configs) {
			runs[i].Key.Setup += fmt.Sprintf(" %s=%s", column, configs[i][column])
		}
	}
	return runs
}

func llamaConfig(o object) map[string]string {
	config := map[string]string{}
	for key := range o.node.Members() {
		config[key] = o.word(key)
	}
	maps.Copy(config, o.cells)
	for _, key := range llamaMeasured {
		delete(config, key)
	}
	return config
}

// varying returns the columns in which configurations differ, sorted. A column
// that only some have differs.
func varying(configs []map[string]string) []string {
	differ := map[string]bool{}
	for _, a := range configs {
		for _, b := range []map[string]string{a, configs[0]} {
			for column := range b {
				differ[column] = differ[column] || a[column] != configs[0][column]
			}
		}
	}
	maps.DeleteFunc(differ, func(_ string, does bool) bool { return !does })
	return slices.Sorted(maps.Keys(differ))
}

// decodeLlamaBenchJSON reads -o json and -o jsonl.
func decodeLlamaBenchJSON(s *source) []throughput.Run {
	return llamaRows(s, s.objects(), decodeLlamaRow)
}

// decodeLlamaRow reads a row of JSON, CSV or SQL, which share their columns.
func decodeLlamaRow(o object, r *run) {
	t := llamaTest{o.count("n_prompt"), o.count("n_gen"), o.count("n_depth")}
	if t.prompt+t.gen == 0 {
		o.faultAt("n_prompt", fmt.Errorf("neither prompt nor generated tokens"))
		return
	}
	r.llamaRun(t)
	r.Key.Platform = o.word("backends")
	r.Key.Machine = o.word(o.first("gpu_info", "cpu_info"))
	r.Key.Model = o.word(o.first("model_type", "model_filename"))
	if build := o.word("build_number"); build != "" {
		r.Key.Version = fmt.Sprintf("b%s (%s)", build, o.word("build_commit"))
	}
	r.repeated(o, t, "avg_ts", "stddev_ts")
}

// decodeLlamaBenchCSV reads -o csv.
func decodeLlamaBenchCSV(s *source) []throughput.Run {
	lines := s.text.lines
	start := slices.IndexFunc(lines, func(l line) bool { return strings.Contains(l.s, "n_prompt,") })
	if start < 0 {
		return nil
	}
	rows := func(yield func(row) bool) {
		for _, l := range lines[start+1:] {
			if l.s != "" && !yield(splitCSV(l)) {
				return
			}
		}
	}
	return llamaRows(s, s.records(splitCSV(lines[start]).cells, rows), decodeLlamaRow)
}

var (
	sqlInsert = regexp.MustCompile(`^INSERT INTO \S+ \(([^)]*)\) VALUES \((.*)\);$`)
	llamaName = regexp.MustCompile(`^(?:pp ?(\d+))?\+?(?:tg ?(\d+))?(?: @ d(\d+))?$`)
	llamaMade = regexp.MustCompile(`^build: (\S+) \((\d+)\)`)
)

// decodeLlamaBenchSQL reads the INSERT statements of -o sql.
func decodeLlamaBenchSQL(s *source) []throughput.Run {
	if s.endsInside(func(last string) bool { return strings.HasSuffix(last, ";") }) {
		return nil
	}
	rows := func(yield func(object) bool) {
		for _, l := range s.text.lines {
			if !strings.HasPrefix(l.s, "INSERT") {
				continue
			}
			m := sqlInsert.FindStringSubmatch(l.s)
			if m == nil {
				s.fault("", l.at, fmt.Errorf("%w inside a statement", ErrTruncated))
				return
			}
			header := strings.Split(strings.ReplaceAll(m[1], " ", ""), ",")
			one := slices.Values([]row{{line: l, cells: sqlValues(m[2]), whole: true}})
			for o := range s.records(header, one) {
				if !yield(o) {
					return
				}
			}
			if s.err != nil {
				return
			}
		}
	}
	return llamaRows(s, rows, decodeLlamaRow)
}

// sqlValues splits 'a', 'b' at the commas outside quotes.
func sqlValues(list string) []string {
	var cells []string
	for rest, more := list, true; more; {
		quoted := strings.HasPrefix(rest, "'")
		end := strings.IndexByte(rest, ',')
		if quoted {
			if close := strings.Index(rest[1:], "'"); close >= 0 {
				end = close + 2
			}
		}
		if more = end >= 0 && end < len(rest); !more {
			end = len(rest)
		}
		cells = append(cells, strings.Trim(rest[:end], "'"))
		if more {
			rest = strings.TrimLeft(strings.TrimPrefix(rest[end:], ","), " ")
		}
	}
	return cells
}

// decodeLlamaBenchMarkdown reads the default output, which prints only columns
// that differ from their default, and the build below the table.
func decodeLlamaBenchMarkdown(s *source) []throughput.Run {
	runs := llamaRows(s, s.tables("model", "test", "t/s"), decodeLlamaMarkdownRow)
	for _, l := range s.text.lines {
		if m := llamaMade.FindStringSubmatch(l.s); m != nil {
			for i := range runs {
				runs[i].Key.Version = fmt.Sprintf("b%s (%s)", m[2], m[1])
			}
		}
	}
	return runs
}

func decodeLlamaMarkdownRow(o object, r *run) {
	m := llamaName.FindStringSubmatch(o.text("test"))
	if m == nil || m[1]+m[2] == "" {
		o.faultAt("test", fmt.Errorf("%q names no test", o.text("test")))
		return
	}
	t := llamaTest{atoi(m[1]), atoi(m[2]), atoi(m[3])}
	r.llamaRun(t)
	r.Key.Platform, r.Key.Model = o.text("backend"), o.text("model")
	mean, sd, _ := strings.Cut(o.text("t/s"), "±")
	rates := object{src: o.src, at: o.at, cells: map[string]string{"t/s": strings.TrimSpace(mean), "t/s ±": strings.TrimSpace(sd)}}
	r.repeated(rates, t, "t/s", "t/s ±")
}

// atoi reads digits that a pattern matched; empty and overlong are 0.
func atoi(digits string) int64 {
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return 0
	}
	return n
}
