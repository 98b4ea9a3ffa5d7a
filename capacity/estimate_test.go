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
			"chat: 32 people, set by speed: 8 requests at once within TTFT <= 1 s, TPS >= 20 and 4 people for each, which fits a think time of 10.1 s; memory holds 46 sessions of 16,384 tokens.",
		},
		{
			"speed, top level", 64, 64, known(300), 256, capacity.LimitSpeed, "256+", 0,
			"chat: at least 256 people, set by speed: 64 requests at once, the highest level measured, within TTFT <= 1 s, TPS >= 20 and 4 people for each, which fits a think time of 10.1 s; memory holds 300 sessions of 16,384 tokens.",
		},
		{
			"memory", 8, 16, known(11), 11, capacity.LimitMemory, "11", 0,
			"chat: 11 people, set by memory: 11 sessions of 16,384 tokens fit; speed would allow 32 (8 requests at once within TTFT <= 1 s, TPS >= 20 and 4 people for each, which fits a think time of 10.1 s).",
		},
		{
			"memory, top level", 16, 16, known(11), 11, capacity.LimitMemory, "11", 0,
			"chat: 11 people, set by memory: 11 sessions of 16,384 tokens fit; speed would allow 64 (16 requests at once, the highest level measured, within TTFT <= 1 s, TPS >= 20 and 4 people for each, which fits a think time of 10.1 s).",
		},
		{
			"memory holds nobody", 8, 16, known(0), 0, capacity.LimitMemory, "0", 0,
			"chat: 0 people, set by memory: 0 sessions of 16,384 tokens fit; speed would allow 32 (8 requests at once within TTFT <= 1 s, TPS >= 20 and 4 people for each, which fits a think time of 10.1 s).",
		},
		{
			"tie at the top level loses its plus", 16, 16, known(64), 64, capacity.LimitTie, "64", 0,
			"chat: 64 people by either limit: 64 sessions of 16,384 tokens fit, and speed allows as many (16 requests at once, the highest level measured, within TTFT <= 1 s, TPS >= 20 and 4 people for each, which fits a think time of 10.1 s).",
		},
		{
			"speed only", 16, 16, unknown, 64, capacity.LimitSpeed, "64+", 1,
			"chat: at least 64 people, set by speed: 16 requests at once, the highest level measured, within TTFT <= 1 s, TPS >= 20 and 4 people for each, which fits a think time of 10.1 s; memory was not calculated (weights of 132.68 GB exceed the assumed memory).",
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
			"chat: at least 4 people, set by speed: 1 request at once, the highest level measured, within TTFT <= 1 s, TPS >= 20 and 4 people for each, which fits a think time of 10.1 s; memory holds 46 sessions of 16,384 tokens.",
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

// Measured levels know the mean request only, so a share plays no part in the
// rule; it must not read as if it did.
func TestEstimateByRuleIgnoresShares(t *testing.T) {
	plain, err := capacity.Estimate(ladder(t, 8, 16), capacity.DefaultTargets(), capacity.Chat(), known(46), nil)
	require.NoError(t, err)
	for name, target := range map[string]capacity.Targets{
		"Attainment": {MaxTTFTSeconds: 1, MinTPS: 20, Attainment: 0.95},
		"Percentile": {MaxTTFTSeconds: 1, MinTPS: 20, Percentile: 0.95},
	} {
		c, err := capacity.Estimate(ladder(t, 8, 16), target, capacity.Chat(), known(46), nil)
		require.NoError(t, err)
		assert.Equal(t, plain.Users, c.Users)
		assert.Equal(t, plain.Explain(), c.Explain())
		require.Len(t, c.Warnings, 1)
		assert.ErrorContains(t, c.Warnings[0], "a multiplier leaves "+name+" out")
		none, err := capacity.Estimate(ladder(t, 0, 16), target, capacity.Chat(), known(46), nil)
		require.NoError(t, err)
		assert.NotContains(t, none.Explain(), "95%")
		byThink, err := capacity.Estimate(ladder(t, 8, 16), target, capacity.Usage{ThinkSeconds: 20}, known(46), nil)
		require.NoError(t, err)
		assert.Contains(t, byThink.Explain(), "for 95% of requests")
		assert.Empty(t, byThink.Warnings)
	}
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

// With think time the answer is MaxUsers', under the memory limit.
func TestEstimateByThinkTime(t *testing.T) {
	s := readGolden(t).sweep(t, "spark")
	think := capacity.Usage{Name: "chat", ThinkSeconds: 20, ContextTokens: 16_384}
	users, err := s.MaxUsers(20, capacity.DefaultTargets(), nil)
	require.NoError(t, err)
	require.Equal(t, 32, users.Users)

	for _, c := range []struct {
		name    string
		memory  capacity.MemoryLimit
		users   int
		low     int
		high    int
		limit   capacity.Limit
		explain string
	}{
		{
			"speed", known(100), 32, users.Low, users.High, capacity.LimitSpeed,
			"chat: 32 people (23 to 44), set by speed: TTFT <= 1 s, TPS >= 20 is met up to there with 20 s between a reply and the next request, TTFT being optimistic because collisions of random arrivals are not in a sweep; memory holds 100 sessions of 16,384 tokens.",
		},
		{"speed, bracket cut by memory", known(40), 32, users.Low, 40, capacity.LimitSpeed, ""},
		{"memory", known(11), 11, 11, 11, capacity.LimitMemory, ""},
		{"tie", known(32), 32, users.Low, 32, capacity.LimitTie, ""},
		{"unknown", capacity.MemoryLimit{}, 32, users.Low, users.High, capacity.LimitSpeed, ""},
		{"too long", capacity.MemoryLimit{Status: capacity.ContextTooLong}, 0, 0, 0, capacity.LimitContext, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := capacity.Estimate(s, capacity.DefaultTargets(), think, c.memory, nil)
			require.NoError(t, err)
			assert.Equal(t, capacity.BasisThink, got.Basis)
			assert.Equal(t, 20.0, got.ThinkSeconds)
			assert.Equal(t, [3]int{c.users, c.low, c.high}, [3]int{got.Users, got.Low, got.High})
			assert.Equal(t, c.limit, got.Limit)
			if c.explain != "" {
				assert.Equal(t, c.explain, got.Explain())
			}
		})
	}
}

// The multiplier names the think time at which it is right, and with that think
// time the fluid figure, which leaves collisions out, is the same number.
func TestMultiplierImpliesThinkTime(t *testing.T) {
	s := readGolden(t).sweep(t, "b300")
	c, err := capacity.Estimate(s, capacity.DefaultTargets(), capacity.Chat(), known(10_000), nil)
	require.NoError(t, err)
	assert.InDelta(t, 3*2.90733199195171, c.ThinkSeconds, 1e-9) // 3 R, R by hand: 0.352 + 127/49.7
	users, err := s.MaxUsers(c.ThinkSeconds, capacity.DefaultTargets(), nil)
	require.NoError(t, err)
	assert.Equal(t, c.Users, users.Fluid)
}

// An agent's calls follow each other at (pause + (calls-1) tool)/calls, and
// sub-agents count as users.
func TestEstimateAgents(t *testing.T) {
	s := readGolden(t).sweep(t, "b300")
	agent := capacity.Agent{Calls: 10, ToolSeconds: 3, PauseSeconds: 60}
	assert.InDelta(t, (60+9*3)/10.0, agent.ThinkSeconds(), 1e-12)
	assert.InDelta(t, 10*2.5+9*3, agent.TaskSeconds(2.5), 1e-12)
	users, err := s.MaxUsers(8.7, capacity.DefaultTargets(), nil)
	require.NoError(t, err)
	for _, parallel := range []int{0, 1, 4} {
		agent.Parallel = parallel
		c, err := capacity.Estimate(s, capacity.DefaultTargets(), capacity.Usage{Agent: &agent, Multiplier: 4, ThinkSeconds: 1}, capacity.MemoryLimit{}, nil)
		require.NoError(t, err)
		assert.Equal(t, capacity.BasisAgent, c.Basis)
		assert.Equal(t, users.Users/max(1, parallel), c.Users)
		assert.Equal(t, users.High/max(1, parallel), c.High)
	}
	agent.Parallel = 4
	top, err := capacity.Estimate(s, capacity.Targets{MaxTTFTSeconds: 1, MinTPS: 20, Attainment: 0.9}, capacity.Usage{Agent: &agent}, capacity.MemoryLimit{}, &capacity.Options{PrefillSeconds: 0.001})
	require.NoError(t, err)
	assert.True(t, top.AtLeast)
	assert.Contains(t, top.Explain(), "with 8.7 s between a reply and the next request of 10 calls a task and 4 sub-agents at once, with as many slots as were measured, TTFT being optimistic")
	agent.Parallel = 100_000
	c, err := capacity.Estimate(s, capacity.DefaultTargets(), capacity.Usage{Agent: &agent}, known(5), nil)
	require.NoError(t, err)
	assert.Equal(t, capacity.LimitNoLevel, c.Limit)
	assert.Equal(t, "no figure: a single agent does not meet TTFT <= 1 s, TPS >= 20.", c.Explain())

	for _, bad := range []struct {
		agent capacity.Agent
		want  error
	}{
		{capacity.Agent{}, capacity.ErrUsage},
		{capacity.Agent{Calls: 1, Parallel: -1}, capacity.ErrUsage},
		{capacity.Agent{Calls: 1, ToolSeconds: -1}, capacity.ErrThink},
		{capacity.Agent{Calls: 1, PauseSeconds: math.NaN()}, capacity.ErrThink},
	} {
		_, err := capacity.Estimate(s, capacity.DefaultTargets(), capacity.Usage{Agent: &bad.agent}, known(5), nil)
		assert.ErrorIs(t, err, bad.want)
	}
}

// The soft limit takes the hard one's place: users beyond the cache slow the
// service down instead of being turned away.
func TestEstimateSoftMemory(t *testing.T) {
	s := readGolden(t).sweep(t, "b300")
	u := capacity.Usage{ThinkSeconds: 20, ContextTokens: 16_384}
	hard, err := capacity.Estimate(s, capacity.DefaultTargets(), u, known(46), nil)
	require.NoError(t, err)
	assert.Equal(t, 46, hard.Users)
	o := &capacity.Options{Soft: &capacity.SoftMemory{PrefillSecondsPerToken: 2e-5}}
	soft, err := capacity.Estimate(s, capacity.DefaultTargets(), u, known(46), o)
	require.NoError(t, err)
	assert.Equal(t, capacity.LimitSpeed, soft.Limit)
	assert.Greater(t, soft.Users, 80) // golden: 80 users still get 58 tok/s
	assert.Less(t, soft.Users, 500)   // without a memory limit it is 511
	assert.Contains(t, soft.Explain(), "an approximation")
	assert.Zero(t, o.Soft.Sessions, "the caller's options stay as they are")
	last, err := s.Closed(soft.Users, 20, &capacity.Options{Soft: &capacity.SoftMemory{Sessions: 46, SessionTokens: 16_384, PrefillSecondsPerToken: 2e-5}})
	require.NoError(t, err)
	assert.GreaterOrEqual(t, last.TPS, 20.0)

	_, err = capacity.Estimate(s, capacity.DefaultTargets(), u, capacity.MemoryLimit{}, o)
	assert.ErrorIs(t, err, capacity.ErrOptions, "no sessions are known")
	_, err = capacity.Estimate(s, capacity.DefaultTargets(), capacity.Chat(), known(46), o)
	assert.ErrorIs(t, err, capacity.ErrOptions, "a multiplier has no response to lengthen")
}

// Where speed sets no bound, or one beyond any crowd, memory still may.
func TestEstimateUnboundedSpeed(t *testing.T) {
	s := readGolden(t).sweep(t, "b300")
	rare := capacity.Usage{ThinkSeconds: 1e9}
	r, err := capacity.Estimate(s, capacity.DefaultTargets(), rare, known(46), nil)
	require.NoError(t, err)
	assert.Equal(t, capacity.LimitMemory, r.Limit)
	assert.Equal(t, [3]int{46, 46, 46}, [3]int{r.Users, r.Low, r.High})
	_, err = capacity.Estimate(s, capacity.DefaultTargets(), rare, capacity.MemoryLimit{}, nil)
	assert.ErrorIs(t, err, capacity.ErrUsers)
	u := capacity.Usage{ThinkSeconds: 20}
	speedOnly := capacity.Targets{MinTPS: 20}
	c, err := capacity.Estimate(s, speedOnly, u, known(46), nil)
	require.NoError(t, err)
	assert.Equal(t, [3]int{46, 46, 46}, [3]int{c.Users, c.Low, c.High})
	assert.Equal(t, capacity.LimitMemory, c.Limit)
	_, err = capacity.Estimate(s, speedOnly, u, capacity.MemoryLimit{}, nil)
	assert.ErrorIs(t, err, capacity.ErrUnbounded)
}
