package bt

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// covariance inverts the information at the fitted point on mean-zero vectors.
func (m *Model) covariance() *mat.SymDense {
	n := m.p.n
	f := newLaplacian(n, m.p.weight)
	f.factor(m.p.edges, m.at.curve, nil)
	cov := mat.NewSymDense(n, nil)
	b, x := make([]float64, n), make([]float64, n)
	for j := range n {
		for i := range b {
			b[i] = -1 / float64(n)
		}
		b[j]++
		f.solve(x, b)
		centre(x)
		for i := range j + 1 {
			cov.SetSym(i, j, x[i])
		}
	}
	return cov
}

func stdErrs(cov mat.Symmetric) []float64 {
	out := make([]float64, cov.SymmetricDim())
	for i := range out {
		out[i] = math.Sqrt(cov.At(i, i))
	}
	return out
}
