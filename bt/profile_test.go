package bt

import (
	"math"
	"testing"

	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestGoldenProfileIntervals(t *testing.T) {
	g := readGolden(t, "a1_baseball_pooled")
	var file struct {
		// difference, Wald standard error, lower and upper end
		Profile map[string][4]float64 `json:"profile_likelihood_ci95_vs_Baltimore"`
	}
	readInto(t, "a1_baseball_pooled", &file)
	require.Len(t, file.Profile, 6)
	m, err := Fit(g.data(false), nil)
	require.NoError(t, err)
	for team, want := range file.Profile {
		got, err := m.ProfileInterval(team, "Baltimore", 0.95)
		require.NoError(t, err)
		nearAll(t, []float64{want[0], want[2], want[3]}, []float64{got.Estimate, got.Lo, got.Hi}, 1e-8, team)
		back, err := m.ProfileInterval("Baltimore", team, 0.95)
		require.NoError(t, err)
		nearAll(t, []float64{-got.Hi, -got.Lo, 0.95}, []float64{back.Lo, back.Hi, back.Level}, 1e-8, team+" turned round")
	}
}

// 5 wins and a tie. The ends solve 5.5 log p + 0.5 log(1-p) = maximum - 3.8415/2.
func TestProfileNearTheBoundary(t *testing.T) {
	var d Data
	d.AddWin("A", "B", 5)
	d.AddTie("A", "B", 1)
	m, err := Fit(&d, nil)
	require.NoError(t, err)
	got, err := m.ProfileInterval("A", "B", 0.95)
	require.NoError(t, err)
	testkit.Near(t, math.Log(11), got.Estimate, 1e-9, "estimate")
	assert.InDelta(t, 0.22, got.Lo, 0.005)
	assert.InDelta(t, 7.28, got.Hi, 0.005)
	logLik := func(d float64) float64 { return 5.5*logSigmoid(d) + 0.5*logSigmoid(-d) }
	for _, end := range []float64{got.Lo, got.Hi} {
		testkit.Near(t, 3.841458820694124/2, logLik(math.Log(11))-logLik(end), 1e-9, "fall at %g", end)
	}
}

// By a grid: at the ends, no other parameters reach a higher likelihood.
func TestProfileWithTiesAndOrder(t *testing.T) {
	g := readGolden(t, "d2_ties_raokupper")
	for _, ties := range []TieModel{Davidson, RaoKupper} {
		m, err := Fit(g.data(true), &Options{Ties: ties})
		require.NoError(t, err)
		got, err := m.ProfileInterval("A", "D", 0.9)
		require.NoError(t, err)
		assert.Less(t, got.Lo, got.Estimate)
		assert.Greater(t, got.Hi, got.Estimate)
		for _, end := range []float64{got.Lo, got.Hi} {
			pr := m.newProfile(0, 3)
			_, err := pr.maximise(end)
			require.NoError(t, err)
			best := m.p.logLikelihood(pr.w.x)
			testkit.Near(t, 2.705543454095404/2, m.logLikelihood-best, 1e-8, "fall at %g", end)
			for at := range pr.w.x {
				for _, h := range []float64{-1e-3, 1e-3} {
					x := append([]float64(nil), pr.w.x...)
					x[at] += h
					if at == 0 {
						x[3] += h
					}
					if at == 3 {
						x[0] += h
					}
					assert.LessOrEqual(t, m.p.logLikelihood(x), best+1e-12)
				}
			}
		}
	}
}

func TestProfileErrors(t *testing.T) {
	d := readGolden(t, "f_separable").data(false)
	m, err := Fit(d, &Options{Prior: Jeffreys{}})
	require.NoError(t, err)
	_, err = m.ProfileInterval("Ace", "Bob", 0.95)
	assert.ErrorIs(t, err, ErrUnsupported)
	m, err = Fit(d, &Options{Prior: Gaussian{SD: 2}})
	require.NoError(t, err)
	_, err = m.ProfileInterval("Ace", "nobody", 0.95)
	assert.ErrorIs(t, err, ErrUnknownItem)
	for _, level := range []float64{0, 1, -0.5, 95, math.NaN()} {
		_, err = m.ProfileInterval("Ace", "Bob", level)
		assert.ErrorIs(t, err, ErrLevel)
	}
	same, err := m.ProfileInterval("Ace", "Ace", 0.95)
	require.NoError(t, err)
	assert.Equal(t, Interval{Level: 0.95}, same)
	in, err := m.ProfileInterval("Ace", "Bob", 0.5)
	require.NoError(t, err)
	assert.True(t, in.Lo < in.Estimate && in.Estimate < in.Hi)
}

// What C and B say of each other is in their own 4 comparisons, however many
// others there are.
func TestProfileBesideManyComparisons(t *testing.T) {
	var alone Data
	alone.AddWin("C", "B", 3)
	alone.AddWin("B", "C", 1)
	m, err := Fit(&alone, nil)
	require.NoError(t, err)
	want, err := m.ProfileInterval("C", "B", 0.95)
	require.NoError(t, err)
	for _, n := range []float64{1e3, 1e7, 1e12} {
		d := new(Data)
		d.AddWin("A", "B", n)
		d.AddWin("B", "A", n)
		d.AddWin("C", "B", 3)
		d.AddWin("B", "C", 1)
		m, err := Fit(d, nil)
		require.NoError(t, err)
		got, err := m.ProfileInterval("C", "B", 0.95)
		require.NoError(t, err, "%g comparisons", n)
		nearAll(t, []float64{want.Lo, want.Hi}, []float64{got.Lo, got.Hi}, 1e-8, "interval")
	}
}

// With many comparisons a profile interval is Wald's.
func TestProfileOfManyComparisons(t *testing.T) {
	g := readGolden(t, "d2_ties_raokupper")
	for _, o := range []Options{{}, {Ties: Davidson}, {Ties: RaoKupper}, {Prior: Gaussian{SD: 1}}, {Prior: VirtualPlayer{Wins: 2}}} {
		for _, scale := range []float64{1e6, 1e10} {
			d := new(Data)
			for i, a := range g.Players {
				for j, b := range g.Players[:i] {
					d.AddWin(a, b, scale*g.Wins[i][j])
					d.AddWin(b, a, scale*g.Wins[j][i])
					d.AddTie(a, b, scale*g.Ties[i][j])
				}
			}
			m, err := Fit(d, &o)
			require.NoError(t, err)
			got, err := m.ProfileInterval("A", "D", 0.95)
			require.NoError(t, err, "%+v, %g", o, scale)
			p, err := m.Prob("A", "D", nil)
			require.NoError(t, err)
			half := math.Log(p.Hi/(1-p.Hi)) - got.Estimate
			testkit.Rel(t, half, got.Hi-got.Estimate, 1e-2, "upper half of %+v, %g", o, scale)
			testkit.Rel(t, half, got.Estimate-got.Lo, 1e-2, "lower half of %+v, %g", o, scale)
		}
	}
}

func TestGainIsTheDifferenceOfValues(t *testing.T) {
	g := readGolden(t, "d2_ties_raokupper")
	for _, o := range []Options{{}, {Ties: Davidson}, {Ties: RaoKupper}, {Prior: Gaussian{SD: 1}}, {Prior: VirtualPlayer{Wins: 2}}} {
		m, err := Fit(g.data(true), &o)
		require.NoError(t, err)
		for _, size := range []float64{1e-3, 0.5, 3} {
			y, to := make([]float64, len(m.x)), make([]float64, len(m.x))
			for i := range y {
				y[i] = size * float64(i%3) // never below the tie parameter's boundary
				to[i] = m.x[i] + y[i]
			}
			want := m.p.logLikelihood(to) - m.p.penalty(to) - m.p.logLikelihood(m.x) + m.p.penalty(m.x)
			testkit.Near(t, want, m.p.gain(m.x, y), 1e-11, "%+v, steps of %g", o, size)
		}
	}
}

// Weights so light that no float64 is far enough off.
func TestProfileWithoutAnEnd(t *testing.T) {
	var d Data
	d.Add(Comparison{A: "A", B: "B", Outcome: 1, Weight: 1e-300})
	d.Add(Comparison{A: "A", B: "B", Outcome: 0, Weight: 1e-300})
	m, err := Fit(&d, nil)
	require.NoError(t, err)
	_, err = m.ProfileInterval("A", "B", 0.95)
	require.ErrorIs(t, err, ErrUnsupported)
	assert.ErrorContains(t, err, `"A" and "B"`)
}
