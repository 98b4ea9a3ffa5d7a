package bt

import (
	"encoding/json"
	"math"
	"testing"

	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestGoldenRatios(t *testing.T) {
	var want struct {
		Players    []string
		Effects    []float64 `json:"log_effects"`
		Speeds     []float64 `json:"speed_vs_geometric_mean"`
		ResidualSD float64   `json:"residual_sd"`
		DF         float64   `json:"residual_df"`
		N          float64
		OLS        []float64 `json:"se_ols"`
		Machine    []float64 `json:"se_cluster_machine"`
		Model      []float64 `json:"se_cluster_model"`
	}
	readInto(t, "k_nvidia_single_logratio", &want)
	_, d := nvidia(t)
	m, err := FitRatios(d, nil)
	require.NoError(t, err)
	assert.Equal(t, want.Players, m.Items())
	nearAll(t, want.Effects, m.LogEffects(), tolTheta, "log effects")
	nearAll(t, want.OLS, m.StdErrs(), tolStdErr, "standard errors")
	testkit.Near(t, want.ResidualSD, m.ResidualSD(), 1e-12, "residual standard deviation")
	assert.Equal(t, want.DF, m.DF())
	assert.Equal(t, want.N, m.N())
	for by, ses := range map[string][]float64{"machine": want.Machine, "model": want.Model} {
		r, err := m.Robust(by)
		require.NoError(t, err)
		nearAll(t, ses, r.StdErrs, tolStdErr, by)
		speeds, err := m.Ratios(&IntervalOptions{By: []string{by}})
		require.NoError(t, err)
		for i, s := range speeds {
			testkit.Near(t, want.Speeds[i], s.Estimate, 1e-12, "speed")
			testkit.Near(t, want.Effects[i]+1.959963984540054*ses[i], math.Log(s.Hi), 1e-9, "upper end")
		}
	}
	// Unlabelled clusters are the single ratios.
	r, err := m.Robust()
	require.NoError(t, err)
	assert.Equal(t, 453, r.Clusters)
	testkit.Rel(t, want.OLS[1], r.StdErrs[1], 0.5, "HC0")
}

// The slow twin: least squares of every ratio by itself, with a reference.
func TestRatiosRelativeToAnItem(t *testing.T) {
	_, d := nvidia(t)
	free, err := FitRatios(d, nil)
	require.NoError(t, err)
	m, err := FitRatios(d, &RatioOptions{Reference: "vLLM"})
	require.NoError(t, err)
	speeds, err := m.Ratios(nil)
	require.NoError(t, err)
	assert.Equal(t, Interval{1, 1, 1, 0.95}, speeds[2])
	for _, o := range []*IntervalOptions{nil, {Level: 0.8, By: []string{"machine"}, SmallSample: true}} {
		speeds, err = m.Ratios(o)
		require.NoError(t, err)
		for i, item := range m.Items() {
			for _, fit := range []*RatioModel{m, free} {
				got, err := fit.Ratio(item, "vLLM", o)
				require.NoError(t, err)
				nearAll(t, []float64{speeds[i].Estimate, speeds[i].Lo, speeds[i].Hi}, []float64{got.Estimate, got.Lo, got.Hi}, 1e-12, item)
			}
		}
	}
}

// Seconds are turned over, and weights count: with two contests of 3 and 1, the
// weighted mean of the log ratios.
func TestRatiosOfTimesAndWeights(t *testing.T) {
	var d Data
	lower := &ContestOptions{LowerIsBetter: true}
	d.AddContest(Contest{Scores: map[string]float64{"fast": 1, "slow": 2}, Weight: 3}, lower)
	d.AddContest(Contest{Scores: map[string]float64{"fast": 1, "slow": 4}}, lower)
	m, err := FitRatios(&d, nil)
	require.NoError(t, err)
	got, err := m.Ratio("fast", "slow", nil)
	require.NoError(t, err)
	testkit.Near(t, math.Exp((3*math.Ln2+2*math.Ln2)/4), got.Estimate, 1e-14, "ratio")
	// Residuals -ln2/4 and 3ln2/4, weighted 3 and 1, on one degree of freedom.
	testkit.Near(t, math.Ln2*math.Sqrt((3.0+9)/16), m.ResidualSD(), 1e-14, "residual standard deviation")
}

func TestRatioErrors(t *testing.T) {
	_, err := FitRatios(nil, nil)
	assert.ErrorIs(t, err, ErrNoData)
	var d Data
	d.AddWin("A", "B", 1)
	_, err = FitRatios(&d, nil)
	assert.ErrorIs(t, err, ErrNoData, "wins have no ratio")
	d.AddContest(Contest{Scores: map[string]float64{"C": 2, "D": 3}}, nil)
	_, err = FitRatios(&d, nil)
	var dis *DisconnectedError
	require.ErrorAs(t, err, &dis)
	assert.Equal(t, [][]string{{"A"}, {"B"}, {"C", "D"}}, dis.Components)

	d = Data{}
	d.AddContest(Contest{Scores: map[string]float64{"A": 1, "B": 2}}, nil)
	m, err := FitRatios(&d, nil)
	require.NoError(t, err)
	assert.True(t, math.IsNaN(m.ResidualSD()), "no degrees of freedom")
	in, err := m.Ratio("A", "B", nil)
	require.NoError(t, err)
	assert.Equal(t, 0.5, in.Estimate)
	assert.True(t, math.IsNaN(in.Lo))
	_, err = m.Ratio("A", "Z", nil)
	assert.ErrorIs(t, err, ErrUnknownItem)
	_, err = m.Ratio("Z", "A", nil)
	assert.ErrorIs(t, err, ErrUnknownItem)
	_, err = m.Ratios(&IntervalOptions{Level: -1})
	assert.ErrorIs(t, err, ErrLevel)
	_, err = m.Ratios(&IntervalOptions{By: []string{"machine"}})
	assert.ErrorIs(t, err, ErrUnknownLabel)
	_, err = FitRatios(&d, &RatioOptions{Reference: "Z"})
	assert.ErrorIs(t, err, ErrUnknownItem)

	d.AddContest(Contest{Scores: map[string]float64{"A": 0, "B": 2}}, nil)
	assert.NoError(t, d.Err(), "a score of 0 can be ranked")
	_, err = FitRatios(&d, nil)
	var in2 *InputError
	require.ErrorAs(t, err, &in2)
	assert.Equal(t, 1, in2.Index)
}

func TestRatioModelAsTextAndJSON(t *testing.T) {
	_, d := nvidia(t)
	m, err := FitRatios(d, nil)
	require.NoError(t, err)
	assert.Equal(t, "Pie 1.102x, SGLang 1.010x, vLLM 0.968x, TensorRT-LLM 0.929x", m.String())
	text, err := json.Marshal(m)
	require.NoError(t, err)
	var got struct {
		Items      []string
		LogEffects []float64 `json:"log_effects"`
		StdErrs    []float64 `json:"std_errs"`
		Ratios, DF float64
		ResidualSD float64 `json:"residual_sd"`
	}
	require.NoError(t, json.Unmarshal(text, &got))
	assert.Equal(t, m.Items(), got.Items)
	assert.Equal(t, m.LogEffects(), got.LogEffects)
	assert.Equal(t, m.StdErrs(), got.StdErrs)
	assert.Equal(t, []float64{453, 450, m.ResidualSD()}, []float64{got.Ratios, got.DF, got.ResidualSD})

	var one Data
	one.AddContest(Contest{Scores: map[string]float64{"a": 1, "b": 1}}, nil)
	m, err = FitRatios(&one, nil)
	require.NoError(t, err)
	text, err = json.Marshal(m)
	require.NoError(t, err)
	assert.JSONEq(t, `{"items":["a","b"],"log_effects":[0,0],"ratios":1,"df":0}`, string(text), "no spread of one ratio")
}
