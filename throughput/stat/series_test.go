package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// levels draws a noisy series that steps through the given levels.
func levels(r *rand.Rand, each int, sd float64, means ...float64) []float64 {
	var xs []float64
	for _, m := range means {
		for range each {
			xs = append(xs, m+sd*r.NormFloat64())
		}
	}
	return xs
}

// The definition, over all pairs.
func TestEnergyAgainstItsTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pairs := func(a, b []float64) float64 {
		var sum float64
		for _, x := range a {
			for _, y := range b {
				sum += math.Abs(x - y)
			}
		}
		return sum
	}
	xs := levels(r, 7, 1, 0, 3)
	for _, v := range []bool{false, true} {
		got := energy(xs, v)
		for k := 1; k < len(xs); k++ {
			a, b := xs[:k], xs[k:]
			n, m := float64(len(a)), float64(len(b))
			norm := func(n float64) float64 {
				if v {
					return n * n
				}
				return max(1, n*(n-1))
			}
			want := n * m / (n + m) * (2*pairs(a, b)/(n*m) - pairs(a, a)/norm(n) - pairs(b, b)/norm(m))
			testkit.Near(t, want, got[k], 1e-12, "V %v, k = %d", v, k)
		}
	}
}

// Every set of changes of a short series.
func TestPartitionAgainstAllSets(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	for range 30 {
		xs := levels(r, 4, 1, 0, 2, 1)
		penalty := 3 * r.Float64()
		best := math.Inf(1)
		for mask := range 1 << (len(xs) - 1) {
			cost, from, ok := 0.0, 0, true
			for k := 1; k <= len(xs); k++ {
				if k < len(xs) && mask>>(k-1)&1 == 0 {
					continue
				}
				ok = ok && k-from >= 2
				m := mean(xs[from:k])
				for _, x := range xs[from:k] {
					cost += (x - m) * (x - m)
				}
				if k < len(xs) {
					cost += penalty
				}
				from = k
			}
			if ok {
				best = min(best, cost)
			}
		}
		_, cost := partition(xs, penalty, 2)
		testkit.Near(t, best, cost, 1e-12, "penalty %g", penalty)
	}
}

// 50 series each: every step is found at its place; what else is found stays at
// the rate of false alarms.
func TestChangePointsFindSteps(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, m := range []ChangeMethod{EDivisiveU, EDivisiveV, OptimalPartition} {
		for _, c := range []struct {
			name  string
			means []float64
			want  []int
		}{
			{"up", []float64{100, 105}, []int{15}},
			{"up and down", []float64{100, 105, 100}, []int{15, 30}},
			{"stairs", []float64{100, 105, 110, 115}, []int{15, 30, 45}},
		} {
			extra := 0
			for range 50 {
				points, err := ChangePoints(levels(r, 15, 0.5, c.means...), &ChangeOptions{Method: m})
				require.NoError(t, err)
				assert.Subset(t, indices(points), c.want, "%s, method %d", c.name, m)
				extra += len(points) - len(c.want)
				for i := range points {
					assert.True(t, i == 0 || points[i-1].After == points[i].Before, "segments join")
				}
			}
			assert.LessOrEqual(t, extra, 10, "%s, method %d", c.name, m)
		}
	}
}

// Series without a change: false alarms in 500 series of 40, fixed seed, as
// quoted at MinSegment.
func TestChangePointsFalseAlarms(t *testing.T) {
	for _, c := range []struct {
		method  ChangeMethod
		segment int
		most    float64
	}{{EDivisiveU, 2, 0.14}, {EDivisiveU, 0, 0.07}, {EDivisiveU, 4, 0.04}, {EDivisiveV, 0, 0.07}, {OptimalPartition, 0, 0.07}} {
		r := rand.New(rand.NewPCG(4, 5))
		alarms := 0
		for range 500 {
			points, err := ChangePoints(levels(r, 40, 1, 100), &ChangeOptions{Method: c.method, MinSegment: c.segment})
			require.NoError(t, err)
			if len(points) > 0 {
				alarms++
			}
		}
		assert.InDelta(t, c.most, float64(alarms)/500, 0.02, "%+v", c)
	}
}

func TestChangePointsOfShortAndFlat(t *testing.T) {
	for _, m := range []ChangeMethod{EDivisiveU, EDivisiveV, OptimalPartition} {
		for _, xs := range [][]float64{{1}, {1, 2}, {1, 2, 3}, {5, 5, 5, 5, 5, 5}} {
			points, err := ChangePoints(xs, &ChangeOptions{Method: m})
			require.NoError(t, err)
			assert.Empty(t, points, "%v, method %d", xs, m)
		}
		points, err := ChangePoints([]float64{5, 5, 5, 6, 6, 6}, &ChangeOptions{Method: m})
		require.NoError(t, err)
		assert.Equal(t, []int{3}, indices(points), "a step without noise, method %d", m)
	}
}

func TestAdjustProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		p := make([]float64, 1+r.IntN(20))
		for i := range p {
			p[i] = r.Float64() * r.Float64()
		}
		bonferroni, holm, hochberg, bh := Bonferroni(p), Holm(p), Hochberg(p), BenjaminiHochberg(p)
		for i := range p {
			assert.True(t, p[i] <= bh[i] && bh[i] <= hochberg[i] && hochberg[i] <= holm[i] && holm[i] <= bonferroni[i], "%v", p)
		}
		back := slices.Clone(p)
		slices.Reverse(back)
		reversed := Holm(back)
		slices.Reverse(reversed)
		assert.Equal(t, holm, reversed)
	}
	got := Holm([]float64{0.01, math.NaN(), 0.04})
	assert.Equal(t, []float64{0.02, 0.04}, []float64{got[0], got[2]}, "an unknown P counts for nothing")
	assert.True(t, math.IsNaN(got[1]))
	assert.Empty(t, Holm(nil))
}

// The definition: the chance by simulation, fixed seed.
func TestPowerAgainstSimulation(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 7))
	for _, c := range []struct {
		n1, n2 int
		d      float64
	}{{5, 5, 2.0244}, {3, 8, 1.5}, {20, 20, 0.5}} {
		want, err := Power(c.n1, c.n2, c.d, 0.05)
		require.NoError(t, err)
		found := 0
		const trials = 20_000
		for range trials {
			a, b := sample(r, c.n1, false), sample(r, c.n2, false)
			ma, va := meanVar(a)
			mb, vb := meanVar(b)
			n1, n2 := float64(c.n1), float64(c.n2)
			pooled := ((n1-1)*va + (n2-1)*vb) / (n1 + n2 - 2)
			if tTest(mb+c.d-ma, math.Sqrt(pooled*(1/n1+1/n2)), n1+n2-2).P < 0.05 {
				found++
			}
		}
		assert.InDelta(t, want, float64(found)/trials, 0.012)
		back, err := MinDetectable(c.n1, c.n2, 0.05, want)
		require.NoError(t, err)
		testkit.Near(t, c.d, back, 1e-9, "MinDetectable inverts Power")
	}
	tiny, err := MinDetectable(5, 5, 0.05, 0.01)
	require.NoError(t, err)
	assert.Zero(t, tiny, "chance alone has that power")
	far, err := Power(5, 5, 1e9, 0.05)
	require.NoError(t, err)
	assert.Equal(t, 1.0, far)
}

// The two ways to compute the noncentral distribution meet, at shifts where both
// work.
func TestNoncentralTwoWays(t *testing.T) {
	for _, df := range []float64{1, 2, 7.3, 30, 200} {
		for _, shift := range []float64{20, 30, 37} {
			for _, x := range []float64{10, 20, 36, 60, 1e3, 1e5} {
				assert.InDelta(t, noncentralT(x, df, shift), noncentralFar(x, df, shift), 1e-10, "t %g, df %g, shift %g", x, df, shift)
			}
		}
	}
	for _, df := range []float64{1, 2, 7.3, 1000} {
		for _, alpha := range []float64{0.05, 0.001, 1e-9} {
			for _, want := range []float64{0.06, 0.8, 0.99} {
				shift, err := minShift(df, alpha, want)
				require.NoError(t, err)
				assert.InDelta(t, want, powerAt(shift, df, alpha), 1e-9, "df %g, alpha %g", df, alpha)
			}
		}
	}
}

func TestWelchOfConstants(t *testing.T) {
	r, err := Welch([]float64{1, 1}, []float64{2, 2, 2})
	require.NoError(t, err)
	assert.Equal(t, TestResult{Statistic: math.Inf(1), DF: 3, P: 0, Diff: 1, StdErr: 0}, r)
	same, err := Welch([]float64{1, 1}, []float64{1, 1})
	require.NoError(t, err)
	assert.Equal(t, 1.0, same.P)
	one, err := Welch([]float64{1, 1, 1}, []float64{1, 2, 3})
	require.NoError(t, err)
	assert.Equal(t, 2.0, one.DF, "only b varies")
}
