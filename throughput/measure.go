package throughput

import (
	"fmt"
	"math"
)

// Measure computes a statistic of a metric from a trace, as a definition has it:
// what a tool with that definition would have reported. Statistics over requests
// or gaps are [Mean], [Min], [Max] and percentiles; a rate over the whole run,
// [MeanConcurrency] and [PeakRate] have only [Total]. Prefill, decode and mixed
// rates are no matter of a trace of requests, and for [Goodput] there is
// [MeasureGoodput].
func Measure(trace []Request, m Metric, s Stat, d Definition) (Value, error) {
	if err := checkTrace(trace); err != nil {
		return Value{}, err
	}
	v := Value{Metric: m, Def: d, Stat: s, SD: math.NaN()}
	if f, ok := totals[m]; ok && s == Total {
		v.Value = f(trace, d) / window(trace)
		v.N = len(completed(trace))
		return v, nil
	}
	if m == PeakRate && s == Total {
		v.Value, v.N = peakSecond(trace, d.Gap == ChunkGap), len(completed(trace))
		return v, nil
	}
	obs, err := observe(completed(trace), m, d)
	if err != nil {
		return Value{}, err
	}
	if len(obs) == 0 {
		return Value{}, fmt.Errorf("%w: no request has a %s", ErrEmpty, m)
	}
	v.N = len(obs)
	for _, o := range obs {
		v.Samples = append(v.Samples, o.x)
	}
	v.SD = deviation(obs, d.PopulationSD)
	v.Value, err = statistic(obs, s, d)
	return v, err
}

// totals are the sums that rates over the run divide by its length.
var totals = map[Metric]func([]Request, Definition) float64{
	OutputRate:  sumOver(func(r Request) float64 { return float64(r.OutputTokens()) }),
	InputRate:   sumOver(func(r Request) float64 { return float64(r.PromptTokens) }),
	TotalRate:   sumOver(func(r Request) float64 { return float64(r.PromptTokens + r.OutputTokens()) }),
	RequestRate: sumOver(func(r Request) float64 { return 1 }),
	// Little's law: the time spent in the system by all requests.
	MeanConcurrency: sumOver(Request.e2e),
}

func sumOver(f func(Request) float64) func([]Request, Definition) float64 {
	return func(trace []Request, _ Definition) float64 {
		var sum float64
		for _, r := range completed(trace) {
			sum += f(r)
		}
		return sum
	}
}

// peakSecond is the most output in one of the seconds counted from the first
// start. vLLM counts chunks, which under speculative decoding are fewer than
// tokens.
func peakSecond(trace []Request, chunks bool) float64 {
	first := math.Inf(1)
	for _, r := range trace {
		first = min(first, r.StartSeconds)
	}
	buckets := map[float64]float64{}
	var most float64
	for _, r := range completed(trace) {
		for _, c := range r.Chunks {
			n := float64(c.Tokens)
			if chunks {
				n = 1
			}
			second := math.Floor(c.Seconds - first)
			buckets[second] += n
			most = max(most, buckets[second])
		}
	}
	return most
}
