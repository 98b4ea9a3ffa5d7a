package results

import (
	"fmt"
	"strings"

	"example.com/servemath/throughput"
)

// ollamaSteps gathers the steps of one request until one comes again.
type ollamaSteps struct {
	src   *source
	runs  []throughput.Run
	quant string
	cur   *run
	seen  map[string]bool
	load  float64 // seconds
}

// step is one line of Ollama's benchmark: tokens at a rate, or a duration.
type step struct {
	model, name string
	count       int64
	rate        float64 // tokens per second; 0 is none
	seconds     float64 // of one count
	at          position
}

var ollamaDef = throughput.Definition{Tool: "Ollama", Weight: throughput.PerRepetition}

// add starts a new run when a step of the current one comes again, as it does at
// the next epoch, or the model changes.
func (o *ollamaSteps) add(s step) {
	if o.cur == nil || o.seen[s.name] || o.cur.Key.Model != s.model {
		o.flush()
		o.cur, o.seen, o.load = newRun(o.src), map[string]bool{}, 0
		o.cur.Key = throughput.Key{Engine: "Ollama", Model: s.model, Quantization: o.quant}
		o.cur.Load.Concurrency, o.cur.Workload.Completed = 1, 1
	}
	o.seen[s.name] = true
	one := func(m throughput.Metric, x float64) {
		if x == 0 { // how a rate of no tokens is written
			o.cur.warn("%s is 0, taken for not measured", s.name)
			return
		}
		o.cur.Metrics = append(o.cur.Metrics, throughput.Value{Metric: m, Def: ollamaDef, Stat: throughput.Mean, Value: x, N: 1, SD: nan})
	}
	switch s.name {
	case "prefill":
		one(throughput.PrefillRate, s.rate)
		o.cur.Workload.PromptTokensServed = s.count
	case "generate":
		one(throughput.DecodeRate, s.rate)
		o.cur.Workload.OutputTokensServed = s.count
	case "ttft":
		one(throughput.TTFT, s.seconds)
	case "load":
		o.load = s.seconds
	case "total":
		if s.seconds == 0 {
			o.src.fault("total", s.at, fmt.Errorf("%w: the request took no time", throughput.ErrNonPositive))
			return
		}
		one(throughput.E2E, s.seconds)
		o.cur.Workload.DurationSeconds = s.seconds
	default:
		o.src.fault("step", s.at, fmt.Errorf("step %q is not known", s.name))
	}
}

func (o *ollamaSteps) flush() {
	if o.cur == nil {
		return
	}
	if total := o.cur.Workload.DurationSeconds; o.load > 0.01*total && total > 0 {
		o.cur.warn("the whole request of %.3g s includes %.3g s of loading the model", total, o.load)
	}
	o.runs = append(o.runs, o.cur.Run)
	o.cur = nil
}

// comment reads the line "# Model: ... | Quant: ... |".
func (o *ollamaSteps) comment(s string) {
	for part := range strings.SplitSeq(strings.TrimPrefix(s, "#"), "|") {
		if name, value, ok := strings.Cut(part, ":"); ok && strings.TrimSpace(name) == "Quant" {
			o.quant = strings.TrimSpace(value)
		}
	}
}

// decodeOllamaBench reads the Go benchmark format of Ollama's cmd/bench.
func decodeOllamaBench(s *source) []throughput.Run {
	o := &ollamaSteps{src: s}
	for _, l := range s.text.lines {
		switch {
		case strings.HasPrefix(l.s, "#"):
			o.comment(l.s)
		case strings.HasPrefix(l.s, "BenchmarkModel/"):
			if st, ok := s.benchLine(l); ok {
				o.add(st)
			}
		case strings.HasPrefix("BenchmarkModel/", l.s) && l.s != "" && s.text.isLast(l):
			s.fault("", l.at, fmt.Errorf("%w inside a line", ErrTruncated))
		}
	}
	o.flush()
	return o.runs
}

// benchLine reads "BenchmarkModel/name=M/step=S 1 X ns/token Y token/sec". The
// steps that have no tokens have one figure, older ones without a step's name
// are the total.
func (s *source) benchLine(l line) (step, bool) {
	words := strings.Fields(l.s)
	name, stepName, _ := strings.Cut(strings.TrimPrefix(words[0], "BenchmarkModel/name="), "/step=")
	if stepName == "" {
		stepName = "total"
	}
	st := step{model: name, name: stepName, at: l.at}
	perToken := stepName == "prefill" || stepName == "generate"
	want := []string{"ns/op"}
	if perToken {
		want = []string{"ns/token", "token/sec"}
	}
	whole := len(words) == 2+2*len(want)
	for i := 0; whole && i < len(want); i++ {
		unit := words[3+2*i]
		whole = unit == want[i] || unit == "ns/request" && want[i] == "ns/op"
	}
	if !whole {
		err := fmt.Errorf("not a line of %s", strings.Join(want, " and "))
		if s.text.isLast(l) {
			err = fmt.Errorf("%w inside a line", ErrTruncated)
		}
		s.fault("", l.at, err)
		return st, false
	}
	row := object{src: s, at: l.at, cells: map[string]string{"ns": words[2]}}
	if perToken {
		row.cells["token/sec"] = words[4]
	}
	ns, _ := row.amount("ns")
	st.seconds = ns * nano
	st.rate, _ = row.amount("token/sec")
	return st, s.err == nil
}

// decodeOllamaCSV reads the CSV of cmd/bench, which has a comment line below its
// header. Rates have two decimals; a shorter one at the end was cut.
func decodeOllamaCSV(s *source) []throughput.Run {
	o := &ollamaSteps{src: s}
	header := []string{"NAME", "STEP", "COUNT", "NS_PER_COUNT", "TOKEN_PER_SEC"}
	rows := func(yield func(row) bool) {
		for _, l := range s.text.lines {
			switch {
			case strings.HasPrefix(l.s, "#"):
				o.comment(l.s)
			case l.s == "" || strings.HasPrefix(l.s, "NAME,"):
			case !yield(s.ollamaRow(l)):
				return
			}
		}
	}
	for row := range s.records(header, rows) {
		ns, _ := row.amount("NS_PER_COUNT")
		rate, _ := row.amount("TOKEN_PER_SEC")
		st := step{model: row.word("NAME"), name: row.word("STEP"), count: row.count("COUNT"), rate: rate, seconds: ns * nano, at: row.at}
		if s.err == nil {
			o.add(st)
		}
	}
	o.flush()
	return o.runs
}

func (s *source) ollamaRow(l line) row {
	r := splitCSV(l)
	if s.text.isLast(l) && len(r.cells) == 5 {
		rate := r.cells[4]
		_, decimals, _ := strings.Cut(rate, ".")
		r.whole = rate == "0" || len(decimals) == 2
	}
	return r
}
