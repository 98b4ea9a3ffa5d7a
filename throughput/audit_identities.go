package throughput

import "math"

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
			a.find(RateMismatch, c.m, rate, derived, true, "%s is %.6g, but %d %s in %.4g s are %.6g a second", c.m, rate, c.count, c.what, d, derived)
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
		if v.Stat != Mean || which == noIdentity || v.Def.ZeroForOne || !(v.Value > 0) {
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
		a.find(BurstChunks, ITL, gap.Value, middle.Value, false, "mean ITL is %.0f times its median: tokens of a chunk share its time, so no percentile of ITL is a token's latency", gap.Value/middle.Value)
	}
}
