package gate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/servemath/internal/resample"
	"example.com/servemath/throughput"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// run is one run of a benchmark with one output rate.
func run(name string, rate float64) throughput.Run {
	return throughput.Run{
		Key:      throughput.Key{Engine: "vLLM", Model: name},
		Load:     throughput.Load{Concurrency: 8},
		Workload: throughput.Workload{Completed: 100},
		Metrics:  []throughput.Value{{Metric: throughput.OutputRate, Stat: throughput.Total, Value: rate, SD: math.NaN()}},
	}
}

func runs(name string, rates ...float64) []throughput.Run {
	var out []throughput.Run
	for _, r := range rates {
		out = append(out, run(name, r))
	}
	return out
}

// latency turns rates into TTFTs.
func latency(rs []throughput.Run) []throughput.Run {
	for i := range rs {
		v := &rs[i].Metrics[0]
		v.Metric, v.Stat, v.Def = throughput.TTFT, throughput.Mean, throughput.Definition{Weight: throughput.PerRequest}
	}
	return rs
}

var (
	steady = []float64{100, 101, 99, 100.5, 99.5}
	slower = []float64{90, 91, 89, 90.5, 89.5}
	noisy  = []float64{80, 120, 95, 104, 71}
)

func floor(rate float64) Policy {
	return Policy{Floor: map[throughput.Metric]float64{throughput.OutputRate: rate}}
}

func TestCheckOneLine(t *testing.T) {
	for _, c := range []struct {
		name            string
		base, candidate []throughput.Run
		p               Policy
		line            Outcome
		report          Outcome
		reason          string
	}{
		{"the same", runs("x", steady...), runs("x", steady...), Policy{}, Pass, Pass, ""},
		{"slower", runs("x", steady...), runs("x", slower...), Policy{}, Fail, Fail, "a loss of 10% is established"},
		{"faster", runs("x", slower...), runs("x", steady...), Policy{}, Pass, Pass, ""},
		{"a latency that rises", latency(runs("x", slower...)), latency(runs("x", steady...)), Policy{}, Fail, Fail, "established"},
		{"a latency that triples", latency(runs("x", steady...)), latency(runs("x", 300, 303, 297, 301.5, 298.5)), Policy{}, Fail, Fail, "a loss of 200% is established"},
		{"a latency that falls", latency(runs("x", steady...)), latency(runs("x", slower...)), Policy{}, Pass, Pass, ""},
		{"within MaxLoss", runs("x", steady...), runs("x", slower...), Policy{MaxLoss: 0.2}, Pass, Pass, ""},
		{"within the floor", runs("x", steady...), runs("x", slower...), floor(15), Pass, Pass, ""},
		{"noise about the floor", runs("x", steady...), runs("x", 92, 93, 106, 107, 98), floor(5), Inconclusive, Pass, "a loss of up to"},
		{"the same, a gain", runs("x", 99, 100, 98, 99.5, 98.5), runs("x", 92, 93, 106, 107, 98), floor(5), Inconclusive, Pass, "a loss of up to"},
		{"noise within the floor", runs("x", steady...), runs("x", 92, 93, 106, 107, 98), floor(10), Pass, Pass, ""},
		{"noise", runs("x", steady...), runs("x", noisy...), Policy{}, Inconclusive, Pass, "is not excluded"},
		{"noise held", runs("x", steady...), runs("x", noisy...), Policy{Inconclusive: Hold}, Inconclusive, Inconclusive, "is not excluded"},
		{"noise rejected", runs("x", steady...), runs("x", noisy...), Policy{Inconclusive: Reject}, Inconclusive, Fail, "is not excluded"},
		{"too few", runs("x", 100, 101), runs("x", steady...), Policy{}, Untested, Inconclusive, "base has 2 runs, need 3"},
		{"two will do", runs("x", 100, 101), runs("x", 90, 91), Policy{MinRuns: 2}, Fail, Fail, "established"},
		{"missing", runs("x", steady...), runs("y", steady...), Policy{Missing: Reject}, Untested, Fail, "the candidate lacks it"},
		{"missing, ignored, and so nothing tested", runs("x", steady...), runs("y", steady...), Policy{Missing: Ignore}, Untested, Inconclusive, "lacks"},
		{"by ranks", runs("x", steady...), runs("x", slower...), Policy{Test: Ranks}, Fail, Fail, "established"},
		{"a zero", runs("x", 0, 1, 2), runs("x", steady...), Policy{}, Untested, Inconclusive, "not a positive number"},
		{"other definitions", latency(runs("x", steady...)), func() []throughput.Run {
			rs := latency(runs("x", steady...))
			rs[4].Metrics[0].Def.TwoTokens = true
			return rs
		}(), Policy{}, Untested, Inconclusive, "not the same quantity"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := Check(c.base, c.candidate, c.p)
			require.NoError(t, err)
			assert.Equal(t, c.line, r.Entries[0].Outcome, "%+v", r.Entries[0])
			assert.Equal(t, c.report, r.Outcome, r)
			if c.reason == "" {
				assert.Empty(t, r.Entries[0].Reason)
			} else {
				assert.Contains(t, r.Entries[0].Reason, c.reason)
			}
		})
	}
}

// The same P fails alone and passes among many: Holm.
func TestHolmOverTheSuite(t *testing.T) {
	drop := []float64{97.5, 95, 96.2, 97.8, 95.2}
	base, candidate := runs("bad", steady...), runs("bad", drop...)
	alone, err := Check(base, candidate, Policy{})
	require.NoError(t, err)
	assert.Equal(t, Fail, alone.Outcome)
	for i := range 400 {
		base = append(base, runs(fmt.Sprint("good ", i), steady...)...)
		candidate = append(candidate, runs(fmt.Sprint("good ", i), steady...)...)
	}
	among, err := Check(base, candidate, Policy{})
	require.NoError(t, err)
	assert.Equal(t, 401, among.Tested)
	assert.Equal(t, Inconclusive, among.Entries[0].Outcome)
	assert.InDelta(t, alone.Entries[0].P*401, among.Entries[0].AdjustedP, 1e-12)
	assert.Greater(t, among.Entries[0].Detectable, alone.Entries[0].Detectable)
	uncorrected, err := Check(base, candidate, Policy{Uncorrected: true})
	require.NoError(t, err)
	assert.Equal(t, Fail, uncorrected.Outcome)
}

func TestRepetitionsOfATool(t *testing.T) {
	bench := func(samples ...float64) []throughput.Run {
		r := run("x", 1)
		r.Metrics = []throughput.Value{{Metric: throughput.DecodeRate, Stat: throughput.Mean, Value: samples[0], Samples: samples,
			Def: throughput.Definition{Tool: "llama-bench", Weight: throughput.PerRepetition}}}
		return []throughput.Run{r}
	}
	r, err := Check(bench(steady...), bench(slower...), Policy{})
	require.NoError(t, err)
	assert.Equal(t, Fail, r.Outcome, "llama-bench repeats within a run")
	assert.Equal(t, 5, r.Entries[0].NBase)

	requests := func(values ...float64) []throughput.Run {
		rs := bench(values...)
		rs[0].Metrics[0].Def.Weight = throughput.PerRequest
		return rs
	}
	r, err = Check(requests(steady...), requests(slower...), Policy{})
	require.NoError(t, err)
	assert.Equal(t, Untested, r.Entries[0].Outcome, "requests of one run are one observation")
}

func TestVersionsAreTheSameBenchmark(t *testing.T) {
	base, candidate := runs("x", steady...), runs("x", slower...)
	for i := range candidate {
		candidate[i].Key.Version = "next"
	}
	r, err := Check(base, candidate, Policy{})
	require.NoError(t, err)
	assert.Len(t, r.Entries, 1)
}

func TestMetricsJudged(t *testing.T) {
	full := run("x", 100)
	full.Metrics = append(full.Metrics, throughput.Value{Metric: throughput.TotalRate, Stat: throughput.Total, Value: 5})
	only := run("y", 100)
	only.Metrics[0].Metric = throughput.TotalRate
	rs := []throughput.Run{full, full, full, only, only, only}
	r, err := Check(rs, rs, Policy{})
	require.NoError(t, err)
	require.Len(t, r.Entries, 2)
	assert.Equal(t, throughput.OutputRate, r.Entries[0].Metric, "the headline alone where there is one")
	assert.Equal(t, throughput.TotalRate, r.Entries[1].Metric, "what there is where there is none")
	r, err = Check(rs, rs, Policy{Metrics: []throughput.Metric{throughput.TotalRate, "tttf"}})
	require.NoError(t, err)
	require.Len(t, r.Entries, 2)
	assert.Contains(t, errors.Join(r.Warnings...).Error(), `no run has "tttf"`)
}

func TestWarnings(t *testing.T) {
	var base, candidate []throughput.Run
	for i := range 48 {
		base = append(base, runs(fmt.Sprint(i), steady...)...)
		candidate = append(candidate, runs(fmt.Sprint(i), slower...)...)
	}
	r, err := Check(base, candidate, Policy{Test: Ranks})
	require.NoError(t, err)
	assert.ErrorIs(t, errors.Join(r.Warnings...), ErrCannotFail, "5 against 5 by ranks never pass 0.004")
	assert.Equal(t, Pass, r.Outcome)
	r, err = Check(base, candidate, Policy{})
	require.NoError(t, err)
	assert.Empty(t, r.Warnings)
	assert.Equal(t, Fail, r.Outcome)

	flat, err := Check(runs("x", 5, 5, 5), runs("x", 4, 4, 4), Policy{})
	require.NoError(t, err)
	assert.ErrorIs(t, errors.Join(flat.Warnings...), throughput.ErrNoVariation)

	broken := runs("x", steady...)
	for i := range broken {
		broken[i].Workload.Failed = 25
	}
	failing, err := Check(runs("x", steady...), broken, Policy{})
	require.NoError(t, err)
	assert.Contains(t, errors.Join(failing.Warnings...).Error(), "20% of the candidate's requests failed")
	assert.Equal(t, Inconclusive, failing.Outcome, "held")
	for action, want := range map[Action]Outcome{Ignore: Pass, Hold: Inconclusive, Reject: Fail} {
		r, err := Check(runs("x", steady...), broken, Policy{Failing: action})
		require.NoError(t, err)
		assert.Equal(t, want, r.Outcome, "action %d", action)
	}
	r, err = Check(broken, broken, Policy{})
	require.NoError(t, err)
	assert.Equal(t, Pass, r.Outcome, "no more than before")
	for i := range broken {
		broken[i].Workload = throughput.Workload{Failed: 100}
	}
	failing, err = Check(runs("x", steady...), broken, Policy{})
	require.NoError(t, err)
	assert.Contains(t, errors.Join(failing.Warnings...).Error(), "100% of the candidate's requests failed, 0% of the base's")
	doubtful := runs("x", steady...)
	doubtful[1].Warnings = []error{errors.New("the result is INVALID"), errors.New("and more")}
	doubtful[2].Warnings = doubtful[1].Warnings
	doubted, err := Check(runs("x", steady...), doubtful, Policy{})
	require.NoError(t, err)
	assert.Equal(t, "gate: vLLM, x, C=8: warnings in 2 of 5 candidate runs, the first: the result is INVALID", errors.Join(doubted.Warnings...).Error())
	empty := run("none", 1)
	empty.Metrics = nil
	without, err := Check(append(runs("x", steady...), empty), runs("x", steady...), Policy{})
	require.NoError(t, err)
	assert.Contains(t, errors.Join(without.Warnings...).Error(), "none, C=8 has no figure to judge")
}

func TestCheckRefuses(t *testing.T) {
	ok := runs("x", steady...)
	for name, c := range map[string]struct {
		base, candidate []throughput.Run
		p               Policy
		err             error
	}{
		"no base":        {nil, ok, Policy{}, throughput.ErrEmpty},
		"no candidate":   {ok, nil, Policy{}, throughput.ErrEmpty},
		"MaxLoss":        {ok, ok, Policy{MaxLoss: 3}, ErrPolicy},
		"Alpha":          {ok, ok, Policy{Alpha: math.NaN()}, ErrPolicy},
		"Power":          {ok, ok, Policy{Power: 1}, ErrPolicy},
		"MinRuns":        {ok, ok, Policy{MinRuns: 1}, ErrPolicy},
		"Test":           {ok, ok, Policy{Test: 5}, ErrPolicy},
		"Action":         {ok, ok, Policy{Missing: 9}, ErrPolicy},
		"negative floor": {ok, ok, Policy{Floor: map[throughput.Metric]float64{throughput.TTFT: -1}}, ErrPolicy},
	} {
		_, err := Check(c.base, c.candidate, c.p)
		assert.ErrorIs(t, err, c.err, name)
	}
}

// suiteOf draws 48 benchmarks, 5 runs a side, with a coefficient of variation of
// 2%, of which the first is down by drop.
func suiteOf(r *rand.Rand, drop float64) (base, candidate []throughput.Run) {
	const benchmarks, n, cv = 48, 5, 0.02
	draw := func(mean float64) float64 { return mean * math.Exp(cv*r.NormFloat64()) }
	for b := range benchmarks {
		mean := 100.0
		if b == 0 {
			mean *= 1 - drop
		}
		name := fmt.Sprintf("%02d", b)
		for range n {
			base = append(base, run(name, draw(100)))
			candidate = append(candidate, run(name, draw(mean)))
		}
	}
	return base, candidate
}

// shares returns the shares of suites whose report has each property; fixed seed.
func shares(t *testing.T, seed uint64, suites int, drop float64, p Policy, has ...func(*Report) bool) []float64 {
	found := make([][]bool, suites)
	resample.Each(suites, func() struct{} { return struct{}{} }, func(i int, _ struct{}) {
		base, candidate := suiteOf(resample.Rand(seed, i), drop)
		report, err := Check(base, candidate, p)
		for _, f := range has {
			found[i] = append(found[i], assert.NoError(t, err) && f(report))
		}
	})
	out := make([]float64, len(has))
	for _, suite := range found {
		for k, f := range suite {
			if f {
				out[k] += 1 / float64(suites)
			}
		}
	}
	return out
}

// The error rates that doc.go quotes.
func TestErrorRates(t *testing.T) {
	failed := func(least float64) func(*Report) bool {
		return func(r *Report) bool {
			return slices.ContainsFunc(r.Entries, func(e Entry) bool { return e.Outcome == Fail && e.Loss > least })
		}
	}
	first := func(r *Report) bool { return r.Entries[0].Outcome == Fail }
	unchanged := shares(t, 1, 500, 0, Policy{MaxLoss: 1e-9}, failed(0), failed(0.03))
	assert.InDelta(t, 0.035, unchanged[0], 0.012, "a false failure anywhere in an unchanged suite, whatever the size of the loss")
	assert.InDelta(t, 0.016, unchanged[1], 0.008, "and with a loss above 3%%")
	caught := shares(t, 2, 250, 0.05, Policy{}, first)[0]
	assert.InDelta(t, 0.34, caught, 0.06, "a true drop of 5%% is caught")

	// What a line says it would see, on average, is seen 8 times in 10.
	const sample = 20
	var squares float64
	for i := range sample {
		base, candidate := suiteOf(resample.Rand(3, i), 0)
		report, err := Check(base, candidate, Policy{})
		require.NoError(t, err)
		for _, e := range report.Entries {
			squares += e.Detectable * e.Detectable / float64(sample*len(report.Entries))
		}
	}
	sees := math.Sqrt(squares)
	at := shares(t, 4, 400, sees, Policy{}, first)[0]
	assert.InDelta(t, 0.8, at, 0.06, "a drop of %.1f%%, which lines say they would see", 100*sees)
	t.Logf("false alarms %.4f, above 3%% %.4f; 5%% drop caught %.3f; sees %.4f, caught %.3f", unchanged[0], unchanged[1], caught, sees, at)
}

func TestWriteText(t *testing.T) {
	r := report(t)
	var b bytes.Buffer
	require.NoError(t, r.WriteText(&b))
	assert.Equal(t, `benchmark       metric       base  candidate  unit       n  change        p  sees  outcome
vLLM, a, C=8    output_rate   100         90  tok/s  5 v 5  -10.0%  4.8e-08  1.7%  fail: a loss of 10% is established
vLLM, b|c, C=8  output_rate   100        100  tok/s  5 v 5   +0.0%      0.5  1.6%  pass
vLLM, new, C=8  output_rate              100  tok/s  0 v 5                         new
vLLM, old, C=8  output_rate   100             tok/s  5 v 0                         untested: missing: the candidate lacks it
n: repetitions. p: one-sided, of no loss, after Holm over 2 lines; fails below 0.05 with a loss over 3%. sees: the loss that a line would show in 80% of such runs.
fail: 1 of 2 lines failed, 0 inconclusive, 1 untested
`, b.String())
	assert.ErrorIs(t, r.WriteText(failing{}), errors.ErrUnsupported)
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.ErrUnsupported }

func report(t *testing.T) *Report {
	t.Helper()
	base := append(append(runs("a", steady...), runs("b|c", steady...)...), runs("old", steady...)...)
	candidate := append(append(runs("a", slower...), runs("b|c", steady...)...), runs("new", steady...)...)
	r, err := Check(base, candidate, Policy{})
	require.NoError(t, err)
	return r
}

// Rates above 10,000 are usual, and unreadable with an exponent.
func TestLargeFigures(t *testing.T) {
	for want, x := range map[string]float64{"": math.NaN(), "0.003105": 0.0031051, "9999": 9999.4, "10630": 10629.8, "123457": 123456.7} {
		assert.Equal(t, want, figure(x))
	}
}

func TestWriteMarkdown(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, report(t).WriteMarkdown(&b))
	lines := strings.Split(b.String(), "\n")
	assert.Equal(t, "**fail: 1 of 2 lines failed, 0 inconclusive, 1 untested**", lines[0])
	for _, l := range lines[2:8] {
		cells := strings.Count(strings.ReplaceAll(l, `\|`, ""), "|")
		assert.Equal(t, len(columns)+1, cells, l)
	}
	assert.Contains(t, b.String(), `vLLM, b\|c, C=8`)
}

// Each line has the form that golang.org/x/perf/benchfmt reads: a name in upper
// case, iterations, then pairs of value and unit.
func TestWriteBenchmark(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, report(t).WriteBenchmark(&b))
	result := regexp.MustCompile(`^Benchmark[A-Z]\S* 1 \S+ \S+$`)
	key := regexp.MustCompile(`^(side: (base|candidate)|Unit \S+ better=(higher|lower)|)$`)
	counts := map[string]int{}
	side := ""
	for l := range strings.Lines(b.String()) {
		l = strings.TrimRight(l, "\n")
		if s, ok := strings.CutPrefix(l, "side: "); ok {
			side = s
		}
		if result.MatchString(l) {
			counts[side]++
			continue
		}
		assert.Regexp(t, key, l)
	}
	assert.Equal(t, map[string]int{"base": 15, "candidate": 15}, counts)
	assert.Contains(t, b.String(), "BenchmarkServe/vLLM/a/C=8 1 90.5 output_rate-tok/s\n")
}

func TestReportJSON(t *testing.T) {
	b, err := json.Marshal(report(t))
	require.NoError(t, err)
	assert.True(t, json.Valid(b))
	assert.Contains(t, string(b), `"outcome":"fail","tested":2,"failed":1,"inconclusive":0,"untested":1,"alpha":0.05`)
	assert.Contains(t, string(b), `{"benchmark":"vLLM, old, C=8","metric":"output_rate","unit":"tok/s","n_base":5,"n_candidate":0,"base":99.99`)
}

func TestExitCodes(t *testing.T) {
	for o, code := range map[Outcome]int{Pass: 0, Fail: 1, Inconclusive: 3} {
		assert.Equal(t, code, (&Report{Outcome: o}).ExitCode())
	}
	assert.Equal(t, "Outcome(9)", Outcome(9).String())
}

// recorder is a T that notes what was called.
type recorder struct{ logged, fatal string }

func (*recorder) Helper()                     {}
func (r *recorder) Logf(f string, a ...any)   { r.logged += fmt.Sprintf(f, a...) }
func (r *recorder) Fatalf(f string, a ...any) { r.fatal += fmt.Sprintf(f, a...) }

func TestRequire(t *testing.T) {
	var pass, fail, open, bad recorder
	Require(&pass, runs("x", steady...), runs("x", steady...), Policy{})
	assert.Contains(t, pass.logged, "pass: 0 of 1 lines failed")
	assert.Empty(t, pass.fatal)
	Require(&fail, runs("x", steady...), runs("x", slower...), Policy{})
	assert.Contains(t, fail.fatal, "a loss of 10% is established")
	Require(&open, runs("x", steady[:2]...), runs("x", slower...), Policy{})
	assert.Contains(t, open.fatal, "inconclusive: 0 of 0 lines failed")
	Require(&bad, nil, nil, Policy{})
	assert.Contains(t, bad.fatal, "no observations")
	assert.Empty(t, bad.logged)
	var _ T = t
}

func FuzzCheck(f *testing.F) {
	f.Add(uint64(1), 3, 3, 0.02)
	f.Add(uint64(2), 1, 9, 0.0)
	f.Fuzz(func(t *testing.T, seed uint64, n, m int, cv float64) {
		r := rand.New(rand.NewPCG(seed, 1))
		draw := func(n int) []throughput.Run {
			var out []throughput.Run
			for range max(1, min(n, 20)) {
				out = append(out, run("x", 100*(1+cv*r.NormFloat64())))
			}
			return out
		}
		report, err := Check(draw(n), draw(m), Policy{})
		require.NoError(t, err)
		for _, e := range report.Entries {
			assert.False(t, e.Outcome == Fail && !(e.AdjustedP < 0.05 && e.Loss > 0.03), "%+v", e)
			assert.Equal(t, e.Outcome == Untested, math.IsNaN(e.P), "%+v", e)
		}
		_, err = json.Marshal(report)
		require.NoError(t, err)
	})
}
