package correctness

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/servemath/internal/testkit"
)

// number is a float64 that golden.json may write as "+Inf", "-Inf" or "NaN".
type number float64

func (n *number) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) != nil {
		return json.Unmarshal(b, (*float64)(n))
	}
	_, err := fmt.Sscan(s, (*float64)(n))
	return err
}

func floats(ns []number) []float64 {
	out := make([]float64, len(ns))
	for i, n := range ns {
		out[i] = float64(n)
	}
	return out
}

type generator struct {
	V, N  int
	Seed  uint64
	Boost map[int]float64
	Shift int
}

type goldenCase struct {
	ID, Input, Preprocess string
	P, Q                  json.RawMessage
	PTopK                 [][2]float64 `json:"p_topk"`
	QTopK                 [][2]float64 `json:"q_topk"`
	Values                []float64
	Clusters              []int
	K, Vocab              int
	RelTol                float64 `json:"rel_tol"`
	Generator             *generator
	Expect                map[string]json.RawMessage
	Want                  string
}

// want returns an expected figure.
func (c *goldenCase) want(tb testing.TB, name string) float64 {
	tb.Helper()
	var n number
	require.Contains(tb, c.Expect, name)
	require.NoError(tb, json.Unmarshal(c.Expect[name], &n))
	return float64(n)
}

func row(tb testing.TB, raw json.RawMessage) []float64 {
	tb.Helper()
	var ns []number
	require.NoError(tb, json.Unmarshal(raw, &ns))
	return floats(ns)
}

type goldenFile struct {
	Codes  map[string][][2]json.RawMessage
	Cases  []goldenCase
	Errors []goldenCase
}

func golden(tb testing.TB) goldenFile {
	tb.Helper()
	var f goldenFile
	testkit.ReadJSON(tb, "testdata/golden.json", &f)
	return f
}

// splitmix is the generator that golden.json names.
type splitmix uint64

func (s *splitmix) next() uint64 {
	*s += 0x9E3779B97F4A7C15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// rows makes the pseudo-random rows of a case.
func (g *generator) rows() (p, q []float64) {
	s := splitmix(g.Seed)
	for i := range g.V {
		t := -131070.0
		for range 4 {
			t += float64(s.next() >> 48)
		}
		d := float64(s.next()>>56) - 128
		x := t / 8192
		y := x + d/float64(int(1)<<(6+g.Shift))
		p, q = append(p, x+g.Boost[i]), append(q, y+g.Boost[i])
	}
	return p, q
}

// roundTo keeps mant bits of mantissa below the leading one, of numbers no
// smaller than 2^minExp times a unit: round to nearest even, as stored in
// float16 (10, -14) and bfloat16 (7, -126).
func roundTo(xs []float64, mant, minExp int) []float64 {
	out := make([]float64, len(xs))
	for i, x := range xs {
		x = float64(float32(x))
		_, e := math.Frexp(x)
		unit := math.Ldexp(1, max(e-1, minExp)-mant)
		out[i] = math.RoundToEven(x/unit) * unit
	}
	return out
}

// rowsOf returns the rows of a case with input logits, logprobs or probs.
func rowsOf(tb testing.TB, c *goldenCase) (p, q []float64) {
	tb.Helper()
	if c.P != nil {
		return row(tb, c.P), row(tb, c.Q)
	}
	p, q = c.Generator.rows()
	switch c.Preprocess {
	case "":
	case "round p and q to float16":
		p, q = roundTo(p, 10, -14), roundTo(q, 10, -14)
	case "p unrounded; q = p rounded to float16":
		q = roundTo(p, 10, -14)
	case "p unrounded; q = p rounded to bfloat16":
		q = roundTo(p, 7, -126)
	default:
		tb.Fatalf("unknown preprocessing %q", c.Preprocess)
	}
	return p, q
}

var kinds = map[string]Kind{"logits": Logits, "logprobs": LogProbs, "probs": Probs}

func TestGoldenCompare(t *testing.T) {
	ran := 0
	for _, c := range golden(t).Cases {
		kind, ok := kinds[c.Input]
		if !ok {
			continue
		}
		ran++
		t.Run(c.ID, func(t *testing.T) {
			p, q := rowsOf(t, &c)
			checkGolden(t, &c, p, q, kind)
		})
		// The file's logits are exact in float32 unless a case is about more digits.
		if kind == Logits && c.ID != "near-identical-1e-8" {
			t.Run(c.ID+"/float32", func(t *testing.T) {
				p, q := rowsOf(t, &c)
				checkGolden(t, &c, narrow(p), narrow(q), kind)
			})
		}
	}
	assert.Equal(t, 24, ran)
}

func narrow(xs []float64) []float32 {
	out := make([]float32, len(xs))
	for i, x := range xs {
		out[i] = float32(x)
	}
	return out
}

func checkGolden[F float32 | float64](t *testing.T, c *goldenCase, p, q []F, kind Kind) {
	pos, err := Compare(p, q, &Options{Kind: kind})
	require.NoError(t, err)
	for name, got := range map[string]float64{
		"kl": pos.KL, "reverse_kl": pos.ReverseKL, "js": pos.JS, "tv": pos.TV, "hellinger": pos.Hellinger,
		"entropy_p": pos.Entropy, "cross_entropy": pos.CrossEntropy, "flip_kl": pos.FlipKL,
		"max_abs_prob_diff": pos.MaxProbDiff,
	} {
		testkit.Rel(t, c.want(t, name), got, c.RelTol, "%s", name)
	}
	assert.Equal(t, c.want(t, "top1_p"), float64(pos.TopRef))
	assert.Equal(t, c.want(t, "top1_q"), float64(pos.TopGot))
	assert.Equal(t, string(c.Expect["top1_agree"]), fmt.Sprint(pos.Agree))
	if pos.Certified {
		assert.True(t, pos.Agree, "a certified position agrees")
	}
	if kind == Logits {
		kl, err := KL(p, q)
		require.NoError(t, err)
		assert.Equal(t, pos.KL, kl, "KL and Compare are one kernel")
	}
}

func TestGoldenErrors(t *testing.T) {
	want := map[string]struct {
		sentinel error
		index    int
	}{
		"err-nan":              {ErrNaN, 1},
		"err-plus-inf":         {ErrPosInf, 1},
		"err-all-neg-inf":      {ErrNoSupport, -1},
		"err-length":           {ErrVocab, -1},
		"err-empty":            {ErrNoSupport, -1},
		"err-negative-prob":    {ErrNegativeProb, 1},
		"err-positive-logprob": {ErrPositiveLogProb, 0},
		"err-not-normalised":   {ErrNotNormalised, -1},
	}
	// A faultless partner of each length lets got be the side at fault.
	sound := map[Kind]map[int][]float64{
		Logits:   {2: {0, 1}, 3: {0, 1, 2}},
		LogProbs: {2: {-math.Ln2, -math.Ln2}},
		Probs:    {2: {0.5, 0.5}},
	}
	ran := 0
	for _, c := range golden(t).Errors {
		kind, ok := kinds[c.Input]
		if !ok {
			continue
		}
		ran++
		t.Run(c.ID, func(t *testing.T) {
			p, q := row(t, c.P), row(t, c.Q)
			_, err := Compare(p, q, &Options{Kind: kind})
			checkError(t, err, want[c.ID].sentinel, want[c.ID].index, "ref")
			if kind == Logits {
				_, err := KL(p, q)
				checkError(t, err, want[c.ID].sentinel, want[c.ID].index, "ref")
			}
			if want[c.ID].sentinel != ErrVocab && len(p) > 0 {
				_, err = Compare(sound[kind][len(p)], p, &Options{Kind: kind})
				checkError(t, err, want[c.ID].sentinel, want[c.ID].index, "got")
			}
		})
	}
	assert.Equal(t, 8, ran)
}

func checkError(t *testing.T, err, sentinel error, index int, side string) {
	t.Helper()
	require.ErrorIs(t, err, sentinel)
	in, ok := errors.AsType[*InputError](err)
	require.True(t, ok)
	assert.Equal(t, index, in.Index)
	assert.Equal(t, -1, in.Position)
	assert.Contains(t, in.Error(), side)
}

// TestGeneratorMatchesTheFile pins the test's own generator to the file's check
// sums, so a slip here cannot pass for an error there.
func TestGeneratorMatchesTheFile(t *testing.T) {
	var f struct {
		Check struct {
			First3P []float64 `json:"first3_p"`
			First3Q []float64 `json:"first3_q"`
			SumP    float64   `json:"sum_p"`
			SumQ    float64   `json:"sum_q"`
		} `json:"generator_check_151936"`
	}
	testkit.ReadJSON(t, "testdata/golden.json", &f)
	g := generator{V: 151936, Seed: 151936, Shift: 4, Boost: map[int]float64{0: 12, 77777: 13.5, 151935: 11}}
	p, q := g.rows()
	assert.Equal(t, f.Check.First3P, p[:3])
	assert.Equal(t, f.Check.First3Q, q[:3])
	assert.Equal(t, f.Check.SumP, sum(p))
	assert.Equal(t, f.Check.SumQ, sum(q))
}

func sum(xs []float64) (s float64) {
	for _, x := range xs {
		s += x
	}
	return s
}

func unmarshal(b []byte, v any) error { return json.Unmarshal(b, v) }
