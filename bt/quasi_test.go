package bt

import (
	"math"
	"testing"

	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func sqrt(x float64) float64  { return math.Sqrt(x) }
func logit(p float64) float64 { return math.Log(p) - math.Log1p(-p) }

func TestGoldenQuasiVariances(t *testing.T) {
	for _, tt := range []struct {
		name    string
		options Options
		ties    bool
	}{
		{"a1_baseball_pooled", Options{}, false}, {"a2_baseball_home", Options{OrderEffect: true}, false},
		{"b_citations", Options{}, false}, {"d1_ties_davidson", Options{Ties: Davidson}, true},
		{"d2_ties_raokupper", Options{Ties: RaoKupper}, true}, {"d3_ties_halfwin", Options{}, false},
		{"d4_ties_dropped", Options{}, false}, {"e_nvidia_single", Options{}, false},
		{"e_apple_single", Options{}, false}, {"h_f_separable_pseudo0.5", Options{}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := readGolden(t, tt.name)
			d := new(Data)
			if tt.options.OrderEffect {
				d = homeGames(t, g)
			} else {
				d = g.data(tt.ties)
			}
			m, err := Fit(d, &tt.options)
			require.NoError(t, err)
			qv, worst, err := m.QuasiVariances()
			require.NoError(t, err)
			var want struct {
				QV    []float64   `json:"quasi_variances"`
				Range *[2]float64 `json:"quasi_variance_relative_error_range"`
			}
			readInto(t, tt.name, &want)
			require.Len(t, qv, len(want.QV))
			for i := range qv {
				testkit.Rel(t, want.QV[i], qv[i], 1e-5, "quasi-variance %d", i)
			}
			if want.Range != nil {
				testkit.Rel(t, max(-want.Range[0], want.Range[1]), worst, 1e-5, "worst relative error")
			}
		})
	}
}

// Three items have three differences: the quasi-variances are exact.
func TestQuasiVariancesOfThreeAreExact(t *testing.T) {
	var d Data
	d.AddWin("A", "B", 3)
	d.AddWin("B", "C", 4)
	d.AddWin("C", "A", 5)
	m, err := Fit(&d, nil)
	require.NoError(t, err)
	_, worst, err := m.QuasiVariances()
	require.NoError(t, err)
	assert.Less(t, worst, 1e-9)
}

// The middle of a chain: its two links' variances add up to that of the ends'
// difference, so its own quasi-variance is zero or below.
func TestQuasiVarianceMayBeNegative(t *testing.T) {
	var d Data
	for _, pair := range [][2]string{{"A", "hub"}, {"B", "hub"}, {"C", "hub"}, {"D", "hub"}} {
		d.AddWin(pair[0], pair[1], 5)
		d.AddWin(pair[1], pair[0], 5)
	}
	m, err := Fit(&d, nil)
	require.NoError(t, err)
	qv, worst, err := m.QuasiVariances()
	require.NoError(t, err)
	assert.InDelta(t, 0, qv[m.index["hub"]], 1e-8)
	assert.Less(t, worst, 1e-8)
}

func TestQuasiVariancesOfTwo(t *testing.T) {
	var d Data
	d.AddTie("A", "B", 1)
	m, err := Fit(&d, nil)
	require.NoError(t, err)
	_, _, err = m.QuasiVariances()
	assert.ErrorIs(t, err, ErrUnsupported)
}
