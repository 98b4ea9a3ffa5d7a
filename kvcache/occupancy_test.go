package kvcache_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/servemath/kvcache"
)

func budget96(weights kvcache.Bytes) kvcache.Budget {
	return kvcache.Budget{Device: kvcache.Device{Name: "96 GB card", Memory: 96 * kvcache.GB}, Weights: weights}
}

// The published worked example: 32 layers, 8 heads of 128, 32 GB of weights on
// 96 GB leave 50.08 GB, which hold 46 sessions of 16,384 tokens or 11 of 65,536.
func TestWorkedExample(t *testing.T) {
	m := llama8B()
	m.ContextWindow = 0
	for tokens, want := range map[int]int{16384: 46, 65536: 11, 764160: 1, 764161: 0} {
		o, err := m.Sessions(tokens, budget96(32*kvcache.GB), kvcache.Setup{})
		require.NoError(t, err)
		require.Equal(t, kvcache.OK, o.Status)
		require.Equal(t, want, o.Sessions)
		require.Equal(t, kvcache.Bytes(50_080_000_000), o.FreePerDevice)
		require.EqualValues(t, 65536*tokens, o.SessionPerDevice)
	}
	n, err := m.MaxTokens(50_080_000_000, kvcache.Setup{})
	require.NoError(t, err)
	require.Equal(t, 764160, n)
	o, err := m.Sessions(16384, budget96(32*kvcache.GB), kvcache.Setup{})
	require.NoError(t, err)
	for _, step := range []string{"96 GB", "91.2 GB", "82.08 GB", "50.08 GB", "1073741824 B", "46"} {
		require.Contains(t, o.Explain(), step)
	}
}

func TestSessionsStatus(t *testing.T) {
	for _, c := range []struct {
		name     string
		tokens   int
		weights  kvcache.Bytes
		parallel kvcache.Parallel
		status   kvcache.Status
		sessions int
		free     kvcache.Bytes
	}{
		{"fits", 16384, 32 * kvcache.GB, kvcache.Parallel{}, kvcache.OK, 46, 50_080_000_000},
		{"copies add up", 16384, 32 * kvcache.GB, kvcache.Parallel{DP: 4}, kvcache.OK, 184, 50_080_000_000},
		{"weights are divided", 16384, 32 * kvcache.GB, kvcache.Parallel{TP: 2, PP: 2}, kvcache.OK, 275, 74_080_000_000},
		{"weights rounded against us", 16384, 100, kvcache.Parallel{PP: 3}, kvcache.OK, 229, 82_079_999_966},
		{"exactly full", 16384, 82_080_000_000, kvcache.Parallel{}, kvcache.WeightsDoNotFit, 0, 0},
		{"too heavy", 16384, 100 * kvcache.GB, kvcache.Parallel{}, kvcache.WeightsDoNotFit, 0, -17_920_000_000},
		{"too long", 131073, 32 * kvcache.GB, kvcache.Parallel{}, kvcache.ContextTooLong, 0, 50_080_000_000},
		{"too heavy and too long", 131073, 100 * kvcache.GB, kvcache.Parallel{}, kvcache.WeightsDoNotFit, 0, -17_920_000_000},
		{"no room for one", 131072, 80 * kvcache.GB, kvcache.Parallel{}, kvcache.OK, 0, 2_080_000_000},
	} {
		o, err := llama8B().Sessions(c.tokens, budget96(c.weights), kvcache.Setup{Parallel: c.parallel})
		require.NoError(t, err, c.name)
		assert.Equal(t, c.status, o.Status, c.name)
		assert.Equal(t, c.sessions, o.Sessions, c.name)
		assert.Equal(t, c.free, o.FreePerDevice, c.name)
		assert.NotEmpty(t, o.Explain(), c.name)
	}
}

// Defaults are decimal shares, 0.85 where memory is unified; nothing drifts.
func TestBudgetDefaults(t *testing.T) {
	for _, c := range []struct {
		budget kvcache.Budget
		free   kvcache.Bytes
	}{
		{kvcache.Budget{Device: kvcache.Device{Memory: 288 * kvcache.GB}}, 246_240_000_000},
		{kvcache.Budget{Device: kvcache.Device{Memory: 128 * kvcache.GB, Unified: true}}, 97_920_000_000},
		{kvcache.Budget{Device: kvcache.Device{Memory: 100}, Allocation: 0.7, Share: 0.1}, 7},
		{kvcache.Budget{Device: kvcache.Device{Memory: 1000}, Allocation: 1, Share: 0.29}, 290},
	} {
		o, err := llama8B().Sessions(1, c.budget, kvcache.Setup{})
		require.NoError(t, err)
		require.Equal(t, c.free, o.FreePerDevice)
	}
}

func TestBudgetRefuses(t *testing.T) {
	card := kvcache.Device{Memory: 96 * kvcache.GB}
	for name, b := range map[string]kvcache.Budget{
		"no memory":           {},
		"negative memory":     {Device: kvcache.Device{Memory: -1}},
		"negative weights":    {Device: card, Weights: -1},
		"allocation above 1":  {Device: card, Allocation: 1.01},
		"allocation in %":     {Device: card, Allocation: 95},
		"negative allocation": {Device: card, Allocation: -0.1},
		"allocation NaN":      {Device: card, Allocation: math.NaN()},
		"share infinite":      {Device: card, Share: math.Inf(1)},
		"share NaN":           {Device: card, Share: math.NaN()},
	} {
		o, err := llama8B().Sessions(16384, b, kvcache.Setup{})
		require.ErrorIs(t, err, kvcache.ErrBudget, name)
		require.Zero(t, o, name)
	}
	_, err := llama8B().Sessions(0, budget96(0), kvcache.Setup{})
	require.ErrorIs(t, err, kvcache.ErrTokens)
	var shape *kvcache.ShapeError
	_, err = model("m", 0, every(128, 2, copied("latent", 512)...)).Sessions(127, budget96(0), kvcache.Setup{})
	require.ErrorAs(t, err, &shape, "a session that keeps nothing has no number")
	require.NotPanics(t, func() { _ = kvcache.Occupancy{}.Explain() })
}

func TestOccupancyJSON(t *testing.T) {
	o, err := llama8B().Sessions(131073, budget96(0), kvcache.Setup{})
	require.NoError(t, err)
	b, err := json.Marshal(o)
	require.NoError(t, err)
	var got map[string]any
	require.NoError(t, json.Unmarshal(b, &got))
	require.Equal(t, "context too long", got["status"])
	require.Equal(t, 0.95, got["allocation"])
	require.Len(t, got["footprint"].(map[string]any)["warnings"], 1)
	require.Equal(t, "context too long", o.String())
	require.Equal(t, "status 9", kvcache.Status(9).String())
}
