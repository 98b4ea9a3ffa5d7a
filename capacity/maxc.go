package capacity

import (
	"cmp"
	"strconv"
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
	Concurrency  int      `json:"concurrency"`
	Pass         bool     `json:"pass"`
	Failed       []string `json:"failed,omitempty"` // of "TTFT", "TPS" and "E2E", the targets it misses
	TTFTSeconds  float64  `json:"ttft_seconds"`
	TPS          float64  `json:"tps"`
	E2ESeconds   float64  `json:"e2e_seconds"`
	AggregateTPS float64  `json:"aggregate_tps"` // Concurrency x TPS; above the true output rate for DecodeTPS
}

// MaxC finds the highest measured level that meets every target that is set.
// Figures are compared exactly as measured and nothing is interpolated. That no
// level passes is a result, not an error; a target that is negative or not
// finite is [ErrTargets].
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

func (s *Sweep) verdict(i int, t Targets) LevelVerdict {
	l, e2e := s.levels[i], s.work.responseSeconds(s.levels[i])
	failed := t.failed(l.TTFTSeconds, l.TPS, e2e)
	return LevelVerdict{
		Concurrency:  l.Concurrency,
		Pass:         len(failed) == 0,
		Failed:       failed,
		TTFTSeconds:  l.TTFTSeconds,
		TPS:          l.TPS,
		E2ESeconds:   e2e,
		AggregateTPS: float64(l.Concurrency) * l.TPS,
	}
}

func figure(n int, atLeast bool) string {
	if atLeast {
		return strconv.Itoa(n) + "+"
	}
	return strconv.Itoa(n)
}
