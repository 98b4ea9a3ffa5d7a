package capacity_test

import (
	"encoding/json"
	"testing"

	"example.com/servemath/capacity"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func kinds(found []capacity.Finding) []capacity.FindingKind {
	var out []capacity.FindingKind
	for _, f := range found {
		out = append(out, f.Kind)
	}
	return out
}

func TestCheck(t *testing.T) {
	reply := capacity.Workload{OutputTokens: 101}
	// One request of 0.5 s and 100 tokens at 50 tok/s takes 2.5 s.
	level := func(c int, ttft, tps, total float64) capacity.Level {
		return capacity.Level{Concurrency: c, TTFTSeconds: ttft, TPS: tps, OutputTPS: total}
	}
	little := 4 * 101 / 2.5
	for _, c := range []struct {
		name   string
		work   capacity.Workload
		levels []capacity.Level
		want   []capacity.FindingKind
		dev    float64 // of the first finding
	}{
		{"clean", reply, []capacity.Level{level(1, 0.1, 60, 0), level(2, 0.2, 50, 0)}, nil, 0},
		{"single level", reply, []capacity.Level{level(1, 0.1, 60, 0)}, []capacity.FindingKind{capacity.SingleLevel}, 0},
		{"total agrees", reply, []capacity.Level{level(1, 0.1, 60, 0), level(4, 0.5, 50, little)}, nil, 0},
		{"total 9 % low", reply, []capacity.Level{level(1, 0.1, 60, 0), level(4, 0.5, 50, little/1.09)}, nil, 0},
		{"total 11 % low", reply, []capacity.Level{level(1, 0.1, 60, 0), level(4, 0.5, 50, little/1.11)}, []capacity.FindingKind{capacity.LittleMismatch}, 0.11},
		{"total 11 % high", reply, []capacity.Level{level(1, 0.1, 60, 0), level(4, 0.5, 50, little/0.89)}, []capacity.FindingKind{capacity.LittleMismatch}, -0.11},
		// 400 prompts a run cannot keep 1,024 in flight: a public sweep was off by 166 %.
		{"more asked for than were in flight", reply, []capacity.Level{level(1, 0.1, 60, 0), level(1024, 0.5, 50, 1024*101/2.5/2.66)}, []capacity.FindingKind{capacity.LittleMismatch}, 1.66},
		{"TTFT falls", reply, []capacity.Level{level(1, 0.2, 60, 0), level(2, 0.1, 50, 0)}, []capacity.FindingKind{capacity.NonMonotone}, -0.5},
		{"TPS rises", reply, []capacity.Level{level(1, 0.1, 50, 0), level(2, 0.2, 60, 0)}, []capacity.FindingKind{capacity.NonMonotone}, 0.2},
		{"plateau", reply, []capacity.Level{level(32, 0.4, 28, 0), level(64, 5.2, 27.9, 0)}, []capacity.FindingKind{capacity.SlotPlateau}, 12},
		{"wait grows by less than half", reply, []capacity.Level{level(32, 1, 28, 0), level(64, 1.49, 28, 0)}, nil, 0},
		{"wait grows by less than 0.1 s", reply, []capacity.Level{level(32, 0.05, 28, 0), level(64, 0.14, 28, 0)}, nil, 0},
		{"speed falls too", reply, []capacity.Level{level(32, 0.4, 28, 0), level(64, 5.2, 27.5, 0)}, nil, 0},
		{
			// 0.5 + 100/50 s and 5 + 100/50 s end to end
			"plateau of an end-to-end sweep", capacity.Workload{OutputTokens: 101, TPS: capacity.EndToEndTPS},
			[]capacity.Level{level(32, 0.5, 101/2.5, 0), level(64, 5, 101/7., 0)}, []capacity.FindingKind{capacity.SlotPlateau}, 9,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := newSweep(t, c.work, c.levels...).Check()
			require.Equal(t, c.want, kinds(found))
			if len(found) > 0 {
				assert.InDelta(t, c.dev, found[0].Deviation, 1e-9)
				assert.NotEmpty(t, found[0].Advice)
				assert.Equal(t, c.levels[len(c.levels)-1].Concurrency, found[0].Concurrency)
			}
		})
	}
}

func TestCheckGoldenSweeps(t *testing.T) {
	g := readGolden(t)
	want := map[string][]capacity.FindingKind{
		"single":    {capacity.SingleLevel},
		"nonmono":   {capacity.NonMonotone},
		"overslots": {capacity.SlotPlateau, capacity.SlotPlateau}, // 64 and 128 beyond 32 slots
	}
	g.each(t, func(name string, s *capacity.Sweep) {
		assert.Equal(t, want[name], kinds(s.Check()), name)
	})
}

func TestFindingJSON(t *testing.T) {
	s := newSweep(t, capacity.Workload{OutputTokens: 10}, capacity.Level{Concurrency: 1, TTFTSeconds: 0, TPS: 10}, capacity.Level{Concurrency: 2, TTFTSeconds: 1, TPS: 10})
	b, err := json.Marshal(s.Check())
	require.NoError(t, err)
	var back []map[string]any
	require.NoError(t, json.Unmarshal(b, &back))
	require.Len(t, back, 1)
	assert.Equal(t, "slot plateau", back[0]["kind"])
	assert.Equal(t, "+Inf", back[0]["deviation"])
}
