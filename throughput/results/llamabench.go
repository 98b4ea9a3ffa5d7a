package results

import (
	"fmt"
	"iter"
	"maps"
	"slices"
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

// repeated adds the mean rate over repetitions, whose number only JSON tells.
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
