package bt

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// firth adds the Jeffreys prior: its slope is that of half the log determinant
// of the information, h/2 pseudo-wins each way for an edge of leverage h (Firth
// 1993). Steps take those h comparisons as given, which is exact where no cycle
// of pairs was played, and converges linearly elsewhere.
type firth struct {
	p      *problem
	system *arrow
	steep  *slope // the information with the pseudo-wins
}

func newFirth(p *problem, system *arrow) *firth { return &firth{p, system, newSlope(p)} }

// derive adds to the score, and keeps the curvature of the pseudo-wins beside
// that of the data, from which the standard errors come.
func (f *firth) derive(x []float64, s *slope) {
	f.system.factor(s)
	cov := f.system.inverse()
	if s.pseudo == nil {
		s.pseudo = make([]float64, len(f.p.edges))
	}
	for k, e := range f.p.edges {
		win, loss := chances(f.p.difference(x, k))
		leverage := s.curve[k] * f.p.variance(cov, k)
		g := leverage * (loss - win) / 2
		s.pseudo[k] = leverage * win * loss
		s.score[e.i] += g
		s.score[e.j] -= g
		if f.p.order != nil {
			s.score[f.p.orderAt] += f.p.order[k] * g
		}
	}
}

// information is that of s with the pseudo-wins.
func (f *firth) information(s *slope) *slope {
	t := f.steep
	t.corner = s.corner
	for r := range s.border {
		copy(t.border[r], s.border[r])
	}
	for k, h := range s.pseudo {
		t.curve[k] = s.curve[k] + h
		if f.p.order != nil {
			f.p.deriveOrder(t, k, terms{dd: h})
		}
	}
	return t
}

// variance of edge k's difference.
func (p *problem) variance(cov mat.Symmetric, k int) float64 {
	i, j := int(p.edges[k].i), int(p.edges[k].j)
	v := cov.At(i, i) + cov.At(j, j) - 2*cov.At(i, j)
	if p.order != nil {
		o, at := p.order[k], p.orderAt
		v += 2*o*(cov.At(i, at)-cov.At(j, at)) + o*o*cov.At(at, at)
	}
	return v
}

// logDet is the log determinant of the information up to a constant.
func (f *firth) logDet(s *slope) float64 {
	f.system.factor(s)
	sum := 0.0
	for _, pivot := range f.system.base.(*laplacian).pivot {
		if pivot > 0 {
			sum += math.Log(pivot)
		}
	}
	if f.p.orderAt > 0 {
		sum -= math.Log(f.system.schur[0][0])
	}
	return sum
}
