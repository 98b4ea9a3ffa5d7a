package correctness

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/servemath/internal/testkit"
)

var inf = math.Inf(1)

// slow is the twin of Compare: normalise both rows with math.Exp, then sum every
// divergence term by term with compensated sums.
func slow(ref, got []float64) Position {
	lp, lq := normalise(ref), normalise(got)
	var kl, rev, js, tv, hell, ent neumaier
	var pos Position
	for i := range lp {
		p, q, d := math.Exp(lp[i]), math.Exp(lq[i]), lq[i]-lp[i]
		if p == 0 && q == 0 {
			continue
		}
		kl.add(bregman(p, q, d))
		rev.add(bregman(q, p, -d))
		m := (p + q) / 2
		js.add(bregmanMid(p, m, (q-p)/2) + bregmanMid(q, m, (p-q)/2))
		tv.add(math.Abs(p - q))
		hell.add((math.Sqrt(p) - math.Sqrt(q)) * (math.Sqrt(p) - math.Sqrt(q)))
		if p > 0 {
			ent.add(-p * lp[i])
		}
		pos.MaxProbDiff = max(pos.MaxProbDiff, math.Abs(p-q))
	}
	pos.KL, pos.ReverseKL, pos.JS = kl.sum(), rev.sum(), js.sum()/2
	pos.TV, pos.Hellinger, pos.Entropy = tv.sum()/2, math.Sqrt(hell.sum()/2), ent.sum()
	return pos
}

// bregman is p ln(p/q) - p + q where d = ln(q/p).
func bregman(p, q, d float64) float64 {
	switch {
	case p == 0:
		return q
	case math.Abs(d) < 1.0/16:
		return p * d * d * (1.0/2 + d*(1.0/6+d*(1.0/24+d*(1.0/120+d*(1.0/720+d*(1.0/5040+d/40320))))))
	default:
		return p * (math.Expm1(d) - d)
	}
}

// bregmanMid is bregman(p, m, ln(m/p)) where diff = m - p.
func bregmanMid(p, m, diff float64) float64 {
	if p == 0 {
		return m
	}
	return bregman(p, m, math.Log1p(diff/p))
}

func normalise(row []float64) []float64 {
	top := math.Inf(-1)
	for _, x := range row {
		top = max(top, x)
	}
	var z neumaier
	for _, x := range row {
		z.add(math.Exp(x - top))
	}
	out := make([]float64, len(row))
	for i, x := range row {
		out[i] = x - top - math.Log(z.sum())
	}
	return out
}

type neumaier struct{ s, c float64 }

func (n *neumaier) add(x float64) {
	t := n.s + x
	if math.Abs(n.s) >= math.Abs(x) {
		n.c += (n.s - t) + x
	} else {
		n.c += (x - t) + n.s
	}
	n.s = t
}

func (n *neumaier) sum() float64 { return n.s + n.c }

// randomPair draws logits and a perturbation of them by noise; top raises one
// token as a confident model would.
func randomPair(r *rand.Rand, v int, noise, top float64) (a, b []float64) {
	for range v {
		x := float64(float32(r.NormFloat64() * 3))
		a, b = append(a, x), append(b, float64(float32(x+r.NormFloat64()*noise)))
	}
	a[0], b[0] = a[0]+top, b[0]+top
	return a, b
}

func TestCompareAgreesWithItsSlowTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, v := range []int{1, 2, 3, 511, 512, 513, 5000} {
		for _, noise := range []float64{3e-5, 1e-3, 0.1, 1, 5, 20} {
			for _, top := range []float64{0, 8, 20} {
				a, b := randomPair(r, v, noise, top)
				got, err := Compare(a, b, nil)
				require.NoError(t, err)
				want := slow(a, b)
				// Below 1e-11 the twin's own normaliser limits what it can tell.
				tol := 1e-10 * math.Max(1, 1e-11/math.Max(want.KL, 1e-300))
				testkit.Rel(t, want.KL, got.KL, tol, "KL v=%d noise=%g top=%g", v, noise, top)
				testkit.Rel(t, want.ReverseKL, got.ReverseKL, tol, "ReverseKL v=%d noise=%g top=%g", v, noise, top)
				testkit.Near(t, want.JS, got.JS, 1e-13, "JS v=%d noise=%g top=%g", v, noise, top)
				testkit.Near(t, want.TV, got.TV, 1e-13, "TV")
				testkit.Near(t, want.Hellinger, got.Hellinger, 1e-11, "Hellinger")
				testkit.Near(t, want.Entropy, got.Entropy, 1e-13, "Entropy")
				testkit.Near(t, want.MaxProbDiff, got.MaxProbDiff, 1e-13, "MaxProbDiff")
			}
		}
	}
}

// One loud token over a flat row is where the first-order form cancels.
func TestKLOfOneLoudToken(t *testing.T) {
	a, b := make([]float64, 128256), make([]float64, 128256)
	b[7] = 20
	got, err := KL(a, b)
	require.NoError(t, err)
	// ln Z' - ln Z - 20/V, with Z = V and Z' = V - 1 + e^20.
	v := 128256.0
	want := math.Log((v-1+math.Exp(20))/v) - 20/v
	testkit.Rel(t, want, got, 1e-11, "flat against loud")
	back, err := KL(b, a)
	require.NoError(t, err)
	z := v - 1 + math.Exp(20)
	testkit.Rel(t, math.Exp(20)/z*20-math.Log(z/v), back, 1e-11, "loud against flat")
}

func TestCompareProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		a, b := randomPair(r, 1+r.IntN(200), math.Exp(-r.Float64()*15+2), r.Float64()*15)
		checkProperties(t, a, b)
	}
}

// checkProperties holds for any two rows that Compare accepts.
func checkProperties(t *testing.T, a, b []float64) {
	t.Helper()
	x, err := Compare(a, b, nil)
	require.NoError(t, err)
	y, err := Compare(b, a, nil)
	require.NoError(t, err)
	testkit.Near(t, x.KL, y.ReverseKL, 1e-9, "KL is the other's reverse")
	testkit.Near(t, x.JS, y.JS, 1e-12, "JS is symmetric")
	testkit.Near(t, x.TV, y.TV, 1e-12, "TV is symmetric")
	testkit.Near(t, x.Hellinger, y.Hellinger, 1e-9, "Hellinger is symmetric")
	for name, v := range map[string]float64{"KL": x.KL, "ReverseKL": x.ReverseKL, "JS": x.JS, "TV": x.TV,
		"Hellinger": x.Hellinger, "Entropy": x.Entropy, "FlipKL": x.FlipKL, "MaxProbDiff": x.MaxProbDiff} {
		assert.GreaterOrEqual(t, v, 0.0, name)
	}
	const slack = 1e-12
	assert.LessOrEqual(t, x.TV, math.Sqrt(x.KL/2)*(1+slack)+slack, "Pinsker")
	assert.LessOrEqual(t, x.JS, math.Ln2+slack)
	assert.LessOrEqual(t, x.Hellinger*x.Hellinger, x.TV+slack)
	assert.LessOrEqual(t, x.TV, math.Sqrt2*x.Hellinger+slack)
	assert.LessOrEqual(t, x.MaxProbDiff, x.TV*(1+slack)+slack)
	if x.Certified {
		assert.True(t, x.Agree, "a certified position agrees")
	}
	same, err := Compare(a, a, nil)
	require.NoError(t, err)
	for _, v := range []float64{same.KL, same.ReverseKL, same.JS, same.TV, same.Hellinger, same.MaxProbDiff} {
		assert.Zero(t, v, "a row does not differ from itself")
	}
}

func FuzzCompare(f *testing.F) {
	f.Add([]byte{0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 0, 0, 0, 0, 128, 255})
	f.Add([]byte{0, 0, 128, 255, 0, 0, 128, 255})
	f.Add([]byte{0, 0, 192, 127, 0, 0, 128, 127})
	f.Add([]byte{255, 255, 127, 127, 255, 255, 127, 255})
	f.Add([]byte("00000000000B000X00AB0000")) // logits of 1e14 beside small ones
	f.Add([]byte("000A00000000000Z"))         // logits of 1e14 beside small ones
	f.Fuzz(func(t *testing.T, data []byte) {
		n := len(data) / 8
		a, b := make([]float32, n), make([]float32, n)
		for i := range n {
			a[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[8*i:]))
			b[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[8*i+4:]))
		}
		pos, err := Compare(a, b, nil)
		kl, klErr := KL(a, b)
		require.Equal(t, err == nil, klErr == nil)
		if err != nil {
			return
		}
		require.Equal(t, pos.KL, kl)
		for _, x := range []float64{pos.KL, pos.ReverseKL, pos.JS, pos.TV, pos.Hellinger, pos.Entropy,
			pos.CrossEntropy, pos.FlipKL, pos.MaxProbDiff} {
			require.False(t, math.IsNaN(x) || x < 0, "%+v", pos)
		}
		require.LessOrEqual(t, pos.TV, 1+1e-9)
	})
}

func TestZeroPolicies(t *testing.T) {
	ref, got := []float64{0.5, 0.3, 0.2}, []float64{0.25, 0.75, 0}
	at := func(z ZeroPolicy) (Position, error) { return Compare(ref, got, &Options{Kind: Probs, ZeroQ: z}) }

	pos, err := at(ZeroPolicy{})
	require.NoError(t, err)
	assert.Equal(t, inf, pos.KL)
	assert.Equal(t, inf, pos.CrossEntropy)
	assert.Equal(t, 1, pos.ZeroQ)
	assert.False(t, pos.Excluded || pos.LowerBound)
	testkit.Near(t, 0.45, pos.TV, 1e-12, "TV needs no policy")

	pos, err = at(ZeroPolicy{Kind: ZeroExclude})
	require.NoError(t, err)
	testkit.Rel(t, 0.625*math.Log(0.625/0.25)+0.375*math.Log(0.375/0.75), pos.KL, 1e-12, "over the tokens got allows")
	assert.True(t, pos.Excluded && pos.LowerBound)

	pos, err = at(ZeroPolicy{Kind: ZeroFloor, Eps: 1e-6})
	require.NoError(t, err)
	want := 0.5*math.Log(2) + 0.3*math.Log(0.4) + 0.2*math.Log(0.2e6)
	testkit.Rel(t, want, pos.KL, 1e-12, "floor")
	testkit.Rel(t, pos.Entropy+want, pos.CrossEntropy, 1e-12, "cross-entropy under the floor")
	assert.True(t, pos.LowerBound && !pos.Excluded)

	_, err = at(ZeroPolicy{Kind: ZeroError})
	checkError(t, err, ErrNoSupport, 2, "got")
}

func TestZeroPoliciesWithoutCommonSupport(t *testing.T) {
	ref, got := []float32{0, float32(-inf)}, []float32{float32(-inf), 0}
	pos, err := Compare(ref, got, &Options{ZeroQ: ZeroPolicy{Kind: ZeroExclude}})
	require.NoError(t, err)
	assert.Equal(t, inf, pos.KL, "nothing is left to compare")
	pos, err = Compare(ref, got, &Options{ZeroQ: ZeroPolicy{Kind: ZeroFloor, Eps: 0.01}})
	require.NoError(t, err)
	testkit.Rel(t, math.Log(100), pos.KL, 1e-12, "floor")
	testkit.Rel(t, 1, pos.TV, 1e-12, "TV")
}

// Masks come as -Inf and as the most negative float; both mean impossible.
func TestMasks(t *testing.T) {
	low := float32(-math.MaxFloat32)
	kl, err := KL([]float32{1, 2, low}, []float32{1, 2, float32(-inf)})
	require.NoError(t, err)
	assert.Zero(t, kl)
	pos, err := Compare([]float32{1, 2, float32(-inf)}, []float32{1, 2, low}, nil)
	require.NoError(t, err)
	assert.Zero(t, pos.KL)
	assert.Zero(t, pos.ReverseKL)
}

func TestVocabSizeDropsPadding(t *testing.T) {
	var trimmed, raw goldenCase
	for _, c := range golden(t).Cases {
		switch c.ID {
		case "padded-trimmed":
			trimmed = c
		case "padded-raw":
			raw = c
		}
	}
	p, q := rowsOf(t, &raw)

	_, err := Compare(p, q, &Options{VocabSize: 3})
	require.ErrorIs(t, err, ErrMass, "live padding")

	pos, err := Compare(p, q, &Options{VocabSize: 3, MaxDroppedMass: -1})
	require.NoError(t, err)
	testkit.Rel(t, trimmed.want(t, "kl"), pos.KL, 1e-12, "trimmed")
	z := math.Exp(1) + math.Exp(2) + math.Exp(0.5)
	testkit.Rel(t, 2/(z+2), pos.DroppedRef, 1e-12, "dropped from ref")

	dead := append(p[:3:3], -1e4, -inf, -1e4)
	pos, err = Compare(dead, append(q[:3:3], -1e4), &Options{VocabSize: 3})
	require.NoError(t, err, "rows padded to different lengths")
	testkit.Rel(t, trimmed.want(t, "kl"), pos.KL, 1e-12, "trimmed")
	assert.Zero(t, pos.DroppedRef)

	_, err = Compare(p, q[:2], &Options{VocabSize: 3})
	require.ErrorIs(t, err, ErrVocab)
	_, err = Compare(p[:2], q, &Options{VocabSize: 3})
	require.ErrorIs(t, err, ErrVocab)
	_, err = Compare(p, append(q[:3:3], math.NaN()), &Options{VocabSize: 3, MaxDroppedMass: -1})
	checkError(t, err, ErrNaN, 3, "got")
	_, err = Compare([]float64{-inf, 0}, []float64{0, 0}, &Options{VocabSize: 1, MaxDroppedMass: -1})
	checkError(t, err, ErrNoSupport, -1, "ref")
}

func TestSumsAreReportedAndRenormalised(t *testing.T) {
	ref, got := []float64{0.6, 0.4}, []float64{0.3, 0.7}
	want, err := Compare(ref, got, &Options{Kind: Probs})
	require.NoError(t, err)
	off := []float64{0.6 * 1.0005, 0.4 * 1.0005}
	pos, err := Compare(off, got, &Options{Kind: Probs})
	require.NoError(t, err)
	testkit.Rel(t, want.KL, pos.KL, 1e-12, "renormalised")
	testkit.Rel(t, 0.0005, pos.SumErrorRef, 1e-9, "deviation")
	testkit.Near(t, 0, pos.SumErrorGot, 1e-15, "got sums to 1")

	half := []float64{0.3, 0.2}
	_, err = Compare(half, got, &Options{Kind: Probs})
	require.ErrorIs(t, err, ErrNotNormalised)
	pos, err = Compare(half, got, &Options{Kind: Probs, MaxSumError: -1})
	require.NoError(t, err)
	testkit.Rel(t, want.KL, pos.KL, 1e-12, "any sum")
	testkit.Rel(t, -0.5, pos.SumErrorRef, 1e-12, "deviation")
	_, err = Compare([]float64{0, 0}, got, &Options{Kind: Probs, MaxSumError: -1})
	require.ErrorIs(t, err, ErrNoSupport)

	logs := []float64{math.Log(0.6) + 1e-4, math.Log(0.4) + 1e-4}
	pos, err = Compare(logs, []float64{math.Log(0.3), math.Log(0.7)}, &Options{Kind: LogProbs})
	require.NoError(t, err)
	testkit.Rel(t, want.KL, pos.KL, 1e-12, "log-probabilities")
	testkit.Rel(t, math.Expm1(1e-4), pos.SumErrorRef, 1e-9, "deviation")
	_, err = Compare(logs, []float64{0, -9}, &Options{Kind: LogProbs, MaxSumError: 1e-5})
	require.ErrorIs(t, err, ErrNotNormalised)
	_, err = Compare([]float64{0.002, -9}, logs, &Options{Kind: LogProbs, MaxSumError: -1})
	require.ErrorIs(t, err, ErrPositiveLogProb, "any sum, but of log-probabilities")
}

func TestProbabilitiesAreChecked(t *testing.T) {
	ok := []float32{0.5, 0.5}
	for name, c := range map[string]struct {
		row   []float32
		err   error
		index int
	}{
		"NaN":              {[]float32{0.5, float32(math.NaN())}, ErrNaN, 1},
		"+Inf":             {[]float32{float32(inf), 0}, ErrPosInf, 0},
		"log-probability":  {[]float32{-0.7, -0.7}, ErrNegativeProb, 0},
		"nothing possible": {[]float32{0, 0}, ErrNoSupport, -1},
	} {
		_, err := Compare(ok, c.row, &Options{Kind: Probs})
		t.Run(name, func(t *testing.T) { checkError(t, err, c.err, c.index, "got") })
	}
	low := []float64{-800, -801}
	pos, err := Compare(low, []float64{-1, -2}, &Options{Kind: LogProbs, MaxSumError: -1})
	require.NoError(t, err, "any sum, however small")
	assert.Zero(t, pos.KL)
	assert.Equal(t, -1.0, pos.SumErrorRef)
}

func TestDataToken(t *testing.T) {
	ref, got := []float64{0.6, 0.4}, []float64{0.3, 0.7}
	pos, err := Compare(ref, got, &Options{Kind: Probs, DataToken: new(1)})
	require.NoError(t, err)
	testkit.Rel(t, -math.Log(0.4), pos.NLLRef, 1e-12, "NLLRef")
	testkit.Rel(t, -math.Log(0.7), pos.NLLGot, 1e-12, "NLLGot")
	testkit.Rel(t, 0.3, pos.DeltaP, 1e-12, "DeltaP")

	pos, err = Compare(ref, got, &Options{Kind: Probs})
	require.NoError(t, err)
	assert.True(t, math.IsNaN(pos.NLLRef) && math.IsNaN(pos.NLLGot) && math.IsNaN(pos.DeltaP), "unknown")

	for _, i := range []int{-1, 2} {
		_, err = Compare(ref, got, &Options{Kind: Probs, DataToken: &i})
		require.ErrorIs(t, err, ErrVocab)
	}
	pos, err = Compare(ref, []float64{1, 0}, &Options{Kind: Probs, DataToken: new(1)})
	require.NoError(t, err)
	assert.Equal(t, inf, pos.NLLGot)
	testkit.Rel(t, -0.4, pos.DeltaP, 1e-12, "DeltaP")
	pos, err = Compare(ref, []float64{1, 0}, &Options{Kind: Probs, DataToken: new(1),
		ZeroQ: ZeroPolicy{Kind: ZeroFloor, Eps: 1e-3}})
	require.NoError(t, err)
	testkit.Rel(t, math.Log(1000), pos.NLLGot, 1e-12, "floored")
}

func TestLooksLikeProbs(t *testing.T) {
	even := []float64{.125, .125, .125, .125, .125, .125, .125, .125}
	pos, err := Compare(even, []float64{1, 2, 3, 4, 5, 6, 7, 8}, nil)
	require.NoError(t, err)
	assert.True(t, pos.LooksLikeProbs)
	pos, err = Compare(even, even, &Options{Kind: Probs})
	require.NoError(t, err)
	assert.False(t, pos.LooksLikeProbs, "they say so")
	pos, err = Compare([]float64{0.5, 0.5}, []float64{0.5, 0.5}, nil)
	require.NoError(t, err)
	assert.False(t, pos.LooksLikeProbs, "too few to tell")
}

func TestOptionsOutOfRange(t *testing.T) {
	for name, o := range map[string]*Options{
		"kind":     {Kind: 3},
		"vocab":    {VocabSize: -1},
		"zero":     {ZeroQ: ZeroPolicy{Kind: 4}},
		"no floor": {ZeroQ: ZeroPolicy{Kind: ZeroFloor}},
		"floor":    {ZeroQ: ZeroPolicy{Kind: ZeroFloor, Eps: 1}},
		"sum":      {MaxSumError: math.NaN()},
		"mass":     {MaxDroppedMass: math.NaN()},
	} {
		_, err := Compare([]float64{0}, []float64{0}, o)
		assert.ErrorIs(t, err, ErrOptions, name)
	}
}

// FlipKL is exact: the reference with its two largest levelled attains it, and
// no pair that disagrees lies below.
func TestFlipKLIsTheLeastThatFlips(t *testing.T) {
	for _, c := range []struct {
		p    []float64
		want float64 // p1 ln(2p1/(p1+p2)) + p2 ln(2p2/(p1+p2))
	}{
		{[]float64{0.5, 0.4, 0.1}, 0.005567},
		{[]float64{0.9, 0.05, 0.05}, 0.4626},
		{[]float64{0.4, 0.39, 0.21}, 6.3e-5},
	} {
		mid := (c.p[0] + c.p[1]) / 2
		pos, err := Compare(c.p, []float64{mid, mid, c.p[2]}, &Options{Kind: Probs})
		require.NoError(t, err)
		testkit.Rel(t, c.want, pos.FlipKL, 0.01, "printed figure")
		testkit.Rel(t, pos.FlipKL, pos.KL, 1e-12, "attained")
		assert.False(t, pos.Certified, "at the bound nothing is certain")
	}
	r := rand.New(rand.NewPCG(7, 8))
	for range 20_000 {
		a, b := randomPair(r, 2+r.IntN(6), 0.5, 0)
		pos, err := Compare(a, b, nil)
		require.NoError(t, err)
		if !pos.Agree {
			require.GreaterOrEqual(t, pos.KL, pos.FlipKL)
		}
	}
}

func TestNothingIsAllocated(t *testing.T) {
	if testkit.RaceEnabled {
		t.Skip("the race detector makes a pool forget")
	}
	r := rand.New(rand.NewPCG(9, 10))
	a, b := randomPair(r, 4096, 0.1, 8)
	a[9], b[9] = -inf, -inf
	f, g := narrow(a), narrow(b)
	p := make([]float64, len(a))
	for i, x := range normalise(a) {
		p[i] = math.Exp(x)
	}
	logits, probs := &Options{DataToken: new(3)}, &Options{Kind: Probs}
	for name, run := range map[string]func(){
		"KL":            func() { _, _ = KL(f, g) },
		"Compare":       func() { _, _ = Compare(f, g, logits) },
		"Compare probs": func() { _, _ = Compare(p, p, probs) },
	} {
		run()
		assert.Zero(t, testing.AllocsPerRun(100, run), name)
	}
}
