package capacity_test

import (
	"testing"

	"example.com/servemath/capacity"
	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestClosedGolden(t *testing.T) {
	g := readGolden(t)
	require.Len(t, g.Closed, 19)
	for _, c := range g.Closed {
		t.Run(c.Name, func(t *testing.T) {
			o := &capacity.Options{Slots: c.Slots, Interpolation: goldenInterpolation[c.Interp]}
			p, err := g.sweep(t, c.Sweep).Closed(c.Users, c.Think, o)
			require.NoError(t, err)
			want := c.Out
			want.check(t, c.Name, p)
			near := func(figure string, want, got float64) {
				t.Helper()
				testkit.Rel(t, want, got, goldenTolerance, "%s", figure)
			}
			near("in service", want.InService, p.MeanInService)
			near("throughput", want.Throughput, p.RequestsPerSecond)
			near("output TPS", want.OutputTPS, p.OutputTPS)
			near("TTFT in service", want.TTFTService, p.TTFTSeconds-p.QueueWaitSeconds)
			near("P(full)", want.PFull, p.PFull)
			near("multiplier", want.Multiplier, p.Multiplier)
			p95, err := p.TTFTQuantile(0.95)
			require.NoError(t, err)
			near("95th percentile", want.P95, p95)
			attained, err := p.Attainment(c.Targets.targets())
			require.NoError(t, err)
			near("attainment", want.Attainment, attained)
			near("CDF at target", want.TTFTCDFTarget, p.TTFTCDF(c.Targets.TTFT))
			for i, v := range want.First {
				near("first probabilities", v, p.Probability(i))
			}
			for i, v := range want.Last {
				near("last probabilities", v, p.Probability(c.Users-len(want.Last)+1+i))
			}
			m, err := g.sweep(t, c.Sweep).MaxC(c.Targets.targets())
			require.NoError(t, err)
			assert.Equal(t, want.MeetsMean, p.TTFTSeconds <= m.Targets.MaxTTFTSeconds && p.TPS >= m.Targets.MinTPS)
		})
	}
}

// A single-server chain has a textbook answer (M/M/1//N).
func TestClosedSingleServer(t *testing.T) {
	g := readGolden(t)
	want := g.Extra.MM1
	p, err := g.sweep(t, "mm1").Closed(want.N, want.Z, nil)
	require.NoError(t, err)
	testkit.Rel(t, want.P0, p.P0, goldenTolerance, "p0")
	testkit.Rel(t, want.Throughput, p.RequestsPerSecond, goldenTolerance, "throughput")
}

func TestRandomArrivalsGolden(t *testing.T) {
	g := readGolden(t)
	require.Len(t, g.Extra2.RandomArrivals, 5)
	for _, c := range g.Extra2.RandomArrivals {
		o := &capacity.Options{PrefillSeconds: c.Prefill}
		p, err := g.sweep(t, c.Sweep).Closed(c.Users, c.Think, o)
		require.NoError(t, err)
		testkit.Rel(t, c.Rho, p.RequestsPerSecond*c.Prefill, goldenTolerance, "rho")
		testkit.Rel(t, c.Measured, p.TTFTSeconds, goldenTolerance, "measured")
		testkit.Rel(t, c.Random, p.TTFTRandomSeconds, goldenTolerance, "random arrivals")
	}
}
