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

// Cost and energy at the published load: 472 users of 20 s on one b300.
func TestPlanGoldenCost(t *testing.T) {
	g := readGolden(t)
	want := g.Extra2.Cost
	target := capacity.DefaultTargets()
	target.Attainment = 0.95
	config := capacity.Config{Name: want.Sweep, Sweep: g.sweep(t, want.Sweep), PricePerHour: want.Price, Watts: want.Watts}
	plan := func(users int) capacity.Choice {
		choices, err := capacity.Plan(users, capacity.Usage{ThinkSeconds: want.Think}, target, []capacity.Config{config})
		require.NoError(t, err)
		require.Len(t, choices, 1)
		require.True(t, choices[0].Serves)
		return choices[0]
	}
	c := plan(want.Users)
	assert.Equal(t, want.Users, c.Capacity.Users)
	assert.Equal(t, 1, c.Replicas)
	for _, f := range [][2]float64{
		{want.RPS, c.Point.RequestsPerSecond}, {want.PerMillion, c.CostPerMillionTokens}, {want.PerUserHour, c.CostPerUserHour},
		{want.JoulesPerToken, c.JoulesPerToken}, {want.UsersPerKW, c.UsersPerKW},
	} {
		testkit.Rel(t, f[0], f[1], goldenTolerance, "cost")
	}
	c = plan(2000)
	assert.Equal(t, want.ReplicasFor, c.Replicas)
	assert.Equal(t, 400, c.UsersPerReplica)
	assert.Equal(t, want.Price*float64(want.ReplicasFor), c.CostPerHour)
}

// 2,001 users on five replicas are one of 401 and four of 400.
func TestPlanUnevenReplicas(t *testing.T) {
	s := readGolden(t).sweep(t, "b300")
	choices, err := capacity.Plan(2001, capacity.Usage{ThinkSeconds: 20}, capacity.DefaultTargets(), []capacity.Config{{Name: "b300", Sweep: s, Memory: known(450)}})
	require.NoError(t, err)
	c := choices[0]
	require.Equal(t, 5, c.Replicas)
	assert.Equal(t, 401, c.UsersPerReplica)
	fuller, err := s.Closed(401, 20, nil)
	require.NoError(t, err)
	others, err := s.Closed(400, 20, nil)
	require.NoError(t, err)
	testkit.Rel(t, fuller.OutputTPS+4*others.OutputTPS, c.OutputTPS, goldenTolerance, "output")
	assert.True(t, math.IsNaN(c.CostPerHour))
	assert.True(t, math.IsNaN(c.JoulesPerToken))
}

// Serving ones first, by cost where known; those that do not serve say why.
func TestPlanOrder(t *testing.T) {
	g := readGolden(t)
	choices, err := capacity.Plan(100, capacity.Chat(), capacity.DefaultTargets(), []capacity.Config{
		{Name: "slow", Sweep: g.sweep(t, "never"), PricePerHour: 1},
		{Name: "unpriced", Sweep: g.sweep(t, "b300")},
		{Name: "large", Sweep: g.sweep(t, "b300"), PricePerHour: 40, Memory: known(400)},
		{Name: "small", Sweep: g.sweep(t, "spark"), PricePerHour: 3, Memory: known(107)},
		{Name: "narrow", Sweep: g.sweep(t, "spark"), PricePerHour: 1, Memory: capacity.MemoryLimit{Status: capacity.ContextTooLong, Reason: "8,192 tokens"}},
		{Name: "full", Sweep: g.sweep(t, "spark"), PricePerHour: 1, Memory: known(0)},
	})
	require.NoError(t, err)
	var names []string
	var replicas []int
	for _, c := range choices {
		names, replicas = append(names, c.Name), append(replicas, c.Replicas)
		assert.NotEmpty(t, c.Reason)
	}
	assert.Equal(t, []string{"small", "large", "unpriced", "slow", "narrow", "full"}, names)
	assert.Equal(t, []int{4, 1, 1, 0, 0, 0}, replicas)
	assert.Contains(t, choices[3].Reason, "no measured level meets")
	assert.Contains(t, choices[4].Reason, "8,192 tokens")
	assert.Contains(t, choices[5].Reason, "0 sessions")
	assert.Contains(t, choices[5].String(), "full does not serve: ")
	assert.Contains(t, choices[0].String(), "small x 4: ")

	b, err := json.Marshal(choices)
	require.NoError(t, err)
	var back []map[string]any
	require.NoError(t, json.Unmarshal(b, &back))
	assert.Equal(t, 12.0, back[0]["cost_per_hour"])
	assert.NotContains(t, back[2], "cost_per_hour")
	assert.NotContains(t, back[3], "point")
}

func TestPlanRefuses(t *testing.T) {
	s := readGolden(t).sweep(t, "spark")
	plan := func(users int, configs ...capacity.Config) error {
		_, err := capacity.Plan(users, capacity.Chat(), capacity.DefaultTargets(), configs)
		return err
	}
	for _, n := range []int{0, -1, 1_000_000_001} {
		assert.ErrorIs(t, plan(n, capacity.Config{Sweep: s}), capacity.ErrUsers)
	}
	for field, configs := range map[string][]capacity.Config{
		"Configs":      nil,
		"Name":         {{Name: "a", Sweep: s}, {Name: "a", Sweep: s}},
		"PricePerHour": {{Name: "a", Sweep: s, PricePerHour: -1}},
		"Watts":        {{Name: "a", Sweep: s, Watts: math.NaN()}},
		"Sessions":     {{Name: "a", Sweep: s, Memory: known(-1)}},
	} {
		var bad *capacity.InputError
		require.ErrorAs(t, plan(10, configs...), &bad)
		assert.Equal(t, field, bad.Field)
	}
	err := plan(10, capacity.Config{Name: "nothing measured"})
	require.ErrorIs(t, err, capacity.ErrEmptySweep)
	assert.ErrorContains(t, err, `"nothing measured"`)
}
