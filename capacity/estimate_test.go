package capacity_test

import (
	"encoding/json"
	"math"
	"strconv"
	"testing"

	"example.com/servemath/capacity"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var usages = []capacity.Usage{capacity.Chat(), capacity.Agentic()}

func known(sessions int) capacity.MemoryLimit {
	return capacity.MemoryLimit{Status: capacity.MemoryKnown, Sessions: sessions}
}

// ladder is a sweep over 1, 2, 4 ... top that meets the default targets up to
// pass and no further.
func ladder(tb testing.TB, pass, top int) *capacity.Sweep {
	tb.Helper()
	var levels []capacity.Level
	for c := 1; c <= top; c *= 2 {
		l := capacity.Level{Concurrency: c, TTFTSeconds: 0.2, TPS: 40}
		if c > pass {
			l.TPS = 10
		}
		levels = append(levels, l)
	}
	return newSweep(tb, capacity.Workload{OutputTokens: 128}, levels...)
}

// The published worked example: 46 and 11 sessions fit; Max C 8 and 4.
func TestEstimateWorkedExample(t *testing.T) {
	worked := readGolden(t).Extra2.SeedRules.Worked
	require.Len(t, worked, 2)
	for _, w := range worked {
		for i, u := range usages {
			c, err := capacity.Estimate(ladder(t, w.MaxC, 16), capacity.DefaultTargets(), u, known(w.Memory[i]), nil)
			require.NoError(t, err)
			assert.Equal(t, w.MaxC, c.MaxC.Concurrency)
			assert.Equal(t, w.Speed[i], c.Speed, u.Name)
			assert.Equal(t, w.Memory[i], c.Memory, u.Name)
			assert.Equal(t, w.Capacity[i], c.Users, u.Name)
			assert.Equal(t, w.Limit[i], c.Limit.String(), u.Name)
			assert.Equal(t, [2]int{c.Users, c.Users}, [2]int{c.Low, c.High})
			assert.False(t, c.AtLeast)
			assert.Empty(t, c.Warnings)
		}
	}
}

func TestEstimateMultiplierTable(t *testing.T) {
	table := readGolden(t).Extra2.SeedRules.Multipliers
	require.Len(t, table, 8)
	for maxC, want := range table {
		n, err := strconv.Atoi(maxC)
		require.NoError(t, err)
		for i, u := range usages {
			c, err := capacity.EstimateFromMaxC(capacity.MaxC{Concurrency: n}, u, known(1_000_000))
			require.NoError(t, err)
			assert.Equal(t, want[i], c.Users, "max C %d, %s", n, u.Name)
		}
	}
}

// 10 x 1.1 is 11 on paper and a little more in binary, 70 x 1.1 a little more
// than 77, 3 x 1.1 a little more than 3.3; 100 x 1.15 falls below 115.
func TestEstimateFloorsThePaperProduct(t *testing.T) {
	for _, c := range []struct {
		maxC       int
		multiplier float64
		want       int
	}{{10, 1.1, 11}, {70, 1.1, 77}, {3, 1.1, 3}, {100, 1.15, 115}, {1, 1.9999, 1}, {7, 1.5, 10}} {
		got, err := capacity.EstimateFromMaxC(capacity.MaxC{Concurrency: c.maxC}, capacity.Usage{Multiplier: c.multiplier}, known(1000))
		require.NoError(t, err)
		assert.Equal(t, c.want, got.Users, "%d x %v", c.maxC, c.multiplier)
	}
}

func TestEstimateLimits(t *testing.T) {
	tooLong := capacity.MemoryLimit{Status: capacity.ContextTooLong, Reason: "32,768 tokens"}
	unknown := capacity.MemoryLimit{Reason: "weights of 132.68 GB exceed the assumed memory"}
	for _, c := range []struct {
		name      string
		pass, top int
		memory    capacity.MemoryLimit
		users     int
		limit     capacity.Limit
		text      string
		warnings  int
		explain   string
	}{
		{
			"speed", 8, 16, known(46), 32, capacity.LimitSpeed, "32", 0,
			"chat: 32 people, set by speed: 8 requests at once within TTFT <= 1 s, TPS >= 20 and 4 people for each; memory holds 46 sessions of 16,384 tokens.",
		},
		{
			"speed, top level", 64, 64, known(300), 256, capacity.LimitSpeed, "256+", 0,
			"chat: at least 256 people, set by speed: 64 requests at once, the highest level measured, within TTFT <= 1 s, TPS >= 20 and 4 people for each; memory holds 300 sessions of 16,384 tokens.",
		},
		{
			"memory", 8, 16, known(11), 11, capacity.LimitMemory, "11", 0,
			"chat: 11 people, set by memory: 11 sessions of 16,384 tokens fit; speed would allow 32 (8 requests at once within TTFT <= 1 s, TPS >= 20 and 4 people for each).",
		},
		{
			"memory, top level", 16, 16, known(11), 11, capacity.LimitMemory, "11", 0,
			"chat: 11 people, set by memory: 11 sessions of 16,384 tokens fit; speed would allow 64 (16 requests at once, the highest level measured, within TTFT <= 1 s, TPS >= 20 and 4 people for each).",
		},
		{
			"memory holds nobody", 8, 16, known(0), 0, capacity.LimitMemory, "0", 0,
			"chat: 0 people, set by memory: 0 sessions of 16,384 tokens fit; speed would allow 32 (8 requests at once within TTFT <= 1 s, TPS >= 20 and 4 people for each).",
		},
		{
			"tie at the top level loses its plus", 16, 16, known(64), 64, capacity.LimitTie, "64", 0,
			"chat: 64 people by either limit: 64 sessions of 16,384 tokens fit, and speed allows as many (16 requests at once, the highest level measured, within TTFT <= 1 s, TPS >= 20 and 4 people for each).",
		},
		{
			"speed only", 16, 16, unknown, 64, capacity.LimitSpeed, "64+", 1,
			"chat: at least 64 people, set by speed: 16 requests at once, the highest level measured, within TTFT <= 1 s, TPS >= 20 and 4 people for each; memory was not calculated (weights of 132.68 GB exceed the assumed memory).",
		},
		{
			"context too long", 8, 16, tooLong, 0, capacity.LimitContext, "—", 1,
			"chat: no figure: a session of 16,384 tokens is longer than the model's window (32,768 tokens).",
		},
		{
			"no level", 0, 16, known(46), 0, capacity.LimitNoLevel, "—", 0,
			"chat: no figure: no measured level meets TTFT <= 1 s, TPS >= 20.",
		},
		{
			"neither level nor window", 0, 16, tooLong, 0, capacity.LimitNoLevel, "—", 1,
			"chat: no figure: no measured level meets TTFT <= 1 s, TPS >= 20.",
		},
		{
			"single level", 1, 1, known(46), 4, capacity.LimitSpeed, "4+", 1,
			"chat: at least 4 people, set by speed: 1 request at once, the highest level measured, within TTFT <= 1 s, TPS >= 20 and 4 people for each; memory holds 46 sessions of 16,384 tokens.",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := capacity.Estimate(ladder(t, c.pass, c.top), capacity.DefaultTargets(), capacity.Chat(), c.memory, nil)
			require.NoError(t, err)
			assert.Equal(t, c.users, got.Users)
			assert.Equal(t, c.limit, got.Limit)
			assert.Equal(t, c.text, got.String())
			assert.Len(t, got.Warnings, c.warnings)
			assert.Equal(t, c.explain, got.Explain())
		})
	}
}

func TestEstimateWarns(t *testing.T) {
	s := readGolden(t).sweep(t, "nonmono") // level 4 fails, 16 passes
	c, err := capacity.Estimate(s, capacity.DefaultTargets(), capacity.Chat(), known(1000), nil)
	require.NoError(t, err)
	assert.Equal(t, 64, c.Users)
	require.Len(t, c.Warnings, 1)
	assert.ErrorContains(t, c.Warnings[0], "without a gap the highest passing level is 2")

	c, err = capacity.Estimate(s, capacity.Targets{}, capacity.Chat(), known(1000), nil)
	require.NoError(t, err)
	assert.Equal(t, "128+", c.String(), "with no target every level passes")
	require.Len(t, c.Warnings, 2)
	assert.ErrorContains(t, c.Warnings[0], "no latency target")
	assert.ErrorContains(t, c.Warnings[1], "no speed target")
	assert.Contains(t, c.Explain(), "within no target")
}

func TestEstimateRefuses(t *testing.T) {
	s := ladder(t, 8, 16)
	estimate := func(u capacity.Usage, m capacity.MemoryLimit) error {
		_, err := capacity.Estimate(s, capacity.DefaultTargets(), u, m, nil)
		return err
	}
	for _, m := range []float64{0, -1, 0.999, 1e6 * (1 + 1e-9), math.NaN(), math.Inf(1), math.Inf(-1)} {
		assert.ErrorIs(t, estimate(capacity.Usage{Multiplier: m}, known(1)), capacity.ErrUsage, "multiplier %v", m)
	}
	assert.ErrorIs(t, estimate(capacity.Usage{Multiplier: 4, ContextTokens: -1}, known(1)), capacity.ErrUsage)
	_, err := capacity.Estimate(s, capacity.Targets{MinTPS: -1}, capacity.Chat(), known(1), nil)
	assert.ErrorIs(t, err, capacity.ErrTargets)

	for field, m := range map[string]capacity.MemoryLimit{
		"Sessions: -1":   known(-1),
		"Sessions: 7":    {Sessions: 7},
		"Status: 9 is":   {Status: 9},
		"Status: -1 is ": {Status: -1},
	} {
		var bad *capacity.InputError
		require.ErrorAs(t, estimate(capacity.Chat(), m), &bad)
		assert.ErrorContains(t, bad, field)
	}

	_, err = capacity.EstimateFromMaxC(capacity.MaxC{Concurrency: 1 << 20}, capacity.Usage{Multiplier: 1e6}, known(1))
	assert.ErrorIs(t, err, capacity.ErrUsers)
	for _, n := range []int{-1, 1<<20 + 1} {
		_, err = capacity.EstimateFromMaxC(capacity.MaxC{Concurrency: n}, capacity.Chat(), known(1))
		var bad *capacity.InputError
		require.ErrorAs(t, err, &bad)
		assert.Equal(t, "Concurrency", bad.Field)
	}
}

func TestCapacityJSON(t *testing.T) {
	c, err := capacity.EstimateFromMaxC(capacity.MaxC{Concurrency: 2, AtLeast: true}, capacity.Agentic(), capacity.MemoryLimit{Reason: "unsupported cache layout"})
	require.NoError(t, err)
	b, err := json.Marshal(c)
	require.NoError(t, err)
	assert.JSONEq(t, `{"usage": "agentic", "users": 3, "at_least": true, "low_users": 3, "high_users": 3,
		"limit": "speed", "basis": "multiplier", "speed_users": 3,
		"max_c": {"concurrency": 2, "at_least": true, "contiguous": 0, "targets": {}},
		"explanation": "agentic: at least 3 people, set by speed: 2 requests at once, the highest level measured, within the targets and 1.5 people for each; memory was not calculated (unsupported cache layout).",
		"warnings": ["capacity: memory was not calculated (unsupported cache layout); the figure is speed alone"]}`, string(b))
}
