package throughput

import (
	"cmp"
	"slices"
)

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
