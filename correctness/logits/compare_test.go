package logits

import (
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"example.com/servemath/correctness"
	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func summarise(tb testing.TB, ref, got correctness.Source) correctness.Summary {
	tb.Helper()
	a, err := correctness.CompareSources(ref, got, nil)
	require.NoError(tb, err)
	s, err := a.Summary(&correctness.SummaryOptions{Replicates: 100})
	require.NoError(tb, err)
	return s
}

// A base file against raw logits: exact_float64 of expected.json, to within what
// its 16-bit codes lose.
func TestCompareBaseWithLogits(t *testing.T) {
	s := summarise(t, mildBase(t), mildLogits(t, "mild_B.f32"))
	assert.Equal(t, 155, s.N)
	assert.Equal(t, 5, s.Prompts, "chunks are the prompts")
	testkit.Near(t, 0.061268504239436486, s.MeanKL, 1e-6, "mean KL")
	testkit.Near(t, 0.18437154634179595, s.Max, 1e-5, "maximum")
	testkit.Near(t, 0.006529161597115579, s.LogPPLRatio, 2e-6, "ln PPL ratio, of the tokens in the base file")
	testkit.Near(t, 0.6451612903225806, s.TopAgreement, 1e-12, "agreement")
}

// dumps/expected.json, the mean of its eight rows.
func TestCompareDumps(t *testing.T) {
	var want map[string][]float64
	testkit.ReadJSON(t, "testdata/dumps/expected.json", &want)
	for file, key := range map[string]string{
		"test_f32_fortran.npy":    "kl_ref_vs_test_f32_rows8",
		"logits_bf16.safetensors": "kl_f32_vs_bf16_rows8",
		"logits_f16.safetensors":  "kl_f32_vs_f16_rows8",
	} {
		ref, got, err := OpenPair("testdata/dumps/ref_f32.npy", filepath.Join("testdata/dumps", file), nil)
		require.NoError(t, err)
		mean, _ := meanVar(want[key])
		testkit.Rel(t, mean, summarise(t, ref, got).MeanKL, 1e-9, "%s", file)
		require.NoError(t, ref.Close())
		require.NoError(t, got.Close())
	}
}

// Lists of two servers: {a: .6, b: .25} by id and bytes, {a: .5, c: .4} by bytes;
// topk-negative-bucket of the golden values, whose bound is 0.19134122909315257
// when the vocabulary holds 3 tokens.
func TestCompareLists(t *testing.T) {
	entry := func(first, second string) string {
		return fmt.Sprintf(`{"choices":[{"message":{},"logprobs":{"content":[{"token":"a",%s,"top_logprobs":[{"token":"a",%s},%s]}]}}]}`, first, first, second)
	}
	a := writeFile(t, "a.json", []byte(entry(`"id":7,"logprob":-0.5108256237659907`, `{"id":9,"token":"b","logprob":-1.3862943611198906}`)))
	b := writeFile(t, "b.json", []byte(entry(`"logprob":-0.6931471805599453`, `{"token":"c","logprob":-0.916290731874155}`)))
	ref, got, err := OpenPair(a, b, &Options{VocabSize: 3})
	require.NoError(t, err)
	defer ref.Close()
	defer got.Close()
	s := summarise(t, ref, got)
	testkit.Near(t, 0.19134122909315257, s.MeanKL, 1e-9, "lower bound")
	assert.Equal(t, 1, s.Bounded)
	assert.Equal(t, 1, s.DataTokens)
}

// A table that holds the vocabulary in order gives the model's ids: a whole row
// {a: .6, b: .25, c: .15} against the list {a: .5, c: .4}, which leaves b .1.
func TestCompareLogitsWithAListByBytes(t *testing.T) {
	o := &Options{VocabSize: 3, Tokens: new(correctness.TokenTable)}
	for _, token := range []string{"a", "b", "c"} {
		o.Tokens.ID(token)
	}
	p, q := []float64{.6, .25, .15}, []float64{.5, .1, .4}
	var row []float32
	want := 0.0
	for i := range p {
		row = append(row, float32(math.Log(p[i])))
		want += p[i] * math.Log(p[i]/q[i])
	}
	text := fmt.Sprintf(`{"choices":[{"message":{},"logprobs":{"content":[{"token":"c","logprob":%[2]g,"top_logprobs":[{"token":"a","logprob":%[1]g},{"token":"c","logprob":%[2]g}]}]}}]}`, math.Log(.5), math.Log(.4))
	ref, got, err := OpenPair(writeFile(t, "r.f32", rawBytes(row)), writeFile(t, "g.json", []byte(text)), o)
	require.NoError(t, err)
	defer ref.Close()
	defer got.Close()
	testkit.Near(t, want, summarise(t, ref, got).MeanKL, 1e-7, "nothing is left to bound")
}

// The same text, another sampled token: the rows after it have another past.
func TestCompareRefusesAnotherText(t *testing.T) {
	a := writeFile(t, "a.json", []byte(chatJSON("length", 1, chatEntryJSON("a", "b"))))
	b := writeFile(t, "b.json", []byte(chatJSON("length", 1, chatEntryJSON("b", "a"))))
	ref, got, err := OpenPair(a, b, nil)
	require.NoError(t, err)
	defer ref.Close()
	defer got.Close()
	_, err = correctness.CompareSources(ref, got, nil)
	refuses(t, err, correctness.ErrTokenMismatch, `prompt "0" position 0`)
}
