package logits

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"io"
	"math"
	"os"
	"slices"
	"testing"

	"example.com/servemath/correctness"
	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const mildVocab = 323

// mildScored is the number of scored rows a chunk of the mild files: 64-1-32.
const mildScored = 31

func mildOptions() *Options { return &Options{VocabSize: mildVocab, RowsPerPrompt: mildScored} }

func mildBase(tb testing.TB) *Base {
	tb.Helper()
	b := testFile(tb, "mild_A.kld")
	base, err := LlamaCppBase(bytes.NewReader(b), int64(len(b)), nil)
	require.NoError(tb, err)
	return base
}

func mildLogits(tb testing.TB, name string) Reader {
	tb.Helper()
	b := testFile(tb, name)
	r, err := RawFloat32(bytes.NewReader(b), int64(len(b)), mildOptions())
	require.NoError(tb, err)
	return r
}

// mild_header of expected.json.
func TestLlamaCppBaseLayout(t *testing.T) {
	base := mildBase(t)
	h, err := base.Header()
	require.NoError(t, err)
	assert.Equal(t, 64, h.Context)
	assert.Equal(t, mildVocab, h.Vocab)
	assert.Equal(t, []int32{1, 274, 112, 113, 112, 263, 111, 103}, h.Tokens[:8])
	assert.Len(t, h.Tokens, 5*64)
	assert.EqualValues(t, 155, base.Rows())

	rows := allRows(t, base)
	require.Len(t, rows, 155)
	first := rows[0]
	assert.Equal(t, correctness.LogProbs, first.Kind)
	assert.Equal(t, "0", first.Prompt)
	assert.Equal(t, 276, first.DataToken)
	assert.Equal(t, []float32{-6.650656223297119, -9.680521965026855, -7.644747734069824, -5.285938739776611}, first.Values[:4])
	last := rows[154]
	assert.Equal(t, "4", last.Prompt)
	assert.Equal(t, 30, last.Index)
	assert.Equal(t, int(h.Tokens[5*64-1]), last.DataToken)
	assert.NoError(t, base.PerplexityError())
	assert.Zero(t, base.Floor())
	assert.Empty(t, base.Warnings())
}

// figures are the program's statistics, in its arithmetic: float32 terms, sums in
// float64, nothing renormalised, tokens at or under -16 left out.
type figures struct {
	PPLQ      float64 `json:"mean_ppl_q"`
	PPLBase   float64 `json:"mean_ppl_base"`
	Cor       float64 `json:"cor_ln_ppl_pct"`
	LnRatio   float64 `json:"mean_ln_ratio"`
	LnRatioSE float64 `json:"mean_ln_ratio_se"`
	KLD       float64 `json:"mean_kld"`
	KLDSE     float64 `json:"mean_kld_se"`
	Max       float64 `json:"max_kld"`
	P999      float64 `json:"p99.9"`
	P99       float64 `json:"p99"`
	Median    float64 `json:"median"`
	P10       float64 `json:"p10"`
	P05       float64 `json:"p05"`
	P01       float64 `json:"p01"`
	Min       float64 `json:"min_kld"`
	DP        float64 `json:"mean_dp_pct"`
	RMSDP     float64 `json:"rms_dp_pct"`
	SameTop   float64 `json:"same_top_pct"`
	SameTopSE float64 `json:"same_top_se_pct"`
}

func expf(x float32) float32 { return float32(math.Exp(float64(x))) }

func argmax(v []float32) int {
	best := 0
	for i, x := range v {
		if x > v[best] {
			best = i
		}
	}
	return best
}

// perplexityProgram compares a base file with logits as the program does.
func perplexityProgram(base, logits []correctness.Row) (f figures) {
	var nllQ, nllB, kld, dp []float64
	same := 0.0
	for r := range base {
		b, l := base[r].Values, logits[r].Values
		top, sum := slices.Max(l), 0.0
		for _, x := range l {
			sum += float64(expf(x - top))
		}
		lse := float32(math.Log(sum))
		q, p := top+lse-l[base[r].DataToken], -b[base[r].DataToken]
		kl := 0.0
		for i, lp := range b {
			if lp > -16 {
				kl += float64(expf(lp) * (lp - l[i] + (top + lse)))
			}
		}
		nllQ, nllB = append(nllQ, float64(q)), append(nllB, float64(p))
		kld, dp = append(kld, float64(float32(kl))), append(dp, float64(expf(-q)-expf(-p)))
		if argmax(l) == argmax(b) {
			same++
		}
	}
	n := float64(len(kld))
	mq, vq := meanVar(nllQ)
	mb, vb := meanVar(nllB)
	cov := covariance(nllQ, nllB, mq, mb)
	f.PPLQ, f.PPLBase = math.Exp(mq), math.Exp(mb)
	f.Cor = 100 * cov / math.Sqrt(vq*vb)
	f.LnRatio, f.LnRatioSE = mq-mb, math.Sqrt((vq+vb-2*cov)/(n-1))
	m, v := meanVar(kld)
	f.KLD, f.KLDSE = m, math.Sqrt(v/(n-1))
	slices.SortFunc(kld, cmp.Compare)
	f.Max, f.Min = kld[len(kld)-1], kld[0]
	f.P999, f.P99, f.Median = type7(kld, .999), type7(kld, .99), type7(kld, .5)
	f.P10, f.P05, f.P01 = type7(kld, .1), type7(kld, .05), type7(kld, .01)
	dm, dv := meanVar(dp)
	f.DP, f.RMSDP = 100*dm, 100*math.Sqrt(dv+dm*dm)
	share := same / n
	f.SameTop, f.SameTopSE = 100*share, 100*math.Sqrt(share*(1-share)/(n-1))
	return f
}

func meanVar(xs []float64) (mean, variance float64) {
	for _, x := range xs {
		mean += x / float64(len(xs))
	}
	return mean, covariance(xs, xs, mean, mean)
}

func covariance(xs, ys []float64, mx, my float64) (c float64) {
	for i := range xs {
		c += (xs[i] - mx) * (ys[i] - my) / float64(len(xs))
	}
	return c
}

func type7(sorted []float64, q float64) float64 {
	h := q * float64(len(sorted)-1)
	i := int(h)
	if i+1 == len(sorted) {
		return sorted[i]
	}
	return sorted[i] + (h-float64(i))*(sorted[i+1]-sorted[i])
}

// recomputed_program_arithmetic of expected.json: KLD to 1e-6 absolute,
// perplexities to 1e-7 relative.
func TestLlamaCppFigures(t *testing.T) {
	var want map[string]struct {
		Program figures `json:"recomputed_program_arithmetic"`
	}
	testkit.ReadJSON(t, "testdata/llamacpp_expected.json", &want)
	base := allRows(t, mildBase(t))
	for name, file := range map[string]string{"mild_A_vs_A": "mild_A.f32", "mild_A_vs_B": "mild_B.f32"} {
		t.Run(name, func(t *testing.T) {
			w, got := want[name].Program, perplexityProgram(base, allRows(t, mildLogits(t, file)))
			testkit.Rel(t, w.PPLQ, got.PPLQ, 1e-7, "PPL(Q)")
			testkit.Rel(t, w.PPLBase, got.PPLBase, 1e-7, "PPL(base)")
			for _, c := range []struct {
				name      string
				want, got float64
			}{
				{"mean", w.KLD, got.KLD}, {"mean SE", w.KLDSE, got.KLDSE}, {"max", w.Max, got.Max},
				{"99.9%", w.P999, got.P999}, {"99%", w.P99, got.P99}, {"median", w.Median, got.Median},
				{"10%", w.P10, got.P10}, {"5%", w.P05, got.P05}, {"1%", w.P01, got.P01}, {"min", w.Min, got.Min},
				{"ln ratio", w.LnRatio, got.LnRatio}, {"ln ratio SE", w.LnRatioSE, got.LnRatioSE},
				{"correlation", w.Cor / 100, got.Cor / 100}, {"delta p", w.DP, got.DP}, {"RMS delta p", w.RMSDP, got.RMSDP},
				{"same top", w.SameTop, got.SameTop}, {"same top SE", w.SameTopSE, got.SameTopSE},
			} {
				assert.InDelta(t, c.want, c.got, 1e-6, c.name)
			}
		})
	}
}

// exact_float64 and mild_two_files of expected.json: divergences of the raw logits,
// and of the two base files once renormalised.
func TestLlamaCppExactFigures(t *testing.T) {
	var want struct {
		Pair struct {
			Exact struct {
				Mean   float64   `json:"mean_kl"`
				Max    float64   `json:"max_kl"`
				First5 []float64 `json:"first5_kl"`
			} `json:"exact_float64"`
		} `json:"mild_A_vs_B"`
		Two struct {
			Mean     float64 `json:"renormalised_mean_kl"`
			Furthest float64 `json:"max_abs_position_difference"`
		} `json:"mild_two_files"`
	}
	testkit.ReadJSON(t, "testdata/llamacpp_expected.json", &want)
	exact := divergences(allRows(t, mildLogits(t, "mild_A.f32")), allRows(t, mildLogits(t, "mild_B.f32")))
	mean, _ := meanVar(exact)
	testkit.Rel(t, want.Pair.Exact.Mean, mean, 1e-9, "mean")
	testkit.Rel(t, want.Pair.Exact.Max, slices.Max(exact), 1e-9, "max")
	for i, x := range want.Pair.Exact.First5 {
		testkit.Rel(t, x, exact[i], 1e-9, "position %d", i)
	}
	b, err := os.ReadFile(testkit.Samples(t, "correctness", "samples", "llamacpp", "mild_B.kld"))
	require.NoError(t, err)
	other, err := sized(LlamaCppBase, nil).read(b)
	require.NoError(t, err)
	stored := divergences(allRows(t, mildBase(t)), other)
	mean, _ = meanVar(stored)
	testkit.Rel(t, want.Two.Mean, mean, 1e-9, "mean of the base files")
	furthest := 0.0
	for i := range stored {
		furthest = max(furthest, math.Abs(stored[i]-exact[i]))
	}
	testkit.Rel(t, want.Two.Furthest, furthest, 1e-3, "furthest position")
}

func divergences(ref, got []correctness.Row) (kl []float64) {
	for i := range ref {
		kl = append(kl, klOf(ref[i].Values, got[i].Values))
	}
	return kl
}

func TestWriteLlamaCppBaseFromLogits(t *testing.T) {
	h, err := mildBase(t).Header()
	require.NoError(t, err)
	check := func(t *testing.T, want []byte, logits string) {
		var got bytes.Buffer
		require.NoError(t, WriteLlamaCppBase(&got, h, mildLogits(t, logits)))
		assert.True(t, bytes.Equal(want, got.Bytes()), "%d of %d bytes differ", differing(want, got.Bytes()), len(want))
	}
	t.Run("A", func(t *testing.T) { check(t, testFile(t, "mild_A.kld"), "mild_A.f32") })
	t.Run("B", func(t *testing.T) {
		want, err := os.ReadFile(testkit.Samples(t, "correctness", "samples", "llamacpp", "mild_B.kld"))
		require.NoError(t, err)
		check(t, want, "mild_B.f32")
	})
}

func differing(a, b []byte) (n int) {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			n++
		}
	}
	return n + max(len(a), len(b)) - min(len(a), len(b))
}

func TestWriteLlamaCppBaseFromFile(t *testing.T) {
	base := mildBase(t)
	h, err := base.Header()
	require.NoError(t, err)
	var got bytes.Buffer
	require.NoError(t, WriteLlamaCppBase(&got, h, base))
	assert.True(t, bytes.Equal(testFile(t, "mild_A.kld"), got.Bytes()))
}

func TestCopyRefusals(t *testing.T) {
	h, err := mildBase(t).Header()
	require.NoError(t, err)
	other := h
	other.Vocab++
	refuses(t, WriteLlamaCppBase(io.Discard, other, mildBase(t)), correctness.ErrVocab, "a row of 323")
	other = h
	other.Tokens = h.Tokens[:4*64]
	refuses(t, WriteLlamaCppBase(io.Discard, other, mildBase(t)), correctness.ErrAlignment, "rows follow")
	other.Tokens = slices.Clone(h.Tokens)
	other.Tokens[33]++
	refuses(t, WriteLlamaCppBase(io.Discard, other, mildBase(t)), correctness.ErrTokenMismatch, `prompt "0" position 0`)
	assert.ErrorIs(t, WriteLlamaCppBase(failing{}, h, mildBase(t)), io.ErrClosedPipe)
}

// failing is a writer that cannot write.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// The pad of an odd vocabulary is 0 in practice and promised nowhere: a copy
// keeps it.
func TestCopyKeepsThePad(t *testing.T) {
	b := testFile(t, "mild_A.kld")
	b[len(b)-1] = 7
	base, err := LlamaCppBase(bytes.NewReader(b), int64(len(b)), nil)
	require.NoError(t, err)
	h, err := base.Header()
	require.NoError(t, err)
	var got bytes.Buffer
	require.NoError(t, WriteLlamaCppBase(&got, h, base))
	assert.True(t, bytes.Equal(b, got.Bytes()))
}

// smallHeader has one chunk of 4 tokens: one row, which token 2 follows.
func smallHeader() BaseHeader { return BaseHeader{Context: 4, Vocab: 3, Tokens: []int32{0, 1, 0, 2}} }

// rowsOf is a source of prepared rows.
type rowsOf []correctness.Row

func (r *rowsOf) Next(row *correctness.Row) error {
	if len(*r) == 0 {
		return io.EOF
	}
	*row, *r = (*r)[0], (*r)[1:]
	return nil
}

func logitRow(v ...float32) correctness.Row { return correctness.Row{DataToken: -1, Values: v} }

// floorBase writes one row of logits and opens it again.
func floorBase(t *testing.T, floor float32, v ...float32) *Base {
	t.Helper()
	h := smallHeader()
	h.Floor = floor
	var buf bytes.Buffer
	require.NoError(t, WriteLlamaCppBase(&buf, h, &rowsOf{logitRow(v...)}))
	base, err := LlamaCppBase(bytes.NewReader(buf.Bytes()), int64(buf.Len()), nil)
	require.NoError(t, err)
	return base
}

func TestFloor(t *testing.T) {
	for _, c := range []struct {
		name   string
		floor  float32 // of the writer
		logits []float32
		nats   float64
		hits   int
	}{
		{"range within the floor", 16, []float32{20, 10, 5}, 0, 0},
		{"16, data token raised", 16, []float32{20, 10, -5}, 16, 1},
		{"16, another token raised", 16, []float32{20, -10, 15}, 16, 0},
		{"24, data token raised", 24, []float32{20, 10, -5}, 24, 1},
		{"24, within 24 but past 16", 24, []float32{20, 10, 0}, 24, 0},
		{"24, masked token", 24, []float32{20, 10, float32(math.Inf(-1))}, 24, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			base := floorBase(t, c.floor, c.logits...)
			assert.Zero(t, base.Floor(), "nothing read yet")
			allRows(t, base)
			assert.Equal(t, c.nats, base.Floor())
			if c.hits == 0 {
				assert.NoError(t, base.PerplexityError())
				assert.Empty(t, base.Warnings())
				return
			}
			want := &FloorError{Floor: c.nats, Hits: c.hits, Scored: 1}
			assert.Equal(t, want, base.PerplexityError())
			assert.Equal(t, []error{want}, base.Warnings())
			assert.ErrorContains(t, want, "no perplexity")
		})
	}
}

func TestLlamaCppBaseRefusals(t *testing.T) {
	le := binary.LittleEndian
	for _, c := range []struct {
		name   string
		change func(b []byte) []byte
		is     error
		text   string
	}{
		{"magic", func(b []byte) []byte { b[0] = 'X'; return b }, correctness.ErrFormat, "_logits_"},
		{"trailing byte", func(b []byte) []byte { return append(b, 0) }, correctness.ErrFormat, "1 bytes follow"},
		{"no context", func(b []byte) []byte { le.PutUint32(b[8:], 2); return b }, correctness.ErrFormat, "offset 8"},
		{"context over the limit", func(b []byte) []byte { le.PutUint32(b[8:], maxVocab+1); return b }, correctness.ErrFormat, "over the limit"},
		{"vocabulary over the limit", func(b []byte) []byte { le.PutUint32(b[12:], maxVocab+1); return b }, correctness.ErrFormat, "at most"},
		{"no vocabulary", func(b []byte) []byte { le.PutUint32(b[12:], 0); return b }, correctness.ErrFormat, "offset 12"},
		{"negative vocabulary", func(b []byte) []byte { le.PutUint32(b[12:], 1<<31); return b }, correctness.ErrFormat, "offset 12"},
		{"no chunks", func(b []byte) []byte { le.PutUint32(b[16:], 0); return b }, correctness.ErrFormat, "offset 16"},
		{"sizes that overflow", func(b []byte) []byte {
			le.PutUint32(b[8:], maxVocab)
			le.PutUint32(b[12:], maxVocab)
			le.PutUint32(b[16:], math.MaxInt32)
			return b
		}, correctness.ErrTruncated, "exceed any file"},
		{"a terabyte", func(b []byte) []byte { le.PutUint32(b[16:], 1<<25); return b[:1024] }, correctness.ErrTruncated, "1024 are there"},
		{"token outside", func(b []byte) []byte { le.PutUint32(b[20+4*70:], mildVocab); return b }, correctness.ErrVocab, `prompt "1" index 6`},
		{"scale NaN", func(b []byte) []byte { le.PutUint32(b[20+4*320:], 0x7fc00000); return b }, correctness.ErrNaN, `prompt "0" position 0`},
		{"scale negative", func(b []byte) []byte { b[20+4*320+3] |= 0x80; return b }, correctness.ErrFormat, "offset 1300"},
		{"floor above 0", func(b []byte) []byte { le.PutUint32(b[20+4*320+4:], math.Float32bits(1)); return b }, correctness.ErrPositiveLogProb, "offset 1300"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := sized(LlamaCppBase, nil).read(c.change(testFile(t, "mild_A.kld")))
			refuses(t, err, c.is, c.text)
		})
	}
	_, err := sized(LlamaCppBase, &Options{VocabSize: 320}).read(testFile(t, "mild_A.kld"))
	refuses(t, err, correctness.ErrVocab, "320 was asked for")
}

func TestLlamaCppBaseCutEverywhere(t *testing.T) {
	var buf bytes.Buffer
	require.NoError(t, WriteLlamaCppBase(&buf, smallHeader(), &rowsOf{logitRow(1, 2, 3)}))
	cutEverywhere(t, sized(LlamaCppBase, nil), buf.Bytes())
}

func TestWriteLlamaCppBaseRefusals(t *testing.T) {
	good := logitRow(1, 2, 3)
	nan := float32(math.NaN())
	inf := float32(math.Inf(1))
	for _, c := range []struct {
		name   string
		header func(*BaseHeader)
		rows   rowsOf
		is     error
		text   string
	}{
		{"chunks too short", func(h *BaseHeader) { h.Context = 2 }, rowsOf{good}, correctness.ErrFormat, "chunks of 2"},
		{"half a chunk", func(h *BaseHeader) { h.Tokens = h.Tokens[:3] }, rowsOf{good}, correctness.ErrAlignment, "3 tokens"},
		{"token outside", func(h *BaseHeader) { h.Tokens[1] = 3 }, rowsOf{good}, correctness.ErrVocab, "index 1"},
		{"no vocabulary", func(h *BaseHeader) { h.Vocab = 0 }, rowsOf{good}, correctness.ErrFormat, "vocabulary of 0"},
		{"floor NaN", func(h *BaseHeader) { h.Floor = nan }, rowsOf{good}, correctness.ErrFormat, "floor"},
		{"no rows", nil, rowsOf{}, correctness.ErrAlignment, "0 of 1"},
		{"a row too many", nil, rowsOf{good, good}, correctness.ErrAlignment, "rows follow"},
		{"short row", nil, rowsOf{logitRow(1, 2)}, correctness.ErrVocab, "a row of 2"},
		{"probabilities", nil, rowsOf{{Kind: correctness.Probs, Values: []float32{.5, .25, .25}}}, correctness.ErrFormat, "logits or log-prob"},
		{"a list", nil, rowsOf{{TopK: &correctness.TopK{}}}, correctness.ErrFormat, "whole vocabulary"},
		{"NaN", nil, rowsOf{logitRow(1, nan, 3)}, correctness.ErrNaN, `prompt "0" position 0 index 1`},
		{"+Inf", nil, rowsOf{logitRow(1, 2, inf)}, correctness.ErrPosInf, "index 2"},
		{"no support", nil, rowsOf{logitRow(-inf, -inf, -inf)}, correctness.ErrNoSupport, "-Inf"},
		{"another token", nil, rowsOf{{DataToken: 1, Values: []float32{1, 2, 3}}}, correctness.ErrTokenMismatch, "the header has 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := smallHeader()
			if c.header != nil {
				c.header(&h)
			}
			refuses(t, WriteLlamaCppBase(&bytes.Buffer{}, h, &c.rows), c.is, c.text)
		})
	}
}

// A flat row has no scale: every code is 0.
func TestWriteFlatRow(t *testing.T) {
	rows := allRows(t, floorBase(t, 0, 5, 5, 5))
	for _, x := range rows[0].Values {
		assert.InDelta(t, -math.Log(3), x, 1e-7)
	}
}

func TestLlamaCppBaseMemoryIsOneRow(t *testing.T) {
	if testkit.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	base := mildBase(t)
	var row correctness.Row
	require.NoError(t, base.Next(&row))
	// One allocation a chunk and two a row at most: the tokens of a chunk and
	// the prompt's name.
	assert.LessOrEqual(t, testing.AllocsPerRun(100, func() { require.NoError(t, base.Next(&row)) }), 2.0)
}

func FuzzLlamaCppBase(f *testing.F) {
	var buf bytes.Buffer
	require.NoError(f, WriteLlamaCppBase(&buf, smallHeader(), &rowsOf{logitRow(1, 2, 30)}))
	f.Add(buf.Bytes())
	f.Add(testFile(f, "mild_A.kld")[:2000])
	f.Fuzz(func(t *testing.T, b []byte) {
		_, err := sized(LlamaCppBase, nil).read(b)
		typed(t, err)
		if err != nil {
			return
		}
		base, err := LlamaCppBase(bytes.NewReader(b), int64(len(b)), nil)
		require.NoError(t, err)
		h, err := base.Header()
		require.NoError(t, err)
		var again bytes.Buffer
		require.NoError(t, WriteLlamaCppBase(&again, h, base))
		assert.True(t, bytes.Equal(b, again.Bytes()), "a copy differs")
	})
}
