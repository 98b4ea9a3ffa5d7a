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
		Sigma                                     float64 `json:"sigma_mad_diff"`
		MinSegment                                int     `json:"min_segment"`
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
		require.True(t, ok, c.Name)
		t.Run(c.Name, func(t *testing.T) { check(t, c) })
	}
}

var goldenChecks = map[string]func(*testing.T, goldenCase){
	"adjust/pvalues":                         goldenAdjust,
	"autocorrelation/ar1_64":                 goldenAutocorrelation,
	"changepoint/ediv_hierarchical_welch":    goldenHierarchical,
	"changepoint/ediv_single":                goldenEnergy,
	"changepoint/optimal_partition_l2_2logn": goldenPartition,
	"changepoint/optimal_partition_l2_3logn": goldenPartition,
	"drift/mann_kendall_warmup":              goldenDrift,
	"hodges_lehmann/one_sample_A":            goldenPseudomedian,
	"hodges_lehmann/two_sample_A_B":          goldenShift,
	"hodges_lehmann/two_sample_LB_TG":        goldenShift,
	"kendall/noties":                         goldenKendall,
	"llama-bench/avg_ts":                     goldenLlamaBench,
	"mannwhitney/LB_TG":                      goldenMannWhitney,
	"mannwhitney/T1_T2_ties":                 goldenMannWhitney,
	"mannwhitney/separated3":                 goldenMannWhitney,
	"median_ci/orders":                       goldenMedianOrders,
	"paired/geomean_ratios":                  goldenPaired,
	"power/mde_two_sample_t":                 goldenPower,
	"quantile_ci/min_n_upper":                goldenMinForQuantile,
	"quantile_ci/orders":                     goldenQuantileOrders,
	"quantiles/all_types":                    goldenQuantiles,
	"rates/combine":                          goldenRates,
	"ratio/fieller":                          goldenFieller,
	"ratio/unpaired_log_welch":               goldenLogRatio,
	"summary/A":                              goldenMoments,
	"summary/LB_PP":                          goldenMoments,
	"summary/LB_TG":                          goldenMoments,
	"tost/A_B_margin0.01":                    goldenTOST,
	"tost/A_B_margin0.03":                    goldenTOST,
	"usl/llama_batched_readme_S_TG":          elsewhere,
	"usl/synthetic_exact":                    elsewhere,
	"welch/A_B":                              goldenWelch,
	"welch/LB_TG_old_new":                    goldenWelch,
}

// elsewhere is for the scalability law, which package capacity fits.
func elsewhere(t *testing.T, _ goldenCase) { t.Log("see package capacity") }

func goldenAdjust(t *testing.T, c goldenCase) {
	for name, f := range map[string]func([]float64) []float64{"bonferroni": Bonferroni, "holm": Holm, "hochberg": Hochberg,
		"bh": BenjaminiHochberg, "by": BenjaminiYekutieli, "sidak": Sidak} {
		want := expect[map[string][]float64](t, c)[name]
		got := f(c.Input.P)
		require.Len(t, got, len(want))
		for i := range want {
			c.near(t, want[i], got[i], "%s[%d]", name, i)
		}
	}
	assert.Len(t, expect[map[string][]float64](t, c), 6)
}

func indices(points []ChangePoint) []int {
	out := []int{}
	for _, p := range points {
		out = append(out, p.Index)
	}
	return out
}

func goldenHierarchical(t *testing.T, c goldenCase) {
	one, err := ChangePoints(c.Input.X, &ChangeOptions{Weak: c.Input.Alpha, Strong: c.Input.Alpha, MinSegment: c.Input.MinSegment})
	require.NoError(t, err)
	assert.Equal(t, expect[[]int](t, c), indices(one))
	// Two thresholds, 0.1 and 0.001, find both changes; they are the default.
	for _, m := range []ChangeMethod{EDivisiveU, EDivisiveV} {
		two, err := ChangePoints(c.Input.X, &ChangeOptions{Method: m})
		require.NoError(t, err)
		assert.Equal(t, []int{10, 18}, indices(two))
	}
}

func goldenEnergy(t *testing.T, c goldenCase) {
	want := expect[struct {
		V  []*float64 `json:"q_v_statistic"`
		U  []*float64 `json:"q_u_statistic"`
		AV int        `json:"argmax_v"`
		AU int        `json:"argmax_u"`
	}](t, c)
	for _, form := range []struct {
		v    bool
		q    []*float64
		best int
	}{{true, want.V, want.AV}, {false, want.U, want.AU}} {
		got := energy(c.Input.X, form.v)
		require.Len(t, got, len(form.q))
		assert.True(t, math.IsNaN(got[0]) && form.q[0] == nil)
		best := 1
		for k := 1; k < len(got); k++ {
			// 1e-12 of the series' largest term
			assert.InDelta(t, *form.q[k], got[k], c.Tol*27, "v %v, q[%d]", form.v, k)
			if got[k] > got[best] {
				best = k
			}
		}
		assert.Equal(t, form.best, best)
	}
}

func goldenPartition(t *testing.T, c goldenCase) {
	want := expect[struct {
		At   []int `json:"changepoints"`
		Cost float64
	}](t, c)
	at, cost := partition(c.Input.X, c.Input.Penalty, c.Input.MinSegment)
	assert.Equal(t, want.At, at)
	c.near(t, want.Cost, cost, "cost")
	c.near(t, c.Input.Sigma, diffSigma(c.Input.X), "sigma")
	points, err := ChangePoints(c.Input.X, &ChangeOptions{Method: OptimalPartition, Penalty: c.Input.Penalty})
	require.NoError(t, err)
	assert.Equal(t, want.At, indices(points))
}

func goldenPseudomedian(t *testing.T, c goldenCase) {
	i, err := Pseudomedian(c.Input.X, c.Input.Confidence)
	require.NoError(t, err)
	k, _ := signedRankOrder(len(c.Input.X), c.Input.Confidence)
	c.all(t, map[string]float64{"pseudomedian": i.Estimate, "k": float64(k), "lo": i.Lo, "hi": i.Hi, "actual_confidence": i.Level})
}

func goldenShift(t *testing.T, c goldenCase) {
	i, err := HodgesLehmann(c.Input.A, c.Input.B, c.Input.Confidence)
	require.NoError(t, err)
	k, _ := shiftOrder(len(c.Input.A), len(c.Input.B), c.Input.Confidence)
	c.all(t, map[string]float64{"shift": i.Estimate, "k": float64(k), "lo": i.Lo, "hi": i.Hi, "actual_confidence": i.Level})
}

// A file's avg_ts is the mean of the repetitions' rates, not tokens over the mean
// time.
func goldenLlamaBench(t *testing.T, c goldenCase) {
	var tokens float64
	require.NoError(t, json.Unmarshal(c.Input.Tokens, &tokens))
	rates := make([]float64, len(c.Input.SamplesNS))
	for i, ns := range c.Input.SamplesNS {
		rates[i] = tokens / (ns / 1e9)
	}
	rate, rateVar := meanVar(rates)
	ns, nsVar := meanVar(c.Input.SamplesNS)
	c.all(t, map[string]float64{"mean_of_rates": rate, "rate_of_mean": tokens / (ns / 1e9),
		"stddev_ts": math.Sqrt(rateVar), "avg_ns": ns, "stddev_ns": math.Sqrt(nsVar)})
}

func goldenMannWhitney(t *testing.T, c goldenCase) {
	want := expect[struct {
		Exact struct {
			U       float64 `json:"u_a"`
			Doubled float64 `json:"p_doubled"`
			Greater float64 `json:"p_a_greater"`
			Less    float64 `json:"p_a_less"`
		}
		Normal struct {
			NoCC float64 `json:"p_two_sided_no_cc"`
			CC   float64 `json:"p_two_sided_cc"`
			A12  float64 `json:"vargha_delaney_a12"`
			Ties []int64 `json:"tie_groups"`
		}
	}](t, c)
	r, err := MannWhitney(c.Input.A, c.Input.B)
	require.NoError(t, err)
	assert.True(t, r.Exact)
	assert.Equal(t, want.Exact.U, r.U)
	c.near(t, want.Exact.Doubled, r.P, "P")
	c.near(t, want.Exact.Greater, r.PGreater, "greater")
	c.near(t, want.Exact.Less, r.PLess, "less")
	c.near(t, want.Normal.A12, r.Effect, "A12")
	ranks := rankTwo(c.Input.A, c.Input.B)
	assert.ElementsMatch(t, want.Normal.Ties, ranks.ties)
	for correction, p := range map[float64]float64{0: want.Normal.NoCC, 0.5: want.Normal.CC} {
		less, greater := ranks.normal(correction)
		c.near(t, p, 2*min(less, greater), "normal, correction %g", correction)
	}
}

func goldenPaired(t *testing.T, c goldenCase) {
	x := c.Input.Ratios
	i, err := GeomeanInterval(x, c.Input.Confidence)
	require.NoError(t, err)
	g, err := Geomean(x)
	require.NoError(t, err)
	r, err := OneSample(logs(x))
	require.NoError(t, err)
	w, err := SignedRank(logs(x))
	require.NoError(t, err)
	wins, losses := 0, 0
	var reciprocal float64
	for _, v := range x {
		if reciprocal += 1 / v; v > 1 {
			wins++
		} else {
			losses++
		}
	}
	sign, err := SignTest(wins, losses)
	require.NoError(t, err)
	n := float64(len(x))
	sd := r.StdErr * math.Sqrt(n)
	c.all(t, map[string]float64{"geomean": g, "log_mean": r.Diff, "log_sd": sd, "geo_sd": math.Exp(sd), "lo": i.Lo, "hi": i.Hi,
		"t": r.Statistic, "p": r.P, "wilcoxon_w": w.W, "wilcoxon_p_exact": w.P, "wins": float64(wins), "sign_p": sign,
		"harmonic_mean": n / reciprocal, "arithmetic_mean": mean(x)})
}

func goldenPower(t *testing.T, c goldenCase) {
	for key, want := range expect[map[string]struct{ D float64 }](t, c) {
		n, err := strconv.Atoi(key)
		require.NoError(t, err)
		d, err := MinDetectable(n, n, c.Input.Alpha, c.Input.Power)
		require.NoError(t, err)
		c.near(t, want.D, d, "n = %d", n)
	}
}

// Rates are combined by their tokens and seconds, or harmonically for equal
// tokens: the arithmetic mean overstates.
func goldenRates(t *testing.T, c goldenCase) {
	var tokens []float64
	require.NoError(t, json.Unmarshal(c.Input.Tokens, &tokens))
	rates := make([]float64, len(tokens))
	var all, time, reciprocal float64
	for i, n := range tokens {
		rates[i] = n / c.Input.Seconds[i]
		all, time, reciprocal = all+n, time+c.Input.Seconds[i], reciprocal+1/rates[i]
	}
	c.all(t, map[string]float64{"arithmetic_mean_of_rates": mean(rates), "total_tokens_over_total_time": all / time,
		"harmonic_mean": float64(len(rates)) / reciprocal})
}

func goldenFieller(t *testing.T, c goldenCase) {
	i, err := Fieller(c.Input.A, c.Input.B, c.Input.Confidence)
	require.NoError(t, err)
	w, err := Welch(c.Input.A, c.Input.B)
	require.NoError(t, err)
	ma, va := meanVar(c.Input.A)
	half := halfWidth(c.Input.Confidence, w.DF)
	g := half * half * va / float64(len(c.Input.A)) / (ma * ma)
	c.all(t, map[string]float64{"ratio": i.Estimate, "lo": i.Lo, "hi": i.Hi, "g": g, "df": w.DF})
}

func goldenLogRatio(t *testing.T, c goldenCase) {
	r, err := LogRatio(c.Input.A, c.Input.B)
	require.NoError(t, err)
	i, err := r.Ratio(c.Input.Confidence)
	require.NoError(t, err)
	c.all(t, map[string]float64{"ratio": i.Estimate, "lo": i.Lo, "hi": i.Hi, "t": r.Statistic, "df": r.DF, "p": r.P})
}

// The whole summaries are checked in package throughput.
func goldenMoments(t *testing.T, c goldenCase) {
	want := expect[map[string]float64](t, c)
	m, v := meanVar(c.Input.X)
	c.near(t, want["mean"], m, "mean")
	c.near(t, want["sd"], math.Sqrt(v), "sd")
}

func goldenTOST(t *testing.T, c goldenCase) {
	r, err := TOST(c.Input.A, c.Input.B, c.Input.Margin)
	require.NoError(t, err)
	c.all(t, map[string]float64{"p_lower": r.PLower, "p_upper": r.PUpper, "p": r.P})
}

func goldenWelch(t *testing.T, c goldenCase) {
	r, err := Welch(c.Input.A, c.Input.B)
	require.NoError(t, err)
	i, err := r.Interval(c.Input.Confidence)
	require.NoError(t, err)
	c.all(t, map[string]float64{"diff": r.Diff, "se": r.StdErr, "t": r.Statistic, "df": r.DF, "p_two_sided": r.P,
		"p_greater": r.Greater(0), "lo": i.Lo, "hi": i.Hi})
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
