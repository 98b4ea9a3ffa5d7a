package capacity_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/servemath/capacity"
	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every row of the golden table: three interpolations, mean and 95 % targets,
// all slots or as many as Max C.
func TestMaxUsersGolden(t *testing.T) {
	g := readGolden(t)
	require.Len(t, g.MaxUsers, 27)
	answers := 0
	for _, row := range g.MaxUsers {
		s := g.sweep(t, row["sweep"].(string))
		think := row["think_s"].(float64)
		maxC := int(row["max_c"].(float64))
		name := fmt.Sprintf("%s, think %v", row["sweep"], think)
		for key, want := range row {
			interpolation, ok := interpolationOf(key)
			if !ok {
				continue
			}
			target := capacity.DefaultTargets()
			o := &capacity.Options{Interpolation: interpolation}
			if strings.HasPrefix(key, "attain95") {
				target.Attainment = 0.95
			}
			if strings.Contains(key, "cap_maxc") {
				o.Slots = maxC
			}
			u, err := s.MaxUsers(think, target, o)
			require.NoError(t, err, name)
			assert.EqualValues(t, want, u.Users, "%s: %s", name, key)
			assert.LessOrEqual(t, u.Low, u.Users, name)
			assert.GreaterOrEqual(t, u.High, u.Users, name)
			if base := strings.TrimSuffix(key, "linear"); base != key && row["monotone"] == true {
				assert.EqualValues(t, row[base+"step_up"], u.Low, "%s: %s", name, key)
				assert.EqualValues(t, row[base+"step_down"], u.High, "%s: %s", name, key)
			}
			answers++
		}
		u, err := s.MaxUsers(think, capacity.DefaultTargets(), nil)
		require.NoError(t, err)
		assert.Equal(t, row["at_least"], u.AtLeast, name)
		assert.Equal(t, row["monotone"], u.Monotone, name)
		if fluid, ok := row["fluid_maxc"]; ok {
			assert.EqualValues(t, fluid, u.Fluid, name)
			c, err := s.MaxC(capacity.DefaultTargets())
			require.NoError(t, err)
			for _, v := range c.Levels {
				if v.Concurrency == maxC {
					testkit.Rel(t, row["multiplier_at_maxc"].(float64), (v.E2ESeconds+think)/v.E2ESeconds, goldenTolerance, name)
				}
			}
		}
		if u.Monotone {
			assert.EqualValues(t, row["mean_step_up"], u.Low, name)
			assert.EqualValues(t, row["mean_step_down"], u.High, name)
		}
	}
	assert.Equal(t, 27*3+24*6, answers)
}

func interpolationOf(key string) (capacity.Interpolation, bool) {
	for suffix, i := range goldenInterpolation {
		if strings.HasSuffix(key, suffix) {
			return i, true
		}
	}
	return 0, false
}

func TestBestCapGolden(t *testing.T) {
	g := readGolden(t)
	caps := 0
	for _, row := range g.MaxUsers {
		want, ok := row["attain95_best_cap"]
		if !ok { // no level passes
			continue
		}
		target := capacity.DefaultTargets()
		target.Attainment = 0.95
		slots, u, err := g.sweep(t, row["sweep"].(string)).BestCap(row["think_s"].(float64), target, nil)
		require.NoError(t, err)
		assert.EqualValues(t, want, slots, "%s, think %v", row["sweep"], row["think_s"])
		assert.EqualValues(t, row["attain95_best_users"], u.Users, "%s, think %v", row["sweep"], row["think_s"])
		caps++
	}
	assert.Equal(t, 24, caps)
}

// Shifting every level by 6 % moves the answer to the published corners.
func TestMaxUsersGoldenCorners(t *testing.T) {
	g := readGolden(t)
	require.Len(t, g.Extra2.Corners, 3)
	for _, c := range g.Extra2.Corners {
		for shift, want := range map[float64]int{c.RelShift: c.Low, 0: c.Mid, -c.RelShift: c.High} {
			w, levels := g.levels(t, c.Sweep)
			for i := range levels {
				levels[i].TTFTSeconds *= 1 + shift
				levels[i].TPS *= 1 - shift
			}
			u, err := newSweep(t, w, levels...).MaxUsers(c.Think, capacity.DefaultTargets(), nil)
			require.NoError(t, err)
			assert.Equal(t, want, u.Users, "%s shifted by %v", c.Sweep, shift)
		}
	}
}
