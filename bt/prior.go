package bt

import (
	"fmt"
	"math"
)

// Prior makes a fit finite where the data alone do not: one of [Gaussian],
// [VirtualPlayer], [PseudoWins] and [Jeffreys].
type Prior interface {
	check() error
	apply(p *problem)
	describe() string
}

// Gaussian draws each log-strength from a normal distribution of mean 0 and
// standard deviation SD. It ranks disconnected and separable data.
type Gaussian struct{ SD float64 }

// VirtualPlayer lets every item win and lose Wins comparisons against a player
// of log-strength 0, a logistic prior (Newman 2023). Log-strengths are relative
// to that player, strengths to the average item. It ranks disconnected and
// separable data.
type VirtualPlayer struct{ Wins float64 }

// PseudoWins adds PerPair wins each way to every pair that was played. They
// count as data in the log-likelihood and the deviance. It ranks separable data.
type PseudoWins struct{ PerPair float64 }

// Jeffreys is Firth's penalty (1993), half the log determinant of the
// information, which removes the first-order bias. Standard errors come from
// the information without it. It ranks separable data; a fitted tie parameter
// is not supported with it.
type Jeffreys struct{}

func (g Gaussian) check() error      { return positive("standard deviation", g.SD) }
func (v VirtualPlayer) check() error { return positive("virtual wins", v.Wins) }
func (w PseudoWins) check() error    { return positive("pseudo-wins", w.PerPair) }
func (Jeffreys) check() error        { return nil }

func (g Gaussian) apply(p *problem)      { p.held, p.precision = p.n, 1/(g.SD*g.SD) }
func (v VirtualPlayer) apply(p *problem) { p.held, p.virtual = p.n, v.Wins }
func (w PseudoWins) apply(p *problem)    { p.pseudo = w.PerPair }
func (Jeffreys) apply(p *problem)        { p.jeffreys = true }

func (g Gaussian) describe() string { return fmt.Sprintf("Gaussian, standard deviation %g", g.SD) }
func (v VirtualPlayer) describe() string {
	return fmt.Sprintf("virtual player, each item's wins and losses against it %g", v.Wins)
}
func (w PseudoWins) describe() string {
	return fmt.Sprintf("pseudo-wins, %g each way for every pair played", w.PerPair)
}
func (Jeffreys) describe() string { return "Jeffreys" }

// positive also refuses what would lose its digits as a square or a reciprocal.
func positive(name string, x float64) error {
	if !(x >= 1e-100 && x <= 1e100) {
		return fmt.Errorf("%w: prior with %s %v", ErrOptions, name, x)
	}
	return nil
}

// derivePrior adds the slope of the penalties on items and of the springs.
func (p *problem) derivePrior(x []float64, s *slope) {
	for i := range p.held {
		win, loss := chances(x[i])
		s.score[i] += p.virtual*(loss-win) - p.precision*x[i]
		s.ground[i] = p.precision + 2*p.virtual*win*loss
	}
	for k, stiff := range p.springs {
		e := p.edges[k]
		g := stiff * (x[e.j] - x[e.i])
		s.score[e.i] += g
		s.score[e.j] -= g
		s.curve[k] += stiff
	}
}

// penalty is what the priors take from the log-likelihood.
func (p *problem) penalty(x []float64) float64 {
	sum := 0.0
	for _, xi := range x[:p.held] {
		sum += p.precision*xi*xi/2 + p.virtual*(math.Abs(xi)+2*math.Log1p(math.Exp(-math.Abs(xi))))
	}
	for k, stiff := range p.springs {
		d := x[p.edges[k].i] - x[p.edges[k].j]
		sum += stiff * d * d / 2
	}
	return sum
}

// grounded says whether a prior holds log-strengths by themselves.
func (p *problem) grounded() bool { return p.held > 0 }
