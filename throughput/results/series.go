package results

import (
	"math"

	"example.com/servemath/throughput"
)

// maxSamples is how many observations of a metric are kept.
const maxSamples = 100_000

// series gathers the observations of a metric one by one: exact moments by
// Welford's recurrence (1962), and the observations while they are few enough.
type series struct {
	n        int
	mean, m2 float64
	min, max float64
	samples  []float64
}

func (s *series) add(x float64) {
	if s.n == 0 {
		s.min, s.max = x, x
	}
	s.n++
	delta := x - s.mean
	s.mean += delta / float64(s.n)
	s.m2 += delta * (x - s.mean)
	s.min, s.max = min(s.min, x), max(s.max, x)
	if s.n <= maxSamples {
		s.samples = append(s.samples, x)
	} else {
		s.samples = nil
	}
}

// sd is the standard deviation with n - 1; NaN below two observations.
func (s *series) sd() float64 {
	if s.n < 2 {
		return math.NaN()
	}
	return math.Sqrt(s.m2 / float64(s.n-1))
}

// attach gives a value the observations behind it.
func (s *series) attach(v *throughput.Value) {
	if s == nil || s.n == 0 {
		return
	}
	v.N, v.Samples = s.n, s.samples
}

// observed adds the mean and the extremes of a metric whose observations the
// file lists.
func (r *run) observed(g gauge, s *series) {
	if s.n == 0 {
		return
	}
	for _, c := range []struct {
		stat throughput.Stat
		x    float64
	}{{throughput.Mean, s.mean}, {throughput.Min, s.min}, {throughput.Max, s.max}} {
		v := throughput.Value{Metric: g.metric, Def: g.def, Stat: c.stat, Value: c.x, SD: s.sd()}
		s.attach(&v)
		r.Metrics = append(r.Metrics, v)
	}
}
