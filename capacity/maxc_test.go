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

func TestMaxCGolden(t *testing.T) {
	g := readGolden(t)
	require.Len(t, g.MaxC, 23)
	for _, c := range g.MaxC {
		got, err := g.sweep(t, c.Sweep).MaxC(c.Targets.targets())
		require.NoError(t, err)
		var passes []bool
		for _, v := range got.Levels {
			passes = append(passes, v.Pass)
			assert.Equal(t, v.Pass, len(v.Failed) == 0)
		}
		assert.Equal(t, c.Out.MaxC, got.Concurrency, "%s %v", c.Sweep, c.Targets)
		assert.Equal(t, c.Out.AtLeast, got.AtLeast, "%s %v", c.Sweep, c.Targets)
		assert.Equal(t, c.Out.Contiguous, got.Contiguous, "%s %v", c.Sweep, c.Targets)
		assert.Equal(t, c.Out.Levels, passes, "%s %v", c.Sweep, c.Targets)
	}
}

// The targets are inclusive and compared exactly: one unit in the last place
// decides.
func TestMaxCIsInclusiveAndExact(t *testing.T) {
	const ttft, tps = 1.0, 20.0
	for _, c := range []struct {
		name   string
		level  capacity.Level
		failed []string
	}{
		{"on both targets", capacity.Level{TTFTSeconds: ttft, TPS: tps}, nil},
		{"a hair late", capacity.Level{TTFTSeconds: math.Nextafter(ttft, 2), TPS: tps}, []string{"TTFT"}},
		{"a hair slow", capacity.Level{TTFTSeconds: ttft, TPS: math.Nextafter(tps, 0)}, []string{"TPS"}},
		{"both", capacity.Level{TTFTSeconds: 2, TPS: 1}, []string{"TTFT", "TPS"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.level.Concurrency = 3
			m, err := newSweep(t, capacity.Workload{OutputTokens: 128}, c.level).MaxC(capacity.DefaultTargets())
			require.NoError(t, err)
			assert.Equal(t, c.failed, m.Levels[0].Failed)
			assert.Equal(t, c.failed == nil, m.Concurrency == 3)
			assert.Equal(t, c.failed == nil, m.AtLeast)
		})
	}
}

func TestMaxCRequestTime(t *testing.T) {
	level := capacity.Level{Concurrency: 2, TTFTSeconds: 0.5, TPS: 10}
	for _, c := range []struct {
		name string
		work capacity.Workload
		e2e  float64 // by hand
	}{
		{"decode", capacity.Workload{OutputTokens: 101}, 0.5 + 100/10.},
		{"end to end", capacity.Workload{OutputTokens: 101, TPS: capacity.EndToEndTPS}, 101 / 10.},
		{"decode, one token", capacity.Workload{OutputTokens: 1}, 0.5},
		{"end to end, one token", capacity.Workload{OutputTokens: 1, TPS: capacity.EndToEndTPS}, 0.5},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.work.OutputTokens == 1 {
				level.TPS = 2
			}
			s := newSweep(t, c.work, level)
			m, err := s.MaxC(capacity.Targets{MaxE2ESeconds: c.e2e * (1 - 1e-9)})
			require.NoError(t, err)
			testkit.Rel(t, c.e2e, m.Levels[0].E2ESeconds, 1e-15, c.name)
			assert.Equal(t, 2*level.TPS, m.Levels[0].AggregateTPS)
			assert.Equal(t, []string{"E2E"}, m.Levels[0].Failed)
			m, err = s.MaxC(capacity.Targets{MaxE2ESeconds: c.e2e * (1 + 1e-9)})
			require.NoError(t, err)
			assert.Equal(t, 2, m.Concurrency)
		})
	}
}

func TestTargetsRefused(t *testing.T) {
	s := readGolden(t).sweep(t, "b300")
	for _, bad := range []float64{-1, math.NaN(), math.Inf(1), math.Inf(-1)} {
		for field, target := range map[string]capacity.Targets{
			"MaxTTFTSeconds": {MaxTTFTSeconds: bad},
			"MinTPS":         {MinTPS: bad},
			"MaxE2ESeconds":  {MaxE2ESeconds: bad},
		} {
			_, err := s.MaxC(target)
			require.ErrorIs(t, err, capacity.ErrTargets)
			assert.ErrorContains(t, err, field)
		}
	}
}

func TestMaxCJSON(t *testing.T) {
	m, err := newSweep(t, capacity.Workload{OutputTokens: 11}, capacity.Level{Concurrency: 2, TTFTSeconds: 1.5, TPS: 10}).
		MaxC(capacity.DefaultTargets())
	require.NoError(t, err)
	b, err := json.Marshal(m)
	require.NoError(t, err)
	assert.JSONEq(t, `{"concurrency": 0, "at_least": false, "contiguous": 0,
		"targets": {"max_ttft_seconds": 1, "min_tps": 20},
		"levels": [{"concurrency": 2, "pass": false, "failed": ["TTFT", "TPS"],
			"ttft_seconds": 1.5, "tps": 10, "e2e_seconds": 2.5, "aggregate_tps": 20}]}`, string(b))
}
