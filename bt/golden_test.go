package bt

import (
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
	SCCLabels  []int    `json:"scc_labels"`
	Components []int    `json:"component_labels"`
	Undefeated []string `json:"undefeated"`
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
	for _, name := range []string{
		"a1_baseball_pooled", "b_citations", "d3_ties_halfwin", "e_nvidia_single", "e_apple_single",
	} {
		t.Run(name, func(t *testing.T) {
			g := readGolden(t, name)
			m, err := Fit(g.data(false), nil)
			require.NoError(t, err)
			g.checkFit(t, m)
		})
	}
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
