package capacity_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"example.com/servemath/capacity"
	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The laws that hold at any load, up to a billion users and down to no think
// time at all.
func TestOperationalLaws(t *testing.T) {
	g := readGolden(t)
	g.each(t, func(name string, s *capacity.Sweep) {
		o := float64(s.Workload().OutputTokens)
		for _, users := range []int{1, 2, 17, 1000, 1_000_000, 1_000_000_000} {
			for _, think := range []float64{0, 1e-31, 1e-12, 0.1, 20, 3600, 1e9} {
				p, err := s.Closed(users, think, nil)
				require.NoError(t, err)
				n := float64(users)
				label := []any{name, users, think}
				testkit.Rel(t, n, p.RequestsPerSecond*(p.ResponseSeconds+think), 1e-11, "N = X (R + Z): %s, %d users, think %v", label...)
				testkit.Rel(t, p.MeanInSystem, p.RequestsPerSecond*p.ResponseSeconds, 1e-12, "Little: %s, %d users, think %v", label...)
				testkit.Rel(t, p.TTFTSeconds+(o-1)*p.TPOTSeconds, p.ResponseSeconds, 1e-11, "response: %s, %d users, think %v", label...)
				assert.LessOrEqual(t, p.RequestsPerSecond, n/think*(1+1e-12))
				for _, share := range []float64{p.P0, p.PQueue, p.PFull, p.Load} {
					assert.True(t, share >= 0 && share <= 1+1e-12, "%v: %+v", label, p)
				}
				attained, err := p.Attainment(capacity.Targets{})
				require.NoError(t, err)
				testkit.Rel(t, 1, attained, 1e-12, "every request meets no target: %s, %d users, think %v", label...)
			}
		}
	})
}

// More users wait longer where the sweep worsens with load, and ever more users
// that think ever longer are open arrivals.
func TestClosedTendsToOpen(t *testing.T) {
	s := readGolden(t).sweep(t, "b300")
	open, err := s.Open(10, nil)
	require.NoError(t, err)
	last := 1.0
	for _, users := range []int{100, 1000, 10_000, 100_000, 1_000_000} {
		p, err := s.Closed(users, float64(users)/10, nil)
		require.NoError(t, err)
		miss := math.Abs(p.TTFTSeconds/open.TTFTSeconds - 1)
		assert.Less(t, miss, last)
		last = miss
	}
	assert.Less(t, last, 1e-4)
}

// A quantile is the smallest time whose share reaches it: the share there is
// enough, just below it is not.
func TestQuantileInvertsCDF(t *testing.T) {
	g := readGolden(t)
	rng := rand.New(rand.NewPCG(21, 22))
	g.each(t, func(name string, s *capacity.Sweep) {
		for range 30 {
			users, think := 1+rng.IntN(200), 30*rng.Float64()
			p, err := s.Closed(users, think, &capacity.Options{Slots: 1 + rng.IntN(20), Interpolation: capacity.Interpolation(rng.IntN(4))})
			require.NoError(t, err)
			checkQuantile(t, name, p, rng.Float64())
		}
	})
	p, err := g.sweep(t, "mmk").Open(6, nil)
	require.NoError(t, err)
	for range 50 {
		checkQuantile(t, "open", p, rng.Float64())
	}
}

func checkQuantile(t *testing.T, name string, p capacity.Point, q float64) {
	t.Helper()
	at, err := p.TTFTQuantile(q)
	require.NoError(t, err)
	const hair = 1e-9
	assert.GreaterOrEqual(t, p.TTFTCDF(at*(1+hair)), q-1e-12, "%s, %d users: q %v", name, p.Users, q)
	assert.Less(t, p.TTFTCDF(at*(1-hair)), q+1e-9, "%s, %d users: q %v", name, p.Users, q)
}

func TestQuantileRefuses(t *testing.T) {
	p, err := readGolden(t).sweep(t, "b300").Closed(10, 1, nil)
	require.NoError(t, err)
	for _, q := range []float64{0, 1, -0.1, 1.1, nan, inf} {
		_, err := p.TTFTQuantile(q)
		assert.ErrorIs(t, err, capacity.ErrTargets, "%v", q)
	}
	assert.Zero(t, p.TTFTCDF(-1))
	assert.Zero(t, p.TTFTCDF(0))
	assert.Equal(t, 0.0, p.TTFTCDF(math.Inf(-1)))
	testkit.Rel(t, 1, p.TTFTCDF(inf), 1e-12, "CDF at infinity")
	assert.True(t, math.IsNaN(p.TTFTCDF(nan)))
	for _, q := range []float64{1e-300, 1 - 1e-16} {
		x, err := p.TTFTQuantile(q)
		require.NoError(t, err)
		assert.Positive(t, x)
	}
}

// The four interpolations agree on measured levels and keep their order in
// between while figures worsen with load.
func TestInterpolations(t *testing.T) {
	g := readGolden(t)
	g.each(t, func(name string, s *capacity.Sweep) {
		monotone := true
		levels := s.Levels()
		at := func(n int, i capacity.Interpolation) capacity.Point {
			p, err := s.Closed(n, 0, &capacity.Options{Interpolation: i}) // n requests in flight throughout
			require.NoError(t, err)
			return p
		}
		for i, l := range levels {
			for how := capacity.Linear; how <= capacity.StepDown; how++ {
				p := at(l.Concurrency, how)
				testkit.Rel(t, l.TTFTSeconds, p.TTFTSeconds, 1e-12, "%s: TTFT at %d, %v", name, l.Concurrency, how)
				testkit.Rel(t, l.TPS, p.TPS, 1e-12, "%s: TPS at %d, %v", name, l.Concurrency, how)
			}
			monotone = monotone && (i == 0 || l.TTFTSeconds >= levels[i-1].TTFTSeconds && l.TPS <= levels[i-1].TPS)
		}
		if !monotone {
			return
		}
		for n := 1; n <= levels[len(levels)-1].Concurrency; n++ {
			up, down := at(n, capacity.StepUp), at(n, capacity.StepDown)
			for _, how := range []capacity.Interpolation{capacity.Linear, capacity.Monotone} {
				p := at(n, how)
				assert.LessOrEqual(t, p.TTFTSeconds, up.TTFTSeconds*(1+1e-12))
				assert.GreaterOrEqual(t, p.TTFTSeconds, down.TTFTSeconds*(1-1e-12))
				assert.LessOrEqual(t, p.TPOTSeconds, up.TPOTSeconds*(1+1e-12))
				assert.GreaterOrEqual(t, p.TPOTSeconds, down.TPOTSeconds*(1-1e-12))
			}
		}
	})
}

// Looser targets, less think time to fill and better levels never serve fewer.
func TestMaxUsersMonotoneInTargets(t *testing.T) {
	s := readGolden(t).sweep(t, "spark")
	last := 0
	for _, ttft := range []float64{0.25, 0.5, 1, 2, 4} {
		u, err := s.MaxUsers(20, capacity.Targets{MaxTTFTSeconds: ttft, MinTPS: 5}, nil)
		require.NoError(t, err)
		assert.GreaterOrEqual(t, u.Users, last)
		last = u.Users
	}
	last = math.MaxInt
	for _, share := range []float64{0.5, 0.8, 0.9, 0.99, 0.999, 1} {
		u, err := s.MaxUsers(20, capacity.Targets{MaxTTFTSeconds: 1, MinTPS: 20, Attainment: share}, nil)
		require.NoError(t, err)
		assert.LessOrEqual(t, u.Users, last)
		last = u.Users
		each, err := s.MaxUsers(20, capacity.Targets{MaxTTFTSeconds: 1, MinTPS: 20, Percentile: share}, nil)
		require.NoError(t, err)
		assert.GreaterOrEqual(t, each.Users, u.Users, "each target for itself is no harder than all at once")
		p, err := s.Closed(max(1, each.Users), 20, nil)
		require.NoError(t, err)
		if share < 1 && each.Users > 0 {
			q, err := p.TTFTQuantile(share)
			require.NoError(t, err)
			assert.LessOrEqual(t, q, 1.0)
		}
	}
}

// Standard errors widen the bracket, more so at a higher confidence, and leave
// the figure alone.
func TestBracketFromStandardErrors(t *testing.T) {
	w, levels := readGolden(t).levels(t, "spark")
	plain, err := newSweep(t, w, levels...).MaxUsers(20, capacity.DefaultTargets(), nil)
	require.NoError(t, err)
	for i := range levels {
		levels[i].TTFTStdErr, levels[i].TPSStdErr = 0.02*levels[i].TTFTSeconds, 0.02*levels[i].TPS
	}
	s := newSweep(t, w, levels...)
	low, high := plain.Low, plain.High
	for _, confidence := range []float64{0.5, 0.95, 0.999} {
		u, err := s.MaxUsers(20, capacity.DefaultTargets(), &capacity.Options{Confidence: confidence})
		require.NoError(t, err)
		assert.Equal(t, plain.Users, u.Users)
		assert.Less(t, u.Low, low)
		assert.Greater(t, u.High, high)
		low, high = u.Low, u.High
	}
	levels[2].TPSStdErr = levels[2].TPS
	u, err := newSweep(t, w, levels...).MaxUsers(20, capacity.DefaultTargets(), nil)
	require.NoError(t, err)
	assert.Zero(t, u.Low)
	require.NotEmpty(t, u.Warnings)
	assert.ErrorContains(t, u.Warnings[0], "level 4: TPS is not above its error")
}

// With end-to-end figures a corner keeps a request at least as long as its first
// token.
func TestBracketEndToEnd(t *testing.T) {
	w := capacity.Workload{OutputTokens: 2, TPS: capacity.EndToEndTPS}
	s := newSweep(
		t, w,
		capacity.Level{Concurrency: 1, TTFTSeconds: 0.9, TPS: 2, TTFTStdErr: 0.2, TPSStdErr: 0.1},
		capacity.Level{Concurrency: 4, TTFTSeconds: 1.2, TPS: 1.5, TTFTStdErr: 0.2, TPSStdErr: 0.1},
	)
	u, err := s.MaxUsers(5, capacity.Targets{MaxTTFTSeconds: 3, MaxE2ESeconds: 5}, nil)
	require.NoError(t, err)
	assert.LessOrEqual(t, u.Low, u.Users)
	assert.GreaterOrEqual(t, u.High, u.Users)
	assert.Positive(t, u.Low)
}

// Without monotonicity StepUp may serve more than StepDown; the bracket then
// widens to hold the figure and says so.
func TestBracketThatInverts(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	inverted := 0
	for range 200 {
		var levels []capacity.Level
		for c := 1; c <= 16; c *= 2 {
			levels = append(levels, capacity.Level{Concurrency: c, TTFTSeconds: 0.1 + rng.Float64(), TPS: 10 + 30*rng.Float64()})
		}
		u, err := newSweep(t, capacity.Workload{OutputTokens: 64}, levels...).MaxUsers(10, capacity.Targets{MaxTTFTSeconds: 1, MinTPS: 12}, nil)
		require.NoError(t, err)
		require.LessOrEqual(t, u.Low, u.Users)
		require.GreaterOrEqual(t, u.High, u.Users)
		for _, w := range u.Warnings {
			if assert.Error(t, w) && w.Error()[:len("capacity: the bracket")] == "capacity: the bracket" {
				inverted++
				assert.False(t, u.Monotone)
			}
		}
	}
	assert.Positive(t, inverted)
}

// A sweep told end to end is the same sweep: only what TPS means differs.
func TestEndToEndSweepIsTheSame(t *testing.T) {
	g := readGolden(t)
	g.each(t, func(name string, decode *capacity.Sweep) {
		w := decode.Workload()
		o := float64(w.OutputTokens)
		levels := decode.Levels()
		for i, l := range levels {
			levels[i].TPS = o / (l.TTFTSeconds + (o-1)/l.TPS)
		}
		w.TPS = capacity.EndToEndTPS
		e2e := newSweep(t, w, levels...)
		for _, users := range []int{1, 20, 150} {
			want, err := decode.Closed(users, 10, nil)
			require.NoError(t, err)
			got, err := e2e.Closed(users, 10, nil)
			require.NoError(t, err)
			for _, f := range [][2]float64{
				{want.RequestsPerSecond, got.RequestsPerSecond}, {want.ResponseSeconds, got.ResponseSeconds},
				{want.TTFTSeconds, got.TTFTSeconds}, {want.TPOTSeconds, got.TPOTSeconds},
				{o / (want.ResponseSeconds - want.QueueWaitSeconds), got.TPS}, // tokens by the time in service
			} {
				testkit.Rel(t, f[0], f[1], 1e-11, "%s, %d users", name, users)
			}
		}
		targets := capacity.Targets{MaxTTFTSeconds: 1, MaxE2ESeconds: 9}
		want, err := decode.MaxUsers(10, targets, nil)
		require.NoError(t, err)
		got, err := e2e.MaxUsers(10, targets, nil)
		require.NoError(t, err)
		assert.Equal(t, [3]int{want.Low, want.Users, want.High}, [3]int{got.Low, got.Users, got.High}, name)

		// A speed end to end is a time in service.
		targets = capacity.Targets{MaxTTFTSeconds: 1, MinTPS: 12}
		got, err = e2e.MaxUsers(10, targets, nil)
		require.NoError(t, err)
		for n, meets := range map[int]bool{got.Users: true, got.Users + 1: false} {
			if n == 0 {
				continue
			}
			p, err := e2e.Closed(n, 10, nil)
			require.NoError(t, err)
			assert.Equal(t, meets, p.TTFTSeconds <= 1 && p.TPS >= 12, "%s: %d users: %v", name, n, p)
		}
	})
}

// An answer above 1e9 is an error, not a number; one end of a bracket above it
// is a warning.
func TestMaxUsersAboveTheBound(t *testing.T) {
	fast := newSweep(t, capacity.Workload{OutputTokens: 2}, capacity.Level{Concurrency: 1000, TTFTSeconds: 1e-6, TPS: 1e7})
	_, err := fast.MaxUsers(1e6, capacity.Targets{MaxTTFTSeconds: 1}, nil)
	assert.ErrorIs(t, err, capacity.ErrUsers)

	// With the error of its speed against it the last level misses 20 tok/s,
	// with it on its side it does not, and then any number may queue.
	s := newSweep(
		t, capacity.Workload{OutputTokens: 128},
		capacity.Level{Concurrency: 1, TTFTSeconds: 0.1, TPS: 50},
		capacity.Level{Concurrency: 8, TTFTSeconds: 0.2, TPS: 19, TPSStdErr: 1},
	)
	u, err := s.MaxUsers(20, capacity.Targets{MinTPS: 20}, nil)
	require.NoError(t, err)
	assert.Equal(t, 1_000_000_000, u.High)
	last := u.Warnings[len(u.Warnings)-1]
	require.ErrorIs(t, last, capacity.ErrUnbounded)
	assert.ErrorContains(t, last, "upper end of the bracket")
}

func TestModelJSON(t *testing.T) {
	s := readGolden(t).sweep(t, "spark")
	u, err := s.MaxUsers(20, capacity.Targets{MaxTTFTSeconds: 1}, nil)
	require.NoError(t, err)
	b, err := json.Marshal(u)
	require.NoError(t, err)
	assert.JSONEq(t, fmt.Sprintf(`{"users": %d, "at_least": false, "low_users": %d, "high_users": %d, "monotone": true, "fluid_users": %d,
		"slots": 64, "think_seconds": 20, "targets": {"max_ttft_seconds": 1}, "warnings": ["capacity: no speed target is set"]}`,
		u.Users, u.Low, u.High, u.Fluid), string(b))

	m, err := s.Mix([]capacity.Class{{Name: "a", Users: 2, ThinkSeconds: 5}, {Name: "b", Users: 1, ThinkSeconds: 50}}, &capacity.Options{PrefillSeconds: 0.01})
	require.NoError(t, err)
	b, err = json.Marshal(m)
	require.NoError(t, err)
	var back struct {
		Users   int
		Think   *float64 `json:"think_seconds"`
		Classes []struct {
			Name  string
			Users int
			Think float64 `json:"think_seconds"`
		}
	}
	require.NoError(t, json.Unmarshal(b, &back))
	assert.Equal(t, 3, back.Users)
	assert.Nil(t, back.Think, "classes have one each")
	require.Len(t, back.Classes, 2)
	assert.Equal(t, "b", back.Classes[1].Name)
	assert.Equal(t, 50.0, back.Classes[1].Think)
	assert.Greater(t, m.Classes[0].TTFTRandomSeconds, m.Classes[0].TTFTSeconds)
}

func TestNames(t *testing.T) {
	for want, got := range map[string]fmt.Stringer{
		"linear": capacity.Linear, "monotone": capacity.Monotone, "step up": capacity.StepUp, "step down": capacity.StepDown,
		"unknown(9)": capacity.Limit(9), "unknown(-1)": capacity.Basis(-1),
		"TTFT <= 1 s, TPS >= 20 for 95% of requests":    capacity.Targets{MaxTTFTSeconds: 1, MinTPS: 20, Attainment: 0.95},
		"whole request <= 9 s each for 50% of requests": capacity.Targets{MaxE2ESeconds: 9, Percentile: 0.5},
		"no target": capacity.Targets{},
	} {
		assert.Equal(t, want, got.String())
	}
}

// One allocation holds the probabilities, however many users.
func TestClosedAllocations(t *testing.T) {
	s := wide(t)
	allocs := func(users int) float64 {
		return testing.AllocsPerRun(20, func() {
			if _, err := s.Closed(users, 20, nil); err != nil {
				t.Fatal(err)
			}
		})
	}
	assert.Equal(t, allocs(10), allocs(1000))
}
