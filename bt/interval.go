package bt

import (
	"fmt"
	"math"

	"example.com/servemath/internal/jsonout"
	"gonum.org/v1/gonum/stat/distuv"
)

// IntervalOptions says how sure an interval is to be. The zero value, like nil,
// asks for 95%.
type IntervalOptions struct {
	Level float64 // confidence; 0 means 0.95
}

// Interval is an estimate with its confidence interval.
type Interval struct {
	Estimate, Lo, Hi, Level float64
}

// String gives the interval as "0.85 [0.80, 0.89] at 95%".
func (i Interval) String() string {
	return fmt.Sprintf("%.4g [%.4g, %.4g] at %g%%", i.Estimate, i.Lo, i.Hi, 100*i.Level)
}

// MarshalJSON writes an infinite end as text.
func (i Interval) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "estimate", Value: i.Estimate}, {Name: "lo", Value: i.Lo},
		{Name: "hi", Value: i.Hi}, {Name: "level", Value: i.Level},
	}.MarshalJSON()
}

// Prob returns the chance that a beats b, with its Wald interval on the
// log-odds scale. It fails with [ErrUnknownItem] or [ErrLevel].
func (m *Model) Prob(a, b string, o *IntervalOptions) (Interval, error) {
	level, err := o.level()
	if err != nil {
		return Interval{}, err
	}
	i, err := m.item(a)
	if err != nil {
		return Interval{}, err
	}
	j, err := m.item(b)
	if err != nil {
		return Interval{}, err
	}
	cov := m.Covariance()
	v := cov.At(i, i) + cov.At(j, j) - 2*cov.At(i, j)
	return sigmoidInterval(m.x[i]-m.x[j], math.Sqrt(max(v, 0)), level), nil
}

// sigmoidInterval maps a Wald interval of a log-odds to the chance.
func sigmoidInterval(d, se, level float64) Interval {
	z := se * distuv.UnitNormal.Quantile((1+level)/2)
	return Interval{Estimate: sigmoid(d), Lo: sigmoid(d - z), Hi: sigmoid(d + z), Level: level}
}

func sigmoid(d float64) float64 {
	win, _ := chances(d)
	return win
}

func (m *Model) item(name string) (int, error) {
	i, ok := m.index[name]
	if !ok {
		return 0, fmt.Errorf("%w %q", ErrUnknownItem, name)
	}
	return int(i), nil
}

func (o *IntervalOptions) level() (float64, error) {
	if o == nil {
		return checkLevel(0)
	}
	return checkLevel(o.Level)
}

// checkLevel fills in 0.95 for 0.
func checkLevel(level float64) (float64, error) {
	if level == 0 {
		return 0.95, nil
	}
	if !(level > 0 && level < 1) {
		return 0, fmt.Errorf("%w: %v", ErrLevel, level)
	}
	return level, nil
}
