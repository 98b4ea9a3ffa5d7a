package correctness

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/servemath/internal/testkit"
)

func TestSummaryIsTheSameForAnyGOMAXPROCS(t *testing.T) {
	a := filled(t, randomPrompts(rand.New(rand.NewPCG(31, 32)), 30, 20)...)
	at := func(procs int) string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		return jsonOf(t, summarize(t, a))
	}
	want := at(1)
	assert.Equal(t, want, at(2))
	assert.Equal(t, want, at(7))
	other, err := a.Summary(&SummaryOptions{Seed: 5})
	require.NoError(t, err)
	assert.NotEqual(t, want, jsonOf(t, other), "the seed counts")
}

// randomPrompts are log-normal divergences that correlate within a prompt.
func randomPrompts(r *rand.Rand, prompts, positions int) [][]float64 {
	out := make([][]float64, prompts)
	for g := range out {
		shared, z := r.NormFloat64()*0.5, r.NormFloat64()
		for range positions {
			z = 0.6*z + 0.8*r.NormFloat64()
			out[g] = append(out[g], math.Exp(shared+1.5*z))
		}
	}
	return out
}

// The mean of exp(shared + 1.5 z), shared of variance 0.25 and z of variance 1.
var randomMean = math.Exp((0.25 + 2.25) / 2)

// How often the one-sided 95% upper bound holds the mean of skewed, correlated
// divergences: 0.93 with 50 prompts of 64 positions in 2,000 runs, 0.90 with 10.
// Taking positions for independent holds it 0.72 and 0.68 of the time.
func TestIntervalCoverage(t *testing.T) {
	for _, c := range []struct {
		prompts, runs       int
		upperLeast, iidMost float64
	}{{50, 600, 0.90, 0.78}, {10, 600, 0.86, 0.75}} {
		r := rand.New(rand.NewPCG(33, uint64(c.prompts)))
		var held, lowerHeld, iid int
		for range c.runs {
			var cl clusters
			var all []float64
			for _, xs := range randomPrompts(r, c.prompts, 64) {
				cl.add(sum(xs), float64(len(xs)))
				all = append(all, xs...)
			}
			lo, hi := cl.interval(&SummaryOptions{Level: 0.9, Replicates: 400})
			if hi >= randomMean {
				held++
			}
			if lo <= randomMean {
				lowerHeld++
			}
			mean, sd := meanSD(all)
			if mean+1.645*sd/math.Sqrt(float64(len(all))) >= randomMean {
				iid++
			}
		}
		runs := float64(c.runs)
		t.Logf("%d prompts: upper bound holds %.3f, lower %.3f, independent positions %.3f", c.prompts,
			float64(held)/runs, float64(lowerHeld)/runs, float64(iid)/runs)
		assert.GreaterOrEqual(t, float64(held)/runs, c.upperLeast)
		assert.GreaterOrEqual(t, float64(lowerHeld)/runs, 0.93)
		assert.LessOrEqual(t, float64(iid)/runs, c.iidMost, "the comparison means something")
	}
}

func meanSD(xs []float64) (mean, sd float64) {
	mean = sum(xs) / float64(len(xs))
	var ss float64
	for _, x := range xs {
		ss += (x - mean) * (x - mean)
	}
	return mean, math.Sqrt(ss / float64(len(xs)-1))
}

// How often an engine of a true mean passes and fails a limit of 1, with 50
// prompts: a fair verdict passes 1 in 20 at the limit, none far above.
func TestVerdictErrorRates(t *testing.T) {
	for _, c := range []struct {
		ratio               float64 // of the true mean to the limit
		passLeast, passMost float64
		failLeast, failMost float64
	}{
		{0.5, 0.97, 1, 0, 0},
		{1, 0, 0.10, 0, 0.06},
		{2, 0, 0, 0.95, 1},
	} {
		r := rand.New(rand.NewPCG(35, uint64(10*c.ratio)))
		const runs = 250
		var passes, fails int
		for range runs {
			var cl clusters
			for _, xs := range randomPrompts(r, 50, 64) {
				cl.add(c.ratio/randomMean*sum(xs), float64(len(xs)))
			}
			lo, hi := cl.interval(&SummaryOptions{Level: 0.9, Replicates: 400})
			switch (Summary{Prompts: 50, Lo: lo, Hi: hi}).Judge(Criterion{MaxMeanKL: 1}).Outcome {
			case Pass:
				passes++
			case Fail:
				fails++
			}
		}
		passed, failed := float64(passes)/runs, float64(fails)/runs
		t.Logf("true mean %g of the limit: pass %.3f, fail %.3f", c.ratio, passed, failed)
		assert.True(t, passed >= c.passLeast && passed <= c.passMost, "pass %g", passed)
		assert.True(t, failed >= c.failLeast && failed <= c.failMost, "fail %g", failed)
	}
}

func TestSummaryOfFewPrompts(t *testing.T) {
	one := summarize(t, filled(t, []float64{0.1, 0.2, 0.3}))
	assert.Equal(t, inf, one.Hi)
	assert.Zero(t, one.Lo)
	assert.True(t, math.IsNaN(one.StdErrClustered))
	assert.NotEmpty(t, one.Warnings)
	two := summarize(t, filled(t, []float64{0.1, 0.2}, []float64{0.4}))
	assert.Equal(t, inf, two.Hi, "half of the draws of two prompts are of one")
	same := summarize(t, filled(t, []float64{0.25, 0.25}, []float64{0.25}, []float64{0.25}))
	assert.Equal(t, [2]float64{0.25, 0.25}, [2]float64{same.Lo, same.Hi})
}

func TestSummaryOfInfinitePositions(t *testing.T) {
	a := filled(t, []float64{0.1, 0.2}, []float64{0.3, inf})
	s := summarize(t, a)
	assert.Equal(t, inf, s.MeanKL)
	assert.Equal(t, inf, s.Lo)
	assert.Equal(t, inf, s.Max)
	assert.Equal(t, 1, s.Infinite)
	testkit.Rel(t, 0.25, s.Median, 1e-12, "percentiles count it")
	assert.Contains(t, jsonOf(t, s), `"mean_kl_nats":"+Inf"`)
}

func TestExcludedPositionsAreCountedOnly(t *testing.T) {
	a := filled(t, []float64{0.1, 0.2}, []float64{0.3})
	plain := summarize(t, a)
	p := at(9)
	p.Excluded, p.ZeroQ = true, 1
	require.NoError(t, a.Add("p0", 7, p))
	require.NoError(t, a.Add("alone", 0, p))
	s := summarize(t, a)
	assert.Equal(t, 2, s.Excluded)
	assert.Equal(t, plain.N, s.N)
	assert.Equal(t, plain.Prompts, s.Prompts)
	assert.Equal(t, plain.MeanKL, s.MeanKL)
	assert.Equal(t, plain.Hi, s.Hi)
	assert.Equal(t, plain.Max, s.Max)

	only := &Accumulator{}
	require.NoError(t, only.Add("p", 0, p))
	_, err := only.Summary(nil)
	assert.ErrorIs(t, err, ErrNoSupport)
	assert.ErrorContains(t, err, "1 excluded")
}

func TestPerplexityIsWithheld(t *testing.T) {
	a := &Accumulator{}
	require.NoError(t, a.Add("p", 0, Position{NLLRef: 1, NLLGot: 1.5, DeltaP: -0.1}))
	require.NoError(t, a.Add("p", 1, Position{NLLRef: 1, NLLGot: inf, DeltaP: -0.3}))
	s := summarize(t, a)
	assert.True(t, math.IsNaN(s.LogPPLRatio) && math.IsNaN(s.PPLGot))
	testkit.Rel(t, math.Sqrt(0.05), s.RMSDeltaP, 1e-12, "changes of probability stay")
	assert.True(t, slices.ContainsFunc(s.Warnings, func(err error) bool {
		return err.Error() == "perplexity is withheld: a side rules out 1 token of the text"
	}))
}

func TestSummaryOfBounds(t *testing.T) {
	a := &Accumulator{}
	for g := range 12 {
		for i := range 4 {
			x := 0.01 * float64(g+i+1)
			require.NoError(t, a.AddBounds(string(rune('a'+g)), i, Bounds{Lower: x, Upper: 2 * x, Agree: true, NLLRef: math.NaN()}))
		}
	}
	s := summarize(t, a)
	testkit.Rel(t, 2*s.MeanKL, s.MeanUpperKL, 1e-12, "means of both bounds")
	assert.Less(t, s.Lo, s.MeanKL)
	assert.Greater(t, s.Hi, s.MeanUpperKL)
	assert.Equal(t, 48, s.Bounded)
	assert.Equal(t, Pass, s.Judge(Criterion{MaxMeanKL: 1}).Outcome)
	assert.Equal(t, Inconclusive, s.Judge(Criterion{MaxMeanKL: 1.5 * s.MeanKL}).Outcome)
	require.NoError(t, a.AddBounds("z", 0, Bounds{Lower: 0.01, Upper: inf, NLLRef: math.NaN()}))
	s = summarize(t, a)
	assert.Equal(t, inf, s.Hi, "one open bound opens the interval")
	assert.Equal(t, inf, s.MeanUpperKL)
	assert.Equal(t, Fail, s.Judge(Criterion{MaxMeanKL: 0.01}).Outcome, "the lower bounds can still fail it")
}

// The interval of a proportion against published values: without clustering it is
// Clopper and Pearson's, 0 of 10 having [0, 0.3085] at 95% and 1 of 10 [0.0025, 0.4450].
func TestShareWithoutClustering(t *testing.T) {
	var none, one clusters
	for i := range 10 {
		none.add(0, 1)
		if i == 0 {
			one.add(1, 1)
		} else {
			one.add(0, 1)
		}
	}
	p, lo, hi := none.share(0.95)
	assert.Equal(t, [2]float64{0, 0}, [2]float64{p, lo})
	testkit.Near(t, 0.3085, hi, 5e-5, "0 of 10")
	p, lo, hi = one.share(0.95)
	assert.InDelta(t, 0.1, p, 1e-15)
	// The ten prompts' estimated design effect is 10/9, so it is a little wider.
	assert.True(t, lo > 0.0015 && lo < 0.0025, "%g", lo)
	assert.True(t, hi > 0.4450 && hi < 0.4750, "%g", hi)
}

func TestClusteredShareIsWider(t *testing.T) {
	var spread, clumped clusters
	for i := range 20 {
		spread.add(45, 50)
		if i%10 == 0 {
			clumped.add(0, 50)
		} else {
			clumped.add(50, 50)
		}
	}
	p, lo, hi := spread.share(0.9)
	q, clo, chi := clumped.share(0.9)
	assert.Equal(t, p, q)
	assert.Less(t, clo, lo)
	assert.Greater(t, chi, hi)
	_, lo, hi = (&clusters{sum: []float64{50}, n: []float64{50}}).share(0.9)
	assert.Equal(t, [2]float64{0, 1}, [2]float64{lo, hi}, "one prompt says nothing of others")
}

func TestSummaryOptionsOutOfRange(t *testing.T) {
	a := filled(t, []float64{1})
	for _, o := range []*SummaryOptions{{Level: 1}, {Level: -0.5}, {Level: math.NaN()}, {Replicates: 99}, {Replicates: -1}} {
		_, err := a.Summary(o)
		assert.ErrorIs(t, err, ErrOptions, "%+v", o)
	}
}

// The walk from the top against quantiles of the list written out.
func TestWeightedQuantileAgreesWithItsSlowTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 38))
	for range 300 {
		prompts := make([]*prompt, 1+r.IntN(5))
		for g := range prompts {
			prompts[g] = &prompt{}
			for range 1 + r.IntN(6) {
				prompts[g].values = append(prompts[g].values, float64(r.IntN(8)))
				prompts[g].counts[countKL]++
			}
		}
		l := newLadder(prompts)
		times := make([]int64, len(prompts))
		var all []float64
		for range times {
			g := r.IntN(len(times))
			times[g]++
			all = append(all, prompts[g].values...)
		}
		slices.Sort(all)
		for _, q := range []float64{0, 0.1, 0.5, 0.77, 0.99, 1} {
			at := q * float64(len(all)-1)
			lower, upper := all[int(at)], all[min(int(at)+1, len(all)-1)]
			want := lower + (at-math.Floor(at))*(upper-lower)
			require.InDelta(t, want, l.weighted(q, int64(len(all)), times), 1e-12)
		}
	}
}
