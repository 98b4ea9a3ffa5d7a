package capacity_test

import (
	"errors"
	"math"
	"testing"

	"example.com/servemath/capacity"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var nan, inf = math.NaN(), math.Inf(1)

// Every invalid case of the golden file gives its error, by the name that it
// has here.
func TestInvalidGolden(t *testing.T) {
	g := readGolden(t)
	require.Len(t, g.Invalid, 10)
	s := g.sweep(t, "b300")
	sweep := func(change func(*capacity.Workload, *capacity.Level)) error {
		w, l := capacity.Workload{OutputTokens: 128}, capacity.Level{Concurrency: 4, TTFTSeconds: 0.1, TPS: 50}
		change(&w, &l)
		_, err := capacity.NewSweep(w, []capacity.Level{l, {Concurrency: 8, TTFTSeconds: 0.1, TPS: 50}})
		return err
	}
	level := func(change func(l *capacity.Level, x float64), xs ...float64) (errs []error) {
		for _, x := range xs {
			errs = append(errs, sweep(func(_ *capacity.Workload, l *capacity.Level) { change(l, x) }))
		}
		return errs
	}
	think := func(xs ...float64) (errs []error) {
		for _, x := range xs {
			_, closed := s.Closed(10, x, nil)
			_, users := s.MaxUsers(x, capacity.DefaultTargets(), nil)
			_, _, best := s.BestCap(x, capacity.DefaultTargets(), nil)
			_, estimate := capacity.Estimate(s, capacity.DefaultTargets(), capacity.Usage{ThinkSeconds: x}, known(1), nil)
			errs = append(errs, closed, users, best, estimate)
		}
		return errs
	}
	targets := func(ts ...capacity.Targets) (errs []error) {
		for _, target := range ts {
			_, maxC := s.MaxC(target)
			_, users := s.MaxUsers(20, target, nil)
			_, estimate := capacity.Estimate(s, target, capacity.Chat(), known(1), nil)
			p, err := s.Closed(5, 20, nil)
			require.NoError(t, err)
			_, attained := p.Attainment(target)
			errs = append(errs, maxC, users, estimate, attained)
		}
		return errs
	}
	_, empty := capacity.NewSweep(capacity.Workload{OutputTokens: 1}, nil)
	_, unstable := s.Open(23, nil)
	_, unbounded := s.MaxUsers(20, capacity.Targets{MinTPS: 20}, nil)
	_, noTarget := s.MaxUsers(20, capacity.Targets{}, nil)

	cases := map[string]struct {
		errs []error
		is   error
		in   string // the InputError's field
	}{
		"empty sweep":           {[]error{empty}, capacity.ErrEmptySweep, ""},
		"duplicate concurrency": {level(func(l *capacity.Level, x float64) { l.Concurrency = int(x) }, 8), nil, "Concurrency"},
		"C<=0":                  {level(func(l *capacity.Level, x float64) { l.Concurrency = int(x) }, 0, -1), nil, "Concurrency"},
		"TPS NaN/Inf/<=0":       {level(func(l *capacity.Level, x float64) { l.TPS = x }, nan, inf, 0, -1), nil, "TPS"},
		"TTFT NaN/Inf/<0":       {level(func(l *capacity.Level, x float64) { l.TTFTSeconds = x }, nan, inf, -1), nil, "TTFTSeconds"},
		"out tokens<1": {[]error{
			sweep(func(w *capacity.Workload, _ *capacity.Level) { w.OutputTokens = 0 }),
			sweep(func(w *capacity.Workload, _ *capacity.Level) { w.OutputTokens = -5 }),
		}, nil, "OutputTokens"},
		"think<0/NaN/Inf":                     {think(-1, nan, inf), capacity.ErrThink, ""},
		"target TPS<0 or NaN":                 {targets(capacity.Targets{MinTPS: -1}, capacity.Targets{MinTPS: nan}, capacity.Targets{Attainment: 1.5}, capacity.Targets{Attainment: 0.9, Percentile: 0.9}), capacity.ErrTargets, ""},
		"lambda>=X(K)":                        {[]error{unstable}, capacity.ErrUnstable, ""},
		"no TTFT/E2E target and open-ended N": {[]error{unbounded, noTarget}, capacity.ErrUnbounded, ""},
	}
	for _, want := range g.Invalid {
		c, ok := cases[want.Case]
		require.True(t, ok, want.Case)
		for _, err := range c.errs {
			require.Error(t, err, want.Case)
			if c.is != nil {
				assert.ErrorIs(t, err, c.is, want.Case)
				continue
			}
			bad, ok := errors.AsType[*capacity.InputError](err)
			require.True(t, ok, want.Case)
			assert.Equal(t, c.in, bad.Field, want.Case)
		}
	}
}

func TestModelRefuses(t *testing.T) {
	s := readGolden(t).sweep(t, "b300")
	for _, n := range []int{0, -1, 1_000_000_001} {
		_, err := s.Closed(n, 20, nil)
		assert.ErrorIs(t, err, capacity.ErrUsers, "%d users", n)
	}
	for field, o := range map[string]capacity.Options{
		"Slots":          {Slots: -1},
		"Interpolation":  {Interpolation: 4},
		"PrefillSeconds": {PrefillSeconds: nan},
		"Confidence":     {Confidence: 1},
	} {
		for _, err := range modelErrors(s, &o) {
			require.ErrorIs(t, err, capacity.ErrOptions)
			assert.ErrorContains(t, err, field)
		}
	}
	for _, rate := range []float64{0, -1, nan, inf, 1e-19} {
		_, err := s.Open(rate, nil)
		bad, ok := errors.AsType[*capacity.InputError](err)
		require.True(t, ok, "rate %v: %v", rate, err)
		assert.Equal(t, "requestsPerSecond", bad.Field)
	}
	// 22 requests/s cannot each take 50 ms of the machine for their prefill.
	_, err := s.Closed(1000, 20, &capacity.Options{PrefillSeconds: 0.05})
	assert.ErrorIs(t, err, capacity.ErrUnstable)
}

// modelErrors calls every method that takes options.
func modelErrors(s *capacity.Sweep, o *capacity.Options) []error {
	_, closed := s.Closed(10, 20, o)
	_, open := s.Open(1, o)
	_, users := s.MaxUsers(20, capacity.DefaultTargets(), o)
	_, _, best := s.BestCap(20, capacity.DefaultTargets(), o)
	_, mix := s.Mix([]capacity.Class{{Users: 1, ThinkSeconds: 1}}, o)
	_, estimate := capacity.Estimate(s, capacity.DefaultTargets(), capacity.Chat(), known(1), o)
	_, thinking := capacity.Estimate(s, capacity.DefaultTargets(), capacity.Usage{ThinkSeconds: 1}, known(1), o)
	return []error{closed, open, users, best, mix, estimate, thinking}
}

// A sweep that NewSweep did not make is an error everywhere, not a panic, and so
// is a point that no sweep made.
func TestZeroValues(t *testing.T) {
	for _, s := range []*capacity.Sweep{nil, {}} {
		for _, err := range modelErrors(s, nil) {
			assert.ErrorIs(t, err, capacity.ErrEmptySweep)
		}
		_, err := s.MaxC(capacity.DefaultTargets())
		assert.ErrorIs(t, err, capacity.ErrEmptySweep)
		_, err = s.FitUSL()
		assert.ErrorIs(t, err, capacity.ErrEmptySweep)
		_, err = s.Project(capacity.Workload{OutputTokens: 1}, capacity.Slopes{})
		assert.ErrorIs(t, err, capacity.ErrEmptySweep)
		assert.Nil(t, s.Check())
		assert.Nil(t, s.Pareto())
		assert.Nil(t, s.Levels())
		assert.Zero(t, s.Workload())
		assert.False(t, s.Projected())
	}
	var p capacity.Point
	assert.Zero(t, p.Probability(0))
	assert.True(t, math.IsNaN(p.TTFTCDF(1)))
	_, err := p.TTFTQuantile(0.5)
	assert.Error(t, err)
	_, err = p.Attainment(capacity.DefaultTargets())
	assert.Error(t, err)
	assert.NotEmpty(t, capacity.Capacity{}.Explain())
	assert.NotEmpty(t, capacity.Evaluated{}.Explain())
}
