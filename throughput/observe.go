package throughput

import (
	"fmt"
	"slices"
)

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
