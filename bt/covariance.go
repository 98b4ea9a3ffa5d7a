package bt

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// information returns a solver for the information at the fitted point.
func (m *Model) information() *arrow {
	a := newArrow(m.p)
	a.factor(m.at)
	return a
}

// itemBlock is the part of a covariance of all parameters that belongs to items.
func (m *Model) itemBlock(cov *mat.SymDense) *mat.SymDense {
	if cov.SymmetricDim() == m.p.n {
		return cov
	}
	out := mat.NewSymDense(m.p.n, nil)
	out.CopySym(cov)
	return out
}

func stdErrs(cov mat.Symmetric) []float64 {
	out := make([]float64, cov.SymmetricDim())
	for i := range out {
		out[i] = math.Sqrt(cov.At(i, i))
	}
	return out
}
