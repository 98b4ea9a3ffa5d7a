package bt

import (
	"encoding/json"
	"testing"

	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestGoldenLeaveOneOut(t *testing.T) {
	type fit struct {
		LogStrengths  []float64 `json:"log_strengths"`
		LogLikelihood float64   `json:"log_likelihood"`
	}
	var file struct {
		Machine map[string]fit `json:"without_machine"`
		Model   map[string]fit `json:"without_model"`
	}
	readInto(t, "e_nvidia_single_leave_one_out", &file)
	_, d := nvidia(t)
	m, err := Fit(d, nil)
	require.NoError(t, err)
	for _, tt := range []struct {
		by    string
		want  map[string]fit
		swaps int // fits that order vLLM and TensorRT-LLM the other way round
	}{{"machine", file.Machine, 3}, {"model", file.Model, 4}} {
		got, err := m.LeaveOut(tt.by)
		require.NoError(t, err)
		require.Len(t, got, len(tt.want))
		swaps := 0
		for _, in := range got {
			want, ok := tt.want[in.Value]
			require.True(t, ok, in.Value)
			require.NoError(t, in.Err)
			nearAll(t, want.LogStrengths, in.LogStrengths, tolTheta, in.Value)
			testkit.Rel(t, want.LogLikelihood, in.LogLikelihood, tolLogLik, "%s", in.Value)
			for _, s := range in.Swaps {
				assert.Equal(t, [2]string{"TensorRT-LLM", "vLLM"}, s, in.Value)
				swaps++
			}
		}
		assert.Equal(t, tt.swaps, swaps, tt.by)
	}
}

// By an independent computation, MLX falls by 13 points without the M2 of 16 GB.
func TestLeaveOutOfApple(t *testing.T) {
	g := readGolden(t, "e_apple_single")
	m, err := Fit(pieData(t, "Apple Silicon", "Single decode", g.Players), nil)
	require.NoError(t, err)
	g.checkFit(t, m)
	got, err := m.LeaveOut("machine")
	require.NoError(t, err)
	found := false
	for _, in := range got {
		if in.Value == "M2 16 GB" {
			found = true
			assert.Equal(t, "MLX", in.Item)
			assert.InDelta(t, -0.13, in.Shift, 0.005)
			assert.Contains(t, in.String(), "without machine M2 16 GB: MLX -1")
		}
	}
	assert.True(t, found)
}

func TestLeaveOutReportsWhatCannotBeRanked(t *testing.T) {
	var d Data
	for _, machine := range []string{"x", "y"} {
		d.Add(Comparison{A: "A", B: "B", Outcome: 1, Group: map[string]string{"machine": machine}})
	}
	d.Add(Comparison{A: "B", B: "A", Outcome: 1, Group: map[string]string{"machine": "x"}})
	m, err := Fit(&d, nil)
	require.NoError(t, err)
	got, err := m.LeaveOut("machine")
	require.NoError(t, err)
	var sep *SeparableError
	require.ErrorAs(t, got[0].Err, &sep)
	assert.NoError(t, got[1].Err)
	assert.Nil(t, got[0].LogStrengths)
	b, err := json.Marshal(got)
	require.NoError(t, err)
	assert.Contains(t, string(b), `"value":"x","error":"bt: no finite ranking exists`)
	assert.Contains(t, string(b), `"swaps":`)

	_, err = m.LeaveOut("model")
	assert.ErrorIs(t, err, ErrUnknownLabel)
}
