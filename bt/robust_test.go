package bt

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

func TestGoldenSandwich(t *testing.T) {
	g, d := nvidia(t)
	m, err := Fit(d, nil)
	require.NoError(t, err)
	g.checkFit(t, m)
	type want struct {
		Clusters   int
		StdErrs    []float64   `json:"standard_errors"`
		Covariance [][]float64 `json:"covariance"`
	}
	var file struct {
		Sandwich struct {
			Unit    want `json:"HC0_per_comparison"`
			Machine want `json:"cluster_by_machine"`
			Model   want `json:"cluster_by_model"`
			Run     want `json:"cluster_by_machine_model"`
		}
	}
	readInto(t, "e_nvidia_single", &file)
	for _, tt := range []struct {
		by   []string
		want want
	}{
		{nil, file.Sandwich.Unit},
		{[]string{"machine"}, file.Sandwich.Machine},
		{[]string{"model"}, file.Sandwich.Model},
		{[]string{"run"}, file.Sandwich.Run},
	} {
		r, err := m.Robust(tt.by...)
		require.NoError(t, err)
		assert.Equal(t, tt.want.Clusters, r.Clusters, "%v", tt.by)
		nearAll(t, tt.want.StdErrs, r.StdErrs, tolStdErr, "standard errors")
		checkCovariance(t, tt.want.Covariance, r.Cov)
		assert.Equal(t, tt.want.Clusters < fewClusters, len(r.Warnings) > 0, "%v", tt.by)
		g := float64(r.Clusters)
		testkit.Near(t, r.Cov.At(0, 1)*g/(g-1), r.Corrected().Cov.At(0, 1), 1e-15, "corrected")
	}
}

// Cameron, Gelbach and Miller (2011): machine plus model minus their
// combination, here the runs.
func TestTwoWayClusters(t *testing.T) {
	_, d := nvidia(t)
	m, err := Fit(d, nil)
	require.NoError(t, err)
	parts := map[string]*Robust{}
	for _, by := range []string{"machine", "model", "run"} {
		parts[by], err = m.Robust(by)
		require.NoError(t, err)
	}
	r, err := m.Robust("machine", "model")
	require.NoError(t, err)
	assert.Equal(t, 10, r.Clusters)
	for i := range 4 {
		for j := range 4 {
			want := parts["machine"].Cov.At(i, j) + parts["model"].Cov.At(i, j) - parts["run"].Cov.At(i, j)
			testkit.Near(t, want, r.Cov.At(i, j), 1e-12, "covariance %d %d", i, j)
		}
	}
}

// A comparison of count 5 is five comparisons, one of weight 5 is not.
func TestCountsAndWeights(t *testing.T) {
	fit := func(count, weight float64) *Robust {
		var d Data
		for _, c := range []Comparison{
			{A: "A", B: "B", Outcome: 1, Count: 2}, {A: "B", B: "A", Outcome: 1},
			{A: "B", B: "C", Outcome: 0.7, Count: count, Weight: weight}, {A: "C", B: "A", Outcome: 0.5},
		} {
			d.Add(c)
		}
		m, err := Fit(&d, nil)
		require.NoError(t, err)
		r, err := m.Robust()
		require.NoError(t, err)
		// The slow twin: every unit comparison by itself.
		meat := mat.NewSymDense(3, nil)
		for i := range d.cells {
			c := d.cells[i]
			for kind, n := range []float64{c.win, c.loss, c.tie} {
				for range int(n) {
					p := sigmoid(m.x[c.lo] - m.x[c.hi])
					share := []float64{c.share, 1 - c.share, 0.5}[kind]
					g := make([]float64, 3)
					g[c.lo], g[c.hi] = c.weight*(share-p), -c.weight*(share-p)
					meat.SymRankOne(meat, 1, mat.NewVecDense(3, g))
				}
			}
		}
		want := sandwich(m.Covariance(), meat)
		assert.True(t, mat.EqualApprox(want, r.Cov, 1e-12))
		return r
	}
	five, heavy := fit(5, 1), fit(1, 5)
	assert.Equal(t, 9, five.Clusters)
	assert.Equal(t, 5, heavy.Clusters)
	assert.Greater(t, heavy.StdErrs[1], five.StdErrs[1])
}

// For a model that holds, the sandwich of unit comparisons estimates the same
// variance as the information, also with a tie parameter and an order effect.
func TestSandwichAgreesWithInformation(t *testing.T) {
	for _, o := range []Options{{}, {OrderEffect: true}, {Ties: Davidson, OrderEffect: true}, {Ties: RaoKupper, OrderEffect: true}} {
		d := simulated(rand.New(rand.NewPCG(7, 8)), o, 5, 20_000)
		m, err := Fit(d, &o)
		require.NoError(t, err)
		r, err := m.Robust()
		require.NoError(t, err)
		nearAll(t, m.StdErrs(), r.StdErrs, 0.02*m.StdErrs()[0], "standard errors")
	}
}

// simulated draws comparisons of items with log-strengths 0, 0.3, ... from the
// model of the options, with an order effect of 0.4 and nu or kappa of 1.5.
func simulated(rng *rand.Rand, o Options, n, games int) *Data {
	d := new(Data)
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h"}[:n]
	one := &problem{ties: o.Ties, edges: []edge{{0, 1}}, tallies: make([]tally, 1), n: 2}
	x := []float64{0, 0, 0.405}
	if o.Ties.estimated() {
		one.tieAt = 2
	}
	for range games {
		a := rng.IntN(n)
		b := (a + 1 + rng.IntN(n-1)) % n
		x[0] = 0.3 * float64(a-b)
		if o.OrderEffect {
			x[0] += 0.4
		}
		c := Comparison{A: names[a], B: names[b], Outcome: 0}
		win, _, tie := one.chancesOf(0, x)
		if u := rng.Float64(); u < win {
			c.Outcome = 1
		} else if u < win+tie {
			c.Outcome = 0.5
		}
		d.Add(c)
	}
	return d
}

func TestClusterErrors(t *testing.T) {
	var d Data
	for _, machine := range []string{"x", "y"} {
		g := map[string]string{"machine": machine, "page": "one"}
		d.Add(Comparison{A: "A", B: "B", Outcome: 1, Group: g})
		d.Add(Comparison{A: "B", B: "A", Outcome: 1, Group: g})
	}
	m, err := Fit(&d, nil)
	require.NoError(t, err)
	_, err = m.Robust("machine")
	assert.NoError(t, err)
	_, err = m.Robust("model")
	assert.ErrorIs(t, err, ErrUnknownLabel)
	assert.ErrorContains(t, err, `"model"`)
	_, err = m.Robust("page")
	assert.ErrorIs(t, err, ErrClusters)
	_, err = m.Ranking(&IntervalOptions{By: []string{"model"}})
	assert.ErrorIs(t, err, ErrUnknownLabel)
	_, err = m.Prob("A", "B", &IntervalOptions{By: []string{"page"}})
	assert.ErrorIs(t, err, ErrClusters)
	_, err = m.Robust("machine", "page", "machine")
	assert.ErrorIs(t, err, ErrUnsupported)

	d.AddWin("A", "B", 1)
	m, err = Fit(&d, nil)
	require.NoError(t, err)
	_, err = m.Robust("machine")
	assert.ErrorIs(t, err, ErrUnknownLabel)
	assert.ErrorContains(t, err, `"A" and "B" has none`)
}

func TestClusteredIntervals(t *testing.T) {
	_, d := nvidia(t)
	m, err := Fit(d, nil)
	require.NoError(t, err)
	r, err := m.Robust("model")
	require.NoError(t, err)
	standings, err := m.Ranking(&IntervalOptions{By: []string{"model"}})
	require.NoError(t, err)
	const z = 1.959963984540054
	testkit.Near(t, sigmoid(m.x[0]-z*r.StdErrs[0]), standings[0].Lo, 1e-12, "lower end of Pie")
	// Student's t with 11 degrees of freedom, and the factor 12/11.
	small, err := m.Ranking(&IntervalOptions{By: []string{"model"}, SmallSample: true})
	require.NoError(t, err)
	const t11 = 2.200985160082949
	testkit.Near(t, sigmoid(m.x[0]-t11*r.Corrected().StdErrs[0]), small[0].Lo, 1e-9, "lower end of Pie")
	p, err := m.Prob("Pie", "vLLM", &IntervalOptions{By: []string{"model"}})
	require.NoError(t, err)
	diff := r.Cov.At(0, 0) + r.Cov.At(2, 2) - 2*r.Cov.At(0, 2)
	testkit.Near(t, m.x[0]-m.x[2]-z*sqrt(diff), logit(p.Lo), 1e-10, "lower end of Pie over vLLM")
}

func TestClipMakesACovariance(t *testing.T) {
	cov := mat.NewSymDense(2, []float64{1, 2, 2, 1}) // eigenvalues 3 and -1
	assert.True(t, clip(cov))
	assert.True(t, mat.EqualApprox(mat.NewSymDense(2, []float64{1.5, 1.5, 1.5, 1.5}), cov, 1e-12))
	assert.False(t, clip(cov))
}

func TestRobustJSON(t *testing.T) {
	_, d := nvidia(t)
	m, err := Fit(d, nil)
	require.NoError(t, err)
	r, err := m.Robust("machine")
	require.NoError(t, err)
	b, err := json.Marshal(r)
	require.NoError(t, err)
	var back struct {
		StdErrs    []float64 `json:"std_errs"`
		Covariance [][]float64
		Clusters   int
		Warnings   []string
	}
	require.NoError(t, json.Unmarshal(b, &back))
	assert.Equal(t, r.StdErrs, back.StdErrs)
	assert.Equal(t, r.Cov.At(1, 2), back.Covariance[1][2])
	assert.Equal(t, 10, back.Clusters)
	assert.Len(t, back.Warnings, 1)
}
