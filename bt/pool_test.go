package bt

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// platforms has an order of its own for each of groups platforms: log-strengths
// 0, 0.5 and 1 with a normal deviation of sd.
func platforms(seed uint64, groups, games int, sd float64) *Data {
	rng := newRand(seed)
	d := new(Data)
	names := []string{"a", "b", "c"}
	for g := range groups {
		x := []float64{rng.NormFloat64() * sd, 0.5 + rng.NormFloat64()*sd, 1 + rng.NormFloat64()*sd}
		for i := range names {
			for j := range i {
				wins := float64(binomial(rng, int64(games), sigmoid(x[i]-x[j])))
				group := map[string]string{"platform": fmt.Sprint(g)}
				if wins > 0 {
					d.Add(Comparison{A: names[i], B: names[j], Outcome: 1, Count: wins, Group: group})
				}
				if wins < float64(games) {
					d.Add(Comparison{A: names[j], B: names[i], Outcome: 1, Count: float64(games) - wins, Group: group})
				}
			}
		}
	}
	return d
}

func TestPoolFindsTheSpread(t *testing.T) {
	for _, sd := range []float64{0.3, 1} {
		p, err := Pool(platforms(18, 60, 80, sd), "platform", nil)
		require.NoError(t, err)
		testkit.Rel(t, sd, p.SD, 0.2, "standard deviation")
		require.Len(t, p.Common, 3)
		assert.Equal(t, "c", p.Common[0].Item)
		assert.Empty(t, p.Warnings)
		for _, g := range p.Groups {
			for _, s := range g.Standings {
				assert.True(t, s.Borrowed > 0 && s.Borrowed < 1, "%+v", s)
				assert.True(t, s.Lo < s.Strength && s.Strength < s.Hi)
			}
		}
	}
}

func TestPoolOfAlikeGroups(t *testing.T) {
	p, err := Pool(platforms(20, 8, 40, 0), "platform", nil)
	require.NoError(t, err)
	common, err := Fit(platforms(20, 8, 40, 0), nil)
	require.NoError(t, err)
	assert.Less(t, p.SD, 0.2)
	for _, g := range p.Groups {
		for _, s := range g.Standings {
			testkit.Near(t, common.x[common.index[s.Item]], s.LogStrength, 0.2, "%s", s.Item)
			assert.Greater(t, s.Borrowed, 0.8)
		}
	}
}

// At the ends of the search the joint fit is the common one, or each group's own.
func TestPoolBetweenItsLimits(t *testing.T) {
	d := platforms(21, 4, 60, 0.5)
	m, err := Fit(d, nil)
	require.NoError(t, err)
	part, err := m.partition("platform")
	require.NoError(t, err)
	f := newPooledFit(m, part)
	_, err = f.fit(1e-4)
	require.NoError(t, err)
	for _, g := range f.groups {
		nearAll(t, m.x, centred(f.w.x[g.first:g.first+3]), 1e-4, "one strength for all")
	}
	_, err = f.fit(1e4)
	require.NoError(t, err)
	for k, g := range f.groups {
		var cells []cell
		for _, c := range m.cells {
			if part.of[c.group] == k {
				cells = append(cells, c)
			}
		}
		own, err := fitCells(m.items, cells, m.labels, m.options)
		require.NoError(t, err)
		nearAll(t, own.x, centred(f.w.x[g.first:g.first+3]), 1e-4, "strengths of its own")
	}
}

func centred(x []float64) []float64 {
	out := append([]float64(nil), x...)
	centre(out)
	return out
}

// The marginal likelihood against numerical integration. With two items only
// their difference v matters, with variance 2 sd^2 around the common one.
func TestMarginalLikelihoodAgainstIntegration(t *testing.T) {
	var d Data
	won := []float64{14, 3, 9, 17, 10}
	for g, w := range won {
		group := map[string]string{"platform": fmt.Sprint(g)}
		d.Add(Comparison{A: "A", B: "B", Outcome: 1, Count: w, Group: group})
		d.Add(Comparison{A: "B", B: "A", Outcome: 1, Count: 20 - w, Group: group})
	}
	m, err := Fit(&d, nil)
	require.NoError(t, err)
	part, err := m.partition("platform")
	require.NoError(t, err)
	f := newPooledFit(m, part)
	for _, sd := range []float64{0.1, 0.5, 1} {
		got, err := f.fit(sd)
		require.NoError(t, err)
		common := f.w.x[0] - f.w.x[1]
		want := 0.0
		for _, w := range won {
			sum, h := 0.0, 0.001
			for z := -8.0; z <= 8; z += h {
				v := common + z*sd*math.Sqrt2
				sum += h * math.Exp(w*logSigmoid(v)+(20-w)*logSigmoid(-v)-z*z/2) / math.Sqrt(2*math.Pi)
			}
			want += math.Log(sum)
		}
		// Laplace's approximation errs by a few hundredths a group of 20.
		assert.InDelta(t, want, got, 0.05*5, "standard deviation %g", sd)
	}
}

// One platform's engine never lost there: alone it has no ranking, pooled it has
// a finite one that says how much of it is borrowed.
func TestPoolOfPublishedPlatforms(t *testing.T) {
	d := new(Data)
	for _, platform := range []string{"NVIDIA GPU", "AMD GPU", "Google TPU"} {
		for _, c := range pieContests(t, platform, "Single decode") {
			c.Group["platform"] = platform
			d.AddContest(c, nil)
		}
	}
	p, err := Pool(d, "platform", nil)
	require.NoError(t, err)
	require.Len(t, p.Groups, 3)
	require.Len(t, p.Warnings, 1)
	assert.ErrorContains(t, p.Warnings[0], "3 groups say little")
	borrowed := map[string]float64{}
	for _, g := range p.Groups {
		for _, s := range g.Standings {
			borrowed[g.Value+" "+s.Item] = s.Borrowed
			assert.False(t, math.IsNaN(s.StdErr) || math.IsInf(s.LogStrength, 0), "%+v", s)
		}
	}
	assert.Len(t, borrowed, 4+3+3)
	assert.Greater(t, borrowed["Google TPU SGLang"], borrowed["NVIDIA GPU SGLang"], "18 comparisons against 453")
	b, err := json.Marshal(p)
	require.NoError(t, err)
	assert.Contains(t, string(b), `"warnings":["bt: 3 groups`)
	assert.Contains(t, p.String(), "between 3 groups of platform")
}

func TestPoolErrors(t *testing.T) {
	d := platforms(22, 3, 20, 0.1)
	for name, tt := range map[string]struct {
		by   string
		o    *Options
		want error
	}{
		"label":     {"machine", nil, ErrUnknownLabel},
		"order":     {"platform", &Options{OrderEffect: true}, ErrUnsupported},
		"Jeffreys":  {"platform", &Options{Prior: Jeffreys{}}, ErrUnsupported},
		"tolerance": {"platform", &Options{Tolerance: -1}, ErrOptions},
	} {
		_, err := Pool(d, tt.by, tt.o)
		assert.ErrorIs(t, err, tt.want, name)
	}
	_, err := Pool(platforms(22, 1, 20, 0), "platform", nil)
	assert.ErrorIs(t, err, ErrClusters)
	_, err = Pool(nil, "platform", nil)
	assert.ErrorIs(t, err, ErrNoData)

	// Undefeated on every platform: a prior on the common strengths makes it finite.
	var u Data
	for _, platform := range []string{"x", "y"} {
		u.Add(Comparison{A: "A", B: "B", Outcome: 1, Count: 3, Group: map[string]string{"platform": platform}})
	}
	_, err = Pool(&u, "platform", nil)
	var sep *SeparableError
	require.ErrorAs(t, err, &sep)
	p, err := Pool(&u, "platform", &Options{Prior: Gaussian{SD: 1}})
	require.NoError(t, err)
	assert.Greater(t, p.Groups[0].Standings[0].Strength, 0.5)
}
