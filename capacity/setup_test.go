package capacity_test

import (
	"testing"

	"example.com/servemath/capacity"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSetupDiffers(t *testing.T) {
	base := capacity.Setup{Model: "M", Params: "27B", Format: "FP8", Engine: "vLLM", Hardware: "DGX Spark", Nodes: 2, TP: 2}
	for _, c := range []struct {
		change func(*capacity.Setup)
		want   []string
	}{
		{func(*capacity.Setup) {}, nil},
		{func(s *capacity.Setup) { s.PP, s.DP = 1, 1 }, nil},
		{func(s *capacity.Setup) { s.Model = "N" }, []string{"model"}},
		{func(s *capacity.Setup) { s.Params = "28B" }, []string{"model"}},
		{func(s *capacity.Setup) { s.Format = "BF16" }, []string{"format"}},
		{func(s *capacity.Setup) { s.Engine = "SGLang" }, []string{"engine"}},
		{func(s *capacity.Setup) { s.Hardware = "Thor" }, []string{"hardware"}},
		{func(s *capacity.Setup) { s.TP, s.DP = 1, 2 }, []string{"parallelism"}},
		{func(s *capacity.Setup) { s.Nodes, s.TP = 4, 4 }, []string{"parallelism"}},
		{func(s *capacity.Setup) { s.Speculative = "MTP" }, []string{"speculative"}},
		{func(s *capacity.Setup) { s.Engine, s.Format = "SGLang", "BF16" }, []string{"format", "engine"}},
	} {
		other := base
		c.change(&other)
		assert.Equal(t, c.want, base.Differs(other))
		assert.Equal(t, c.want, other.Differs(base))
	}
}

func TestSetupString(t *testing.T) {
	assert.Equal(t, "M (1.60T parameters), FP8, vLLM, DGX B300 (TP=2, DP=2)",
		capacity.Setup{Model: "M", Params: "1.60T", Format: "FP8", Engine: "vLLM", Hardware: "DGX B300", TP: 2, PP: 1, DP: 2}.String())
	assert.Equal(t, "M, 3× DGX Spark (PP=3)", capacity.Setup{Model: "M", Hardware: "DGX Spark", Nodes: 3, PP: 3}.String())
	assert.Equal(t, "FP8, vLLM with speculative decoding", capacity.Setup{Format: "FP8", Engine: "vLLM", Speculative: "MTP"}.String())
	assert.Empty(t, capacity.Setup{}.String())
}

func TestParseParams(t *testing.T) {
	for printed, want := range map[string]float64{"2.4T": 2.4e12, "1.60T": 1.6e12, "120B": 120e9, "500m": 500e6, " 27B ": 27e9, "64K": 64e3} {
		got, err := capacity.ParseParams(printed)
		require.NoError(t, err, printed)
		assert.InEpsilon(t, want, got, 1e-15, printed)
	}
	for _, printed := range []string{"", " ", "B", "27", "27 billion", "-3B", "1e3B", "NaNB", "InfT", "0B", "1.2.3B", "27BB", "0x1B"} {
		_, err := capacity.ParseParams(printed)
		var bad *capacity.InputError
		require.ErrorAs(t, err, &bad, printed)
		assert.Equal(t, "Params", bad.Field)
	}
}

// The formats of the published rows; widths from their names.
func TestNominalBits(t *testing.T) {
	for format, want := range map[string]int{
		"BF16": 16, "FP16": 16, "FP8": 8, "MXFP8": 8, "INT8": 8, "FP4": 4, "NVFP4": 4, "MXFP4": 4, "INT4": 4, "AWQ": 4, "nvfp4": 4,
	} {
		got, err := capacity.NominalBits(format)
		require.NoError(t, err)
		assert.Equal(t, want, got, format)
	}
	for _, format := range []string{"", "Q4_K_M", "FP"} {
		_, err := capacity.NominalBits(format)
		var bad *capacity.InputError
		require.ErrorAs(t, err, &bad)
	}
}
