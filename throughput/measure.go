package throughput

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.com/servemath/throughput/stat"
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

// observation is a value and what it weighs in a mean.
type observation struct{ x, weight float64 }

// observe lists a metric's values over requests or gaps.
func observe(trace []Request, m Metric, d Definition) ([]observation, error) {
	switch d.Weight {
	case PerRequest, PerGap, PerToken, PerTokenLess1:
	default:
		return nil, fmt.Errorf("%w: Weight %q cannot be measured from a trace", ErrOptions, d.Weight)
	}
	var out []observation
	for _, r := range trace {
		if d.TwoTokens && r.OutputTokens() < 2 {
			continue
		}
		xs, err := r.values(m, d)
		if err != nil {
			return nil, err
		}
		weight := 1.0
		switch n := float64(r.OutputTokens()); {
		case d.Weight == PerTokenLess1:
			weight = n - 1
		case d.Weight == PerToken && m != ITL: // gaps of tokens are one a token already
			weight = n
		}
		for _, x := range xs {
			out = append(out, observation{x, weight})
		}
	}
	return out, nil
}

// values are a request's values of a metric: one, several gaps, or none.
func (r Request) values(m Metric, d Definition) ([]float64, error) {
	n := float64(r.OutputTokens())
	switch m {
	case TTFT:
		return []float64{r.ttft()}, nil
	case E2E:
		return []float64{r.e2e()}, nil
	case NTPOT:
		return []float64{r.e2e() / n}, nil
	case UserRateE2E:
		return []float64{n / r.e2e()}, nil
	case TPOT:
		return r.tpot(d), nil
	case UserRateDecode:
		return reciprocals(r.tpot(d)), nil
	case ITL:
		return r.gaps(d)
	}
	return nil, fmt.Errorf("%w: %s is not measured from a trace of requests", ErrOptions, m)
}

func (r Request) tpot(d Definition) []float64 {
	n := float64(r.OutputTokens())
	switch {
	case d.IncludesFirst:
		return []float64{r.e2e() / n}
	case n > 1:
		return []float64{(r.e2e() - r.ttft()) / (n - 1)}
	case d.ZeroForOne:
		return []float64{0}
	}
	return nil
}

// reciprocals leaves out zeros, which have none.
func reciprocals(xs []float64) []float64 {
	var out []float64
	for _, x := range xs {
		if x > 0 {
			out = append(out, 1/x)
		}
	}
	return out
}

// gaps are a request's inter-token latencies.
func (r Request) gaps(d Definition) ([]float64, error) {
	var out []float64
	switch d.Gap {
	case ChunkedTotal:
		return []float64{r.e2e() / float64(len(r.Chunks))}, nil
	case RequestGap:
		return r.tpot(Definition{}), nil
	case ChunkGap, TokenGap, ZeroInChunk:
	default:
		return nil, fmt.Errorf("%w: ITL needs a Gap, not %q", ErrOptions, d.Gap)
	}
	for i, c := range r.Chunks[1:] {
		gap := c.Seconds - r.Chunks[i].Seconds
		switch d.Gap {
		case ChunkGap:
			out = append(out, gap)
		case TokenGap:
			out = append(out, slices.Repeat([]float64{gap / float64(c.Tokens)}, c.Tokens)...)
		case ZeroInChunk:
			out = append(append(out, gap), make([]float64, c.Tokens-1)...)
		}
	}
	return out, nil
}

// statistic takes a statistic of weighted observations.
func statistic(obs []observation, s Stat, d Definition) (float64, error) {
	obs = slices.SortedFunc(slices.Values(obs), func(a, b observation) int { return cmp.Compare(a.x, b.x) })
	xs := make([]float64, len(obs))
	for i, o := range obs {
		xs[i] = o.x
	}
	switch s {
	case Mean:
		m, _ := weightedMean(obs)
		return m, nil
	case Min:
		return xs[0], nil
	case Max:
		return xs[len(xs)-1], nil
	}
	q, ok := percentileOf(s)
	if !ok {
		return 0, fmt.Errorf("%w: %q is no statistic of single observations", ErrOptions, s)
	}
	switch d.Percentile {
	case Type7:
		return stat.Quantile(xs, q, stat.Type7)
	case FloorIndex:
		return stat.Quantile(xs, q, stat.FloorIndex)
	case Weighted:
		return weightedQuantile(obs, q), nil
	}
	return 0, fmt.Errorf("%w: a percentile needs its kind", ErrOptions)
}

// percentileOf parses the statistics that [Percentile] makes.
func percentileOf(s Stat) (q float64, ok bool) {
	digits, ok := strings.CutPrefix(string(s), "p")
	p, err := strconv.ParseFloat(digits, 64)
	return p / 100, ok && err == nil && p >= 0 && p <= 100
}

func weightedMean(obs []observation) (mean, weight float64) {
	var sum float64
	for _, o := range obs {
		sum += o.x * o.weight
		weight += o.weight
	}
	return sum / weight, weight
}

// weightedQuantile is the smallest value at or below which lies a share q of the
// weight.
func weightedQuantile(sorted []observation, q float64) float64 {
	_, total := weightedMean(sorted)
	var below float64
	for _, o := range sorted {
		if below += o.weight; o.weight > 0 && below >= q*total {
			return o.x
		}
	}
	return sorted[len(sorted)-1].x
}

// deviation is the standard deviation, by n or n - 1; NaN where that is 0 / 0.
func deviation(obs []observation, population bool) float64 {
	mean, weight := weightedMean(obs)
	var sum float64
	for _, o := range obs {
		sum += o.weight * (o.x - mean) * (o.x - mean)
	}
	if !population {
		weight *= 1 - 1/float64(len(obs))
	}
	return math.Sqrt(sum / weight)
}

// SLO is what a request must meet to count as good. 0 is not set.
type SLO struct{ MaxTTFTSeconds, MaxTPOTSeconds, MaxE2ESeconds float64 }

// MeasureGoodput returns the completed requests that meet every target, per
// second of the run. A request of one token has no TPOT to miss.
func MeasureGoodput(trace []Request, o SLO) (Value, error) {
	if err := checkTrace(trace); err != nil {
		return Value{}, err
	}
	if !(o.MaxTTFTSeconds >= 0 && o.MaxTPOTSeconds >= 0 && o.MaxE2ESeconds >= 0) || o == (SLO{}) {
		return Value{}, fmt.Errorf("%w: targets %+v, want one at least and none negative", ErrOptions, o)
	}
	within := func(x, most float64) bool { return most == 0 || x <= most }
	good := 0
	for _, r := range completed(trace) {
		tpot := append(r.tpot(Definition{}), 0)[0]
		if within(r.ttft(), o.MaxTTFTSeconds) && within(tpot, o.MaxTPOTSeconds) && within(r.e2e(), o.MaxE2ESeconds) {
			good++
		}
	}
	return Value{Metric: Goodput, Stat: Total, Value: float64(good) / window(trace), N: good, SD: math.NaN()}, nil
}
