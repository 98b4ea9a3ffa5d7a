package throughput

import "cmp"

// site is what runs must share to be held against each other.
type site struct{ platform, machine, engine, version, model, quantization, workload string }

func (r Run) site() site {
	k := r.Key
	return site{k.Platform, k.Machine, k.Engine, k.Version, k.Model, k.Quantization, r.Workload.Asked()}
}

// across holds the runs of one site against each other.
func across(runs []Run) []Finding {
	single := map[site]float64{}  // best output rate of one request at a time
	readsAt := map[site]float64{} // best prefill rate of an engine on a machine with a model
	for _, r := range runs {
		if rate, ok := r.Get(OutputRate, Total); ok && r.Load.Concurrency == 1 {
			single[r.site()] = max(single[r.site()], rate.Value)
		}
		for _, s := range []Stat{Total, Mean} {
			if v, ok := r.Get(PrefillRate, s); ok {
				readsAt[r.reader()] = max(readsAt[r.reader()], v.Value)
			}
		}
	}
	var out []Finding
	for _, r := range runs {
		a := auditor{run: r}
		a.belowSingle(single[r.site()])
		a.prefixCache(readsAt[r.reader()])
		out = append(out, a.findings...)
	}
	return out
}

// reader is what decides how fast a prompt is read.
func (r Run) reader() site {
	k := r.Key
	return site{machine: k.Machine, engine: k.Engine, model: k.Model, quantization: k.Quantization}
}

// belowSingle finds less output from many requests than from one at a time:
// another workload, or a sweep that never had one request alone.
func (a *auditor) belowSingle(single float64) {
	rate, ok := a.total(OutputRate)
	if ok && a.run.Load.Concurrency > 1 && rate < single*(1-rateTolerance) {
		a.find(BelowSingle, OutputRate, rate, single, false, "%d requests at once gave %.6g tok/s, one at a time %.6g: other work, or a broken run", a.run.Load.Concurrency, rate, single)
	}
}

// prefixCache finds a first token sooner than the prompt can be read at the
// engine's best prefill rate: part of it was read before.
func (a *auditor) prefixCache(best float64) {
	first, ok := a.mean(TTFT)
	w := a.run.Workload
	prompt := float64(w.PromptTokensServed) / float64(max(1, w.Completed))
	prompt = cmp.Or(prompt, float64(w.PromptTokensAsked))
	if !ok || best == 0 || prompt == 0 {
		return
	}
	if need := prompt / best; first < need*(1-loadTolerance) {
		a.find(PrefixCache, TTFT, first, need, false, "mean TTFT is %.3g s, but %.6g prompt tokens take %.3g s at the best prefill rate of %.6g tok/s: a prefix cache answered", first, prompt, need, best)
	}
}
