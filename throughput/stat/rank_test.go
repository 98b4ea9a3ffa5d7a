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

// uOf is U by its definition.
func uOf(a, b []float64) float64 {
	var u float64
	for _, x := range a {
		for _, y := range b {
			switch {
			case x > y:
				u++
			case x == y:
				u += 0.5
			}
		}
	}
	return u
}

// Counts every way to call n of the observations a.
func enumerate(a, b []float64) (less, greater float64) {
	all := append(slices.Clone(a), b...)
	u := uOf(a, b)
	var total float64
	for mask := range 1 << len(all) {
		var p, q []float64
		for i, x := range all {
			if mask>>i&1 == 1 {
				p = append(p, x)
			} else {
				q = append(q, x)
			}
		}
		if len(p) != len(a) {
			continue
		}
		total++
		v := uOf(p, q)
		if v <= u {
			less++
		}
		if v >= u {
			greater++
		}
	}
	return less / total, greater / total
}

func TestMannWhitneyAgainstAllArrangements(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 300 {
		a, b := sample(r, 1+r.IntN(6), i%3 > 0), sample(r, 1+r.IntN(6), i%3 > 0)
		got, err := MannWhitney(a, b)
		require.NoError(t, err)
		less, greater := enumerate(a, b)
		assert.Equal(t, uOf(a, b), got.U)
		testkit.Near(t, less, got.PLess, 1e-13, "less of %v and %v", a, b)
		testkit.Near(t, greater, got.PGreater, 1e-13, "greater of %v and %v", a, b)
	}
}

// The two exact counts must agree where both apply, at full size.
func TestTiedCountWithoutTies(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	for _, size := range [][2]int{{50, 50}, {3, 50}, {50, 3}, {20, 35}, {1, 1}} {
		for _, shift := range []float64{0, 0.3, -1, 4} {
			a, b := sample(r, size[0], false), sample(r, size[1], false)
			for i := range b {
				b[i] += shift
			}
			ranks := rankTwo(a, b)
			wantLess, wantGreater := untiedTails(ranks)
			less, greater := tiedTails(ranks)
			testkit.Near(t, wantLess, less, 1e-11, "less, %v by %g", size, shift)
			testkit.Near(t, wantGreater, greater, 1e-11, "greater, %v by %g", size, shift)
		}
	}
}

// An integer recurrence, f(n,m,u) = f(n-1,m,u-m) + f(n,m-1,u), up to where it
// stays exact.
func TestUntiedCountsAgainstTheRecurrence(t *testing.T) {
	memo := map[[3]int]float64{}
	var f func(n, m, u int) float64
	f = func(n, m, u int) float64 {
		switch {
		case u < 0 || n < 0 || m < 0:
			return 0
		case n == 0 || m == 0:
			if u == 0 {
				return 1
			}
			return 0
		}
		key := [3]int{n, m, u}
		v, ok := memo[key]
		if !ok {
			v = f(n-1, m, u-m) + f(n, m-1, u)
			memo[key] = v
		}
		return v
	}
	for _, size := range [][2]int{{1, 1}, {5, 5}, {3, 9}, {12, 14}} {
		n, m := size[0], size[1]
		counts := untiedCounts(n, m, n*m)
		for u, c := range counts {
			assert.Equal(t, f(n, m, u), c, "%v at %d", size, u)
		}
	}
}

func TestMannWhitneyProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 100 {
		a, b := sample(r, 1+r.IntN(60), i%2 == 0), sample(r, 1+r.IntN(60), i%2 == 0)
		ab, err := MannWhitney(a, b)
		require.NoError(t, err)
		ba, err := MannWhitney(b, a)
		require.NoError(t, err)
		assert.Equal(t, float64(len(a)*len(b)), ab.U+ba.U)
		testkit.Near(t, ab.P, ba.P, 1e-11, "symmetric")
		testkit.Near(t, ab.PLess, ba.PGreater, 1e-11, "tails swap")
		same, err := MannWhitney(shuffled(r, a), shuffled(r, b))
		require.NoError(t, err)
		assert.Equal(t, ab, same)
		for j := range a {
			a[j] = 3*a[j] + 7
		}
		for j := range b {
			b[j] = 3*b[j] + 7
		}
		scaled, err := MannWhitney(a, b)
		require.NoError(t, err)
		testkit.Near(t, ab.P, scaled.P, 1e-12, "a scale does not matter")
	}
}

func TestMannWhitneyNormalIsClose(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 5))
	a, b := sample(r, 50, true), sample(r, 50, true)
	for i := range b {
		b[i]++
	}
	exact, err := MannWhitney(a, b)
	require.NoError(t, err)
	require.True(t, exact.Exact)
	less, greater := rankTwo(a, b).normal(0.5)
	assert.InDelta(t, exact.PLess, less, 0.005)
	assert.InDelta(t, exact.PGreater, greater, 0.005)

	large, err := MannWhitney(sample(r, 200, true), sample(r, 200, true))
	require.NoError(t, err)
	assert.False(t, large.Exact)
}

func TestAllEqual(t *testing.T) {
	r, err := MannWhitney([]float64{2, 2, 2}, []float64{2, 2})
	require.NoError(t, err)
	assert.Equal(t, UResult{U: 3, P: 1, PGreater: 1, PLess: 1, Effect: 0.5, Exact: true}, r)
	many := slices.Repeat([]float64{2}, 100)
	r, err = MannWhitney(many, many)
	require.NoError(t, err)
	assert.Equal(t, 1.0, r.P)
}

// All 2^n signs.
func TestSignedRankAgainstAllSigns(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 100 {
		xs := sample(r, 1+r.IntN(10), i%2 == 0)
		nonzero := slices.DeleteFunc(slices.Clone(xs), func(x float64) bool { return x == 0 })
		got, err := SignedRank(xs)
		if len(nonzero) == 0 {
			assert.ErrorIs(t, err, ErrConstant)
			continue
		}
		require.NoError(t, err)
		var extreme float64
		for mask := range 1 << len(nonzero) {
			flipped := slices.Clone(nonzero)
			for j := range flipped {
				flipped[j] = math.Copysign(flipped[j], float64(mask>>j&1)-0.5)
			}
			_, plus := signedRanks(flipped)
			if float64(plus)/2 <= got.W {
				extreme++
			}
		}
		testkit.Near(t, min(1, 2*extreme/float64(int(1)<<len(nonzero))), got.P, 1e-13, "%v", xs)
	}
}

func TestSignedRankNormalIsClose(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 7))
	for _, shift := range []float64{0, 0.1, 0.2} {
		xs := sample(r, 200, false)
		for i := range xs {
			xs[i] += shift
		}
		doubled, plus := signedRanks(xs)
		less := min(plus, int64(len(xs)*(len(xs)+1))-plus)
		assert.InDelta(t, min(1, 2*signTail(doubled, int(less))), signNormal(doubled, less), 0.002)
	}
	long, err := SignedRank(sample(r, 201, false))
	require.NoError(t, err)
	assert.False(t, long.Exact)
}

func TestHodgesLehmannProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for i := range 100 {
		a, b := sample(r, 4+r.IntN(20), i%2 == 0), sample(r, 4+r.IntN(20), i%2 == 0)
		got, err := HodgesLehmann(a, b, 0.9)
		require.NoError(t, err)
		assert.GreaterOrEqual(t, got.Level, 0.9)
		back, err := HodgesLehmann(b, a, 0.9)
		require.NoError(t, err)
		testkit.Near(t, got.Lo, -back.Hi, 1e-13, "mirrored")
		testkit.Near(t, got.Estimate, -back.Estimate, 1e-13, "mirrored")
		for j := range b {
			b[j] += 10
		}
		moved, err := HodgesLehmann(a, b, 0.9)
		require.NoError(t, err)
		testkit.Near(t, got.Estimate+10, moved.Estimate, 1e-13, "equivariant")
	}
	big := counting(150)
	i, err := HodgesLehmann(big, big, 0.95)
	require.NoError(t, err)
	assert.Zero(t, i.Estimate)
	assert.InDelta(t, 0.95, i.Level, 0.001)
	p, err := Pseudomedian(counting(300), 0.95)
	require.NoError(t, err)
	assert.Equal(t, 150.5, p.Estimate)
	assert.InDelta(t, 0.95, p.Level, 0.001)
}

// The interval must hold exactly the shifts that the test does not reject.
func TestHodgesLehmannInvertsTheTest(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	a, b := sample(r, 9, false), sample(r, 11, false)
	i, err := HodgesLehmann(a, b, 0.95)
	require.NoError(t, err)
	rejected := func(shift float64) bool {
		moved := slices.Clone(b)
		for j := range moved {
			moved[j] -= shift
		}
		u, err := MannWhitney(a, moved)
		require.NoError(t, err)
		return u.P <= 0.05
	}
	const eps = 1e-6
	assert.True(t, rejected(i.Lo-eps) && rejected(i.Hi+eps))
	assert.False(t, rejected(i.Lo+eps) || rejected(i.Hi-eps))
}

// Sizes whose product does not fit 32 bits.
func TestRanksOfLargeSamples(t *testing.T) {
	const n = 70_000
	a, b := make([]float64, n), make([]float64, n)
	for i := range a {
		a[i], b[i] = float64(2*i), float64(2*i+1)
	}
	u, err := MannWhitney(a, b)
	require.NoError(t, err)
	assert.Equal(t, float64(n)*(n-1)/2, u.U)
	testkit.Rel(t, 0.5-0.5/n, u.Effect, 1e-12, "effect")
	assert.InDelta(t, 1, u.P, 0.01)
	_, err = HodgesLehmann(a, b, 0.95)
	assert.ErrorIs(t, err, ErrParameter)
	for i := range a {
		a[i] = b[i] * float64(1-2*(i%2)) // signs in turn
	}
	w, err := SignedRank(a)
	require.NoError(t, err)
	assert.Equal(t, float64(n)/2*(float64(n)/2), w.W, "ranks 1, 3, 5 and so on")
	assert.InDelta(t, 1, w.P, 0.01)
}
