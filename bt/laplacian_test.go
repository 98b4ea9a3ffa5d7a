package bt

import (
	"math/rand/v2"
	"testing"

	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
)

// The factor solves L x = b, checked by multiplying back, with and without a
// ground.
func TestLaplacianSolve(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for n := 2; n < 40; n++ {
		var edges []edge
		var w []float64
		for i := range n {
			for j := i + 1; j < n; j++ {
				if j == i+1 || rng.IntN(3) == 0 {
					edges, w = append(edges, edge{int32(i), int32(j)}), append(w, rng.ExpFloat64())
				}
			}
		}
		b, ground, weight := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range b {
			b[i], ground[i], weight[i] = rng.NormFloat64(), rng.ExpFloat64(), rng.Float64()
		}
		centre(b)
		for _, g := range [][]float64{nil, ground} {
			l, x := newLaplacian(edges, byWeight(weight)), make([]float64, n)
			l.factor(&slope{curve: w, ground: g})
			l.solve(x, b)
			back := make([]float64, n)
			for k, e := range edges {
				flow := w[k] * (x[e.i] - x[e.j])
				back[e.i] += flow
				back[e.j] -= flow
			}
			for i := range g {
				back[i] += g[i] * x[i]
			}
			nearAll(t, b, back, 1e-10, "b")
		}
	}
}

// A chain of resistors whose conductances span 24 decades: the voltage drop
// over each link is its resistance, to full precision.
func TestLaplacianKeepsLightEdges(t *testing.T) {
	w := []float64{1e12, 1e-12, 3, 1e12, 7e-12}
	var edges []edge
	for i := range w {
		edges = append(edges, edge{int32(i), int32(i + 1)})
	}
	n := len(w) + 1
	l, x, b := newLaplacian(edges, byWeight(make([]float64, n))), make([]float64, n), make([]float64, n)
	b[0], b[n-1] = 1, -1
	l.factor(&slope{curve: w})
	l.solve(x, b)
	testkit.Rel(t, 1/1e12+1/1e-12+1.0/3+1/1e12+1/7e-12, x[0]-x[n-1], 1e-14, "resistance of the chain")
	assert.InDelta(t, 1/7e-12, x[4]-x[5], 1e-3)
}
