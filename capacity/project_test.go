package capacity_test

import (
	"encoding/json"
	"math"
	"testing"

	"example.com/servemath/capacity"
	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func promptSweep(t *testing.T, kind capacity.TPSKind) *capacity.Sweep {
	t.Helper()
	return newSweep(
		t, capacity.Workload{PromptTokens: 200, OutputTokens: 200, TPS: kind},
		capacity.Level{Concurrency: 1, TTFTSeconds: 0.05, TPS: 50, TPSStdErr: 1, OutputTPS: 49},
		capacity.Level{Concurrency: 10, TTFTSeconds: 0.3, TPS: 40},
	)
}

var slopes = capacity.Slopes{PrefillSecondsPerToken: 5e-5, DecodeSecondsPerToken: 2e-7, BatchSecondsPerToken: 1e-7, LongestPrompt: 5000}

// By hand from 200/200 to 5000/500: prompt tokens an output token 1 and 10, mean
// context 300 and 5250.
func TestProject(t *testing.T) {
	to := capacity.Workload{PromptTokens: 5000, OutputTokens: 500}
	s, err := promptSweep(t, capacity.DecodeTPS).Project(to, slopes)
	require.NoError(t, err)
	assert.True(t, s.Projected())
	assert.Equal(t, to, s.Workload())
	for i, want := range []struct{ ttft, tpot float64 }{
		{0.05 + 5e-5*4800, 1/50. + 1*5e-5*9 + 2e-7*4950},
		{0.3 + 5e-5*4800, 1/40. + 10*5e-5*9 + (2e-7+9*1e-7)*4950},
	} {
		l := s.Levels()[i]
		testkit.Rel(t, want.ttft, l.TTFTSeconds, goldenTolerance, "TTFT")
		testkit.Rel(t, 1/want.tpot, l.TPS, goldenTolerance, "TPS")
		assert.Zero(t, l.TPSStdErr)
		assert.Zero(t, l.OutputTPS)
	}
	same, err := promptSweep(t, capacity.DecodeTPS).Project(capacity.Workload{PromptTokens: 200, OutputTokens: 200}, slopes)
	require.NoError(t, err)
	for i, l := range same.Levels() {
		want := promptSweep(t, capacity.DecodeTPS).Levels()[i]
		testkit.Rel(t, want.TPS, l.TPS, goldenTolerance, "the same workload")
		testkit.Rel(t, want.TTFTSeconds, l.TTFTSeconds, goldenTolerance, "the same workload")
	}
}

// An end-to-end sweep keeps its kind: tokens by request time.
func TestProjectEndToEnd(t *testing.T) {
	to := capacity.Workload{PromptTokens: 5000, OutputTokens: 500, TPS: capacity.EndToEndTPS}
	s, err := promptSweep(t, capacity.EndToEndTPS).Project(to, slopes)
	require.NoError(t, err)
	tpot := (200/50.-0.05)/199 + 5e-5*9 + 2e-7*4950
	testkit.Rel(t, 500/(0.05+5e-5*4800+499*tpot), s.Levels()[0].TPS, goldenTolerance, "TPS")
}

// TTFT under load is never projected: no number stands in for it.
func TestProjectedHasNoTTFT(t *testing.T) {
	s, err := promptSweep(t, capacity.DecodeTPS).Project(capacity.Workload{PromptTokens: 5000, OutputTokens: 500}, slopes)
	require.NoError(t, err)
	const reason = "needs a measured sweep"

	for _, u := range []capacity.Usage{capacity.Chat(), {ThinkSeconds: 20}} {
		c, err := capacity.Estimate(s, capacity.DefaultTargets(), u, known(46), nil)
		require.NoError(t, err)
		assert.Equal(t, capacity.LimitNoLevel, c.Limit)
		assert.Zero(t, c.Users)
		assert.Contains(t, c.Explain(), reason)
	}
	_, err = s.MaxUsers(20, capacity.DefaultTargets(), nil)
	require.ErrorIs(t, err, capacity.ErrTargets)
	assert.ErrorContains(t, err, reason)
	_, _, err = s.BestCap(20, capacity.DefaultTargets(), nil)
	assert.ErrorIs(t, err, capacity.ErrTargets)

	m, err := s.MaxC(capacity.DefaultTargets())
	require.NoError(t, err)
	assert.Zero(t, m.Concurrency)
	assert.Contains(t, m.Levels[0].Failed, "TTFT")
	b, err := json.Marshal(m)
	require.NoError(t, err)
	assert.NotContains(t, string(b), "ttft_seconds\":0")

	p, err := s.Closed(5, 20, &capacity.Options{PrefillSeconds: 0.01})
	require.NoError(t, err)
	assert.True(t, math.IsNaN(p.TTFTSeconds))
	assert.True(t, math.IsNaN(p.TTFTRandomSeconds))
	assert.True(t, math.IsNaN(p.TTFTCDF(1)))
	_, err = p.TTFTQuantile(0.5)
	assert.ErrorIs(t, err, capacity.ErrTargets)
	_, err = p.Attainment(capacity.DefaultTargets())
	assert.ErrorIs(t, err, capacity.ErrTargets)
	b, err = json.Marshal(p)
	require.NoError(t, err)
	assert.NotContains(t, string(b), "ttft")

	// Speed and whole requests are estimated, and say so.
	targets := capacity.Targets{MinTPS: 20, MaxE2ESeconds: 30}
	c, err := capacity.Estimate(s, targets, capacity.Usage{ThinkSeconds: 20}, known(1000), nil)
	require.NoError(t, err)
	assert.Positive(t, c.Users)
	require.NotEmpty(t, c.Warnings)
	assert.ErrorContains(t, c.Warnings[0], "projected, not measured")
}

func TestProjectRefuses(t *testing.T) {
	s := promptSweep(t, capacity.DecodeTPS)
	good := capacity.Workload{PromptTokens: 5000, OutputTokens: 500}
	unknown := newSweep(t, capacity.Workload{OutputTokens: 200}, s.Levels()...)
	projected, err := s.Project(good, slopes)
	require.NoError(t, err)
	for _, c := range []struct {
		name  string
		s     *capacity.Sweep
		to    capacity.Workload
		p     capacity.Slopes
		field string
	}{
		{"no reply", s, capacity.Workload{PromptTokens: 5000}, slopes, "OutputTokens"},
		{"unknown prompt", unknown, good, slopes, "PromptTokens"},
		{"unknown new prompt", s, capacity.Workload{OutputTokens: 500}, slopes, "PromptTokens"},
		{"more than twice the longest", s, capacity.Workload{PromptTokens: 10_001, OutputTokens: 500}, slopes, "PromptTokens"},
		{"more than twice the sweep's own", s, capacity.Workload{PromptTokens: 401, OutputTokens: 500}, capacity.Slopes{}, "PromptTokens"},
		{"negative slope", s, good, capacity.Slopes{PrefillSecondsPerToken: -1, LongestPrompt: 5000}, "PrefillSecondsPerToken"},
		{"NaN slope", s, good, capacity.Slopes{DecodeSecondsPerToken: math.NaN(), LongestPrompt: 5000}, "DecodeSecondsPerToken"},
		{"infinite slope", s, good, capacity.Slopes{BatchSecondsPerToken: math.Inf(1), LongestPrompt: 5000}, "BatchSecondsPerToken"},
		{"negative TTFT", s, capacity.Workload{PromptTokens: 1, OutputTokens: 200}, capacity.Slopes{PrefillSecondsPerToken: 0.01}, "Slopes"},
		{"twice projected", projected, good, slopes, "Sweep"},
	} {
		_, err := c.s.Project(c.to, c.p)
		var bad *capacity.InputError
		require.ErrorAs(t, err, &bad, c.name)
		assert.Equal(t, c.field, bad.Field, c.name)
	}
}
