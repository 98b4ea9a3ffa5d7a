package bt

import (
	"encoding/json"
	"math"
	"runtime"
	"testing"

	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// For many comparisons the spread of replicates is the standard error: of the
// information by comparison, of the sandwich by cluster. 4,000 replicates
// estimate a standard deviation to about 1.1%.
func TestBootstrapAgreesWithStandardErrors(t *testing.T) {
	d := dense(6, 300)
	m, err := Fit(d, nil)
	require.NoError(t, err)
	b, err := m.Bootstrap(&BootstrapOptions{Replicates: 4000})
	require.NoError(t, err)
	assert.Zero(t, b.Failed)
	assert.Zero(t, b.Absent)
	assert.Empty(t, b.Warnings)
	for i, se := range m.StdErrs() {
		testkit.Rel(t, se, spreadOf(b, i), 0.05, "item %d", i)
		in := b.Intervals[i]
		testkit.Rel(t, 2*1.96*se, in.Hi-in.Lo, 0.07, "width of item %d", i)
		testkit.Near(t, sigmoid(in.Lo), b.Strengths[i].Lo, 1e-9, "strength of item %d", i)
		assert.Equal(t, m.x[i], in.Estimate)
	}
}

func spreadOf(b *Bootstrap, i int) float64 {
	sum, squares := 0.0, 0.0
	for _, x := range b.draws {
		sum += x[i]
		squares += x[i] * x[i]
	}
	n := float64(len(b.draws))
	return math.Sqrt(squares/n - sum*sum/n/n)
}

func TestClusterBootstrapOfNVIDIA(t *testing.T) {
	_, d := nvidia(t)
	m, err := Fit(d, nil)
	require.NoError(t, err)
	byModel, err := m.Bootstrap(&BootstrapOptions{By: []string{"model"}, Replicates: 2000})
	require.NoError(t, err)
	each, err := m.Bootstrap(&BootstrapOptions{Replicates: 2000})
	require.NoError(t, err)
	// An independent computation gave vLLM's strength 23-32% by comparison and
	// 15-40% by model.
	vLLM := int(m.index["vLLM"])
	assert.InDelta(t, 0.23, each.Strengths[vLLM].Lo, 0.01)
	assert.InDelta(t, 0.32, each.Strengths[vLLM].Hi, 0.01)
	assert.InDelta(t, 0.15, byModel.Strengths[vLLM].Lo, 0.02)
	assert.InDelta(t, 0.40, byModel.Strengths[vLLM].Hi, 0.02)
	r, err := m.Robust("model")
	require.NoError(t, err)
	testkit.Rel(t, r.StdErrs[vLLM], spreadOf(byModel, vLLM), 0.15, "standard error by model")

	both, err := m.Bootstrap(&BootstrapOptions{By: []string{"machine", "model"}})
	require.NoError(t, err)
	assert.Greater(t, spreadOf(both, vLLM), spreadOf(byModel, vLLM), "the pigeonhole bootstrap is conservative")
	assert.Equal(t, 1.0, each.PBest[m.index["Pie"]])
	assert.Equal(t, RankInterval{Estimate: 1, Lo: 1, Hi: 1, Level: 0.95}, each.RankIntervals[0])
	assert.Equal(t, RankInterval{Estimate: 4, Lo: 3, Hi: 4, Level: 0.95}, each.RankIntervals[vLLM])
}

// Resampling few clusters understates as a sandwich of them does.
func TestFewClustersAreWarnedOf(t *testing.T) {
	_, d := nvidia(t)
	m, err := Fit(d, nil)
	require.NoError(t, err)
	for _, by := range [][]string{nil, {"machine"}, {"machine", "model"}} {
		b, err := m.Bootstrap(&BootstrapOptions{Replicates: 10, By: by})
		require.NoError(t, err)
		require.Len(t, b.Warnings, len(by))
		for i, want := range []string{"10 clusters are few", "12 clusters are few"}[:len(by)] {
			assert.ErrorContains(t, b.Warnings[i], want)
		}
	}
}

func TestBootstrapIsTheSameForAnyGOMAXPROCS(t *testing.T) {
	_, d := nvidia(t)
	m, err := Fit(d, nil)
	require.NoError(t, err)
	for _, by := range [][]string{nil, {"machine"}} {
		run := func(procs int, seed uint64) *Bootstrap {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
			b, err := m.Bootstrap(&BootstrapOptions{By: by, Replicates: 200, Seed: seed})
			require.NoError(t, err)
			return b
		}
		assert.Equal(t, run(1, 0), run(8, 0))
		assert.NotEqual(t, run(2, 1).Intervals, run(2, 2).Intervals)
	}
}

// 5 wins and a tie: a replicate has no tie with chance (5/6)^6, and then no
// finite fit.
func TestFailedReplicatesAreCounted(t *testing.T) {
	var d Data
	d.AddWin("A", "B", 5)
	d.AddTie("A", "B", 1)
	m, err := Fit(&d, nil)
	require.NoError(t, err)
	b, err := m.Bootstrap(&BootstrapOptions{Replicates: 10_000})
	require.NoError(t, err)
	assert.InDelta(t, math.Pow(5.0/6, 6), float64(b.Failed)/10_000, 0.02)
	assert.Len(t, b.draws, 10_000-b.Failed)
	require.Len(t, b.Warnings, 1)
	assert.ErrorContains(t, b.Warnings[0], "ProfileInterval")
}

// An item of a single comparison is absent from a replicate of n with chance
// (1-1/n)^n; a prior fits it all the same.
func TestAbsentItemsAreCounted(t *testing.T) {
	var d Data
	d.AddWin("A", "B", 10)
	d.AddWin("B", "A", 9)
	d.AddWin("C", "A", 1)
	m, err := Fit(&d, &Options{Prior: Gaussian{SD: 1}})
	require.NoError(t, err)
	b, err := m.Bootstrap(&BootstrapOptions{Replicates: 5000})
	require.NoError(t, err)
	assert.Zero(t, b.Failed)
	assert.InDelta(t, math.Pow(19.0/20, 20), float64(b.Absent)/5000, 0.03)
	require.Len(t, b.Warnings, 1)
	assert.ErrorContains(t, b.Warnings[0], "no comparison")
}

// Every kind of model can be resampled.
func TestBootstrapOfEveryModel(t *testing.T) {
	for _, o := range []Options{
		{Ties: Davidson}, {Ties: RaoKupper, OrderEffect: true}, {Ties: DropTies}, {Prior: Jeffreys{}},
		{Prior: PseudoWins{PerPair: 1}}, {Prior: PseudoWins{PerPair: 1}, OrderEffect: true},
		{Prior: VirtualPlayer{Wins: 1}}, {OrderEffect: true},
	} {
		d := simulated(newRand(15), o, 4, 300)
		m, err := Fit(d, &o)
		require.NoError(t, err, "%+v", o)
		b, err := m.Bootstrap(&BootstrapOptions{Replicates: 400})
		require.NoError(t, err)
		assert.Zero(t, b.Failed, "%+v", o)
		sp, err := m.spread(nil)
		require.NoError(t, err)
		differences := &Bootstrap{}
		for _, x := range b.draws {
			differences.draws = append(differences.draws, []float64{x[0] - x[1]})
		}
		testkit.Rel(t, sqrt(sp.difference(0, 1)), spreadOf(differences, 0), 0.2, "%+v", o)
	}
}

// Two ties among 60: some replicates have none, and then nu is at its boundary.
func TestReplicatesWithoutATie(t *testing.T) {
	var d Data
	d.AddWin("A", "B", 30)
	d.AddWin("B", "A", 29)
	d.AddTie("A", "B", 1)
	m, err := Fit(&d, &Options{Ties: Davidson})
	require.NoError(t, err)
	b, err := m.Bootstrap(&BootstrapOptions{Replicates: 300})
	require.NoError(t, err)
	assert.Zero(t, b.Failed)
}

func TestPTop(t *testing.T) {
	b := &Bootstrap{Items: []string{"a", "b", "c"}, draws: [][]float64{{3, 2, 1}, {1, 1, 0}, {0, 0, 0}, {0, 2, 2}}}
	nearAll(t, []float64{(1 + 0.5 + 1.0/3) / 4, (0.5 + 1.0/3 + 0.5) / 4, (1.0/3 + 0.5) / 4}, b.PTop(1), 1e-15, "P(best)")
	nearAll(t, []float64{(1 + 1 + 2.0/3) / 4, (1 + 1 + 2.0/3 + 1) / 4, (2.0/3 + 1) / 4}, b.PTop(2), 1e-15, "P(rank <= 2)")
	nearAll(t, []float64{1, 1, 1}, b.PTop(3), 1e-15, "P(rank <= 3)")
	nearAll(t, []float64{0, 0, 0}, b.PTop(0), 0, "P(rank <= 0)")
}

func TestQuantiles(t *testing.T) {
	assert.Equal(t, 1.75, quantile([]float64{1, 2, 3, 4}, 0.25))
	assert.Equal(t, 4.0, quantile([]float64{1, 2, 3, 4}, 1))
	assert.Equal(t, 7.0, quantile([]float64{7}, 0.3))
	assert.True(t, math.IsNaN(quantile(nil, 0.5)))
	assert.Equal(t, 1, rankQuantile([]int{1, 2, 2, 3}, 0.25))
	assert.Equal(t, 2, rankQuantile([]int{1, 2, 2, 3}, 0.26))
	assert.Equal(t, 1, rankQuantile([]int{1, 2, 2, 3}, 0))
	assert.Equal(t, 0, rankQuantile(nil, 0.5))
}

func TestBootstrapErrors(t *testing.T) {
	var d Data
	d.AddTie("A", "B", 1e16)
	m, err := Fit(&d, nil)
	require.NoError(t, err)
	for _, tt := range []struct {
		o    BootstrapOptions
		want error
	}{
		{BootstrapOptions{Replicates: -1}, ErrOptions},
		{BootstrapOptions{Level: 2}, ErrLevel},
		{BootstrapOptions{By: []string{"machine"}}, ErrUnknownLabel},
		{BootstrapOptions{}, ErrUnsupported},
	} {
		_, err := m.Bootstrap(&tt.o)
		assert.ErrorIs(t, err, tt.want)
	}
}

func TestBootstrapJSON(t *testing.T) {
	b := &Bootstrap{Items: []string{"a"}, Replicates: 2, Failed: 2, PBest: []float64{math.NaN()}, Intervals: []Interval{{1, math.NaN(), math.NaN(), 0.9}}}
	got, err := json.Marshal(b)
	require.NoError(t, err)
	assert.JSONEq(t, `{"items":["a"],"replicates":2,"failed":2,"absent":0,"log_strengths":[{"estimate":1,"level":0.9}],
		"strengths":null,"ranks":null,"p_best":[null]}`, string(got))
}
