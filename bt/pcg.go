package bt

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// pcg solves with a sparse Laplacian by conjugate gradients, preconditioned by
// its diagonal.
type pcg struct {
	p       *problem
	s       *slope
	forcing float64   // relative accuracy of a solve
	inverse []float64 // of L's diagonal
	r, z    []float64 // residual, and preconditioned
	d, q    []float64 // search direction, and L times it
}

func newPCG(p *problem) *pcg {
	vectors := make([]float64, 5*p.n)
	part := func(k int) []float64 { return vectors[k*p.n : (k+1)*p.n] }
	return &pcg{p: p, forcing: exact, inverse: part(0), r: part(1), z: part(2), d: part(3), q: part(4)}
}

const (
	exact = 1e-11 // accuracy of solves that stand in for a factor's
	round = 1e-6  // accuracy that one run of the recurrence can be trusted to reach
)

func (c *pcg) factor(s *slope) {
	c.s = s
	clear(c.inverse)
	copy(c.inverse, s.ground)
	for k, e := range c.p.edges {
		c.inverse[e.i] += s.curve[k]
		c.inverse[e.j] += s.curve[k]
	}
	for i, d := range c.inverse {
		c.inverse[i] = 1 / d
	}
}

func (c *pcg) clone() solver {
	out := newPCG(c.p)
	out.s, out.forcing = c.s, c.forcing
	copy(out.inverse, c.inverse)
	return out
}

// solve runs the recurrence, and again on what it left, until the residual has
// shrunk by the forcing: the recurrence's own residual drifts from the true one.
func (c *pcg) solve(x, b []float64) {
	clear(x)
	copy(c.r, b)
	first := c.precondition()
	for left := first; left > c.forcing*first; {
		c.run(x, max(c.forcing*first, round*left))
		c.residual(x, b)
		now := c.precondition()
		if !(now < left/2) {
			return
		}
		left = now
	}
}

// run improves x until the preconditioned residual norm is at most target.
func (c *pcg) run(x []float64, target float64) {
	copy(c.d, c.z)
	rz := floats.Dot(c.r, c.z)
	for range 20 * c.p.n {
		c.multiply()
		step := rz / floats.Dot(c.d, c.q)
		floats.AddScaled(x, step, c.d)
		floats.AddScaled(c.r, -step, c.q)
		floats.MulTo(c.z, c.r, c.inverse)
		next := floats.Dot(c.r, c.z)
		if !(next > target*target) {
			return
		}
		floats.AddScaledTo(c.d, c.z, next/rz, c.d)
		rz = next
	}
}

// multiply sets q to L d, row by row of the upper triangle.
func (c *pcg) multiply() {
	d, q, w := c.d, c.q, c.s.curve
	clear(q)
	for i, g := range c.s.ground {
		q[i] = g * d[i]
	}
	for i, di := range d {
		sum := 0.0
		from, to := c.p.start[i], c.p.start[i+1]
		row := w[from:to]
		for k, e := range c.p.edges[from:to] {
			flow := row[k] * (di - d[e.j])
			sum += flow
			q[e.j] -= flow
		}
		q[i] += sum
	}
}

// residual sets r to b - L x; without a ground its mean, which is rounding, is
// projected out.
func (c *pcg) residual(x, b []float64) {
	copy(c.d, x)
	c.multiply()
	for i, y := range b {
		c.r[i] = y - c.q[i]
	}
	if !c.p.grounded() {
		centre(c.r)
	}
}

// precondition sets z and returns the norm of the residual.
func (c *pcg) precondition() float64 {
	floats.MulTo(c.z, c.r, c.inverse)
	return math.Sqrt(floats.Dot(c.r, c.z))
}
