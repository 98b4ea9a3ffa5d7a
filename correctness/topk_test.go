package correctness

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/servemath/internal/testkit"
)

// topOf returns the k most likely tokens of a row of log-probabilities.
func topOf(lp []float64, k int) TopK {
	ids := make([]int32, len(lp))
	for i := range ids {
		ids[i] = int32(i)
	}
	slices.SortStableFunc(ids, func(a, b int32) int { return cmp.Compare(lp[b], lp[a]) })
	t := TopK{IDs: ids[:k:k], VocabSize: len(lp)}
	for _, id := range t.IDs {
		t.LogProbs = append(t.LogProbs, lp[id])
	}
	return t
}

func listed(pairs [][2]float64, vocab int) TopK {
	t := TopK{VocabSize: vocab}
	for _, p := range pairs {
		t.IDs, t.LogProbs = append(t.IDs, int32(p[0])), append(t.LogProbs, p[1])
	}
	return t
}

func TestGoldenTopK(t *testing.T) {
	ran := 0
	for _, c := range golden(t).Cases {
		if c.Input != "topk" {
			continue
		}
		ran++
		t.Run(c.ID, func(t *testing.T) {
			ref, got := listed(c.PTopK, c.Vocab), listed(c.QTopK, c.Vocab)
			var lp, lq []float64
			if c.Generator != nil {
				p, q := c.Generator.rows()
				lp, lq = normalise(p), normalise(q)
				made := topOf(lp, c.K)
				for i, id := range ref.IDs {
					require.Equal(t, id, made.IDs[i])
					testkit.Rel(t, ref.LogProbs[i], made.LogProbs[i], 1e-12, "generated log-prob")
				}
				ref, got = made, topOf(lq, c.K)
			}
			b, err := CompareTopK(ref, got, nil)
			require.NoError(t, err)
			testkit.Rel(t, c.want(t, "lower_tight"), b.Lower, c.RelTol, "lower")
			assert.LessOrEqual(t, b.Lower, c.want(t, "kl_full")*(1+1e-12))
			assert.Equal(t, inf, b.Upper, "nothing is known of the rest")
			assert.Empty(t, b.Warnings)
			if c.Generator == nil {
				return
			}
			testkit.Rel(t, c.want(t, "lower_bucket_common"), b.LowerBucket, c.RelTol, "bucket")
			testkit.Rel(t, c.want(t, "residual_p"), b.ResidualRef, c.RelTol, "residual of ref")
			testkit.Rel(t, c.want(t, "residual_q"), b.ResidualGot, c.RelTol, "residual of got")
			o := &TopKOptions{Floor: c.want(t, "floor_used")}
			b, err = CompareTopK(ref, got, o)
			require.NoError(t, err)
			testkit.Rel(t, c.want(t, "upper_with_floor"), b.Upper, c.RelTol, "upper")

			// The engine asked for the reference's ids: its own list is not known.
			got.IDs, got.LogProbs, got.K = ref.IDs, nil, -1
			for _, id := range ref.IDs {
				got.LogProbs = append(got.LogProbs, lq[id])
			}
			b, err = CompareTopK(ref, got, o)
			require.NoError(t, err)
			testkit.Rel(t, c.want(t, "lower_q_known_on_topk_p"), b.Lower, c.RelTol, "lower, q known")
			testkit.Rel(t, c.want(t, "upper_q_known_on_topk_p"), b.Upper, c.RelTol, "upper, q known")
		})
	}
	assert.Equal(t, 7, ran)
}

func TestGoldenTopKErrors(t *testing.T) {
	ran := 0
	for _, c := range golden(t).Errors {
		if c.Input != "topk" {
			continue
		}
		ran++
		var p, q [][2]float64
		for raw, dst := range map[*[]byte]*[][2]float64{(*[]byte)(&c.P): &p, (*[]byte)(&c.Q): &q} {
			require.NoError(t, unmarshal(*raw, dst))
		}
		_, err := CompareTopK(listed(p, 0), listed(q, 0), nil)
		switch c.ID {
		case "err-topk-mass":
			require.ErrorIs(t, err, ErrMass)
			assert.ErrorContains(t, err, "1.7236")
		case "err-topk-duplicate":
			require.ErrorIs(t, err, ErrDuplicateToken)
			in, _ := errors.AsType[*InputError](err)
			assert.Equal(t, 1, in.Index)
		default:
			t.Errorf("unknown case %s", c.ID)
		}
	}
	assert.Equal(t, 2, ran)
}

// randomLists returns two distributions over v tokens and their top lists.
func randomLists(r *rand.Rand) (lp, lq []float64, ref, got TopK) {
	v := 3 + r.IntN(40)
	a, b := randomPair(r, v, math.Exp(3*r.Float64()-2), 6*r.Float64())
	lp, lq = normalise(a), normalise(b)
	k := 1 + r.IntN(v-1)
	return lp, lq, topOf(lp, k), topOf(lq, 1+r.IntN(v-1))
}

func TestBoundsHoldTheTruth(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	certified := 0
	for range 3000 {
		lp, lq, ref, got := randomLists(r)
		truth, err := KL(lp, lq)
		require.NoError(t, err)
		b, err := CompareTopK(ref, got, &TopKOptions{Floor: math.Exp(slices.Min(lq))})
		require.NoError(t, err)
		require.LessOrEqual(t, b.Lower, truth*(1+1e-9)+1e-12)
		require.GreaterOrEqual(t, b.Upper, truth*(1-1e-9)-1e-12)
		require.GreaterOrEqual(t, b.Lower, b.LowerBucket)
		pos, err := Compare(lp, lq, &Options{Kind: LogProbs})
		require.NoError(t, err)
		require.Equal(t, pos.Agree, b.Agree)
		require.Equal(t, pos.TopRef, b.TopRef)
		require.LessOrEqual(t, b.FlipKL, pos.FlipKL*(1+1e-9))
		if len(ref.IDs) > 1 {
			testkit.Near(t, pos.FlipKL, b.FlipKL, 1e-12, "two tokens tell it")
		}
		if b.Certified {
			certified++
			require.True(t, pos.Agree)
		}
	}
	assert.Greater(t, certified, 50, "certificates are given")
}

// The lower bound is a minimum: a completion attains it, and moving mass between
// any two of its unlisted tokens, or the bucket, makes the divergence larger.
func TestLowerIsAttainedAndLeast(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range 2000 {
		_, _, ref, got := randomLists(r)
		p, err := newList(ref, ref.VocabSize, 0, "ref")
		require.NoError(t, err)
		q, err := newList(got, got.VocabSize, 0, "got")
		require.NoError(t, err)
		l := takeApart(p, q)
		c := l.closest()
		var sp, sq float64
		for _, s := range c.shares {
			sp, sq = sp+s.p, sq+s.q
		}
		testkit.Near(t, 1, sp, 1e-12, "P is whole")
		testkit.Near(t, 1, sq, 1e-12, "Q is whole")
		nb, na := len(l.onlyQ), len(l.onlyP)
		free := c.shares[len(l.both):]
		least := c.lower(p, q)
		for range 20 {
			moved := slices.Clone(c.shares)
			m := moved[len(l.both):]
			i, j, step := r.IntN(len(free)), r.IntN(len(free)), r.Float64()*0.3
			isP := func(k int) bool { return k < nb || k >= nb+na }
			isQ := func(k int) bool { return k >= nb }
			switch {
			case i == j:
			case isP(i) && isP(j): // P's mass moves from i to j
				d := m[i].p * step
				if j < nb {
					d = min(d, p.kth-m[j].p)
				}
				m[i].p, m[j].p = m[i].p-d, m[j].p+d
			case isQ(i) && isQ(j):
				d := m[i].q * step
				if j < nb+na {
					d = min(d, q.kth-m[j].q)
				}
				m[i].q, m[j].q = m[i].q-d, m[j].q+d
			}
			other := completion{moved, c.alpha, c.beta}
			require.GreaterOrEqual(t, other.lower(p, q), least-1e-12)
		}
	}
}

// Lists printed with few digits: the bounds must hold for what was printed from.
func TestBoundsHoldUnderRounding(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	round := func(t TopK, unit float64) TopK {
		t.LogProbs = slices.Clone(t.LogProbs)
		for i, x := range t.LogProbs {
			t.LogProbs[i] = math.Round(x*unit) / unit
		}
		return t
	}
	for range 3000 {
		lp, lq, ref, got := randomLists(r)
		truth, err := KL(lp, lq)
		require.NoError(t, err)
		o := &TopKOptions{Floor: math.Exp(slices.Min(lq)) * 0.99, Precision: 0.5e-3}
		b, err := CompareTopK(round(ref, 1e3), round(got, 1e3), o)
		require.NoError(t, err)
		require.LessOrEqual(t, b.Lower, truth+1e-12)
		require.GreaterOrEqual(t, b.Upper, truth-1e-12)
	}
}

// Confident engines, printed to six decimals and fewer: where the engine's list
// reaches a mass of 1 the bounds hold without being told the precision.
func TestBoundsHoldWhereRoundingSwallowsTheRest(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	round := func(t TopK, unit float64) TopK {
		t.LogProbs = slices.Clone(t.LogProbs)
		for i, x := range t.LogProbs {
			t.LogProbs[i] = math.Round(x*unit) / unit
		}
		return t
	}
	warned, informative := 0, 0
	for range 3000 {
		v := 10 + r.IntN(40)
		a, b := randomPair(r, v, 0.5, 8+14*r.Float64())
		if r.IntN(3) == 0 {
			a[0] -= 10 * r.Float64()
		}
		lp, lq := normalise(a), normalise(b)
		truth, err := KL(lp, lq)
		require.NoError(t, err)
		unit := math.Pow(10, float64(3+r.IntN(4)))
		bounds, err := CompareTopK(topOf(lp, 1+r.IntN(8)), round(topOf(lq, 1+r.IntN(8)), unit), &TopKOptions{Floor: math.Exp(slices.Min(lq)) * 0.99})
		if errors.Is(err, ErrOptions) { // a list that ends at the floor
			continue
		}
		require.NoError(t, err)
		if len(bounds.Warnings) == 0 {
			continue // rounded, and nothing shows it
		}
		warned++
		require.LessOrEqual(t, bounds.Lower, truth+1e-12)
		require.GreaterOrEqual(t, bounds.Upper, truth-1e-12)
		if bounds.Lower > truth/10 {
			informative++
		}
	}
	t.Logf("%d lists of mass 1, of which %d tell something", warned, informative)
	assert.Greater(t, warned, 300)
	assert.Greater(t, informative, 100)
}

// An engine's list printed as certain leaves the reference's other tokens no
// room; taken at its word the divergence would be infinite.
func TestARoundedListIsNotTakenAtItsWord(t *testing.T) {
	ref := TopK{IDs: []int32{3, 5}, LogProbs: []float64{-0.000001, -14.5}, VocabSize: 1000}
	got := TopK{IDs: []int32{3, 5}, LogProbs: []float64{0, -15.25}, VocabSize: 1000}
	b, err := CompareTopK(ref, got, nil)
	require.NoError(t, err)
	assert.Len(t, b.Warnings, 1)
	assert.ErrorContains(t, b.Warnings[0], "got")
	assert.Equal(t, 1e-6, b.ResidualGot)
	assert.GreaterOrEqual(t, b.Precision, 0.5e-6)
	assert.Less(t, b.Lower, 1e-5)
	b, err = CompareTopK(got, got, &TopKOptions{DataToken: new(3)})
	require.NoError(t, err)
	assert.Zero(t, b.Lower, "a rounded list does not differ from itself")
	assert.Equal(t, [3]float64{0, 0, 0}, [3]float64{b.NLLRef, b.NLLGot, b.DeltaP}, "log-probabilities are as listed")

	single := TopK{IDs: []int32{3}, LogProbs: []float64{0}, VocabSize: 1000}
	b, err = CompareTopK(TopK{IDs: []int32{3}, LogProbs: []float64{-1e-3}, VocabSize: 1000}, single, nil)
	require.NoError(t, err)
	assert.False(t, math.IsInf(b.Lower, 0))
	assert.Equal(t, inf, b.Upper)
}

func TestCompleteListsGiveTheDivergence(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for range 200 {
		a, b := randomPair(r, 1+r.IntN(20), 0.5, 2)
		lp, lq := normalise(a), normalise(b)
		truth, err := KL(lp, lq)
		require.NoError(t, err)
		got, err := CompareTopK(topOf(lp, len(lp)), topOf(lq, len(lq)), nil)
		require.NoError(t, err)
		testkit.Near(t, truth, got.Lower, 1e-13, "lower")
		testkit.Near(t, truth, got.Upper, 1e-13, "upper needs no floor")
	}
}

// Lists of any length up to the whole vocabulary, told or not, with entries beyond
// the most likely ones, printed with few digits or exact.
func TestBoundsHoldForAnyLists(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	certified := 0
	for range 10_000 {
		v := 2 + r.IntN(20)
		a, b := randomPair(r, v, math.Exp(3*r.Float64()-4), 6*r.Float64())
		if r.IntN(4) == 0 {
			maskSome(r, a, b)
		}
		lp, lq := normalise(a), normalise(b)
		truth, err := KL(lp, lq)
		require.NoError(t, err)
		o := &TopKOptions{Floor: math.Exp(slices.Min(lq)) * 0.99}
		var unit float64
		if r.IntN(4) > 0 {
			unit = math.Pow(10, float64(2+r.IntN(5)))
			o.Precision = 0.50001 / unit
		}
		if r.IntN(8) == 0 {
			o.Floor = 0
		}
		ref, got := anyList(r, lp, unit), anyList(r, lq, unit)
		bounds, err := CompareTopK(ref, got, o)
		require.NoError(t, err)
		require.LessOrEqual(t, bounds.Lower, truth+1e-12, "%v %v %g", ref, got, unit)
		if unit > 0 || len(bounds.Warnings) == 0 {
			require.GreaterOrEqual(t, bounds.Upper, truth-1e-12, "%v %v %g", ref, got, unit)
		}
		if bounds.Certified {
			certified++
			require.Equal(t, slices.Index(lp, slices.Max(lp)), slices.Index(lq, slices.Max(lq)), "%v %v %g", ref, got, unit)
		}
	}
	assert.Greater(t, certified, 500, "certificates are given")
}

// maskSome rules tokens out, on one side or both, and leaves each side one.
func maskSome(r *rand.Rand, a, b []float64) {
	for i := 1; i < len(a); i++ {
		switch r.IntN(5) {
		case 0:
			a[i], b[i] = -inf, -inf
		case 1:
			a[i] = -inf
		}
	}
	if r.IntN(4) == 0 {
		b[len(b)-1] = -inf
	}
}

// anyList lists some of the most likely tokens and some others, to 1/unit.
func anyList(r *rand.Rand, lp []float64, unit float64) TopK {
	t := topOf(lp, len(lp))
	k := 1 + r.IntN(len(lp))
	rest := t.IDs[k:]
	r.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	if n := r.IntN(len(rest) + 1); r.IntN(2) == 0 && n > 0 {
		t.IDs, t.K = t.IDs[:k+n], k
	} else {
		t.IDs = t.IDs[:k]
	}
	if r.IntN(2) == 0 {
		t.VocabSize = 0
	}
	t.LogProbs = nil
	for _, id := range t.IDs {
		x := lp[id]
		if unit > 0 {
			x = math.Round(x*unit) / unit
		}
		t.LogProbs = append(t.LogProbs, x)
	}
	return t
}

func TestIdenticalListsDoNotDiffer(t *testing.T) {
	list := TopK{IDs: []int32{1, 2, 3}, LogProbs: []float64{-0.5, -1.5, -3}}
	b, err := CompareTopK(list, list, &TopKOptions{DataToken: new(2)})
	require.NoError(t, err)
	assert.Zero(t, b.Lower)
	assert.Equal(t, 1.5, b.NLLRef)
	assert.Equal(t, 1.5, b.NLLGot)
	assert.Zero(t, b.DeltaP)
	b, err = CompareTopK(list, list, &TopKOptions{DataToken: new(9)})
	require.NoError(t, err)
	assert.True(t, math.IsNaN(b.NLLRef), "not on the lists")
}

// A masked token beside a list that rounding has filled: it is on no grid.
func TestMaskedTokensBesideAList(t *testing.T) {
	certain := TopK{IDs: []int32{0, 1}, LogProbs: []float64{0, -inf}, VocabSize: 10, K: 1}
	likely := TopK{IDs: []int32{0, 2}, LogProbs: []float64{-0.1, -4}, VocabSize: 10}
	for name, c := range map[string]struct {
		ref, got TopK
		lower    float64
	}{
		"got":  {likely, certain, 0},
		"ref":  {certain, likely, 0.1},
		"both": {certain, certain, 0},
	} {
		b, err := CompareTopK(c.ref, c.got, nil)
		require.NoError(t, err, name)
		assert.GreaterOrEqual(t, b.Lower, c.lower*(1-1e-9), name)
		assert.LessOrEqual(t, b.Lower, b.Upper, name)
		assert.Less(t, b.Precision, 1.0, name)
	}
}

// The token of the text beside the most likely one: it may be the second.
func TestCertificateKnowsEntriesBeyondK(t *testing.T) {
	ref := TopK{IDs: []int32{0, 1}, LogProbs: []float64{math.Log(0.7), math.Log(0.3)}, VocabSize: 2, K: 1}
	got := TopK{IDs: []int32{0, 1}, LogProbs: []float64{math.Log(0.4), math.Log(0.6)}, VocabSize: 2}
	b, err := CompareTopK(ref, got, nil)
	require.NoError(t, err)
	testkit.Rel(t, 0.7*math.Log(1.4)+0.3*math.Log(0.6), b.FlipKL, 1e-12, "of (0.7, 0.3)")
	assert.False(t, b.Agree)
	assert.False(t, b.Certified)
}

func TestTopKRefusals(t *testing.T) {
	ok := TopK{IDs: []int32{0, 1}, LogProbs: []float64{-0.5, -2}}
	for name, c := range map[string]struct {
		ref   TopK
		o     *TopKOptions
		err   error
		index int
	}{
		"empty":            {TopK{}, nil, ErrNoSupport, -1},
		"lengths":          {TopK{IDs: []int32{1}}, nil, ErrAlignment, -1},
		"no mass":          {TopK{IDs: []int32{0, 1}, LogProbs: []float64{-inf, -inf}, VocabSize: 2}, &TopKOptions{Precision: 0.9}, ErrMass, -1},
		"nan":              {TopK{IDs: []int32{0, 1}, LogProbs: []float64{-0.5, math.NaN()}}, nil, ErrNaN, 1},
		"inf":              {TopK{IDs: []int32{0, 1}, LogProbs: []float64{inf, -1}}, nil, ErrPosInf, 0},
		"raw logits":       {TopK{IDs: []int32{0, 1}, LogProbs: []float64{12.5, 11}}, nil, ErrPositiveLogProb, 0},
		"negative id":      {TopK{IDs: []int32{-1}, LogProbs: []float64{-1}}, nil, ErrVocab, 0},
		"id beyond":        {TopK{IDs: []int32{0, 7}, LogProbs: []float64{-1, -2}, VocabSize: 7}, nil, ErrVocab, 1},
		"no room":          {TopK{IDs: []int32{0, 1}, LogProbs: []float64{-1, -6}, VocabSize: 3}, nil, ErrMass, -1},
		"whole, not 1":     {TopK{IDs: []int32{0, 1}, LogProbs: []float64{-1, -6}, VocabSize: 2}, nil, ErrMass, -1},
		"k":                {TopK{IDs: []int32{0}, LogProbs: []float64{-1}, K: 2}, nil, ErrFormat, -1},
		"vocabulary":       {TopK{IDs: []int32{0}, LogProbs: []float64{-1}, VocabSize: -3}, nil, ErrVocab, -1},
		"floor too high":   {ok, &TopKOptions{Floor: 0.9}, ErrOptions, -1},
		"negative floor":   {ok, &TopKOptions{Floor: -1}, ErrOptions, -1},
		"no such floor":    {ok, &TopKOptions{Floor: math.NaN()}, ErrOptions, -1},
		"precision is NaN": {ok, &TopKOptions{Precision: math.NaN()}, ErrOptions, -1},
	} {
		_, err := CompareTopK(c.ref, ok, c.o)
		require.ErrorIs(t, err, c.err, name)
		if in, found := errors.AsType[*InputError](err); found {
			assert.Equal(t, c.index, in.Index, name)
			assert.ErrorContains(t, err, "ref", name)
		}
	}
	a, b := ok, ok
	a.VocabSize, b.VocabSize = 100, 200
	_, err := CompareTopK(a, b, nil)
	require.ErrorIs(t, err, ErrVocab)
}

func FuzzCompareTopK(f *testing.F) {
	f.Add([]byte{1, 10, 2, 20}, []byte{1, 12, 3, 19}, uint8(0))
	f.Add([]byte{1, 0}, []byte{1, 0}, uint8(4))
	f.Fuzz(func(t *testing.T, a, b []byte, vocab uint8) {
		list := func(data []byte) TopK {
			l := TopK{VocabSize: int(vocab)}
			for i := 0; i+1 < len(data); i += 2 {
				l.IDs = append(l.IDs, int32(data[i]))
				l.LogProbs = append(l.LogProbs, -float64(data[i+1])/16)
			}
			return l
		}
		got, err := CompareTopK(list(a), list(b), &TopKOptions{Floor: 1e-9})
		if err != nil {
			return
		}
		for _, x := range []float64{got.Lower, got.LowerBucket, got.Upper} {
			require.False(t, math.IsNaN(x) || x < 0, "%+v", got)
		}
		require.LessOrEqual(t, got.LowerBucket, got.Lower)
		require.LessOrEqual(t, got.Lower, got.Upper)
	})
}
