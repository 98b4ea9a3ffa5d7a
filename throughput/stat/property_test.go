package stat

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sample draws n values; coarse ones have many ties.
func sample(r *rand.Rand, n int, coarse bool) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		if xs[i] = r.NormFloat64(); coarse {
			xs[i] = math.Round(2 * xs[i])
		}
	}
	return xs
}

func shuffled(r *rand.Rand, xs []float64) []float64 {
	out := slices.Clone(xs)
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// The definition, pair by pair.
func TestKendallAgainstItsTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 300 {
		n := 2 + r.IntN(30)
		x, y := sample(r, n, i%2 == 0), sample(r, n, i%3 == 0)
		got, err := Kendall(x, y)
		require.NoError(t, err)
		var want KendallResult
		for i := range n {
			for j := range i {
				switch s := (x[i] - x[j]) * (y[i] - y[j]); {
				case x[i] == x[j] && y[i] == y[j]:
					want.TiedBoth++
				case x[i] == x[j]:
					want.TiedX++
				case y[i] == y[j]:
					want.TiedY++
				case s > 0:
					want.Concordant++
				default:
					want.Discordant++
				}
			}
		}
		assert.Equal(t, [5]int64{want.Concordant, want.Discordant, want.TiedX, want.TiedY, want.TiedBoth},
			[5]int64{got.Concordant, got.Discordant, got.TiedX, got.TiedY, got.TiedBoth})
		swapped, err := Kendall(y, x)
		require.NoError(t, err)
		testkit.Near(t, got.P, swapped.P, 1e-13, "symmetric P")
	}
}

// All permutations of 6: the share at least as far from no association.
func TestKendallExactAgainstAllPermutations(t *testing.T) {
	var scores []int64
	x := counting(6)
	var permute func(y []float64, k int)
	permute = func(y []float64, k int) {
		if k == len(y) {
			r, err := Kendall(x, y)
			require.NoError(t, err)
			scores = append(scores, r.Concordant-r.Discordant)
			return
		}
		for i := k; i < len(y); i++ {
			y[k], y[i] = y[i], y[k]
			permute(y, k+1)
			y[k], y[i] = y[i], y[k]
		}
	}
	permute(counting(6), 0)
	require.Len(t, scores, 720)
	for _, y := range [][]float64{{1, 2, 3, 4, 5, 6}, {2, 1, 3, 4, 6, 5}, {6, 5, 3, 4, 2, 1}, {3, 1, 6, 5, 2, 4}} {
		r, err := Kendall(x, y)
		require.NoError(t, err)
		s := r.Concordant - r.Discordant
		var extreme float64
		for _, v := range scores {
			if max(v, -v) >= max(s, -s) {
				extreme++
			}
		}
		testkit.Near(t, extreme/720, r.P, 1e-14, "%v", y)
	}
}

func TestKendallOfConstants(t *testing.T) {
	r, err := Kendall([]float64{1, 1, 1}, []float64{1, 2, 3})
	require.NoError(t, err)
	assert.Equal(t, 1.0, r.P)
	for n := 2; n < 40; n++ {
		flat := make([]float64, n)
		both, err := Kendall(flat, flat)
		require.NoError(t, err)
		assert.Equal(t, 1.0, both.P, "n = %d", n)
	}
	b, err := json.Marshal(r)
	require.NoError(t, err)
	assert.Equal(t, `{"n":3,"concordant":0,"discordant":0,"tied_x":3,"tied_y":0,"tied_both":0,"tau_a":0,"p":1,"exact":false}`, string(b))
}

func TestQuantileProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for i := range 100 {
		xs := sample(r, 1+r.IntN(20), i%2 == 0)
		before := slices.Clone(xs)
		for typ := Type7; typ <= FloorIndex; typ++ {
			last := math.Inf(-1)
			for q := 0.0; q <= 1; q += 1.0 / 16 {
				got, err := Quantile(xs, q, typ)
				require.NoError(t, err)
				assert.GreaterOrEqual(t, got, last-1e-15, "monotone in q: type %d, q %g, %v", typ, q, xs)
				same, err := Quantile(shuffled(r, xs), q, typ)
				require.NoError(t, err)
				assert.Equal(t, got, same, "the order does not matter")
				last = got
			}
			assert.LessOrEqual(t, last, slices.Max(xs))
			assert.GreaterOrEqual(t, last, slices.Min(xs))
		}
		assert.Equal(t, before, xs, "the sample is not changed")
	}
}

// Walks the binomial distribution term by term.
func TestOrdersAgainstTheirTwin(t *testing.T) {
	for n := 1; n <= 60; n++ {
		for _, q := range []float64{0.1, 0.5, 0.75, 0.9} {
			cdf := make([]float64, n+1)
			for k := range cdf {
				lg := func(x int) float64 { v, _ := math.Lgamma(float64(x + 1)); return v }
				cdf[k] = math.Exp(lg(n) - lg(k) - lg(n-k) + float64(k)*math.Log(q) + float64(n-k)*math.Log(1-q))
				if k > 0 {
					cdf[k] += cdf[k-1]
				}
			}
			wantLo := sort.Search(n, func(k int) bool { return cdf[k] > 0.05 })
			wantHi := n + 1
			for wantHi > 1 && 1-cdf[wantHi-2] <= 0.05 {
				wantHi--
			}
			lo, hi, level, err := orders(n, q, 0.9)
			if wantLo == 0 && wantHi == n+1 {
				assert.ErrorIs(t, err, ErrTooFew)
				continue
			}
			require.NoError(t, err)
			assert.Equal(t, [2]int{wantLo, wantHi}, [2]int{lo, hi}, "n = %d, q = %g", n, q)
			assert.GreaterOrEqual(t, level, 0.9)
		}
	}
}

func TestTrendProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for i := range 100 {
		xs := sample(r, 2+r.IntN(30), i%2 == 0)
		got, err := MannKendall(xs)
		require.NoError(t, err)
		back := slices.Clone(xs)
		slices.Reverse(back)
		reversed, err := MannKendall(back)
		require.NoError(t, err)
		assert.Equal(t, got.S, -reversed.S)
		assert.Equal(t, got.P, reversed.P)
		up, _, err := TheilSen(xs)
		require.NoError(t, err)
		shifted := make([]float64, len(xs))
		for i, x := range xs {
			shifted[i] = x + 5 + 3*float64(i)
		}
		steeper, _, err := TheilSen(shifted)
		require.NoError(t, err)
		testkit.Near(t, up+3, steeper, 1e-12, "slope")
	}
}

// AR(1) with coefficient 0.6 and n = 64: the naive 95% interval covers the mean
// in about 67% of series, that of 8 batch means in about 92%. 2,000 series, fixed
// seed.
func TestCoverageUnderCorrelation(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	const series = 2000
	var naive, batched int
	for range series {
		xs := make([]float64, 64)
		x := r.NormFloat64() / math.Sqrt(1-0.36)
		for i := range xs {
			x = 0.6*x + r.NormFloat64()
			xs[i] = x
		}
		one, err := OneSample(xs)
		require.NoError(t, err)
		i, err := one.Interval(0.95)
		require.NoError(t, err)
		if i.Contains(0) {
			naive++
		}
		b, err := BatchMeans(xs, 8, 0.95)
		require.NoError(t, err)
		if b.Contains(0) {
			batched++
		}
	}
	assert.InDelta(t, 0.67, float64(naive)/series, 0.03)
	assert.InDelta(t, 0.92, float64(batched)/series, 0.02)
}

func TestTextAndJSON(t *testing.T) {
	for _, c := range []struct {
		v          any
		text, json string
	}{
		{Interval{1.091, 1.047, math.Inf(1), 0.95}, "1.091 (1.047 to +Inf, 95%)", `{"estimate":1.091,"lo":1.047,"hi":"+Inf","level":0.95}`},
		{tTest(1, 0, 3), "difference 1 ± 0, t = +Inf on 3 degrees of freedom, p = 0", `{"statistic":"+Inf","df":3,"p":0,"diff":1,"std_err":0}`},
		{TrendResult{3, 9, 0.5, 0.6}, "trend z = 0.50, p = 0.6", `{"s":3,"variance":9,"z":0.5,"p":0.6}`},
		{UResult{U: 3, P: 0.25, PGreater: 1, PLess: 0.125, Effect: 0.25, Exact: true}, "U = 3, p = 0.25 (exact), chance to exceed 0.25",
			`{"u":3,"p":0.25,"p_greater":1,"p_less":0.125,"effect":0.25,"exact":true}`},
		{SignedRankResult{5, 2, 0.5, false}, "W = 2 of 5 differences, p = 0.5", `{"n":5,"w":2,"p":0.5,"exact":false}`},
		{ChangePoint{3, 100, 110, 0.5}, "at 3 from 100 to 110 (+10.0%), p = 0.5", `{"index":3,"before":100,"after":110,"p":0.5}`},
		{TOSTResult{0.25, 0.5, 0.5}, "p = 0.5 of a ratio outside the margin (0.25 below, 0.5 above)", `{"p_lower":0.25,"p_upper":0.5,"p":0.5}`},
		{ChiSquareResult{3, 2, 0.5}, "chi-square 3 on 2 degrees of freedom, p = 0.5", `{"statistic":3,"df":2,"p":0.5}`},
	} {
		assert.Equal(t, c.text, c.v.(interface{ String() string }).String())
		b, err := json.Marshal(c.v)
		require.NoError(t, err)
		assert.Equal(t, c.json, string(b))
	}
}
