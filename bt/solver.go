package bt

import (
	"example.com/servemath/internal/resample"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// solver solves L x = b for the Laplacian L of an information. For an ungrounded
// L, b and x are taken to sum to zero.
type solver interface {
	factor(s *slope)
	solve(x, b []float64)
	clone() solver // shares the factor, for another goroutine's solves
}

// newSolver eliminates where that is cheap: for up to 100 items, for up to 500
// of which a tenth of the pairs met, and where the pairs form a narrow band.
// Elsewhere conjugate gradients are quicker.
func newSolver(p *problem) solver {
	pairs := float64(p.n) * float64(p.n-1) / 2
	if p.n <= 100 || p.n <= 500 && float64(len(p.edges)) >= pairs/10 || p.jeffreys {
		return newLaplacian(p.edges, byWeight(p.weight))
	}
	if order, cheap := p.band(); cheap {
		return newLaplacian(p.edges, order)
	}
	return newPCG(p)
}

// arrow solves with the whole information: the Laplacian between items, bordered
// by the tie parameter and the order effect.
type arrow struct {
	p     *problem
	base  solver
	dual  [][]float64   // L^-1 of the borders
	schur [2][2]float64 // inverse of what the borders leave of the corner
	b     []float64
}

func newArrow(p *problem) *arrow {
	a := &arrow{p: p, base: newSolver(p), b: make([]float64, p.n)}
	for range p.extras() {
		a.dual = append(a.dual, make([]float64, p.n))
	}
	return a
}

// factor prepares for the information in s.
func (a *arrow) factor(s *slope) {
	a.base.factor(s)
	left := s.corner
	for r, border := range s.border {
		a.solveItems(a.dual[r], border)
		for q := range r + 1 {
			left[q][r] -= floats.Dot(s.border[q], a.dual[r])
			left[r][q] = left[q][r]
		}
	}
	a.schur = inverse2(left, len(s.border))
}

// solve sets x to the solution for the right-hand side b, both over all
// parameters.
func (a *arrow) solve(x, b []float64) {
	n := a.p.n
	a.solveItems(x[:n], b[:n])
	extra := b[n:]
	for r := range extra {
		x[n+r] = 0
		for q := range extra {
			x[n+r] += a.schur[r][q] * (extra[q] - floats.Dot(a.dual[q], b[:n]))
		}
	}
	for r, dual := range a.dual {
		for i, y := range dual {
			x[i] -= y * x[n+r]
		}
	}
}

// solveItems solves between items; without a ground it works on vectors of
// mean zero.
func (a *arrow) solveItems(x, b []float64) {
	if a.p.grounded() {
		a.base.solve(x, b)
		return
	}
	copy(a.b, b)
	centre(a.b)
	a.base.solve(x, a.b)
	centre(x)
}

// columns calls f with each column of the covariance of all parameters, from
// several goroutines.
func (a *arrow) columns(f func(j int, column []float64)) {
	dim := a.p.dim()
	type scratch struct {
		*arrow
		b, x []float64
	}
	resample.Each(dim, func() scratch {
		return scratch{a.clone(), make([]float64, dim), make([]float64, dim)}
	}, func(j int, s scratch) {
		clear(s.b)
		s.b[j] = 1
		s.solve(s.x, s.b)
		f(j, s.x)
	})
}

func (a *arrow) clone() *arrow {
	out := *a
	out.base, out.b = a.base.clone(), make([]float64, a.p.n)
	return &out
}

// inverse is the covariance of all parameters.
func (a *arrow) inverse() *mat.SymDense {
	cov := mat.NewSymDense(a.p.dim(), nil)
	a.columns(func(j int, column []float64) {
		for i, c := range column[:j+1] {
			cov.SetSym(i, j, c)
		}
	})
	return cov
}

// inverse2 inverts the leading k by k block of a symmetric matrix.
func inverse2(m [2][2]float64, k int) (out [2][2]float64) {
	switch k {
	case 1:
		out[0][0] = 1 / m[0][0]
	case 2:
		det := m[0][0]*m[1][1] - m[0][1]*m[1][0]
		out[0][0], out[1][1] = m[1][1]/det, m[0][0]/det
		out[0][1] = -m[0][1] / det
		out[1][0] = out[0][1]
	}
	return out
}
