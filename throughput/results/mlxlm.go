package results

import (
	"fmt"
	"regexp"
	"strings"

	"example.com/servemath/throughput"
)

var (
	mlxTiming  = regexp.MustCompile(`^Timing with prompt_tokens=(\d+), generation_tokens=(\d+), batch_size=(\d+)`)
	mlxPair    = regexp.MustCompile(`(\w+)=([-+.\w]+)`)
	mlxSummary = regexp.MustCompile(`<summary>\s*(\S+)\s*</summary>`)
	mlxMachine = regexp.MustCompile(`^- Performance benchmarks? on (.+)$`)
	mlxVersion = regexp.MustCompile(`^- mlx-lm (\S+)$`)
	mlxPrompt  = regexp.MustCompile(`^Prompt \((\d+)\) tok/sec$`)
	mlxGen     = regexp.MustCompile(`^Generation \((\d+)\) tok/sec$`)
)

var mlxDef = throughput.Definition{Tool: "MLX-LM", Weight: throughput.PerRepetition}

// decodeMLXTrials reads what mlx_lm.benchmark prints: trials, then their
// averages. With a batch the rates are those of the whole batch.
func decodeMLXTrials(s *source) []throughput.Run {
	var runs []throughput.Run
	t := newMLXTrials(s)
	for _, l := range s.text.lines {
		switch {
		case strings.HasPrefix(l.s, "Timing with"):
			t.timing(l)
		case strings.HasPrefix(l.s, "Trial "):
			t.trial(t.pairs(l))
		case strings.HasPrefix(l.s, "Averages:"):
			runs = append(runs, t.averages(t.pairs(l)))
			t = newMLXTrials(s)
		}
	}
	if t.prefill.n > 0 && s.err == nil || len(runs) == 0 {
		s.fault("", s.text.last(), fmt.Errorf("%w: no averages after the trials", ErrTruncated))
	}
	return runs
}

type mlxTrials struct {
	src             *source
	r               *run
	prefill, decode series
}

func newMLXTrials(s *source) *mlxTrials {
	r := newRun(s)
	r.Key.Engine = "MLX"
	return &mlxTrials{src: s, r: r}
}

func (t *mlxTrials) timing(l line) {
	m := mlxTiming.FindStringSubmatch(l.s)
	if m == nil {
		return
	}
	t.r.Workload.PromptTokensAsked, t.r.Workload.OutputTokensAsked = atoi(m[1]), atoi(m[2])
	t.r.Load.Concurrency = int(atoi(m[3]))
}

// pairs reads name=value pairs, each of three decimals: fewer at the end of the
// file were cut.
func (t *mlxTrials) pairs(l line) object {
	o := object{src: t.src, at: l.at, cells: map[string]string{}}
	last := ""
	for _, m := range mlxPair.FindAllStringSubmatch(l.s, -1) {
		o.cells[m[1]], last = m[2], m[2]
	}
	_, decimals, _ := strings.Cut(last, ".")
	complete := o.has("prompt_tps") && o.has("generation_tps") && o.has("peak_memory")
	if t.src.text.isLast(l) && (!complete || len(decimals) != 3) {
		t.src.fault("", l.at, fmt.Errorf("%w inside a line", ErrTruncated))
	}
	return o
}

func (t *mlxTrials) trial(o object) {
	if x, ok := o.amount("prompt_tps"); ok {
		t.prefill.add(x)
	}
	if x, ok := o.amount("generation_tps"); ok {
		t.decode.add(x)
	}
}

func (t *mlxTrials) averages(o object) throughput.Run {
	for _, m := range []struct {
		key    string
		metric throughput.Metric
		seen   *series
	}{{"prompt_tps", throughput.PrefillRate, &t.prefill}, {"generation_tps", throughput.DecodeRate, &t.decode}} {
		s := t.r.spread(gauge{m.metric, mlxDef, 1})
		s.put("mean", o, m.key)
		if s.sd = m.seen.sd(mlxDef.PopulationSD); len(s.points) == 0 {
			o.faultAt(m.key, errMissing)
		}
		s.done(0, m.seen)
	}
	return t.r.Run
}

// decodeMLXTable reads the table that MLX-LM publishes: a section a model, a row
// a precision, and the machine below the table.
func decodeMLXTable(s *source) []throughput.Run {
	if s.endsInside(func(last string) bool { return last == "</details>" }) {
		return nil
	}
	var runs []throughput.Run
	var model string
	section, open := 0, false
	lines := s.text.lines
	for i := 0; i < len(lines) && s.err == nil; i++ {
		l := strings.TrimSpace(lines[i].s)
		switch {
		case strings.HasPrefix(l, "<details>"):
			open, section = true, len(runs)
		case l == "</details>":
			open = false
		case strings.HasPrefix(l, "Precision |"):
			header, rows, end := s.tableAt(i)
			for o := range rows {
				runs = append(runs, mlxRow(o, header, model))
			}
			i = end - 1
		default:
			if m := mlxSummary.FindStringSubmatch(l); m != nil {
				model = m[1]
			}
			for j := section; j < len(runs); j++ {
				mlxFootnote(&runs[j].Key, l)
			}
		}
	}
	if open && s.err == nil {
		s.fault("", s.text.last(), fmt.Errorf("%w: a section is not closed", ErrTruncated))
	}
	return runs
}

// mlxFootnote reads the lines under a table.
func mlxFootnote(k *throughput.Key, l string) {
	if m := mlxMachine.FindStringSubmatch(l); m != nil {
		k.Machine = m[1]
	}
	if m := mlxVersion.FindStringSubmatch(l); m != nil {
		k.Version = m[1]
	}
}

// mlxRow reads one precision. A skull in place of a figure says that the model
// did not run.
func mlxRow(o object, header []string, model string) throughput.Run {
	r := newRun(o.src)
	r.Key.Engine, r.Key.Model, r.Key.Quantization = "MLX", model, o.word("Precision")
	r.Load.Concurrency = 1
	for _, column := range header {
		metric := throughput.DecodeRate
		m := mlxGen.FindStringSubmatch(column)
		if m != nil {
			r.Workload.OutputTokensAsked = atoi(m[1])
		} else if m = mlxPrompt.FindStringSubmatch(column); m != nil {
			metric, r.Workload.PromptTokensAsked = throughput.PrefillRate, atoi(m[1])
		}
		switch {
		case m == nil:
		case o.word(column) == ":skull:":
			r.warn("%s: the model did not run", column)
		default:
			s := r.spread(gauge{metric, mlxDef, 1})
			s.put("mean", o, column)
			s.done(0, nil)
		}
	}
	return r.Run
}
