package capacity

// ParetoPoint is a measured level that no other beats on both speeds.
type ParetoPoint struct {
	Concurrency int     `json:"concurrency"`
	TPS         float64 `json:"tps"`        // of one request, in the sweep's kind
	OutputTPS   float64 `json:"output_tps"` // of all: output tokens x C / request time
	E2ETPS      float64 `json:"e2e_tps"`    // of one request, tokens by its whole time
}

// Pareto returns the levels that trade the speed of one request against that of
// all, by rising concurrency; a level as good as another on one and worse on
// the other is left out. The aggregate is by Little's law, not C x TPS, which
// leaves the time to the first token out of a DecodeTPS.
func (s *Sweep) Pareto() []ParetoPoint {
	if s.check() != nil {
		return nil
	}
	var all, best []ParetoPoint
	for _, l := range s.levels {
		e2e := float64(s.work.OutputTokens) / s.work.responseSeconds(l)
		all = append(all, ParetoPoint{l.Concurrency, l.TPS, e2e * float64(l.Concurrency), e2e})
	}
	for _, p := range all {
		if !p.beaten(all) {
			best = append(best, p)
		}
	}
	return best
}

// beaten also by a point that ties on one speed: nobody would choose p.
func (p ParetoPoint) beaten(by []ParetoPoint) bool {
	for _, q := range by {
		if q.TPS >= p.TPS && q.OutputTPS >= p.OutputTPS && (q.TPS > p.TPS || q.OutputTPS > p.OutputTPS) {
			return true
		}
	}
	return false
}
