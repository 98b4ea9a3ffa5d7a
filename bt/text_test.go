package bt

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWriteTextOfNVIDIA(t *testing.T) {
	_, d := nvidia(t)
	m, err := Fit(d, nil)
	require.NoError(t, err)
	var b strings.Builder
	require.NoError(t, m.WriteText(&b, &IntervalOptions{By: []string{"model"}}))
	assert.Equal(t, `rank  tier  item          strength    interval  log-strength  std err  comparisons  won-tied-lost
   1     1  Pie              85.3%  78.5-90.2%         1.761    0.237          234       209-4-21
   2     2  SGLang           53.1%  42.8-63.2%         0.126    0.212          234      123-6-105
   3     3  TensorRT-LLM     28.4%  17.5-42.5%        -0.927    0.319          204       55-3-146
   4     3  vLLM             27.7%  17.7-40.6%        -0.960    0.295          234       58-3-173

strength: chance to beat an item of average log-strength; 95% intervals, clustered by model
tier: items of one tier are not told apart by their intervals
ties: half wins
warning: 12 clusters are few: intervals from fewer than 20 tend to be too narrow
`, b.String())
}

func TestWriteTextSaysWhatWasFitted(t *testing.T) {
	o := Options{Ties: Davidson, OrderEffect: true}
	m, err := Fit(simulated(newRand(23), o, 3, 500), &o)
	require.NoError(t, err)
	var b strings.Builder
	require.NoError(t, m.WriteText(&b, nil))
	for _, want := range []string{"comparisons taken as independent", "ties: Davidson, parameter 1.", "order effect: 0."} {
		assert.Contains(t, b.String(), want)
	}
}

type broken struct{}

var errBroken = errors.New("broken")

func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestWriteTextErrors(t *testing.T) {
	_, d := nvidia(t)
	m, err := Fit(d, nil)
	require.NoError(t, err)
	assert.ErrorIs(t, m.WriteText(broken{}, nil), errBroken)
	assert.ErrorIs(t, m.WriteText(&strings.Builder{}, &IntervalOptions{Level: 3}), ErrLevel)
	assert.ErrorIs(t, m.WriteText(&strings.Builder{}, &IntervalOptions{By: []string{"x"}}), ErrUnknownLabel)
}

func TestNumber(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 100: "100", 0.5: "0.5", 61.25: "61.25", 2.0 / 3: "0.67", 1e-9: "0"} {
		assert.Equal(t, want, number(x))
	}
}

// A strength that a prior made, or that is no plain chance, is labelled so.
func TestWriteTextLabelsPriorsAndTies(t *testing.T) {
	d := readGolden(t, "d2_ties_raokupper").data(true)
	for _, tt := range []struct {
		o    Options
		want []string
	}{
		{Options{Prior: Gaussian{SD: 2}}, []string{"prior: Gaussian, standard deviation 2\n"}},
		{Options{Prior: Jeffreys{}}, []string{"prior: Jeffreys\n"}},
		{Options{Prior: PseudoWins{PerPair: 0.5}}, []string{"prior: pseudo-wins, 0.5 each way"}},
		{Options{Prior: VirtualPlayer{Wins: 1}}, []string{"prior: virtual player", "log-strength: relative to the virtual player\n"}},
		{Options{Ties: Davidson}, []string{"strength: chance to beat an item of average log-strength, where the two do not tie;"}},
		{Options{Ties: RaoKupper}, []string{"strength: sigmoid of the log-strength above", "no chance"}},
	} {
		m, err := Fit(d, &tt.o)
		require.NoError(t, err)
		var b strings.Builder
		require.NoError(t, m.WriteText(&b, nil))
		for _, want := range tt.want {
			assert.Contains(t, b.String(), want)
		}
		if tt.o.Prior != nil {
			text, err := json.Marshal(m)
			require.NoError(t, err)
			assert.Contains(t, string(text), `"prior":"`+tt.o.Prior.describe())
		}
	}
}
