package throughput

import (
	"fmt"
	"math"
)

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

func (a *auditor) lengths() {
	n, ok := a.meanTokens()
	asked := float64(a.run.Workload.OutputTokensAsked)
	if ok && asked > 0 && n < asked*(1-loadTolerance) {
		a.find(EarlyStop, "", n, asked, false, "requests served %.6g tokens of %g asked: the model stopped early, so runs differ in their work", n, asked)
	}
}
