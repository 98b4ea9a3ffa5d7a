package capacity_test

import (
	"testing"

	"example.com/servemath/capacity"
	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/require"
)

// golden is testdata/golden.json; testdata/README.md says where it came from.
type golden struct {
	Sweeps map[string]struct {
		Levels []struct {
			C    int     `json:"c"`
			TTFT float64 `json:"ttft_s"`
			TPS  float64 `json:"tps"`
		} `json:"levels"`
		OutTokens int `json:"out_tokens"`
	} `json:"sweeps"`
	MaxC []struct {
		Sweep   string        `json:"sweep"`
		Targets goldenTargets `json:"targets"`
		Out     struct {
			MaxC       int    `json:"max_c"`
			AtLeast    bool   `json:"at_least"`
			Contiguous int    `json:"contiguous_max_c"`
			Levels     []bool `json:"levels"`
		} `json:"out"`
	} `json:"max_c"`
	Extra2 struct {
		SeedRules struct {
			Worked []struct {
				MaxC     int      `json:"max_c"`
				Speed    []int    `json:"speed"`
				Memory   []int    `json:"memory"`
				Capacity []int    `json:"capacity"`
				Limit    []string `json:"limit"`
			} `json:"worked"`
			Multipliers map[string][]int `json:"multiplier_table"`
		} `json:"seed_rules"`
	} `json:"extra2"`
}

type goldenTargets struct {
	TTFT float64 `json:"ttft_s"`
	TPS  float64 `json:"tps"`
}

func (t goldenTargets) targets() capacity.Targets {
	return capacity.Targets{MaxTTFTSeconds: t.TTFT, MinTPS: t.TPS}
}

func readGolden(tb testing.TB) golden {
	tb.Helper()
	var g golden
	testkit.ReadJSON(tb, "testdata/golden.json", &g)
	require.NotEmpty(tb, g.Sweeps)
	return g
}

func (g golden) levels(tb testing.TB, name string) (capacity.Workload, []capacity.Level) {
	tb.Helper()
	in, ok := g.Sweeps[name]
	require.True(tb, ok, "sweep %s", name)
	var levels []capacity.Level
	for _, l := range in.Levels {
		levels = append(levels, capacity.Level{Concurrency: l.C, TTFTSeconds: l.TTFT, TPS: l.TPS})
	}
	return capacity.Workload{OutputTokens: in.OutTokens}, levels
}

func (g golden) sweep(tb testing.TB, name string) *capacity.Sweep {
	tb.Helper()
	w, levels := g.levels(tb, name)
	return newSweep(tb, w, levels...)
}

func newSweep(tb testing.TB, w capacity.Workload, levels ...capacity.Level) *capacity.Sweep {
	tb.Helper()
	s, err := capacity.NewSweep(w, levels)
	require.NoError(tb, err)
	return s
}
