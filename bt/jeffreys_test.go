package bt

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// penalised is the log-likelihood plus half the log determinant of the
// information without the first item's row and column, built entry by entry.
func penalised(p *problem, x []float64) float64 {
	dim := p.dim()
	info := mat.NewSymDense(dim, nil)
	for k, t := range p.tallies {
		win, loss := chances(p.difference(x, k))
		row := make([]float64, dim)
		row[p.edges[k].i], row[p.edges[k].j] = 1, -1
		if p.orderAt > 0 {
			row[p.orderAt] = p.order[k]
		}
		info.SymRankOne(info, t.total()*win*loss, mat.NewVecDense(dim, row))
	}
	var chol mat.Cholesky
	if !chol.Factorize(info.SliceSym(1, dim).(*mat.SymDense)) {
		panic("not positive definite")
	}
	return p.logLikelihood(x) + chol.LogDet()/2
}

// However few the comparisons, if they join the items there is a fit, and no
// parameter gains from moving.
func TestJeffreysAlwaysFits(t *testing.T) {
	rng := newRand(40)
	fits := 0
	for range 500 {
		d := play(rng, 2+rng.IntN(3), 1+rng.IntN(25))
		o := Options{Prior: Jeffreys{}, OrderEffect: rng.IntN(2) == 0, Ties: []TieModel{HalfWin, DropTies}[rng.IntN(2)]}
		m, err := Fit(d, &o)
		var not *NotConvergedError
		require.False(t, errors.As(err, &not), "%v: %+v", err, d.cells)
		if err != nil {
			continue
		}
		fits++
		best := penalised(m.p, m.x)
		for i := range m.x {
			for _, h := range []float64{-1e-4, 1e-4} {
				m.x[i] += h
				require.Less(t, penalised(m.p, m.x), best+1e-11)
				m.x[i] -= h
			}
		}
	}
	assert.Greater(t, fits, 300)
}
