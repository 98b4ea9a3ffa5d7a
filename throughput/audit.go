package throughput

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"example.com/servemath/internal/jsonout"
)

// FindingKind says what an audit came upon.
type FindingKind string

const (
	RateMismatch   FindingKind = "rate_mismatch"    // a rate is not its count over the run's length
	TPOTMismatch   FindingKind = "tpot_mismatch"    // nor a time per token what the request times leave for it
	LittleMismatch FindingKind = "little_mismatch"  // more requests in flight than Little's law or the cap allows
	Disorder       FindingKind = "disorder"         // percentiles, extremes or latencies out of order
	IdleSlots      FindingKind = "idle_slots"       // fewer in flight than offered
	TokensPerChunk FindingKind = "tokens_per_chunk" // chunks of several tokens, as in speculative decoding
	BurstChunks    FindingKind = "burst_chunks"     // tokens of a chunk stamped with one time
	EarlyStop      FindingKind = "early_stop"       // served less than asked
	Failures       FindingKind = "failures"         // requests that did not complete
	BelowSingle    FindingKind = "below_single"     // more requests at once gave less output
	PrefixCache    FindingKind = "prefix_cache"     // prompts faster than the engine can read them
)

// Finding is one thing in a report that another contradicts or explains.
type Finding struct {
	Kind     FindingKind
	Source   string
	Metric   Metric
	Reported float64
	Derived  float64 // what the rest of the report makes of it
	// Severe findings are contradictions: one of the figures is wrong. The others
	// are read with care.
	Severe bool
	Text   string
}

// Tolerances of the identities, relative. Rates are printed and windows rounded;
// a mean over requests and one over tokens differ where lengths do.
const (
	rateTolerance  = 0.02
	exactTolerance = 0.05 // requests of one length
	loadTolerance  = 0.10
	tpotTolerance  = 0.25
	burstRatio     = 50
)

// Audit checks a run against itself by identities that hold for any engine:
//
//	rate = count / run time
//	TPOT = (mean E2E - mean TTFT) / (mean output tokens - 1)
//	requests in flight = request rate x mean E2E (Little 1961)
//	mean chunk gap / TPOT = tokens per chunk
//
// and percentiles that rise, extremes that hold the mean, requests that end after
// they began to answer. Figures whose definition is unknown are left alone.
func Audit(r Run) []Finding {
	a := auditor{run: r}
	a.failures()
	a.rates()
	a.tpot()
	a.little()
	a.chunks()
	a.lengths()
	a.order()
	return a.findings
}

// AuditAll audits each run and then the runs of one machine, engine, model and
// workload against each other.
func AuditAll(runs []Run) []Finding {
	var out []Finding
	for _, r := range runs {
		out = append(out, Audit(r)...)
	}
	return append(out, across(runs)...)
}

type auditor struct {
	run      Run
	findings []Finding
}

func (a *auditor) find(k FindingKind, m Metric, reported, derived float64, severe bool, format string, args ...any) {
	a.findings = append(a.findings, Finding{k, a.run.Source, m, reported, derived, severe, fmt.Sprintf(format, args...)})
}

// mean returns a mean over requests, where the run has it.
func (a *auditor) mean(m Metric) (float64, bool) { return a.run.perRequest(m) }

// total returns a figure of the whole run.
func (a *auditor) total(m Metric) (float64, bool) {
	v, ok := a.run.Get(m, Total)
	return v.Value, ok && v.Value > 0 && !math.IsInf(v.Value, 0)
}

// duration is the run's length, or what its request rate makes it.
func (a *auditor) duration() (float64, bool) {
	w := a.run.Workload
	if w.DurationSeconds > 0 {
		return w.DurationSeconds, true
	}
	rate, ok := a.total(RequestRate)
	return float64(w.Completed) / rate, ok && w.Completed > 0
}

// meanTokens is the output of a request on average.
func (a *auditor) meanTokens() (float64, bool) {
	w := a.run.Workload
	return float64(w.OutputTokensServed) / float64(w.Completed), w.Completed > 0 && w.OutputTokensServed > 0
}

func (a *auditor) failures() {
	w := a.run.Workload
	if w.Failed > 0 {
		a.find(Failures, "", float64(w.Failed), 0, w.Completed == 0, "%d of %d requests failed; figures are of the others", w.Failed, w.Failed+w.Completed)
	}
}

func (a *auditor) rates() {
	d, ok := a.duration()
	if !ok {
		return
	}
	w := a.run.Workload
	var both int64
	if w.PromptTokensServed > 0 && w.OutputTokensServed > 0 {
		both = w.PromptTokensServed + w.OutputTokensServed
	}
	for _, c := range []struct {
		m     Metric
		count int64
		what  string
	}{
		{RequestRate, w.Completed, "requests"}, {OutputRate, w.OutputTokensServed, "output tokens"},
		{InputRate, w.PromptTokensServed, "prompt tokens"}, {TotalRate, both, "tokens"},
	} {
		rate, ok := a.total(c.m)
		derived := float64(c.count) / d
		if ok && c.count > 0 && apart(rate, derived, rateTolerance) {
			a.find(RateMismatch, c.m, rate, derived, true, "%s is %.4g, but %d %s in %.4g s are %.4g a second", c.m, rate, c.count, c.what, d, derived)
		}
	}
}

// apart reports whether two positive figures differ by more than a tolerance.
func apart(x, y, tolerance float64) bool { return math.Abs(math.Log(x/y)) > math.Log1p(tolerance) }

// tpot compares every mean time per token with what the request times leave.
func (a *auditor) tpot() {
	tolerance := tpotTolerance
	if equalLengths(a.run) {
		tolerance = exactTolerance
	}
	for _, v := range a.run.Metrics {
		which, _ := identity(v.Metric, v.Def)
		if v.Stat != Mean || which == noIdentity || v.Def.Weight == WeightUnknown || v.Def.ZeroForOne || !(v.Value > 0) {
			continue
		}
		derived, err := tokenTime(a.run, which)
		if err == nil && apart(v.Value, derived, tolerance) {
			a.find(TPOTMismatch, v.Metric, v.Value, derived, true,
				"%s is %.4g ms, but request times leave %.4g ms a token: %.3g times as much", v.Metric, 1e3*v.Value, 1e3*derived, derived/v.Value)
		}
	}
}

// little compares the requests in flight with the rate and time of requests, and
// with the cap.
func (a *auditor) little() {
	whole, ok := a.mean(E2E)
	d, known := a.duration()
	if !ok || !known || a.run.Workload.Completed == 0 {
		return
	}
	derived := float64(a.run.Workload.Completed) * whole / d
	if reported, ok := a.total(MeanConcurrency); ok && apart(reported, derived, loadTolerance) {
		a.find(LittleMismatch, MeanConcurrency, reported, derived, true, "mean concurrency is %.4g, but rate times E2E is %.4g", reported, derived)
	}
	limit := float64(a.run.Load.Concurrency)
	switch {
	case limit == 0:
	case derived > limit*(1+loadTolerance):
		a.find(LittleMismatch, MeanConcurrency, limit, derived, true, "rate times E2E is %.4g requests in flight, over a cap of %g", derived, limit)
	case derived < limit*(1-loadTolerance) && a.run.Load.RequestRate == 0:
		a.find(IdleSlots, MeanConcurrency, limit, derived, false, "rate times E2E is %.4g requests in flight of %g: slots idle, so concurrency times a user's rate overstates the output", derived, limit)
	}
}

// chunks reads the size of chunks off their gaps.
func (a *auditor) chunks() {
	gap, ok := a.run.Get(ITL, Mean)
	perToken, known := a.run.Get(TPOT, Mean)
	if ok && known && gap.Def.Gap == ChunkGap && perToken.Value > 0 && gap.Value/perToken.Value > 1.2 {
		a.find(TokensPerChunk, ITL, gap.Value, perToken.Value, false, "a gap is %.3g times a TPOT: chunks of %.3g tokens, so ITL is no token's latency", gap.Value/perToken.Value, gap.Value/perToken.Value)
	}
	middle, known := a.run.Get(ITL, Median)
	if ok && known && middle.Value > 0 && gap.Value/middle.Value > burstRatio {
		a.find(BurstChunks, ITL, gap.Value, middle.Value, false, "mean ITL is %.3g times its median: tokens of a chunk share its time, so no percentile of ITL is a token's latency", gap.Value/middle.Value)
	}
}

func (a *auditor) lengths() {
	n, ok := a.meanTokens()
	asked := float64(a.run.Workload.OutputTokensAsked)
	if ok && asked > 0 && n < asked*(1-loadTolerance) {
		a.find(EarlyStop, "", n, asked, false, "requests served %.4g tokens of %g asked: the model stopped early, so runs differ in their work", n, asked)
	}
}

// order checks each metric's statistics against each other, and TTFT against E2E.
func (a *auditor) order() {
	byMetric := map[Metric][]Value{}
	var metrics []Metric
	for _, v := range a.run.Metrics {
		if v.Def.Percentile == PercentileUnknown {
			continue
		}
		if byMetric[v.Metric] == nil {
			metrics = append(metrics, v.Metric)
		}
		byMetric[v.Metric] = append(byMetric[v.Metric], v)
	}
	for _, m := range metrics {
		a.rising(m, byMetric[m])
	}
	first, ok := a.mean(TTFT)
	whole, known := a.mean(E2E)
	if ok && known && first > whole*(1+rateTolerance) {
		a.find(Disorder, TTFT, first, whole, true, "mean TTFT %.4g s is more than mean E2E %.4g s", first, whole)
	}
}

// rising checks min <= p1 <= ... <= p99.9 <= max, and the mean between extremes.
func (a *auditor) rising(m Metric, values []Value) {
	type point struct {
		q float64
		Value
	}
	var points []point
	for _, v := range values {
		q, ok := percentileOf(v.Stat)
		switch {
		case v.Stat == Min:
			q, ok = -1, true
		case v.Stat == Max:
			q, ok = 2, true
		}
		if ok {
			points = append(points, point{q, v})
		}
	}
	slices.SortStableFunc(points, func(x, y point) int { return cmp.Compare(x.q, y.q) })
	for i := 1; i < len(points); i++ {
		if lo, hi := points[i-1], points[i]; lo.Value.Value > hi.Value.Value*(1+1e-9) {
			a.find(Disorder, m, lo.Value.Value, hi.Value.Value, true, "%s of %s is %.4g, above its %s of %.4g", lo.Stat, m, lo.Value.Value, hi.Stat, hi.Value.Value)
		}
	}
	for _, v := range values {
		if v.Stat != Mean || len(points) == 0 {
			continue
		}
		lo, hi := points[0], points[len(points)-1]
		if lo.Stat == Min && v.Value < lo.Value.Value*(1-1e-9) || hi.Stat == Max && v.Value > hi.Value.Value*(1+1e-9) {
			a.find(Disorder, m, v.Value, hi.Value.Value, true, "mean %s %.4g lies outside its extremes", m, v.Value)
		}
	}
}

// String gives one line.
func (f Finding) String() string {
	level := "note"
	if f.Severe {
		level = "contradiction"
	}
	return strings.TrimPrefix(fmt.Sprintf("%s: %s: %s (%s)", f.Source, level, f.Text, f.Kind), ": ")
}

// MarshalJSON leaves out what is unknown.
func (f Finding) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "kind", Value: f.Kind}, {Name: "source", Value: f.Source}, {Name: "metric", Value: f.Metric},
		{Name: "reported", Value: f.Reported}, {Name: "derived", Value: f.Derived}, {Name: "severe", Value: f.Severe}, {Name: "text", Value: f.Text},
	}.MarshalJSON()
}
