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
