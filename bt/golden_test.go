package bt

import (
	"math"
	"path/filepath"
	"testing"

	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// The tolerances of testdata/README.md.
const (
	tolTheta  = 1e-10
	tolStdErr = 1e-9
	tolLogLik = 1e-11
)

// golden is what the files of testdata have in common.
type golden struct {
	Players       []string
	Wins, Ties    [][]float64
	LogStrengths  []float64   `json:"log_strengths"`
	Strengths     []float64   `json:"strength_vs_average"`
	StdErrs       []float64   `json:"standard_errors"`
	Covariance    [][]float64 `json:"covariance"`
	LogLikelihood float64     `json:"log_likelihood"`
	PBeats        map[string]struct {
		P    float64
		CI95 [2]float64 `json:"wald_logit_ci95"`
	} `json:"p_beats"`
	Undefeated []string
	Tie        struct {
		Name      string
		Value     float64
		LogStdErr float64 `json:"log_se"`
	} `json:"tie_parameter"`
	OrderEffect float64 `json:"order_effect"`
	OrderStdErr float64 `json:"order_effect_se"`
	Jeffreys    *golden
	Gaussian    *golden `json:"map_gaussian_precision_1"`
}

func readGolden(tb testing.TB, name string) *golden {
	tb.Helper()
	g := new(golden)
	readInto(tb, name, g)
	require.NotEmpty(tb, g.Players, name)
	return g
}

// data counts the wins, and the ties where asked. Files of ties as half wins
// carry the halves in their wins.
func (g *golden) data(ties bool) *Data {
	d := new(Data)
	for i, a := range g.Players {
		for j, b := range g.Players {
			if i != j {
				d.AddWin(a, b, g.Wins[i][j])
			}
			if ties && i < j {
				d.AddTie(a, b, g.Ties[i][j])
			}
		}
	}
	return d
}

// readInto decodes a golden file's further fields.
func readInto(tb testing.TB, name string, v any) {
	tb.Helper()
	testkit.ReadJSON(tb, filepath.Join("testdata", name+".json"), v)
}

func nearAll(tb testing.TB, want, got []float64, tol float64, label string) {
	tb.Helper()
	require.Len(tb, got, len(want), label)
	for i := range want {
		testkit.Near(tb, want[i], got[i], tol, "%s[%d]", label, i)
	}
}

func (g *golden) checkFit(t *testing.T, m *Model) {
	t.Helper()
	require.Equal(t, g.Players, m.Items())
	nearAll(t, g.LogStrengths, m.LogStrengths(), tolTheta, "log-strengths")
	nearAll(t, g.StdErrs, m.StdErrs(), tolStdErr, "standard errors")
	testkit.Rel(t, g.LogLikelihood, m.LogLikelihood(), tolLogLik, "log-likelihood")
	checkCovariance(t, g.Covariance, m.Covariance())
	standings, err := m.Ranking(nil)
	require.NoError(t, err)
	byItem := map[string]Standing{}
	for _, s := range standings {
		byItem[s.Item] = s
	}
	for i, want := range g.Strengths {
		testkit.Near(t, want, byItem[g.Players[i]].Strength, tolTheta, "strength of %s", g.Players[i])
	}
}

// checkCovariance ignores rows of want for parameters that are not items.
func checkCovariance(t *testing.T, want [][]float64, got mat.Symmetric) {
	t.Helper()
	for i := range min(len(want), got.SymmetricDim()) {
		nearAll(t, want[i][:got.SymmetricDim()], mat.Row(nil, i, got), tolStdErr, "covariance")
	}
}

func TestGoldenFits(t *testing.T) {
	tests := []struct {
		name    string
		options Options
		ties    bool // counted apart in the file
	}{
		{"a1_baseball_pooled", Options{}, false},
		{"b_citations", Options{}, false},
		{"d1_ties_davidson", Options{Ties: Davidson}, true},
		{"d2_ties_raokupper", Options{Ties: RaoKupper}, true},
		{"d3_ties_halfwin", Options{}, false},
		{"d4_ties_dropped", Options{}, false},
		{"e_nvidia_single", Options{}, false},
		{"e_apple_single", Options{}, false},
		{"h_f_separable_gauss_tau0.1", Options{Prior: Gaussian{SD: math.Sqrt(10)}}, false},
		{"h_f_separable_gauss_tau1", Options{Prior: Gaussian{SD: 1}}, false},
		{"h_f_separable_virtual1", Options{Prior: VirtualPlayer{Wins: 1}}, false},
		{"h_g_disconnected_gauss_tau0.1", Options{Prior: Gaussian{SD: math.Sqrt(10)}}, false},
		{"h_g_disconnected_gauss_tau1", Options{Prior: Gaussian{SD: 1}}, false},
		{"h_g_disconnected_virtual1", Options{Prior: VirtualPlayer{Wins: 1}}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := readGolden(t, tt.name)
			m, err := Fit(g.data(tt.ties), &tt.options)
			require.NoError(t, err)
			g.checkFit(t, m)
			if g.Tie.Name != "" {
				testkit.Near(t, g.Tie.Value, m.TieParameter(), tolTheta, "%s", g.Tie.Name)
				testkit.Near(t, g.Tie.LogStdErr, m.TieStdErr(), tolStdErr, "standard error of log %s", g.Tie.Name)
			}
		})
	}
}

// Dropped ties leave the wins that d4 counts and d1 holds beside its ties.
func TestDroppedTies(t *testing.T) {
	m, err := Fit(readGolden(t, "d1_ties_davidson").data(true), &Options{Ties: DropTies})
	require.NoError(t, err)
	readGolden(t, "d4_ties_dropped").checkFit(t, m)
	standings, err := m.Ranking(nil)
	require.NoError(t, err)
	require.Equal(t, 4.0, standings[0].Ties, "dropped, but counted")
}

// The pseudo-wins of this file are already in its wins, so plain counts with
// them and f_separable with the prior are two ways to the same fit.
func TestGoldenPseudoWins(t *testing.T) {
	g := readGolden(t, "h_f_separable_pseudo0.5")
	m, err := Fit(g.data(false), nil)
	require.NoError(t, err)
	g.checkFit(t, m)
	m, err = Fit(readGolden(t, "f_separable").data(false), &Options{Prior: PseudoWins{PerPair: 0.5}})
	require.NoError(t, err)
	g.checkFit(t, m)
}

func TestGoldenJeffreys(t *testing.T) {
	const tol = 1e-9
	for _, name := range []string{"a3_baseball_jeffreys", "h_f_separable_jeffreys", "e_tpu_single"} {
		t.Run(name, func(t *testing.T) {
			g := readGolden(t, name)
			if g.Jeffreys != nil {
				g.LogStrengths, g.StdErrs, g.LogLikelihood = g.Jeffreys.LogStrengths, g.Jeffreys.StdErrs, g.Jeffreys.LogLikelihood
			}
			m, err := Fit(g.data(false), &Options{Prior: Jeffreys{}})
			require.NoError(t, err)
			nearAll(t, g.LogStrengths, m.LogStrengths(), tol, "log-strengths")
			nearAll(t, g.StdErrs, m.StdErrs(), tol, "standard errors")
			testkit.Near(t, g.LogLikelihood, m.LogLikelihood(), tol, "log-likelihood")
			checkCovariance(t, g.Covariance, m.Covariance())
		})
	}
}

func TestGoldenGaussianOfTPU(t *testing.T) {
	g := readGolden(t, "e_tpu_single")
	m, err := Fit(g.data(false), &Options{Prior: Gaussian{SD: 1}})
	require.NoError(t, err)
	g.Gaussian.Players = g.Players
	g.Gaussian.checkFit(t, m)
}

func TestGoldenOrderEffect(t *testing.T) {
	g := readGolden(t, "a2_baseball_home")
	m, err := Fit(homeGames(t, g), &Options{OrderEffect: true})
	require.NoError(t, err)
	g.checkFit(t, m)
	delta, se := m.Order()
	testkit.Near(t, g.OrderEffect, delta, tolTheta, "order effect")
	testkit.Near(t, g.OrderStdErr, se, tolStdErr, "its standard error")
}

// homeGames registers the teams in the file's order, then adds its games.
func homeGames(t *testing.T, g *golden) *Data {
	var file struct {
		Rows []struct {
			Home, Away string
			Won        float64 `json:"home_wins"`
			Lost       float64 `json:"away_wins"`
		}
	}
	readInto(t, "a2_baseball_home", &file)
	require.Len(t, file.Rows, 42)
	d := new(Data)
	for _, team := range g.Players {
		d.item(team)
	}
	for _, r := range file.Rows {
		for outcome, n := range map[float64]float64{1: r.Won, 0: r.Lost} {
			if n > 0 {
				d.Add(Comparison{A: r.Home, B: r.Away, Outcome: outcome, Count: n})
			}
		}
	}
	return d
}

func TestGoldenProb(t *testing.T) {
	g := readGolden(t, "a1_baseball_pooled")
	m, err := Fit(g.data(false), nil)
	require.NoError(t, err)
	want := g.PBeats["Milwaukee beats Boston"]
	got, err := m.Prob("Milwaukee", "Boston", nil)
	require.NoError(t, err)
	nearAll(t, []float64{want.P, want.CI95[0], want.CI95[1], 0.95}, []float64{got.Estimate, got.Lo, got.Hi, got.Level}, 1e-9, "P(Milwaukee beats Boston)")
}

// The wins of these files hold the ties as halves; counted apart they must give
// the same fit.
func TestTiesAreHalfWins(t *testing.T) {
	g := readGolden(t, "e_nvidia_single")
	apart := struct {
		Wins [][]float64 `json:"wins_without_ties"`
	}{}
	readInto(t, "e_nvidia_single", &apart)
	g.Wins = apart.Wins
	m, err := Fit(g.data(true), nil)
	require.NoError(t, err)
	g.checkFit(t, m)
}

func TestGoldenRefusals(t *testing.T) {
	t.Run("e_tpu_single", func(t *testing.T) {
		_, err := Fit(readGolden(t, "e_tpu_single").data(false), nil)
		var sep *SeparableError
		require.ErrorAs(t, err, &sep)
		require.Equal(t, []string{"SGLang"}, sep.Winless)
		require.Empty(t, sep.Undefeated)
		require.Equal(t, [][]string{{"Pie", "vLLM"}, {"SGLang"}}, sep.Groups)
	})
	t.Run("f_separable", func(t *testing.T) {
		g := readGolden(t, "f_separable")
		_, err := Fit(g.data(false), nil)
		var sep *SeparableError
		require.ErrorAs(t, err, &sep)
		require.Equal(t, g.Undefeated, sep.Undefeated)
		require.Empty(t, sep.Winless)
		require.Equal(t, [][]string{{"Ace"}, {"Bob", "Cy", "Dee"}}, sep.Groups)
		require.ErrorContains(t, err, "Ace never lost")
	})
	t.Run("g_disconnected", func(t *testing.T) {
		g := readGolden(t, "g_disconnected")
		_, err := Fit(g.data(false), nil)
		var dis *DisconnectedError
		require.ErrorAs(t, err, &dis)
		require.Equal(t, [][]string{{"P", "Q", "R"}, {"S", "T"}}, dis.Components)
	})
}

// The groups of g_disconnected rank each by itself.
func TestGoldenPerComponent(t *testing.T) {
	var file struct {
		Per []golden `json:"per_component"`
	}
	readInto(t, "g_disconnected", &file)
	whole := readGolden(t, "g_disconnected")
	require.Len(t, file.Per, 2)
	at := 0
	for _, g := range file.Per {
		d := new(Data)
		for i, a := range g.Players {
			for j, b := range g.Players {
				if i != j {
					d.AddWin(a, b, whole.Wins[at+i][at+j])
				}
			}
		}
		at += len(g.Players)
		m, err := Fit(d, nil)
		require.NoError(t, err)
		g.checkFit(t, m)
	}
}
