package stat

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"testing"

	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// goldenCase is one case of testdata/golden.json; its input is the union of all
// inputs.
type goldenCase struct {
	Name  string
	Tol   float64
	Input struct {
		X, Y, A, B, P, Q, Ratios, Seconds         []float64
		Tokens                                    json.RawMessage // one count or a list
		SamplesNS                                 []float64       `json:"samples_ns"`
		Confidence, Margin, Alpha, Power, Penalty float64
		MinSegment                                int `json:"min_segment"`
		N                                         []float64
		NPerGroup                                 []int `json:"n_per_group"`
		Grid                                      [][2]float64
	}
	Expect json.RawMessage
}

// expect decodes what a case expects.
func expect[T any](t *testing.T, c goldenCase) T {
	t.Helper()
	var out T
	require.NoError(t, json.Unmarshal(c.Expect, &out))
	return out
}

// near compares with the case's tolerance, relative.
func (c goldenCase) near(t *testing.T, want, got float64, label string, args ...any) {
	t.Helper()
	testkit.Rel(t, want, got, c.Tol, c.Name+": "+fmt.Sprintf(label, args...))
}

// all compares every expected figure with the one of its name.
func (c goldenCase) all(t *testing.T, got map[string]float64) {
	t.Helper()
	want := expect[map[string]float64](t, c)
	assert.Len(t, got, len(want), c.Name)
	for name, w := range want {
		g, ok := got[name]
		require.True(t, ok, "%s: %s", c.Name, name)
		c.near(t, w, g, "%s", name)
	}
}

func TestGolden(t *testing.T) {
	var file struct{ Cases []goldenCase }
	testkit.ReadJSON(t, "testdata/golden.json", &file)
	require.Len(t, file.Cases, 33)
	for _, c := range file.Cases {
		check, ok := goldenChecks[c.Name]
		if !ok {
			continue
		}
		t.Run(c.Name, func(t *testing.T) { check(t, c) })
	}
}

var goldenChecks = map[string]func(*testing.T, goldenCase){
	"autocorrelation/ar1_64":    goldenAutocorrelation,
	"drift/mann_kendall_warmup": goldenDrift,
	"kendall/noties":            goldenKendall,
	"median_ci/orders":          goldenMedianOrders,
	"quantile_ci/min_n_upper":   goldenMinForQuantile,
	"quantile_ci/orders":        goldenQuantileOrders,
	"quantiles/all_types":       goldenQuantiles,
}

func goldenAutocorrelation(t *testing.T, c goldenCase) {
	x := c.Input.X
	want := expect[struct {
		ACF            []float64
		SD             float64
		Naive          float64 `json:"se_naive"`
		NeweyWest      float64 `json:"newey_west_se"`
		L              int     `json:"newey_west_L"`
		Tau            float64 `json:"geyer_ips_tau"`
		ESS            float64
		Geyer          float64 `json:"se_geyer"`
		Batch4, Batch8 struct{ SE, Lo, Hi float64 }
		Batch16        struct{ SE, Lo, Hi float64 }
		LjungBox       struct{ Q, DF, P float64 } `json:"ljung_box"`
	}](t, c)
	acf, err := Autocorrelation(x, len(want.ACF)-1)
	require.NoError(t, err)
	for k, w := range want.ACF {
		testkit.Near(t, w, acf[k], c.Tol, "acf[%d]", k) // of a series whose largest is 1
	}
	r, err := OneSample(x)
	require.NoError(t, err)
	c.near(t, want.Naive, r.StdErr, "naive standard error")
	se, err := LongRunStdErr(x, want.L)
	require.NoError(t, err)
	c.near(t, want.NeweyWest, se, "Newey-West")
	ess, err := EffectiveSize(x)
	require.NoError(t, err)
	c.near(t, want.ESS, ess, "effective size")
	c.near(t, want.Tau, float64(len(x))/ess, "Geyer's tau")
	c.near(t, want.Geyer, want.SD/math.Sqrt(ess), "standard error by Geyer")
	for n, w := range map[int]struct{ SE, Lo, Hi float64 }{4: want.Batch4, 8: want.Batch8, 16: want.Batch16} {
		i, err := BatchMeans(x, n, 0.95)
		require.NoError(t, err)
		c.near(t, w.Lo, i.Lo, "%d batches lo", n)
		c.near(t, w.Hi, i.Hi, "%d batches hi", n)
	}
	q, err := LjungBox(x, int(want.LjungBox.DF))
	require.NoError(t, err)
	c.near(t, want.LjungBox.Q, q.Statistic, "Ljung-Box Q")
	c.near(t, want.LjungBox.P, q.P, "Ljung-Box P")
}

func goldenDrift(t *testing.T, c goldenCase) {
	r, err := MannKendall(c.Input.Y)
	require.NoError(t, err)
	slope, intercept, err := TheilSen(c.Input.Y)
	require.NoError(t, err)
	c.all(t, map[string]float64{"S": r.S, "var": r.Variance, "z": r.Z, "p": r.P,
		"theil_sen_slope": slope, "theil_sen_intercept": intercept})
}

func goldenKendall(t *testing.T, c goldenCase) {
	x, y := c.Input.X, c.Input.Y
	r, err := Kendall(x, y)
	require.NoError(t, err)
	assert.True(t, r.Exact)
	// Spearman's is Pearson's of the ranks, which x and y are.
	ranks, err := OneSample(x)
	require.NoError(t, err)
	var cov float64
	for i := range x {
		cov += (x[i] - ranks.Diff) * (y[i] - ranks.Diff)
	}
	n := float64(len(x))
	spearman := cov / (ranks.StdErr * ranks.StdErr * n * (n - 1))
	c.all(t, map[string]float64{"C": float64(r.Concordant), "D": float64(r.Discordant), "ties_x_only": float64(r.TiedX),
		"ties_y_only": float64(r.TiedY), "ties_both": float64(r.TiedBoth), "tau_a": r.TauA, "tau_b": r.TauB, "gamma": r.Gamma,
		"p_exact": r.P, "p_asymptotic": kendallNormal(r.N, r.Concordant-r.Discordant, nil, nil), "spearman": spearman})
}

func goldenMedianOrders(t *testing.T, c goldenCase) {
	type orderPair struct {
		Lo         int `json:"lo_order"`
		Hi         int `json:"hi_order"`
		Confidence float64
	}
	for key, want := range expect[map[string]*orderPair](t, c) {
		n, err := strconv.Atoi(key)
		require.NoError(t, err)
		i, err := MedianInterval(counting(n), c.Input.Confidence)
		if want == nil {
			assert.ErrorIs(t, err, ErrTooFew, "n = %d", n)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, [2]float64{float64(want.Lo), float64(want.Hi)}, [2]float64{i.Lo, i.Hi}, "n = %d", n)
		c.near(t, want.Confidence, i.Level, "level at n = %d", n)
	}
}

// counting returns 1 to n, which stand at their own order.
func counting(n int) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = float64(i + 1)
	}
	return xs
}

func goldenQuantileOrders(t *testing.T, c goldenCase) {
	type orderPair struct {
		Lo       *int `json:"lo_order"`
		Hi       *int `json:"hi_order"`
		Coverage float64
	}
	order := func(p *int, unbounded float64) float64 {
		if p == nil {
			return unbounded
		}
		return float64(*p)
	}
	for k, want := range expect[[]orderPair](t, c) {
		n, q := int(c.Input.Grid[k][0]), c.Input.Grid[k][1]
		i, err := QuantileInterval(counting(n), q, c.Input.Confidence)
		require.NoError(t, err)
		assert.Equal(t, [2]float64{order(want.Lo, math.Inf(-1)), order(want.Hi, math.Inf(1))}, [2]float64{i.Lo, i.Hi}, "n = %d, q = %g", n, q)
		c.near(t, want.Coverage, i.Level, "level at n = %d, q = %g", n, q)
	}
}

func goldenMinForQuantile(t *testing.T, c goldenCase) {
	for key, want := range expect[map[string]int](t, c) {
		q, err := strconv.ParseFloat(key, 64)
		require.NoError(t, err)
		n, err := MinForQuantile(q, c.Input.Confidence)
		require.NoError(t, err)
		assert.Equal(t, want, n, "q = %g", q)
	}
}

func goldenQuantiles(t *testing.T, c goldenCase) {
	types := map[string]QuantileType{"type1": Type1, "type2": Type2, "type3": Type3, "type4": Type4, "type5": Type5, "type6": Type6,
		"type7": Type7, "type8": Type8, "type9": Type9, "trtllm_mlperf_floor_index": FloorIndex, "nearest_rank_ceil": Type1}
	wants := expect[map[string][]float64](t, c)
	assert.Len(t, wants, len(types))
	for name, want := range wants {
		for k, q := range c.Input.Q {
			got, err := Quantile(c.Input.X, q, types[name])
			require.NoError(t, err)
			c.near(t, want[k], got, "%s at %g", name, q)
		}
	}
}
