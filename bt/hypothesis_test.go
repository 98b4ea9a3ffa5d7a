package bt

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, seed+1)) }

func TestGoldenLikelihoodRatio(t *testing.T) {
	d := homeGames(t, readGolden(t, "a2_baseball_home"))
	small, err := Fit(d, nil)
	require.NoError(t, err)
	large, err := Fit(d, &Options{OrderEffect: true})
	require.NoError(t, err)
	var want struct {
		LR struct {
			Statistic float64
			DF        int
		} `json:"lrt_order_effect"`
	}
	readInto(t, "a2_baseball_home", &want)
	got, err := LikelihoodRatio(small, large)
	require.NoError(t, err)
	testkit.Near(t, want.LR.Statistic, got.Statistic, 1e-9, "statistic")
	assert.Equal(t, want.LR.DF, got.DF)
	// P(chi-square on 1 df > 5.4106) = 0.0200, as in Agresti (2002), p. 438.
	assert.InDelta(t, 0.0200, got.P, 5e-5)
	assert.Equal(t, "5.411 on 1 df, p = 0.02", got.String())
}

func TestNotNested(t *testing.T) {
	d := homeGames(t, readGolden(t, "a2_baseball_home"))
	fit := func(d *Data, o Options) *Model {
		m, err := Fit(d, &o)
		require.NoError(t, err)
		return m
	}
	more := homeGames(t, readGolden(t, "a2_baseball_home"))
	more.Add(Comparison{A: "Boston", B: "Detroit", Outcome: 1})
	small, large := fit(d, Options{}), fit(d, Options{OrderEffect: true})
	for name, pair := range map[string][2]*Model{
		"missing":    {nil, large},
		"swapped":    {large, small},
		"equal":      {small, small},
		"prior":      {fit(d, Options{Prior: Gaussian{SD: 1}}), large},
		"ties":       {fit(d, Options{Ties: DropTies}), large},
		"other data": {small, fit(more, Options{OrderEffect: true})},
	} {
		_, err := LikelihoodRatio(pair[0], pair[1])
		assert.ErrorIs(t, err, ErrNotNested, name)
	}
	// The same data in another order are the same data.
	again := new(Data)
	for _, item := range d.items {
		again.item(item)
	}
	for k := len(d.cells) - 1; k >= 0; k-- {
		c := d.cells[k]
		*again.cell(c.cellKey) = c
	}
	_, err := LikelihoodRatio(small, fit(again, Options{OrderEffect: true}))
	assert.NoError(t, err)
}

func TestGoldenFitness(t *testing.T) {
	for _, name := range []string{"a1_baseball_pooled", "b_citations", "d3_ties_halfwin", "d4_ties_dropped", "e_nvidia_single", "e_apple_single", "h_f_separable_pseudo0.5"} {
		t.Run(name, func(t *testing.T) {
			g := readGolden(t, name)
			var want struct {
				Deviance float64 `json:"deviance_pairs"`
				Pearson  float64 `json:"pearson_pairs"`
				DF       int     `json:"residual_df_pairs"`
				Null     float64 `json:"null_log_likelihood"`
				LR       struct {
					Statistic float64
				} `json:"lrt_equal_strengths"`
			}
			readInto(t, name, &want)
			m, err := Fit(g.data(false), nil)
			require.NoError(t, err)
			f := m.Fitness()
			testkit.Near(t, want.Deviance, f.Deviance, 1e-9, "deviance")
			testkit.Near(t, want.Pearson, f.Pearson, 1e-9, "Pearson")
			assert.Equal(t, want.DF, f.DF)
			testkit.Rel(t, want.Null, f.NullLogLikelihood, tolLogLik, "null log-likelihood")
			testkit.Near(t, want.LR.Statistic, 2*(f.LogLikelihood-f.NullLogLikelihood), 1e-9, "test of equal strengths")
			assert.LessOrEqual(t, len(f.Worst), 5)
			for i := range f.Worst[1:] {
				assert.GreaterOrEqual(t, math.Abs(f.Worst[i].Residual), math.Abs(f.Worst[i+1].Residual))
			}
		})
	}
}

// Two items fit exactly, also with ties.
func TestFitnessOfASaturatedModel(t *testing.T) {
	for _, ties := range []TieModel{HalfWin, Davidson, RaoKupper} {
		var d Data
		d.AddWin("A", "B", 5)
		d.AddWin("B", "A", 3)
		d.AddTie("A", "B", 2)
		m, err := Fit(&d, &Options{Ties: ties})
		require.NoError(t, err)
		f := m.Fitness()
		assert.InDelta(t, 0, f.Deviance, 1e-9, "%v", ties)
		assert.InDelta(t, 0, f.Pearson, 1e-9, "%v", ties)
		assert.Zero(t, f.DF)
		assert.True(t, math.IsNaN(f.P))
		b, err := json.Marshal(f)
		require.NoError(t, err)
		assert.NotContains(t, string(b), `"p"`)
	}
}

// Equal strengths with a share of ties: the model at its null.
func TestNullLogLikelihoodWithTies(t *testing.T) {
	var d Data
	d.AddWin("A", "B", 4)
	d.AddWin("B", "A", 4)
	d.AddTie("A", "B", 2)
	for _, ties := range []TieModel{Davidson, RaoKupper} {
		m, err := Fit(&d, &Options{Ties: ties})
		require.NoError(t, err)
		testkit.Near(t, 8*math.Log(0.4)+2*math.Log(0.2), m.LogLikelihood(), 1e-12, "%v", ties)
		testkit.Near(t, m.LogLikelihood(), m.Fitness().NullLogLikelihood, 1e-12, "%v", ties)
	}
}

func TestCyclicTriads(t *testing.T) {
	rng := newRand(16)
	for range 50 {
		n := 3 + rng.IntN(70)
		p := &problem{n: n}
		beats := make([][]bool, n)
		for i := range beats {
			beats[i] = make([]bool, n)
		}
		for i := range int32(n) {
			for j := i + 1; j < int32(n); j++ {
				tl := tally{win: float64(rng.IntN(3)), loss: float64(rng.IntN(3))}
				p.edges, p.tallies = append(p.edges, edge{i, j}), append(p.tallies, tl)
				beats[i][j], beats[j][i] = tl.win > tl.loss, tl.loss > tl.win
			}
		}
		want := 0
		for i := range n {
			for j := range n {
				for k := range n {
					if beats[i][j] && beats[j][k] && beats[k][i] {
						want++
					}
				}
			}
		}
		assert.Equal(t, want/3, p.cyclicTriads())
	}
}

// An independent computation gave 162.9 on 32 df by model and 45.3 on 27 by
// machine.
func TestHeterogeneityOfNVIDIA(t *testing.T) {
	_, d := nvidia(t)
	m, err := Fit(d, nil)
	require.NoError(t, err)
	byModel, err := m.Heterogeneity("model", &BootstrapOptions{Replicates: 200})
	require.NoError(t, err)
	assert.InDelta(t, 162.9, byModel.Statistic, 0.05)
	assert.Equal(t, 32, byModel.DF)
	assert.Equal(t, 1.0/201, byModel.P)
	byMachine, err := m.Heterogeneity("machine", &BootstrapOptions{Replicates: 200})
	require.NoError(t, err)
	assert.InDelta(t, 45.3, byMachine.Statistic, 0.05)
	assert.Equal(t, 27, byMachine.DF)
	again, err := m.Heterogeneity("machine", &BootstrapOptions{Replicates: 200})
	require.NoError(t, err)
	assert.Equal(t, byMachine, again)
}

// Where the groups are large and alike, the simulated P is the chi-square's.
func TestHeterogeneityWithoutAny(t *testing.T) {
	rng := newRand(17)
	below, ps := 0, []float64{}
	for range 40 {
		d := new(Data)
		for _, machine := range []string{"x", "y", "z"} {
			for _, pair := range [][2]string{{"A", "B"}, {"B", "C"}, {"C", "A"}} {
				wins := float64(binomial(rng, 60, 0.5))
				d.Add(Comparison{A: pair[0], B: pair[1], Outcome: 1, Count: wins, Group: map[string]string{"machine": machine}})
				d.Add(Comparison{A: pair[1], B: pair[0], Outcome: 1, Count: 60 - wins, Group: map[string]string{"machine": machine}})
			}
		}
		m, err := Fit(d, nil)
		require.NoError(t, err)
		got, err := m.Heterogeneity("machine", &BootstrapOptions{Replicates: 300})
		require.NoError(t, err)
		assert.Equal(t, 4, got.DF)
		assert.InDelta(t, chiSquareTail(got.Statistic, 4), got.P, 0.1)
		ps = append(ps, got.P)
		if got.P < 0.5 {
			below++
		}
	}
	assert.InDelta(t, 20, below, 10, "%v", ps)
}

// Groups without a finite fit enter with the least upper bound: here A beats B
// on x and loses on y, so that strengths of their own explain everything.
func TestHeterogeneityOfSeparableGroups(t *testing.T) {
	var d Data
	d.Add(Comparison{A: "A", B: "B", Outcome: 1, Count: 6, Group: map[string]string{"machine": "x"}})
	d.Add(Comparison{A: "B", B: "A", Outcome: 1, Count: 6, Group: map[string]string{"machine": "y"}})
	m, err := Fit(&d, nil)
	require.NoError(t, err)
	got, err := m.Heterogeneity("machine", nil)
	require.NoError(t, err)
	testkit.Near(t, 2*12*math.Ln2, got.Statistic, 1e-12, "statistic")
	assert.Equal(t, 1, got.DF)
	assert.Less(t, got.P, 0.01)
	b, err := json.Marshal(got)
	require.NoError(t, err)
	assert.Contains(t, string(b), `"replicates":1000`)
}

func TestHeterogeneityErrors(t *testing.T) {
	d := homeGames(t, readGolden(t, "a2_baseball_home"))
	for _, o := range []Options{{OrderEffect: true}, {Prior: Gaussian{SD: 1}}} {
		m, err := Fit(d, &o)
		require.NoError(t, err)
		_, err = m.Heterogeneity("machine", nil)
		assert.ErrorIs(t, err, ErrUnsupported)
	}
	m, err := Fit(d, nil)
	require.NoError(t, err)
	_, err = m.Heterogeneity("machine", nil)
	assert.ErrorIs(t, err, ErrUnknownLabel)
	_, err = m.Heterogeneity("machine", &BootstrapOptions{Level: 7})
	assert.ErrorIs(t, err, ErrLevel)
}

// Weights beyond squaring, up or down, scale Pearson's sum and nothing else.
func TestFitnessOfExtremeWeights(t *testing.T) {
	fitness := func(weight float64) Fitness {
		var d Data
		for _, pair := range []string{"AB", "BC", "CA"} {
			d.Add(Comparison{A: pair[:1], B: pair[1:], Outcome: 1, Count: 3, Weight: weight})
			d.Add(Comparison{A: pair[:1], B: pair[1:], Outcome: 0, Weight: weight})
		}
		m, err := Fit(&d, nil)
		require.NoError(t, err)
		return m.Fitness()
	}
	want := fitness(1)
	for _, weight := range []float64{1e300, 1e-300} {
		f := fitness(weight)
		testkit.Rel(t, want.Pearson*weight, f.Pearson, 1e-12, "Pearson at %g", weight)
		testkit.Rel(t, want.Worst[0].Residual*math.Sqrt(weight), f.Worst[0].Residual, 1e-12, "residual at %g", weight)
		_, err := json.Marshal(f)
		require.NoError(t, err)
	}
}
