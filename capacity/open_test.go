package capacity_test

import (
	"math"
	"testing"

	"example.com/servemath/capacity"
	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOpenGolden(t *testing.T) {
	g := readGolden(t)
	require.Len(t, g.Open, 6)
	for _, c := range g.Open {
		p, err := g.sweep(t, c.Sweep).Open(c.Out.Lambda, &capacity.Options{Slots: c.Slots})
		if !c.Out.Stable {
			assert.ErrorIs(t, err, capacity.ErrUnstable)
			continue
		}
		require.NoError(t, err)
		c.Out.check(t, c.Sweep, p)
		testkit.Rel(t, c.Out.Rho, p.Load, goldenTolerance, "load")
		testkit.Rel(t, c.Out.Lambda, p.RequestsPerSecond, goldenTolerance, "throughput")
		assert.True(t, math.IsNaN(p.Multiplier))
	}
}

// Constant service times make the open queue Erlang's (M/M/K).
func TestOpenErlangC(t *testing.T) {
	g := readGolden(t)
	want := g.Extra.ErlangC
	p, err := g.sweep(t, "mmk").Open(want.Lambda, &capacity.Options{Slots: want.K})
	require.NoError(t, err)
	testkit.Rel(t, want.PWait, p.PQueue, goldenTolerance, "P(wait)")
	testkit.Rel(t, want.Wq, p.QueueWaitSeconds, goldenTolerance, "wait")
	// P(wait > y) = P(wait) exp(-(K mu - lambda) y)
	for _, y := range []float64{0, 0.1, 1, 5} {
		testkit.Rel(t, 1-want.PWait*math.Exp(-(16/2.5-want.Lambda)*y), p.TTFTCDF(0.25+y), goldenTolerance, "CDF at %v", y)
	}
	testkit.Rel(t, want.PWait*math.Pow(0.875, 100), p.Probability(116)/(1-0.875), 1e-9, "far tail")
}
