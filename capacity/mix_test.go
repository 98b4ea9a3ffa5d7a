package capacity_test

import (
	"math"
	"testing"

	"example.com/servemath/capacity"
	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// One class is the closed network, and so are several of the same habit.
func TestMixOfOneHabitIsClosed(t *testing.T) {
	g := readGolden(t)
	g.each(t, func(name string, s *capacity.Sweep) {
		for _, users := range []int{1, 2, 9, 100, 700} {
			want, err := s.Closed(users, 20, nil)
			require.NoError(t, err)
			for parts := 1; parts <= 3 && parts <= users; parts++ {
				var classes []capacity.Class
				for i := range parts {
					n := users / parts
					if i == 0 {
						n += users % parts
					}
					classes = append(classes, capacity.Class{Users: n, ThinkSeconds: 20})
				}
				got, err := s.Mix(classes, nil)
				require.NoError(t, err)
				samePoint(t, want, got.Point, name)
				rate := 0.0
				for _, c := range got.Classes {
					testkit.Rel(t, want.ResponseSeconds, c.ResponseSeconds, goldenTolerance, "%s: class response", name)
					testkit.Rel(t, want.TTFTSeconds, c.TTFTSeconds, goldenTolerance, "%s: class TTFT", name)
					testkit.Rel(t, want.PQueue, c.PQueue, goldenTolerance, "%s: class P(queue)", name)
					assert.Equal(t, got.PFull, c.PFull)
					rate += c.RequestsPerSecond
				}
				testkit.Rel(t, want.RequestsPerSecond, rate, goldenTolerance, "%s: rates add up", name)
			}
		}
	})
}

func samePoint(t *testing.T, want, got capacity.Point, name string) {
	t.Helper()
	for _, f := range [][2]float64{
		{want.P0, got.P0}, {want.MeanInSystem, got.MeanInSystem}, {want.RequestsPerSecond, got.RequestsPerSecond},
		{want.ResponseSeconds, got.ResponseSeconds}, {want.QueueWaitSeconds, got.QueueWaitSeconds},
		{want.TTFTSeconds, got.TTFTSeconds}, {want.TPS, got.TPS}, {want.PQueue, got.PQueue}, {want.PFull, got.PFull},
	} {
		testkit.Rel(t, f[0], f[1], goldenTolerance, "%s, %d users", name, want.Users)
	}
}

// Two classes against the Markov chain itself, its states the order of arrival
// of those present: the first slots are served, all at the same rate, the rest
// wait in turn.
func TestMixAgreesWithMarkovChain(t *testing.T) {
	levels := []capacity.Level{{Concurrency: 1, TTFTSeconds: 0.3, TPS: 20}, {Concurrency: 2, TTFTSeconds: 0.5, TPS: 14}}
	s := newSweep(t, capacity.Workload{OutputTokens: 31}, levels...)
	classes := []capacity.Class{{Name: "chat", Users: 3, ThinkSeconds: 4}, {Name: "agent", Users: 2, ThinkSeconds: 1.2}}
	got, err := s.Mix(classes, nil)
	require.NoError(t, err)

	rate := []float64{0, 1 / (0.3 + 30/20.), 2 / (0.5 + 30/14.)}
	p := solveOrders(classes, rate)
	var present [6]float64
	var mean [2]float64
	for state, prob := range p {
		present[len(state)] += prob
		for _, c := range state {
			mean[c-'0'] += prob
		}
	}
	for n, want := range present {
		testkit.Rel(t, want, got.Probability(n), 1e-10, "p(%d)", n)
	}
	for r, c := range classes {
		x := (float64(c.Users) - mean[r]) / c.ThinkSeconds
		testkit.Rel(t, x, got.Classes[r].RequestsPerSecond, 1e-10, "rate of %s", c.Name)
		testkit.Rel(t, mean[r]/x, got.Classes[r].ResponseSeconds, 1e-10, "response of %s", c.Name)
		testkit.Rel(t, mean[r], got.Classes[r].MeanInSystem, 1e-10, "present of %s", c.Name)
	}
	assert.Less(t, got.Classes[1].RequestsPerSecond*1.2, 2.0)
}

// solveOrders iterates the balance equations of the chain of arrival orders,
// each a string of class digits.
func solveOrders(classes []capacity.Class, rate []float64) map[string]float64 {
	type move struct {
		to   string
		rate float64
	}
	moves := map[string][]move{}
	var explore func(state string)
	explore = func(state string) {
		if _, ok := moves[state]; ok {
			return
		}
		moves[state] = nil
		var out []move
		for r, c := range classes {
			thinking := c.Users
			for _, x := range state {
				if int(x-'0') == r {
					thinking--
				}
			}
			if thinking > 0 {
				out = append(out, move{state + string(rune('0'+r)), float64(thinking) / c.ThinkSeconds})
			}
		}
		served := min(len(state), len(rate)-1)
		for i := range served {
			out = append(out, move{state[:i] + state[i+1:], rate[served] / float64(served)})
		}
		moves[state] = out
		for _, m := range out {
			explore(m.to)
		}
	}
	explore("")
	p := map[string]float64{}
	for state := range moves {
		p[state] = 1 / float64(len(moves))
	}
	const step = 0.1 // below 1 over the largest total rate
	for range 20_000 {
		next := map[string]float64{}
		for state, out := range moves {
			stay := p[state]
			for _, m := range out {
				next[m.to] += p[state] * m.rate * step
				stay -= p[state] * m.rate * step
			}
			next[state] += stay
		}
		p = next
	}
	return p
}

// Agents among chat users: a class that thinks less asks more often, and more
// of either class slows everybody.
func TestMixFrontier(t *testing.T) {
	s := readGolden(t).sweep(t, "spark")
	last := 0.0
	for agents := 1; agents <= 12; agents++ {
		m, err := s.Mix([]capacity.Class{
			{Name: "chat", Users: 10, ThinkSeconds: 60}, {Name: "agents", Users: agents, ThinkSeconds: 2},
		}, nil)
		require.NoError(t, err)
		assert.Greater(t, m.Classes[0].TTFTSeconds, last)
		last = m.Classes[0].TTFTSeconds
		testkit.Rel(t, m.MeanInSystem, m.Classes[0].MeanInSystem+m.Classes[1].MeanInSystem, goldenTolerance, "present")
		assert.Equal(t, 10+agents, m.Users)
		assert.True(t, math.IsNaN(m.ThinkSeconds))
	}
}

func TestMixRefuses(t *testing.T) {
	s := readGolden(t).sweep(t, "spark")
	for _, c := range []struct {
		classes []capacity.Class
		want    error
	}{
		{nil, capacity.ErrUsers},
		{[]capacity.Class{{Name: "a", Users: 0, ThinkSeconds: 1}}, capacity.ErrUsers},
		{[]capacity.Class{{Name: "a", Users: -1, ThinkSeconds: 1}}, capacity.ErrUsers},
		{[]capacity.Class{{Name: "a", Users: 6000, ThinkSeconds: 1}, {Name: "b", Users: 6000, ThinkSeconds: 1}}, capacity.ErrUsers},
		{[]capacity.Class{{Name: "a", Users: 1}}, capacity.ErrThink},
		{[]capacity.Class{{Name: "a", Users: 1, ThinkSeconds: math.NaN()}}, capacity.ErrThink},
		{[]capacity.Class{{Name: "a", Users: 1, ThinkSeconds: math.Inf(1)}}, capacity.ErrThink},
	} {
		_, err := s.Mix(c.classes, nil)
		assert.ErrorIs(t, err, c.want)
		if len(c.classes) == 1 {
			assert.ErrorContains(t, err, `class "a"`)
		}
	}
	_, err := s.Mix([]capacity.Class{{Users: 1, ThinkSeconds: 1}}, &capacity.Options{Slots: -1})
	assert.ErrorIs(t, err, capacity.ErrOptions)
}
