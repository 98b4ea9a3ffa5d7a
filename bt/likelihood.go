package bt

import "math"

// slope is the first derivative of the penalised log-likelihood at a point, and
// the second with its sign turned: the information. Between items that is a
// Laplacian, bordered by the parameters beside the log-strengths.
type slope struct {
	score  []float64     // by parameter
	curve  []float64     // by edge: the weights of the Laplacian
	ground []float64     // by item: what a prior adds to its diagonal; nil without one
	border [][]float64   // by further parameter and item
	corner [2][2]float64 // between further parameters
	pseudo []float64     // by edge: what a Jeffreys prior adds to curve in a step; nil without one
}

func newSlope(p *problem) *slope {
	s := &slope{score: make([]float64, p.dim()), curve: make([]float64, len(p.edges))}
	if p.grounded() {
		s.ground = make([]float64, p.n)
	}
	for range p.extras() {
		s.border = append(s.border, make([]float64, p.n))
	}
	return s
}

// derive fills s at the parameters x.
func (p *problem) derive(x []float64, s *slope) {
	clear(s.score)
	for _, b := range s.border {
		clear(b)
	}
	s.corner = [2][2]float64{}
	if p.tieAt > 0 {
		p.deriveTies(x, s)
	} else {
		p.deriveWins(x, s)
	}
	p.derivePrior(x, s)
}

func (p *problem) deriveWins(x []float64, s *slope) {
	for k := range p.tallies {
		e, t := p.edges[k], &p.tallies[k]
		win, loss := chances(p.difference(x, k))
		g := t.win*loss - t.loss*win
		h := (t.win + t.loss) * win * loss
		s.score[e.i] += g
		s.score[e.j] -= g
		s.curve[k] = h
		if p.order != nil {
			p.deriveOrder(s, k, terms{d: g, dd: h})
		}
	}
}

func (p *problem) deriveTies(x []float64, s *slope) {
	at, u := p.tieAt-p.n, x[p.tieAt]
	for k := range p.tallies {
		e, t := p.edges[k], p.terms(&p.tallies[k], p.difference(x, k), u)
		s.score[e.i] += t.d
		s.score[e.j] -= t.d
		s.score[p.tieAt] += t.u
		s.curve[k] = t.dd
		s.border[at][e.i] += t.du
		s.border[at][e.j] -= t.du
		s.corner[at][at] += t.uu
		if p.order != nil {
			p.deriveOrder(s, k, t)
		}
	}
}

// deriveOrder adds what edge k says about the order effect.
func (p *problem) deriveOrder(s *slope, k int, t terms) {
	e, o, at := p.edges[k], p.order[k], p.orderAt-p.n
	s.score[p.orderAt] += o * t.d
	s.border[at][e.i] += o * t.dd
	s.border[at][e.j] -= o * t.dd
	s.corner[at][at] += o * o * t.dd
	if p.tieAt > 0 {
		s.corner[0][at] += o * t.du
		s.corner[at][0] = s.corner[0][at]
	}
}

// terms are the derivatives of a tally at the difference d and, where it is
// fitted, the logarithm u of the tie parameter.
func (p *problem) terms(t *tally, d, u float64) terms {
	switch {
	case p.tieAt == 0:
		win, loss := chances(d)
		return terms{d: t.win*loss - t.loss*win, dd: (t.win + t.loss) * win * loss}
	case p.ties == Davidson:
		return davidsonTerms(t, d, u)
	}
	return raoKupperTerms(t, d, u)
}

// difference is the log-strength that i has over j on edge k.
func (p *problem) difference(x []float64, k int) float64 {
	e := p.edges[k]
	d := x[e.i] - x[e.j]
	if p.order != nil {
		d += p.order[k] * x[p.orderAt]
	}
	return d
}

// logLikelihood leaves out priors (but not pseudo-wins, which are data) and the
// binomial coefficients.
func (p *problem) logLikelihood(x []float64) float64 {
	sum := 0.0
	for k := range p.tallies {
		sum += p.edgeLogLikelihood(k, x)
	}
	return sum
}

func (p *problem) edgeLogLikelihood(k int, x []float64) float64 {
	t, d := &p.tallies[k], p.difference(x, k)
	switch {
	case p.tieAt == 0:
		both := math.Log1p(math.Exp(-math.Abs(d)))
		return -(t.win+t.loss)*both - t.win*max(-d, 0) - t.loss*max(d, 0)
	case p.ties == Davidson:
		return davidsonLogLikelihood(t, d, x[p.tieAt])
	}
	return raoKupperLogLikelihood(t, d, x[p.tieAt])
}

// chancesOf are the fitted chances of edge k's outcomes.
func (p *problem) chancesOf(k int, x []float64) (win, loss, tie float64) {
	d := p.difference(x, k)
	switch {
	case p.tieAt == 0:
		win, loss = chances(d)
		return win, loss, 0
	case p.ties == Davidson:
		return davidsonChances(d, x[p.tieAt])
	}
	return raoKupperChances(d, x[p.tieAt])
}

// furthest is the difference of log-strengths up to which chances are computed.
const furthest = 700

// chances returns sigmoid(d) and sigmoid(-d), the small one with all its digits.
// Its one exponential takes no branch on the sign of d, which no processor could
// foresee.
func chances(d float64) (win, loss float64) {
	e := math.Exp(-min(max(d, -furthest), furthest))
	win = 1 / (1 + e)
	return win, e * win
}

// maxScore is the largest score of an item over the weight of its comparisons,
// the largest error of an item's expected share of wins; for the tie parameter
// and the order effect over the weight of the comparisons they apply to.
func (p *problem) maxScore(s *slope) float64 {
	worst := 0.0
	for i, w := range p.weight {
		if i < p.held {
			w += p.precision + 2*p.virtual
		}
		worst = max(worst, math.Abs(s.score[i])/w)
	}
	if p.tieAt > 0 {
		worst = max(worst, math.Abs(s.score[p.tieAt])/p.total)
	}
	if p.orderAt > 0 {
		worst = max(worst, math.Abs(s.score[p.orderAt])/p.placed)
	}
	return worst
}
