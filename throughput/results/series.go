package results

import (
	"math"
	"slices"

	"example.com/servemath/throughput"
	"example.com/servemath/throughput/stat"
)

// maxSamples is how many observations of a metric are kept.
const maxSamples = 100_000

// series gathers the observations of a metric one by one: their sum, compensated
// (Neumaier 1974), their squared deviations by Welford's recurrence (1962), and
// the observations themselves while they are few enough, then a sketch of them.
type series struct {
	n          int
	sum, lost  float64 // the sum is sum + lost
	centre, m2 float64
	min, max   float64
	samples    []float64
	sketch     *stat.Sketch
}

func (s *series) add(x float64) {
	if s.n == 0 {
		s.min, s.max = x, x
	}
	s.n++
	total := s.sum + x
	if s.sum >= x { // the smaller of the two loses digits: neither is negative
		s.lost += (s.sum - total) + x
	} else {
		s.lost += (x - total) + s.sum
	}
	s.sum = total
	delta := x - s.centre
	s.centre += delta / float64(s.n)
	s.m2 += delta * (x - s.centre)
	s.min, s.max = min(s.min, x), max(s.max, x)
	if s.sketch == nil && s.n <= maxSamples {
		s.samples = append(s.samples, x)
		return
	}
	s.overflow(x)
}

// overflow moves the observations to a sketch, the latest with them. Readers add
// only what is finite and not negative, which a sketch takes.
func (s *series) overflow(x float64) {
	if s.sketch == nil {
		s.sketch = &stat.Sketch{}
		for _, old := range s.samples {
			_ = s.sketch.Add(old)
		}
		s.samples = nil
	}
	_ = s.sketch.Add(x)
}

// expect makes room for n more observations, as far as they will be kept.
func (s *series) expect(n int) {
	if s.n+n <= maxSamples {
		s.samples = slices.Grow(s.samples, n)
	}
}

func (s *series) mean() float64 { return (s.sum + s.lost) / float64(s.n) }

// sd is the standard deviation, of a population with n and of a sample with
// n - 1; NaN below two observations.
func (s *series) sd(population bool) float64 {
	if s.n < 2 {
		return math.NaN()
	}
	n := float64(s.n)
	if !population {
		n--
	}
	return math.Sqrt(s.m2 / n)
}

// attach gives a value the observations behind it.
func (s *series) attach(v *throughput.Value) {
	if s == nil || s.n == 0 {
		return
	}
	v.N, v.Samples, v.Sketch = s.n, s.samples, s.sketch
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
	}{{throughput.Mean, s.mean()}, {throughput.Min, s.min}, {throughput.Max, s.max}} {
		v := throughput.Value{Metric: g.metric, Def: g.def, Stat: c.stat, Value: c.x, SD: s.sd(g.def.PopulationSD)}
		s.attach(&v)
		r.Metrics = append(r.Metrics, v)
	}
}
