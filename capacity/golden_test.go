package capacity_test

import (
	"maps"
	"slices"
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
	Closed []struct {
		Name    string        `json:"name"`
		Sweep   string        `json:"sweep"`
		Users   int           `json:"users"`
		Think   float64       `json:"think_s"`
		Interp  string        `json:"interp"`
		Slots   int           `json:"slots"`
		Targets goldenTargets `json:"targets"`
		Out     struct {
			goldenMeans
			InService     float64   `json:"mean_in_service"`
			Throughput    float64   `json:"throughput_rps"`
			OutputTPS     float64   `json:"output_tps"`
			TTFTService   float64   `json:"ttft_service_s"`
			PFull         float64   `json:"p_full"`
			Multiplier    float64   `json:"usage_multiplier"`
			P95           float64   `json:"ttft_p95_s"`
			Attainment    float64   `json:"attainment"`
			MeetsMean     bool      `json:"meets_mean"`
			First         []float64 `json:"p_first"`
			Last          []float64 `json:"p_last"`
			TTFTCDFTarget float64   `json:"ttft_cdf_at_target"`
		} `json:"out"`
	} `json:"closed"`
	Open []struct {
		Sweep string `json:"sweep"`
		Slots int    `json:"slots"`
		Out   struct {
			goldenMeans
			Lambda float64 `json:"lambda_rps"`
			Stable bool    `json:"stable"`
			Rho    float64 `json:"rho"`
		} `json:"out"`
	} `json:"open"`
	MaxUsers []map[string]any `json:"max_users"`
	Invalid  []struct {
		Case string `json:"case"`
	} `json:"invalid"`
	Extra struct {
		MM1 struct {
			N          int
			Z          float64
			P0         float64 `json:"p0"`
			Throughput float64 `json:"throughput"`
		} `json:"mm1_closed"`
		ErlangC struct {
			Lambda float64 `json:"lam"`
			K      int
			PWait  float64 `json:"p_wait"`
			Wq     float64 `json:"wq"`
		} `json:"erlang_c"`
	} `json:"extra"`
	Extra2 struct {
		RandomArrivals []struct {
			Sweep    string
			Users    int
			Think    float64 `json:"think_s"`
			Prefill  float64 `json:"prefill_s"`
			Rho      float64 `json:"rho_prefill"`
			Measured float64 `json:"ttft_measured_s"`
			Random   float64 `json:"ttft_random_arrivals_s"`
		} `json:"ttft_random_arrivals"`
		Corners []struct {
			Sweep    string
			Think    float64 `json:"think_s"`
			RelShift float64 `json:"rel_shift"`
			Low      int
			Mid      int
			High     int
		} `json:"se_corners"`
		SoftMemory struct {
			Sweep    string
			Think    float64 `json:"think_s"`
			Sessions int
			Tokens   int     `json:"session_tokens"`
			Prefill  float64 `json:"prefill_s_per_token"`
			Rows     []struct {
				Users int
				Miss  float64
				TTFT  float64 `json:"ttft_mean_s"`
				TPS   float64 `json:"tps_eff"`
			}
		} `json:"soft_memory"`
		Cost struct {
			Sweep          string
			Users          int
			Think          float64 `json:"think_s"`
			Price          float64 `json:"price_per_hour"`
			Watts          float64
			RPS            float64
			PerMillion     float64 `json:"cost_per_million_output_tokens"`
			PerUserHour    float64 `json:"cost_per_user_hour"`
			JoulesPerToken float64 `json:"joules_per_output_token"`
			UsersPerKW     float64 `json:"users_per_kw"`
			ReplicasFor    int     `json:"replicas_for_2000"`
		}
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
		SeedRows struct {
			With    int            `json:"with_capacity"`
			Without int            `json:"without"`
			Classes map[string]int `json:"classes"`
		} `json:"seed_rows"`
	} `json:"extra2"`
}

type goldenMeans struct {
	P0        float64 `json:"p0"`
	InSystem  float64 `json:"mean_in_system"`
	Response  float64 `json:"response_s"`
	QueueWait float64 `json:"queue_wait_s"`
	TTFT      float64 `json:"ttft_mean_s"`
	TPOT      float64 `json:"tpot_mean_s"`
	TPS       float64 `json:"tps_eff"`
	PQueue    float64 `json:"p_arrival_queues"`
}

func (want goldenMeans) check(t *testing.T, name string, got capacity.Point) {
	t.Helper()
	for _, f := range []struct {
		figure    string
		want, got float64
	}{
		{"p0", want.P0, got.P0},
		{"mean in system", want.InSystem, got.MeanInSystem},
		{"response", want.Response, got.ResponseSeconds},
		{"queue wait", want.QueueWait, got.QueueWaitSeconds},
		{"TTFT", want.TTFT, got.TTFTSeconds},
		{"TPOT", want.TPOT, got.TPOTSeconds},
		{"TPS", want.TPS, got.TPS},
		{"P(queue)", want.PQueue, got.PQueue},
	} {
		testkit.Rel(t, f.want, f.got, goldenTolerance, "%s: %s", name, f.figure)
	}
}

// goldenTolerance is relative, on moments and probabilities alike, down to the
// smallest.
const goldenTolerance = 1e-12

var goldenInterpolation = map[string]capacity.Interpolation{
	"linear": capacity.Linear, "step_up": capacity.StepUp, "step_down": capacity.StepDown,
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

// each calls f for every sweep in a fixed order.
func (g golden) each(tb testing.TB, f func(name string, s *capacity.Sweep)) {
	tb.Helper()
	for _, name := range slices.Sorted(maps.Keys(g.Sweeps)) {
		f(name, g.sweep(tb, name))
	}
}

func newSweep(tb testing.TB, w capacity.Workload, levels ...capacity.Level) *capacity.Sweep {
	tb.Helper()
	s, err := capacity.NewSweep(w, levels)
	require.NoError(tb, err)
	return s
}
