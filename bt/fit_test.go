package bt

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tournament is a random set of wins among n items, often too few to rank them.
func tournament(rng *rand.Rand, n, games int) *Data {
	d := new(Data)
	for i := range n {
		d.item(fmt.Sprint("item", i))
	}
	for range games {
		a, b := rng.IntN(n), rng.IntN(n)
		if a == b {
			continue
		}
		if rng.IntN(4) == 0 {
			d.AddTie(d.items[a], d.items[b], float64(rng.IntN(3)))
		} else {
			d.AddWin(d.items[a], d.items[b], float64(rng.IntN(3)))
		}
	}
	return d
}

// newman is Newman's iteration (2023, Journal of Machine Learning Research 24),
// the slow twin of Fit, on the wins w[i][j] of i over j.
func newman(w [][]float64) []float64 {
	n := len(w)
	strength := slices.Repeat([]float64{1}, n)
	for range 200_000 {
		worst := 0.0
		for i := range n {
			up, down := 0.0, 0.0
			for j := range n {
				sum := strength[i] + strength[j]
				up += w[i][j] * strength[j] / sum
				down += w[j][i] / sum
			}
			worst = max(worst, math.Abs(math.Log(up/down/strength[i])))
			strength[i] = up / down
		}
		if worst < 1e-13 {
			break
		}
	}
	for i := range strength {
		strength[i] = math.Log(strength[i])
	}
	centre(strength)
	return strength
}

// wins adds up the cells with ties as half wins.
func wins(d *Data) [][]float64 {
	w := make([][]float64, len(d.items))
	for i := range w {
		w[i] = make([]float64, len(d.items))
	}
	for i := range d.cells {
		c := &d.cells[i]
		t := c.tally(HalfWin)
		w[c.lo][c.hi] += t.win
		w[c.hi][c.lo] += t.loss
	}
	return w
}

func TestFitAgreesWithNewman(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	fitted := 0
	for range 200 {
		d := tournament(rng, 2+rng.IntN(6), 40)
		m, err := Fit(d, nil)
		if err != nil {
			continue
		}
		fitted++
		nearAll(t, newman(wins(d)), m.LogStrengths(), 1e-9, "log-strengths")
	}
	assert.Greater(t, fitted, 100)
}

// The stopping rule is relative to each item: four comparisons beside 2e12.
func TestThinLinkBesideHeavyOnes(t *testing.T) {
	for _, n := range []float64{1e12, 1e300} {
		var d Data
		d.AddWin("A", "B", n)
		d.AddWin("B", "A", n)
		d.AddWin("C", "B", 3)
		d.AddWin("B", "C", 1)
		m, err := Fit(&d, &Options{Tolerance: 1e-9})
		require.NoError(t, err)
		x := m.LogStrengths()
		testkit.Near(t, math.Log(3), x[2]-x[1], 1e-10, "C-B beside %g", n)
		testkit.Near(t, 0, x[0]-x[1], 1e-10, "A-B beside %g", n)
	}
}

func TestTwoItemsHaveAClosedForm(t *testing.T) {
	for _, tt := range []struct{ win, loss float64 }{
		{3, 1}, {1, 1}, {1e-300, 3e-300}, {1e300, 1e299}, {1, 1e-12}, {0.25, 1e6}, {1e140, 1e-140},
	} {
		var d Data
		d.AddWin("A", "B", tt.win)
		d.AddWin("B", "A", tt.loss)
		m, err := Fit(&d, nil)
		require.NoError(t, err, "%+v", tt)
		x := m.LogStrengths()
		testkit.Near(t, math.Log(tt.win)-math.Log(tt.loss), x[0]-x[1], 1e-9, "%+v", tt)
		// The variance of a log-odds is 1/win + 1/loss, and half of the standard
		// error of the difference belongs to each mean-zero log-strength.
		testkit.Rel(t, math.Sqrt(1/tt.win+1/tt.loss)/2, m.StdErrs()[0], 1e-9, "standard error of %+v", tt)
	}
}

// Weights as far apart as float64 goes fit or are refused, never cut off.
func TestExtremeWeights(t *testing.T) {
	fit := func(ab, ba, bc, cb float64) (*Model, error) {
		var d Data
		d.AddWin("A", "B", ab)
		d.AddWin("B", "A", ba)
		d.AddWin("B", "C", bc)
		d.AddWin("C", "B", cb)
		return Fit(&d, nil)
	}
	m, err := fit(1e300, 3e300, 3e-300, 1e-300)
	require.NoError(t, err)
	x := m.LogStrengths()
	testkit.Near(t, math.Log(3), x[1]-x[0], 1e-9, "B over A")
	testkit.Near(t, math.Log(3), x[1]-x[2], 1e-9, "B over C")
	// The variance of B-C is 1/1e-300 + 1/3e-300, of A-B next to nothing.
	sp, err := m.spread(nil)
	require.NoError(t, err)
	testkit.Rel(t, 4.0/3*1e300, sp.difference(1, 2), 1e-9, "variance of B-C")
	testkit.Rel(t, 4.0/3*1e-300, sp.difference(0, 1), 1e-9, "variance of A-B")
	_, err = m.Robust()
	assert.ErrorIs(t, err, ErrUnsupported)
	_, err = fit(1e300, 1e-300, 1, 1)
	var not *NotConvergedError
	assert.ErrorAs(t, err, &not, "a chance of 1e-600")
}

// A chain of 2,000 items that one upset closes to a cycle: its chance is e^-1000
// or less, and the gap of every link still has its closed form. The upset pulls
// each link by 1, so that of n wins against none n*P(loss) = 1.
func TestUpsetBeyondFloat64(t *testing.T) {
	const n, won = 2000, 3
	var d Data
	for i := range n - 1 {
		d.AddWin(fmt.Sprint(i), fmt.Sprint(i+1), won)
	}
	d.AddWin(fmt.Sprint(n-1), "0", 1)
	m, err := Fit(&d, nil)
	require.NoError(t, err)
	for i := range n - 1 {
		require.InDelta(t, math.Log(won-1), m.x[i]-m.x[i+1], 1e-8)
	}
	testkit.Rel(t, float64(n-1)*(won*math.Log(2.0/3)-math.Ln2), m.LogLikelihood(), 1e-9, "log-likelihood")
}

// What is added after the fit is not the model's.
func TestModelKeepsItsData(t *testing.T) {
	_, d := nvidia(t)
	m, err := Fit(d, nil)
	require.NoError(t, err)
	before, err := m.Ranking(&IntervalOptions{By: []string{"machine"}})
	require.NoError(t, err)
	for _, c := range pieContests(t, "NVIDIA GPU", "Batched decode") {
		c.Group["new"] = "label"
		d.AddContest(c, nil)
	}
	d.AddWin("vLLM", "somebody new", 3)
	after, err := m.Ranking(&IntervalOptions{By: []string{"machine"}})
	require.NoError(t, err)
	assert.Equal(t, before, after)
	assert.Len(t, m.Items(), 4)
}

// A warm start changes the way, not the result, and a bad one is left.
func TestWarmStart(t *testing.T) {
	d := readGolden(t, "e_apple_single").data(false)
	cold, err := Fit(d, nil)
	require.NoError(t, err)
	warm, err := Fit(d, &Options{Start: cold})
	require.NoError(t, err)
	assert.Less(t, warm.Iterations(), cold.Iterations())
	nearAll(t, cold.x, warm.x, 1e-12, "log-strengths")
	assert.Nil(t, warm.options.Start, "models of a long run of fits must not hang together")

	var far Data
	far.AddWin("llama.cpp", "Pie", 1e250)
	far.AddWin("Pie", "llama.cpp", 1)
	bad, err := Fit(&far, nil)
	require.NoError(t, err)
	again, err := Fit(d, &Options{Start: bad})
	require.NoError(t, err)
	nearAll(t, cold.x, again.x, 1e-10, "log-strengths")

	o := Options{Ties: RaoKupper, OrderEffect: true}
	tied := simulated(newRand(30), o, 4, 200)
	cold, err = Fit(tied, &o)
	require.NoError(t, err)
	o.Start = cold
	warm, err = Fit(tied, &o)
	require.NoError(t, err)
	assert.Less(t, warm.Iterations(), cold.Iterations())
	nearAll(t, cold.x, warm.x, 1e-10, "parameters")
}

func TestAllTies(t *testing.T) {
	var d Data
	d.AddTie("A", "B", 3)
	m, err := Fit(&d, nil)
	require.NoError(t, err)
	assert.Equal(t, []float64{0, 0}, m.LogStrengths())
	s, err := m.Ranking(nil)
	require.NoError(t, err)
	assert.Equal(t, []int{1, 1}, []int{s[0].Rank, s[1].Rank})
	assert.Equal(t, 3.0, s[0].Ties)
}

func TestNoData(t *testing.T) {
	registered := new(Data)
	registered.AddWin("A", "B", 0)
	alone := new(Data)
	alone.AddContest(Contest{Scores: map[string]float64{"A": 1}}, nil)
	for _, d := range []*Data{nil, {}, registered, alone} {
		_, err := Fit(d, nil)
		assert.ErrorIs(t, err, ErrNoData)
	}
}

func TestARegisteredItemIsNotDropped(t *testing.T) {
	var d Data
	d.AddTie("A", "B", 1)
	d.AddWin("C", "A", 0)
	_, err := Fit(&d, nil)
	var dis *DisconnectedError
	require.ErrorAs(t, err, &dis)
	assert.Equal(t, [][]string{{"A", "B"}, {"C"}}, dis.Components)
}

func TestOptionsAreChecked(t *testing.T) {
	var d Data
	d.AddTie("A", "B", 1)
	for _, o := range []Options{{Tolerance: -1}, {Tolerance: math.NaN()}, {Tolerance: math.Inf(1)}, {MaxIterations: -1},
		{Ties: -1}, {Ties: 4}, {Prior: Gaussian{}}, {Prior: Gaussian{SD: math.NaN()}}, {Prior: VirtualPlayer{Wins: -1}},
		{Prior: PseudoWins{PerPair: math.Inf(1)}}, {Prior: &Jeffreys{}}, {Prior: (*Gaussian)(nil)},
	} {
		_, err := Fit(&d, &o)
		assert.ErrorIs(t, err, ErrOptions, "%+v", o)
	}
}

func TestUnsupportedOptions(t *testing.T) {
	d := readGolden(t, "d1_ties_davidson").data(true)
	_, err := Fit(d, &Options{Ties: Davidson, Prior: Jeffreys{}})
	assert.ErrorIs(t, err, ErrUnsupported)
}

func TestTieParameterAtItsBoundary(t *testing.T) {
	d := readGolden(t, "a1_baseball_pooled").data(false)
	plain, err := Fit(d, nil)
	require.NoError(t, err)
	assert.True(t, math.IsNaN(plain.TieParameter()))
	for ties, want := range map[TieModel]float64{Davidson: 0, RaoKupper: 1} {
		m, err := Fit(d, &Options{Ties: ties})
		require.NoError(t, err)
		assert.Equal(t, want, m.TieParameter())
		assert.True(t, math.IsNaN(m.TieStdErr()))
		assert.Equal(t, plain.x, m.x)
		require.Len(t, m.Warnings(), 1)
		assert.ErrorContains(t, m.Warnings()[0], "at its boundary")
	}
	estimate, se := plain.Order()
	assert.True(t, math.IsNaN(estimate) && math.IsNaN(se))
}

func TestNotConverged(t *testing.T) {
	_, err := Fit(readGolden(t, "b_citations").data(false), &Options{MaxIterations: 1, Tolerance: 1e-15})
	var not *NotConvergedError
	require.ErrorAs(t, err, &not)
	assert.Equal(t, 1, not.Iterations)
	assert.Greater(t, not.MaxScore, 1e-15)
}

func TestScoreReachedIsReported(t *testing.T) {
	m, err := Fit(readGolden(t, "e_apple_single").data(false), nil)
	require.NoError(t, err)
	assert.LessOrEqual(t, m.MaxScore(), 1e-9)
	assert.Positive(t, m.Iterations())
	assert.Empty(t, m.Warnings())
}

// Neither the order of the comparisons nor whose name comes first matters.
func TestOrderInvariance(t *testing.T) {
	g := readGolden(t, "e_nvidia_single")
	want, err := Fit(g.data(false), nil)
	require.NoError(t, err)
	d := new(Data)
	for i := len(g.Players) - 1; i >= 0; i-- {
		for j := range g.Players {
			if i != j {
				d.Add(Comparison{A: g.Players[j], B: g.Players[i], Outcome: 1, Count: g.Wins[j][i] / 2, Weight: 2})
			}
		}
	}
	got, err := Fit(d, nil)
	require.NoError(t, err)
	for _, name := range g.Players {
		a, b := want.x[want.index[name]], got.x[got.index[name]]
		testkit.Near(t, a, b, 1e-12, "%s", name)
	}
}

func TestUnknownItemAndLevel(t *testing.T) {
	var d Data
	d.AddTie("A", "B", 1)
	m, err := Fit(&d, nil)
	require.NoError(t, err)
	_, err = m.Prob("A", "Z", nil)
	assert.ErrorIs(t, err, ErrUnknownItem)
	assert.ErrorContains(t, err, `"Z"`)
	_, err = m.Prob("Z", "A", nil)
	assert.ErrorIs(t, err, ErrUnknownItem)
	for _, level := range []float64{-0.1, 1, 95, math.NaN()} {
		_, err = m.Prob("A", "B", &IntervalOptions{Level: level})
		assert.ErrorIs(t, err, ErrLevel, "%v", level)
		_, err = m.Ranking(&IntervalOptions{Level: level})
		assert.ErrorIs(t, err, ErrLevel, "%v", level)
	}
}

func TestModelAsTextAndJSON(t *testing.T) {
	var d Data
	d.AddWin("A", "B", 3)
	d.AddWin("B", "A", 3)
	m, err := Fit(&d, nil)
	require.NoError(t, err)
	assert.Equal(t, "A 0.000, B 0.000", m.String())
	b, err := json.Marshal(m)
	require.NoError(t, err)
	assert.JSONEq(t, `{"items":["A","B"],"log_strengths":[0,0],"ties":"half wins","log_likelihood":-4.1588830833596715,"iterations":1,"max_score":0}`, string(b))
	m, err = Fit(&d, &Options{Ties: Davidson})
	require.NoError(t, err)
	b, err = json.Marshal(m)
	require.NoError(t, err)
	assert.Contains(t, string(b), `"tie_parameter":0,`)
	assert.Contains(t, string(b), "at its boundary")
}
