package capacity_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"example.com/servemath/capacity"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNewSweepRefuses(t *testing.T) {
	reply := capacity.Workload{OutputTokens: 128}
	good := capacity.Level{Concurrency: 1, TTFTSeconds: 0.1, TPS: 50}
	with := func(change func(*capacity.Level)) capacity.Level {
		l := good
		l.Concurrency = 4
		change(&l)
		return l
	}
	for _, c := range []struct {
		name  string
		work  capacity.Workload
		level capacity.Level
		want  capacity.InputError
	}{
		{"concurrency 0", reply, with(func(l *capacity.Level) { l.Concurrency = 0 }), capacity.InputError{Field: "Concurrency"}},
		{"concurrency negative", reply, with(func(l *capacity.Level) { l.Concurrency = -3 }), capacity.InputError{Level: -3, Field: "Concurrency"}},
		{"concurrency absurd", reply, with(func(l *capacity.Level) { l.Concurrency = 1<<20 + 1 }), capacity.InputError{Level: 1<<20 + 1, Field: "Concurrency"}},
		{"duplicate", reply, with(func(l *capacity.Level) { l.Concurrency = 1 }), capacity.InputError{Level: 1, Field: "Concurrency"}},
		{"TPS 0", reply, with(func(l *capacity.Level) { l.TPS = 0 }), capacity.InputError{Level: 4, Field: "TPS"}},
		{"TPS negative", reply, with(func(l *capacity.Level) { l.TPS = -1 }), capacity.InputError{Level: 4, Field: "TPS"}},
		{"TPS NaN", reply, with(func(l *capacity.Level) { l.TPS = math.NaN() }), capacity.InputError{Level: 4, Field: "TPS"}},
		{"TPS infinite", reply, with(func(l *capacity.Level) { l.TPS = math.Inf(1) }), capacity.InputError{Level: 4, Field: "TPS"}},
		{"TPS too small to invert", reply, with(func(l *capacity.Level) { l.TPS = 5e-324 }), capacity.InputError{Level: 4, Field: "TPS"}},
		{"rate too high to hold", capacity.Workload{OutputTokens: 2}, with(func(l *capacity.Level) { l.TPS, l.TTFTSeconds = math.MaxFloat64, 0 }), capacity.InputError{Level: 4, Field: "TPS"}},
		{"TTFT negative", reply, with(func(l *capacity.Level) { l.TTFTSeconds = -0.1 }), capacity.InputError{Level: 4, Field: "TTFTSeconds"}},
		{"TTFT NaN", reply, with(func(l *capacity.Level) { l.TTFTSeconds = math.NaN() }), capacity.InputError{Level: 4, Field: "TTFTSeconds"}},
		{"TTFT infinite", reply, with(func(l *capacity.Level) { l.TTFTSeconds = math.Inf(1) }), capacity.InputError{Level: 4, Field: "TTFTSeconds"}},
		{"TTFT error NaN", reply, with(func(l *capacity.Level) { l.TTFTStdErr = math.NaN() }), capacity.InputError{Level: 4, Field: "TTFTStdErr"}},
		{"TPS error negative", reply, with(func(l *capacity.Level) { l.TPSStdErr = -1 }), capacity.InputError{Level: 4, Field: "TPSStdErr"}},
		{"total infinite", reply, with(func(l *capacity.Level) { l.OutputTPS = math.Inf(1) }), capacity.InputError{Level: 4, Field: "OutputTPS"}},
		{"no output", capacity.Workload{}, with(func(*capacity.Level) {}), capacity.InputError{Field: "OutputTokens"}},
		{"negative prompt", capacity.Workload{OutputTokens: 1, PromptTokens: -1}, with(func(*capacity.Level) {}), capacity.InputError{Field: "PromptTokens"}},
		{"unknown kind", capacity.Workload{OutputTokens: 1, TPS: 7}, with(func(*capacity.Level) {}), capacity.InputError{Field: "TPS"}},
		{"one token in no time", capacity.Workload{OutputTokens: 1}, with(func(l *capacity.Level) { l.TTFTSeconds = 0 }), capacity.InputError{Level: 4, Field: "TTFTSeconds"}},
		{
			"end-to-end TPS faster than the TTFT allows", capacity.Workload{OutputTokens: 128, TPS: capacity.EndToEndTPS},
			with(func(l *capacity.Level) { l.TTFTSeconds, l.TPS = 3, 43 }), capacity.InputError{Level: 4, Field: "TPS"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := capacity.NewSweep(c.work, []capacity.Level{good, c.level})
			var bad *capacity.InputError
			require.ErrorAs(t, err, &bad)
			assert.Equal(t, c.want, capacity.InputError{Level: bad.Level, Field: bad.Field}, err.Error())
			assert.NotEmpty(t, bad.Reason)
			assert.Contains(t, err.Error(), c.want.Field)
		})
	}
	_, err := capacity.NewSweep(reply, nil)
	assert.ErrorIs(t, err, capacity.ErrEmptySweep)
}

func TestNewSweepCopiesAndSorts(t *testing.T) {
	g := readGolden(t)
	w, levels := g.levels(t, "b300")
	want := newSweep(t, w, levels...).Levels()
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		rng.Shuffle(len(levels), func(i, j int) { levels[i], levels[j] = levels[j], levels[i] })
		s := newSweep(t, w, levels...)
		levels[0].TPS = 1e-3
		assert.Equal(t, want, s.Levels())
		assert.Equal(t, w, s.Workload())
		s.Levels()[0].TPS = 1e-3
		assert.Equal(t, want, s.Levels())
		copy(levels, want)
	}
}
