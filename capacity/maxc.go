package capacity

import (
	"cmp"
	"math"
	"strconv"

	"example.com/servemath/internal/jsonout"
)

// MaxC is how many requests at once meet the targets, by measured levels alone.
type MaxC struct {
	Concurrency int            `json:"concurrency"` // the highest passing level, even past a failing one; 0: none passes
	AtLeast     bool           `json:"at_least"`    // it is the highest level measured, so the true figure may be higher
	Contiguous  int            `json:"contiguous"`  // the highest level below which every level passes too
	Targets     Targets        `json:"targets"`
	Levels      []LevelVerdict `json:"levels,omitempty"` // by rising concurrency
}

// LevelVerdict is one measured level held against the targets.
type LevelVerdict struct {
	Concurrency  int
	Pass         bool
	Failed       []string // of "TTFT", "TPS" and "E2E", the targets it misses
	TTFTSeconds  float64  // NaN on a projected sweep
	TPS          float64
	E2ESeconds   float64
	AggregateTPS float64 // Concurrency x TPS; above the true output rate for DecodeTPS
}

// MarshalJSON writes the verdict with stable names.
func (v LevelVerdict) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "concurrency", Value: v.Concurrency},
		{Name: "pass", Value: v.Pass},
		{Name: "failed", Value: orNothing(v.Failed)},
		{Name: "ttft_seconds", Value: v.TTFTSeconds},
		{Name: "tps", Value: v.TPS},
		{Name: "e2e_seconds", Value: v.E2ESeconds},
		{Name: "aggregate_tps", Value: v.AggregateTPS},
	}.MarshalJSON()
}

// MaxC finds the highest measured level that meets every target that is set.
// Figures are compared exactly as measured and nothing is interpolated. That no
// level passes is a result, not an error; a target that is negative or not
// finite is [ErrTargets]. On a projected sweep no level meets a TTFT target.
func (s *Sweep) MaxC(t Targets) (MaxC, error) {
	if err := cmp.Or(s.check(), t.check()); err != nil {
		return MaxC{}, err
	}
	m := MaxC{Targets: t, Levels: make([]LevelVerdict, len(s.levels))}
	unbroken := true
	for i := range s.levels {
		v := s.verdict(i, t)
		m.Levels[i] = v
		unbroken = unbroken && v.Pass
		if v.Pass {
			m.Concurrency = v.Concurrency
		}
		if unbroken {
			m.Contiguous = v.Concurrency
		}
	}
	m.AtLeast = m.Concurrency == s.top()
	return m, nil
}

// String is the figure with its plus sign: "64+".
func (m MaxC) String() string { return figure(m.Concurrency, m.AtLeast) }

// verdict holds level i against the targets by its measured figures.
func (s *Sweep) verdict(i int, t Targets) LevelVerdict {
	l, e2e := s.levels[i], s.work.responseSeconds(s.levels[i])
	ttft := l.TTFTSeconds
	if s.projected {
		ttft = math.NaN()
	}
	failed := t.failed(ttft, l.TPS, e2e)
	return LevelVerdict{
		Concurrency:  l.Concurrency,
		Pass:         len(failed) == 0,
		Failed:       failed,
		TTFTSeconds:  ttft,
		TPS:          l.TPS,
		E2ESeconds:   e2e,
		AggregateTPS: float64(l.Concurrency) * l.TPS,
	}
}

// orNothing leaves an empty list out of JSON.
func orNothing[T any](xs []T) any {
	if len(xs) == 0 {
		return nil
	}
	return xs
}

// figure is a number with the plus sign of one that was not measured to its end.
func figure(n int, atLeast bool) string {
	if atLeast {
		return strconv.Itoa(n) + "+"
	}
	return strconv.Itoa(n)
}
