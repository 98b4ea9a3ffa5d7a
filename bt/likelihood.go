package bt

import "math"

// slope is the first and second derivative of the log-likelihood at a point.
type slope struct {
	score []float64 // gradient by log-strength
	curve []float64 // -(second derivative) by the difference, an edge each
}

func newSlope(p *problem) *slope {
	return &slope{score: make([]float64, p.n), curve: make([]float64, len(p.edges))}
}

// derive fills s at the log-strengths x.
func (p *problem) derive(x []float64, s *slope) {
	clear(s.score)
	for k, e := range p.edges {
		t := &p.tallies[k]
		win, loss := chances(x[e.i] - x[e.j])
		g := t.win*loss - t.loss*win
		s.score[e.i] += g
		s.score[e.j] -= g
		s.curve[k] = (t.win + t.loss) * win * loss
	}
}

// logLikelihood leaves out the binomial coefficients.
func (p *problem) logLikelihood(x []float64) float64 {
	sum := 0.0
	for k, e := range p.edges {
		t := &p.tallies[k]
		d := x[e.i] - x[e.j]
		both := math.Log1p(math.Exp(-math.Abs(d)))
		sum -= (t.win+t.loss)*both + t.win*max(-d, 0) + t.loss*max(d, 0)
	}
	return sum
}

// chances returns sigmoid(d) and sigmoid(-d), the small one with all its digits.
func chances(d float64) (win, loss float64) {
	e := math.Exp(-math.Abs(d))
	large := 1 / (1 + e)
	if d < 0 {
		return e * large, large
	}
	return large, e * large
}

// maxScore is the largest score of an item over the weight of its comparisons:
// the largest error of an item's expected share of wins.
func (p *problem) maxScore(s *slope) float64 {
	worst := 0.0
	for i, g := range s.score {
		worst = max(worst, math.Abs(g)/p.weight[i])
	}
	return worst
}
