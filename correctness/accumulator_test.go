package correctness

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"

	"example.com/servemath/internal/testkit"
)

// at is a position of which nothing but the divergence is known.
func at(kl float64) Position {
	return Position{KL: kl, NLLRef: math.NaN(), NLLGot: math.NaN(), DeltaP: math.NaN()}
}

// fill returns an accumulator of prompts p0, p1, ... with these divergences.
func filled(tb testing.TB, prompts ...[]float64) *Accumulator {
	tb.Helper()
	a := &Accumulator{}
	for g, xs := range prompts {
		for i, x := range xs {
			require.NoError(tb, a.Add(fmt.Sprintf("p%d", g), i, at(x)))
		}
	}
	return a
}

func summarize(tb testing.TB, a *Accumulator) Summary {
	tb.Helper()
	s, err := a.Summary(nil)
	require.NoError(tb, err)
	return s
}

// goldenValues returns the positions of an aggregate case, by prompt.
func goldenValues(tb testing.TB, c *goldenCase) (out [][]float64) {
	tb.Helper()
	values, clusters := c.Values, c.Clusters
	if c.Generator != nil {
		s := splitmix(c.Generator.Seed)
		for i := range c.Generator.N {
			u := float64(s.next()>>40) + 1
			x := u * u / (1 << 48) / 16
			if s.next()&127 == 0 {
				x *= 64
			}
			values, clusters = append(values, x), append(clusters, i/50)
		}
	}
	for i, x := range values {
		if clusters[i] == len(out) {
			out = append(out, nil)
		}
		out[clusters[i]] = append(out[clusters[i]], x)
	}
	return out
}

func TestGoldenAggregates(t *testing.T) {
	ran := 0
	for _, c := range golden(t).Cases {
		if c.Input != "aggregate" {
			continue
		}
		ran++
		t.Run(c.ID, func(t *testing.T) {
			prompts := goldenValues(t, &c)
			s := summarize(t, filled(t, prompts...))
			t95 := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(s.Prompts - 1)}.Quantile(0.95)
			for name, got := range map[string]float64{
				"n": float64(s.N), "clusters": float64(s.Prompts), "mean": s.MeanKL, "std": s.SD, "se_iid": s.StdErr,
				"se_cluster": s.StdErrClustered, "mean_of_cluster_means": s.MeanOfPrompts, "min": s.Min, "max": s.Max,
				"median": s.Median, "p90": s.P90, "p95": s.P95, "p99": s.P99, "p999": s.P999, "design_effect": s.DesignEffect,
			} {
				testkit.Rel(t, c.want(t, name), got, c.RelTol, "%s", name)
			}
			testkit.Rel(t, c.want(t, "t95"), t95, 1e-9, "Student's quantile")
			testkit.Rel(t, c.want(t, "upper95_one_sided"), s.MeanKL+t95*s.StdErrClustered, 1e-9, "upper t bound")
			testkit.Rel(t, c.want(t, "lower95_one_sided"), s.MeanKL-t95*s.StdErrClustered, 1e-9, "lower t bound")
			for _, tau := range []string{"0.03", "0.05"} {
				var m Monitor
				require.NoError(t, json.Unmarshal([]byte(tau), &m.MaxMeanKL))
				var state State
				for _, xs := range prompts {
					state = m.Observe(sum(xs) / float64(len(xs)))
				}
				testkit.Rel(t, c.want(t, "eprocess_final_tau_"+tau), state.Wealth, c.RelTol, "wealth at %s", tau)
				testkit.Rel(t, c.want(t, "eprocess_max_tau_"+tau), state.MaxWealth, c.RelTol, "largest wealth at %s", tau)
			}
		})
	}
	assert.Equal(t, 2, ran)
}

func TestGoldenPerplexity(t *testing.T) {
	ran := 0
	for _, c := range golden(t).Cases {
		if c.Input != "nll_pairs" {
			continue
		}
		ran++
		s := splitmix(c.Generator.Seed)
		a := &Accumulator{}
		for i := range c.Generator.N {
			ref := float64(s.next()>>44) / (1 << 18)
			got := ref + (float64(s.next()>>48)-32768)/(1<<18) + 1.0/128
			require.NoError(t, a.Add("text", i, Position{NLLRef: ref, NLLGot: got, DeltaP: math.Exp(-got) - math.Exp(-ref)}))
		}
		sum := summarize(t, a)
		ratio := math.Exp(sum.LogPPLRatio)
		for name, got := range map[string]float64{
			"ppl_ref": sum.PPLRef, "ppl_test": sum.PPLGot, "ln_ratio": sum.LogPPLRatio, "ratio": ratio,
			"se_ln_ref": sum.LogPPLRefStdErr, "se_ln_test": sum.LogPPLGotStdErr, "corr": sum.LogPPLCorrelation,
			"se_ln_ratio_paired":   sum.LogPPLRatioStdErr,
			"se_ln_ratio_unpaired": math.Hypot(sum.LogPPLRefStdErr, sum.LogPPLGotStdErr),
			"ratio_se":             ratio * sum.LogPPLRatioStdErr,
		} {
			testkit.Rel(t, c.want(t, name), got, c.RelTol, "%s", name)
		}
		assert.True(t, math.IsNaN(sum.LogPPLRatioStdErrClustered), "one prompt has no spread between prompts")
	}
	assert.Equal(t, 1, ran)
}

// randomRun returns shards of a run, with every feature that a position can have.
func randomRun(tb testing.TB, prompts int) []*Accumulator {
	tb.Helper()
	r := rand.New(rand.NewPCG(21, 22))
	shards := make([]*Accumulator, prompts)
	for g := range shards {
		shards[g] = &Accumulator{ExactCap: 1 << 20}
		for i := range 1 + r.IntN(40) {
			a, b := randomPair(r, 20, 0.3, 1)
			if r.IntN(30) == 0 {
				b[3] = math.Inf(-1)
			}
			pos, err := Compare(a, b, &Options{DataToken: new(r.IntN(3)), ZeroQ: ZeroPolicy{Kind: ZeroKind(r.IntN(2))}})
			require.NoError(tb, err)
			require.NoError(tb, shards[g].Add(fmt.Sprint("prompt ", g), i, pos))
		}
		if r.IntN(3) == 0 {
			_, _, ref, got := randomLists(r)
			b, err := CompareTopK(ref, got, &TopKOptions{Floor: 1e-12})
			require.NoError(tb, err)
			require.NoError(tb, shards[g].AddBounds(fmt.Sprint("prompt ", g), 1000, b))
		}
	}
	return shards
}

func binaryOf(tb testing.TB, a *Accumulator) []byte {
	tb.Helper()
	b, err := a.MarshalBinary()
	require.NoError(tb, err)
	return b
}

// Whatever the order of merging, and at every cap, all bits are those of one
// accumulator.
func TestMergingIsIndependentOfOrder(t *testing.T) {
	shards := randomRun(t, 30)
	r := rand.New(rand.NewPCG(23, 24))
	for _, limit := range []int{1 << 20, 200, 5} {
		var want []byte
		var wantSummary string
		for range 20 {
			order := r.Perm(len(shards))
			cut := r.IntN(len(shards))
			left, right := &Accumulator{ExactCap: limit}, &Accumulator{ExactCap: limit}
			for i, g := range order {
				into := left
				if i >= cut {
					into = right
				}
				require.NoError(t, into.Merge(shards[g]))
			}
			require.NoError(t, left.Merge(right))
			got := binaryOf(t, left)
			js := jsonOf(t, summarize(t, left))
			if want == nil {
				want, wantSummary = got, js
			}
			require.True(t, bytes.Equal(want, got), "cap %d", limit)
			require.Equal(t, wantSummary, js)
		}
	}
}

func TestAddingIsIndependentOfOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	var want string
	for range 20 {
		a := &Accumulator{}
		for _, i := range r.Perm(100) {
			kl := math.Exp(float64(i%37) - 30)
			require.NoError(t, a.Add(fmt.Sprint(i%4), i/4, at(kl)))
		}
		if want == "" {
			want = jsonOf(t, summarize(t, a))
		}
		require.Equal(t, want, jsonOf(t, summarize(t, a)))
	}
}

func jsonOf(tb testing.TB, v any) string {
	tb.Helper()
	b, err := json.Marshal(v)
	require.NoError(tb, err)
	return string(b)
}

func TestMergedShardsEqualTheWhole(t *testing.T) {
	shards := randomRun(t, 12)
	whole := &Accumulator{}
	for _, s := range shards {
		require.NoError(t, whole.Merge(s))
	}
	before := binaryOf(t, shards[0])
	assert.ErrorIs(t, whole.Merge(shards[0]), ErrAlignment, "a shard counted twice")
	assert.ErrorContains(t, whole.Merge(shards[0]), "prompt 0")
	assert.ErrorIs(t, whole.Merge(whole), ErrAlignment)
	assert.NoError(t, whole.Merge(nil))
	require.NoError(t, whole.Add("prompt 0", 5000, at(1)))
	assert.True(t, bytes.Equal(before, binaryOf(t, shards[0])), "merging leaves its argument alone")
}

func TestRoundTrips(t *testing.T) {
	for _, limit := range []int{1 << 20, 50} {
		a := &Accumulator{ExactCap: limit}
		for _, s := range randomRun(t, 12) {
			require.NoError(t, a.Merge(s))
		}
		var b, c Accumulator
		require.NoError(t, b.UnmarshalBinary(binaryOf(t, a)))
		assert.True(t, bytes.Equal(binaryOf(t, a), binaryOf(t, &b)))
		require.NoError(t, json.Unmarshal([]byte(jsonOf(t, a)), &c))
		assert.True(t, bytes.Equal(binaryOf(t, a), binaryOf(t, &c)))
		assert.Equal(t, jsonOf(t, summarize(t, a)), jsonOf(t, summarize(t, &b)))
		assert.Equal(t, jsonOf(t, summarize(t, a)), jsonOf(t, summarize(t, &c)))
		require.NoError(t, b.Add("another", 0, at(1)), "it goes on")
	}
}

func TestDamagedBinaryIsRefused(t *testing.T) {
	good := binaryOf(t, randomRun(t, 1)[0])
	for n := range len(good) {
		var a Accumulator
		err := a.UnmarshalBinary(good[:n])
		require.Error(t, err, "cut at %d", n)
		require.Empty(t, a.prompts)
	}
	for i := range good {
		bad := slices.Clone(good)
		bad[i] ^= 0x41
		require.Error(t, new(Accumulator).UnmarshalBinary(bad), "byte %d changed", i)
	}
	require.ErrorIs(t, new(Accumulator).UnmarshalBinary(nil), ErrTruncated)
	require.ErrorIs(t, new(Accumulator).UnmarshalBinary([]byte("not an accumulator at all")), ErrFormat)
}

func TestDamagedJSONIsRefused(t *testing.T) {
	for name, text := range map[string]string{
		"not ours":  `{"format":"other","exact_cap":1,"sketched":false,"prompts":[],"worst":[]}`,
		"unknown":   `{"format":"servemath accumulator 1","more":1}`,
		"no counts": `{"format":"servemath accumulator 1","prompts":[{"prompt":"a"}]}`,
		"array":     `[1]`,
		"cut":       `{"format":`,
	} {
		err := new(Accumulator).UnmarshalJSON([]byte(text))
		assert.ErrorIs(t, err, ErrFormat, name)
	}
	var doc map[string]any
	require.NoError(t, json.Unmarshal([]byte(jsonOf(t, randomRun(t, 1)[0])), &doc))
	doc["prompts"] = append(doc["prompts"].([]any), doc["prompts"].([]any)[0])
	assert.ErrorContains(t, new(Accumulator).UnmarshalJSON([]byte(jsonOf(t, doc))), "twice")
}

func FuzzUnmarshalBinary(f *testing.F) {
	for _, s := range randomRun(f, 3) {
		f.Add(binaryOf(f, s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var a Accumulator
		if a.UnmarshalBinary(data) != nil {
			return
		}
		require.True(t, bytes.Equal(data, binaryOf(t, &a)))
	})
}

// What collecting could not have made is refused, each by one change.
func TestInconsistentJSONIsRefused(t *testing.T) {
	a := filled(t, []float64{0.5, 0.25, 2}, []float64{0, inf})
	good := jsonOf(t, a)
	require.NoError(t, new(Accumulator).UnmarshalJSON([]byte(good)))
	for from, to := range map[string]string{
		`"positions":3`:             `"positions":4`,
		`"positions":2`:             `"positions":-2`,
		`"agree":0`:                 `"agree":99`,
		`"infinite_kl":1`:           `"infinite_kl":0`,
		`"position_ranges":[[0,3]]`: `"position_ranges":[[0,2]]`,
		`"position_ranges":[[0,2]]`: `"position_ranges":[[1,2],[0,1]]`,
		`"kl_nats":[0.25,0.5,2]`:    `"kl_nats":[0.25,-0.5,2]`,
		`"kl_nats":[0]`:             `"kl_nats":[0,1]`,
		`"sketched":false`:          `"sketched":true`,
		`"exact_cap":1048576`:       `"exact_cap":-1`,
		`{"prompt":"p1","position":0,"kl_nats":0,"top_ref":0,"top_got":0}]`: `{"prompt":"p1","position":0,"kl_nats":0,"top_ref":0,"top_got":0},{"prompt":"p2","position":0,"kl_nats":0,"top_ref":0,"top_got":0}]`,
		`"sum_error":0`:               `"sum_error":-1`,
		`"kl_nats":"+Inf"`:            `"kl_nats":"NaN"`,
		`"position":1,"kl_nats":0.25`: `"position":1,"kl_nats":0.75`,
	} {
		require.Contains(t, good, from)
		err := new(Accumulator).UnmarshalJSON([]byte(strings.Replace(good, from, to, 1)))
		assert.ErrorIs(t, err, ErrFormat, to)
	}
}

func FuzzUnmarshalJSON(f *testing.F) {
	f.Add([]byte(jsonOf(f, filled(f, []float64{0.5, 0.25}, []float64{0, inf}))))
	f.Add([]byte(jsonOf(f, randomRun(f, 1)[0])))
	f.Fuzz(func(t *testing.T, data []byte) {
		var a Accumulator
		if a.UnmarshalJSON(data) != nil {
			return
		}
		if _, err := a.Summary(&SummaryOptions{Replicates: 100}); err != nil {
			require.ErrorIs(t, err, ErrNoSupport)
		}
		again := jsonOf(t, &a)
		var b Accumulator
		require.NoError(t, b.UnmarshalJSON([]byte(again)))
		require.Equal(t, again, jsonOf(t, &b))
	})
}

func TestAddRefusals(t *testing.T) {
	var a Accumulator
	for name, p := range map[string]Position{"nan": at(math.NaN()), "negative": at(-1e-9), "js": {JS: math.NaN()}} {
		assert.ErrorIs(t, a.Add("p", 0, p), ErrNaN, name)
	}
	for name, p := range map[string]Position{
		"sum error": {SumErrorGot: math.NaN()}, "dropped": {DroppedRef: math.NaN()},
		"one side's token": {NLLGot: math.NaN()}, "token without its change": {DeltaP: math.NaN()},
	} {
		assert.ErrorIs(t, a.Add("p", 0, p), ErrNaN, name)
	}
	assert.ErrorIs(t, a.AddBounds("p", 0, Bounds{ResidualGot: math.NaN()}), ErrNaN)
	assert.ErrorIs(t, a.AddBounds("p", 0, Bounds{NLLGot: math.NaN()}), ErrNaN)
	assert.EqualError(t, a.Add("p", -1, at(1)), `correctness: prompt "p": position -1 is negative`)
	assert.ErrorIs(t, a.Add("p", -1, at(1)), ErrAlignment)
	assert.ErrorIs(t, a.AddBounds("p", 0, Bounds{Lower: 2, Upper: 1}), ErrNaN)
	_, err := a.Summary(nil)
	assert.ErrorIs(t, err, ErrNoSupport, "refused positions leave nothing")
	require.NoError(t, a.Add("p", 3, at(1)))
	assert.ErrorIs(t, a.Add("p", 3, at(1)), ErrAlignment)
	assert.ErrorIs(t, a.AddBounds("p", 3, Bounds{}), ErrAlignment)
}

func TestNilAccumulatorIsEmpty(t *testing.T) {
	var a *Accumulator
	_, err := a.Summary(nil)
	assert.ErrorIs(t, err, ErrNoSupport)
	_, err = a.Quantile(0.5)
	assert.ErrorIs(t, err, ErrNoSupport)
	assert.Equal(t, binaryOf(t, &Accumulator{}), binaryOf(t, a))
	assert.NoError(t, (&Accumulator{}).Merge(a))
	assert.ErrorIs(t, a.Add("p", 0, at(1)), ErrOptions, "there is nothing to add to")
	assert.ErrorIs(t, a.AddBounds("p", 0, Bounds{}), ErrOptions)
	assert.ErrorIs(t, a.Merge(filled(t, []float64{1})), ErrOptions)
}

// JSON would write both names as U+FFFD.
func TestJSONRefusesNamesItCannotHold(t *testing.T) {
	a := &Accumulator{}
	require.NoError(t, a.Add("\xfe", 0, at(1)))
	require.NoError(t, a.Add("\xff", 0, at(2)))
	_, err := json.Marshal(a)
	require.ErrorIs(t, err, ErrFormat)
	assert.ErrorContains(t, err, `prompt "\xfe"`)
	var b Accumulator
	require.NoError(t, b.UnmarshalBinary(binaryOf(t, a)))
	assert.Equal(t, binaryOf(t, a), binaryOf(t, &b), "the binary form holds any name")
}

func TestNegativeCapIsTheDefault(t *testing.T) {
	a := &Accumulator{ExactCap: -5}
	require.NoError(t, a.Add("p", 0, at(1)))
	assert.Zero(t, summarize(t, a).QuantileError)
	var b Accumulator
	require.NoError(t, b.UnmarshalBinary(binaryOf(t, a)))
	assert.Equal(t, DefaultExactCap, b.ExactCap)
	require.NoError(t, json.Unmarshal([]byte(jsonOf(t, a)), &b))
}

func TestSpans(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 28))
	for range 200 {
		var s spans
		seen := map[int]bool{}
		for range 60 {
			i := r.IntN(40)
			require.Equal(t, !seen[i], s.add(i))
			seen[i] = true
		}
		covered := 0
		for k, span := range s {
			require.Less(t, span[0], span[1])
			if k > 0 {
				require.Less(t, s[k-1][1], span[0], "neighbours are joined")
			}
			covered += span[1] - span[0]
		}
		require.Len(t, seen, covered)
	}
}

// Past the cap percentiles are off by no more than they say.
func TestSketchKeepsItsError(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 30))
	exactly, sketchy := &Accumulator{}, &Accumulator{ExactCap: 10}
	for i := range 5000 {
		x := math.Exp(r.NormFloat64()*4 - 8)
		if i%10 == 0 {
			x = 0
		}
		prompt := fmt.Sprint(i % 20)
		require.NoError(t, exactly.Add(prompt, i, at(x)))
		require.NoError(t, sketchy.Add(prompt, i, at(x)))
	}
	for _, q := range []float64{0, 0.01, 0.05, 0.2, 0.5, 0.9, 0.95, 0.99, 0.999, 1} {
		want, err := exactly.Quantile(q)
		require.NoError(t, err)
		got, err := sketchy.Quantile(q)
		require.NoError(t, err)
		testkit.Rel(t, want, got, SketchError*(1+1e-9), "quantile %g", q)
	}
	a, b := summarize(t, exactly), summarize(t, sketchy)
	assert.Zero(t, a.QuantileError)
	assert.Equal(t, SketchError, b.QuantileError)
	assert.Equal(t, a.MeanKL, b.MeanKL, "moments do not depend on the cap")
	assert.Equal(t, a.Lo, b.Lo)
	assert.Equal(t, a.Worst, b.Worst)
	assert.Equal(t, a.Max, b.Max, "the largest is kept as it is")
	testkit.Rel(t, a.P99Hi, b.P99Hi, 2*SketchError, "bootstrap bound of p99")
	_, err := exactly.Quantile(1.5)
	assert.ErrorIs(t, err, ErrOptions)
	_, err = new(Accumulator).Quantile(0.5)
	assert.ErrorIs(t, err, ErrNoSupport)
}

func TestWorstPositions(t *testing.T) {
	a := &Accumulator{}
	for i := range 100 {
		p := at(float64(i%50) / 100)
		p.TopRef, p.TopGot = i, i+1
		require.NoError(t, a.Add("x", i, p))
	}
	require.NoError(t, a.Add("a", 7, at(math.Inf(1))))
	worst := summarize(t, a).Worst
	require.Len(t, worst, 32)
	assert.Equal(t, WorstPosition{"a", 7, math.Inf(1), 0, 0}, worst[0])
	assert.Equal(t, WorstPosition{"x", 49, 0.49, 49, 50}, worst[1], "ties by position")
	assert.Equal(t, WorstPosition{"x", 99, 0.49, 99, 100}, worst[2])
}
