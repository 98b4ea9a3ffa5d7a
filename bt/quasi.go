package bt

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// QuasiVariances returns one figure an item, so that the variance of any
// difference of two log-strengths is about the sum of theirs (Firth and de
// Menezes 2004), and the largest relative error of the standard errors made up
// that way. They minimise the sum over pairs of the squared log ratio of both
// variances. A single one may be negative; their sums are not. With fewer than
// 3 items it fails with [ErrUnsupported].
func (m *Model) QuasiVariances() (qv []float64, worstRelErr float64, err error) {
	if m.p.n < 3 {
		return nil, 0, fmt.Errorf("%w: quasi-variances of %d items", ErrUnsupported, m.p.n)
	}
	v := differences(m.Covariance())
	qv = quasiStart(v)
	if err := quasiFit(qv, v); err != nil {
		return nil, 0, err
	}
	for i := range qv {
		for j := range i {
			worstRelErr = max(worstRelErr, math.Abs(math.Sqrt((qv[i]+qv[j])/v.At(i, j))-1))
		}
	}
	return qv, worstRelErr, nil
}

// differences are the variances of all differences of two items.
func differences(cov mat.Symmetric) *mat.SymDense {
	n := cov.SymmetricDim()
	v := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i {
			v.SetSym(i, j, cov.At(i, i)+cov.At(j, j)-2*cov.At(i, j))
		}
	}
	return v
}

// quasiStart solves the same problem without logarithms, which is linear; where
// that leaves a negative sum, half the mean variance of an item's differences.
func quasiStart(v mat.Symmetric) []float64 {
	n := v.SymmetricDim()
	rows, total := make([]float64, n), 0.0
	for i := range n {
		for j := range n {
			rows[i] += v.At(i, j)
		}
		total += rows[i]
	}
	q := make([]float64, n)
	for i := range q {
		q[i] = (rows[i] - total/float64(2*(n-1))) / float64(n-2)
	}
	if !sumsPositive(q) {
		for i := range q {
			q[i] = rows[i] / float64(2*(n-1))
		}
	}
	return q
}

func sumsPositive(q []float64) bool {
	low, next := math.Inf(1), math.Inf(1)
	for _, x := range q {
		low, next = min(low, x), min(next, max(low, x))
	}
	return low+next > 0
}

// quasiFit runs damped Gauss-Newton steps (Levenberg 1944).
func quasiFit(q []float64, v mat.Symmetric) error {
	n := len(q)
	loss, damping := quasiLoss(q, v), 1e-6
	trial := make([]float64, n)
	for range 500 {
		step, slope := quasiStep(q, v, damping)
		if slope < 1e-15 {
			return nil
		}
		for i := range q {
			trial[i] = q[i] + step[i]
		}
		if now := quasiLoss(trial, v); now <= loss {
			copy(q, trial)
			if loss-now <= 1e-16*loss {
				return nil
			}
			loss, damping = now, damping/10
		} else if damping *= 10; damping > 1e12 {
			return nil
		}
	}
	return errors.New("bt: quasi-variances did not converge")
}

func quasiLoss(q []float64, v mat.Symmetric) float64 {
	if !sumsPositive(q) {
		return math.Inf(1)
	}
	sum := 0.0
	for i := range q {
		for j := range i {
			r := math.Log((q[i] + q[j]) / v.At(i, j))
			sum += r * r
		}
	}
	return sum
}

// quasiStep returns a step and how far the loss would fall along it.
func quasiStep(q []float64, v mat.Symmetric, damping float64) (step []float64, slope float64) {
	n := len(q)
	a, g := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	for i := range n {
		for j := range i {
			sum := q[i] + q[j]
			r, d := math.Log(sum/v.At(i, j)), 1/sum
			g.SetVec(i, g.AtVec(i)-r*d)
			g.SetVec(j, g.AtVec(j)-r*d)
			a.SetSym(i, j, d*d)
			a.SetSym(i, i, a.At(i, i)+d*d)
			a.SetSym(j, j, a.At(j, j)+d*d)
		}
	}
	for i := range n {
		a.SetSym(i, i, a.At(i, i)*(1+damping))
	}
	var chol mat.Cholesky
	var x mat.VecDense
	if !chol.Factorize(a) || chol.SolveVecTo(&x, g) != nil {
		return make([]float64, n), math.Inf(1)
	}
	return x.RawVector().Data, mat.Dot(&x, g)
}
