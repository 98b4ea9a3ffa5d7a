package bt

import (
	"slices"
	"testing"

	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Which solver the documented rule chooses.
func TestSwitch(t *testing.T) {
	for name, tt := range map[string]struct {
		d     *Data
		dense bool
	}{
		"100 items":                      {scattered(100, 300, 1, 0), true},
		"a tenth of the pairs":           {scattered(200, 1990, 1, 0), true},
		"less than a tenth":              {scattered(200, 1989, 1, 0), false},
		"more than 500 items, all pairs": {scattered(501, 12_600, 1, 0), false},
		"a chain":                        {chain(1000, 1), true},
		"many scattered pairs":           {scattered(1000, 9000, 1, 0), false},
		"few scattered pairs":            {scattered(3000, 6000, 1, 0), false},
	} {
		p := newProblem(len(tt.d.items), tt.d.cells, Options{})
		_, dense := newSolver(p).(*laplacian)
		assert.Equal(t, tt.dense, dense, name)
	}
}

// A chain whose items appear in any order becomes a narrow band again.
func TestBandOfAShuffledChain(t *testing.T) {
	rng := newRand(50)
	place := rng.Perm(400)
	p := &problem{n: 400}
	for i := range 399 {
		for j := i + 1; j <= min(i+2, 399); j++ {
			p.edges = append(p.edges, edge{int32(min(place[i], place[j])), int32(max(place[i], place[j]))})
		}
	}
	order, cheap := p.band()
	assert.True(t, cheap)
	assert.Len(t, order, 400)
	lengths, size := newLaplacian(p.edges, order).lengths()
	assert.LessOrEqual(t, slices.Max(lengths), 4)
	assert.Less(t, size, 4*400)
}

// Conjugate gradients and elimination solve the same systems, grounded or not.
func TestSolversAgree(t *testing.T) {
	for _, o := range []Options{{}, {Prior: Gaussian{SD: 1}}} {
		for _, d := range []*Data{chain(130, 20), scattered(200, 1000, 30, 0)} {
			p := newProblem(len(d.items), d.cells, o)
			s, x := newSlope(p), make([]float64, p.dim())
			p.guess(x)
			p.derive(x, s)
			cg, dense := newPCG(p), newLaplacian(p.edges, byWeight(p.weight))
			cg.factor(s)
			dense.factor(s)
			want, got := make([]float64, p.n), make([]float64, p.n)
			b := make([]float64, p.n)
			b[0], b[p.n-1] = 1, -1
			dense.solve(want, b)
			order, _ := p.band()
			band := newLaplacian(p.edges, order)
			band.factor(s)
			for _, solver := range []solver{cg, cg.clone(), band, band.clone()} {
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
		d := placedNeighbours(300)
		o.Tolerance = 1e-12
		m, err := Fit(d, &o)
		require.NoError(t, err, "%+v", o)
		_, sparse := newSolver(m.p).(*pcg)
		require.True(t, sparse)
		w := newNewton(m.p, m.options)
		w.system.base = newLaplacian(m.p.edges, byWeight(m.p.weight))
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

// placedNeighbours has scattered pairs whose comparisons are placed and
// sometimes tie.
func placedNeighbours(n int) *Data {
	rng := newRand(31)
	d, names, x := field(rng, n)
	for i := range n {
		for range 4 {
			j := (i + 1 + rng.IntN(n-1)) % n
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
