package throughput

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"example.com/servemath/throughput/stat"
)

// ErrApproximate marks a converted value that rests on an assumption; the warning
// says which.
var ErrApproximate = errors.New("throughput: approximate")

// Convert returns a value as another definition would have it. in is the run that
// it belongs to, whose other figures the algebra may need.
//
// Two identities do the work. The time that all requests spent decoding, over all
// tokens but the first ones, is
//
//	(mean E2E - mean TTFT) / (mean output tokens - 1)
//
// and the time they spent in all, over all tokens, is mean E2E / mean output
// tokens. They give exactly the means that weight requests by their tokens:
// GuideLLM's ITL and TPOT, and the mean gap of tokens, whether a chunk's gap is
// spread over its tokens or falls on the first of them, where the last token ends
// the request and the first comes alone. They also give a mean that weights
// requests alike, exactly where all requests ran to the length asked, else with an
// [ErrApproximate] among the value's Warnings. Percentiles and deviations convert
// where the definitions differ in how to take them only, and the samples are there.
//
// Whatever no identity reaches, such as token gaps from chunk gaps, is the
// [DefinitionError] of [Comparable].
func Convert(v Value, to Definition, in Run) (Value, error) {
	target := v
	target.Def, target.SD, target.Warnings = to, convertSD(v, to), slices.Clone(v.Warnings)
	err := Comparable(v, target)
	if err == nil {
		return target, nil
	}
	if v.Stat == Mean && (v.Metric == TPOT || v.Metric == ITL || v.Metric == NTPOT) {
		return convertMean(v, target, in, err)
	}
	if equalLengths(in) { // then there is no request of one token to leave out
		same := target
		same.Def.TwoTokens = v.Def.TwoTokens
		if Comparable(v, same) == nil {
			return target, nil
		}
	}
	if sorted, ok := samplesOf(v); ok && onlyPercentile(v, to) {
		return requantile(target, sorted, err)
	}
	return Value{}, err
}

// convertSD rescales between the divisors n and n - 1.
func convertSD(v Value, to Definition) float64 {
	n := float64(v.N)
	switch {
	case v.Def.PopulationSD == to.PopulationSD:
		return v.SD
	case v.N < 2:
		return math.NaN()
	case to.PopulationSD:
		return v.SD * math.Sqrt((n-1)/n)
	}
	return v.SD * math.Sqrt(n/(n-1))
}

// kind says which identity gives a mean time per token.
type kind int

const (
	noIdentity kind = iota
	afterFirst      // decode time over tokens but the first
	overAll         // whole time over all tokens
)

// identity classifies a mean of TPOT, ITL or NTPOT. One whose requests count alike
// is what the identity gives only where they are of one length.
func identity(m Metric, d Definition) (k kind, alike bool) {
	gaps := d.Weight == PerToken || d.Weight == PerGap
	switch {
	case m == NTPOT, m == TPOT && d.IncludesFirst:
		return kindBy(overAll, d.Weight, PerToken)
	case d.IncludesFirst:
		return noIdentity, false
	case m == TPOT, m == ITL && d.Gap == RequestGap:
		return kindBy(afterFirst, d.Weight, PerTokenLess1)
	case m == ITL && (d.Gap == TokenGap || d.Gap == ZeroInChunk) && gaps:
		return afterFirst, false
	}
	return noIdentity, false
}

// kindBy is an identity for the weight that makes it exact, and for equal weights.
func kindBy(k kind, weight, exact WeightKind) (kind, bool) {
	switch weight {
	case exact:
		return k, false
	case PerRequest:
		return k, true
	}
	return noIdentity, false
}

// convertMean finds the identity that the target rests on and computes it from the
// run's other means; differs is the error where there is none.
func convertMean(v, target Value, in Run, differs error) (Value, error) {
	from, fromAlike := identity(v.Metric, v.Def)
	to, alike := identity(v.Metric, target.Def)
	if to == noIdentity {
		return Value{}, differs
	}
	target.SD, target.Samples, target.Sketch = math.NaN(), nil, nil
	if from != to || fromAlike != alike { // else it is the same mean, but for requests of one token
		mean, err := tokenTime(in, to)
		if err != nil {
			return Value{}, fmt.Errorf("%w; %w", differs, err)
		}
		target.Value, target.N = mean, int(in.Workload.Completed)
	}
	if alike && !equalLengths(in) {
		target.Warnings = append(target.Warnings, fmt.Errorf("%w: requests differ in length, and %s of %s counts them alike",
			ErrApproximate, target.Metric, orUnknown(target.Def.Tool)))
	}
	return target, nil
}

// tokenTime computes an identity's mean from the run's means over requests.
func tokenTime(in Run, k kind) (float64, error) {
	w := in.Workload
	if w.Completed <= 0 || w.OutputTokensServed <= 0 {
		return 0, errors.New("the run does not say how many tokens its requests served")
	}
	n := float64(w.OutputTokensServed) / float64(w.Completed)
	whole, ok := in.perRequest(E2E)
	if !ok {
		return 0, errors.New("the run has no mean E2E over requests")
	}
	if k == overAll {
		return whole / n, nil
	}
	first, ok := in.perRequest(TTFT)
	switch {
	case !ok:
		return 0, errors.New("the run has no mean TTFT over all requests")
	case n <= 1:
		return 0, fmt.Errorf("requests of %g tokens have no time between tokens", n)
	case first >= whole:
		return 0, fmt.Errorf("a mean TTFT of %g s against an E2E of %g s", first, whole)
	}
	return (whole - first) / (n - 1), nil
}

// perRequest returns a mean that weights all completed requests alike.
func (r Run) perRequest(m Metric) (float64, bool) {
	v, ok := r.Get(m, Mean)
	all := v.Def.Weight == PerRequest && (!v.Def.TwoTokens || equalLengths(r))
	return v.Value, ok && all && v.Value > 0 && !math.IsInf(v.Value, 0)
}

// equalLengths reports whether every completed request ran to the length asked,
// two tokens or more: none runs past it, so their mean says so. Then any weights
// by tokens are equal.
func equalLengths(in Run) bool {
	w := in.Workload
	return w.OutputTokensAsked >= 2 && w.Completed > 0 && w.OutputTokensServed == w.OutputTokensAsked*w.Completed
}

// samplesOf returns a value's observations if they are all there, sorted.
func samplesOf(v Value) ([]float64, bool) {
	if len(v.Samples) == 0 || v.N != 0 && v.N != len(v.Samples) {
		return nil, false
	}
	return slices.Sorted(slices.Values(v.Samples)), true
}

// onlyPercentile reports whether the percentile's kind is all that differs.
func onlyPercentile(v Value, to Definition) bool {
	same := v
	same.Def.Percentile = to.Percentile
	target := v
	target.Def = to
	return Comparable(same, target) == nil
}

// requantile takes the percentile anew.
func requantile(target Value, sorted []float64, differs error) (Value, error) {
	q, ok := percentileOf(target.Stat)
	types := map[PercentileKind]stat.QuantileType{Type7: stat.Type7, FloorIndex: stat.FloorIndex}
	t, known := types[target.Def.Percentile]
	if !ok || !known {
		return Value{}, differs
	}
	var err error
	target.Value, err = stat.Quantile(sorted, q, t)
	return target, err
}
