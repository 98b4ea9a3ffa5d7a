package bt

import (
	"testing"

	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSwitch(t *testing.T) {
	for _, tt := range []struct {
		n, edges int
		want     bool
	}{{10, 9, false}, {100, 99, false}, {101, 504, true}, {101, 505, false}, {500, 12_474, true}, {500, 12_475, false}, {501, 125_250, true}} {
		p := &problem{n: tt.n, edges: make([]edge, tt.edges)}
		assert.Equal(t, tt.want, p.sparse(), "%+v", tt)
	}
}

// Conjugate gradients and elimination solve the same systems, grounded or not.
func TestSolversAgree(t *testing.T) {
	for _, o := range []Options{{}, {Prior: Gaussian{SD: 1}}} {
		for _, d := range []*Data{chain(130, 20), scattered(200, 1000, 30, 0)} {
			p := newProblem(len(d.items), d.cells, o)
			require.True(t, p.sparse())
			s, x := newSlope(p), make([]float64, p.dim())
			p.guess(x)
			p.derive(x, s)
			cg, dense := newPCG(p), newLaplacian(p.edges, p.n, p.weight)
			cg.factor(s)
			dense.factor(s)
			want, got := make([]float64, p.n), make([]float64, p.n)
			b := make([]float64, p.n)
			b[0], b[p.n-1] = 1, -1
			dense.solve(want, b)
			for _, solver := range []solver{cg, cg.clone()} {
				solver.solve(got, b)
				if o.Prior == nil {
					centre(want)
					centre(got)
				}
				nearAll(t, want, got, 1e-8*max(1, want[0]), "x")
			}
		}
	}
}

// Fits of sparse data against elimination on the same data.
func TestSparseFitsAgreeWithDense(t *testing.T) {
	for _, o := range []Options{
		{}, {Prior: Gaussian{SD: 1}}, {Prior: VirtualPlayer{Wins: 1}}, {Prior: PseudoWins{PerPair: 1}},
		{OrderEffect: true}, {Ties: Davidson}, {Ties: RaoKupper, OrderEffect: true},
	} {
		d := placedChain(120)
		o.Tolerance = 1e-12
		m, err := Fit(d, &o)
		require.NoError(t, err, "%+v", o)
		require.True(t, m.p.sparse())
		w := newNewton(m.p, m.options)
		w.system.base = newLaplacian(m.p.edges, m.p.n, m.p.weight)
		m.p.guess(w.x)
		_, err = w.run()
		require.NoError(t, err)
		if !m.p.grounded() {
			centre(w.x[:m.p.n])
		}
		nearAll(t, w.x, m.x, 1e-7, "parameters")
		w.system.factor(w.at)
		nearAll(t, stdErrs(m.itemBlock(w.system.inverse())), m.StdErrs(), 1e-7, "standard errors")
		sp, err := m.spread(nil)
		require.NoError(t, err)
		cov := m.Covariance()
		testkit.Rel(t, cov.At(3, 3)+cov.At(90, 90)-2*cov.At(3, 90), sp.difference(3, 90), 1e-6, "variance of a difference")
	}
}

// placedChain is a chain whose comparisons are placed and sometimes tie.
func placedChain(n int) *Data {
	rng := newRand(31)
	d, names, x := field(rng, n)
	for i := range n {
		for j := i + 1; j <= min(i+2, n-1); j++ {
			for k := range 60 {
				a, b, lead := i, j, x[i]-x[j]
				if k%2 == 0 {
					a, b, lead = j, i, -lead
				}
				c := Comparison{A: names[a], B: names[b]}
				if u := rng.Float64(); u < 0.15 {
					c.Outcome = 0.5
				} else if rng.Float64() < sigmoid(lead+0.3) {
					c.Outcome = 1
				}
				d.Add(c)
			}
		}
	}
	return d
}
