package logits

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"strings"
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

// listsOfTwoServers are {a: .6, b: .25} by id and bytes, and {a: .5, c: .4} by
// bytes; topk-negative-bucket of the golden values, whose bound is
// 0.19134122909315257 when the vocabulary holds 3 tokens.
func listsOfTwoServers(t *testing.T, firstID string) (a, b string) {
	entry := func(first, second string) string {
		return fmt.Sprintf(`{"choices":[{"message":{},"logprobs":{"content":[{"token":"a",%s,"top_logprobs":[{"token":"a",%s},%s]}]}}]}`, first, first, second)
	}
	a = writeFile(t, "a.json", []byte(entry(firstID+`"logprob":-0.5108256237659907`, `{`+strings.ReplaceAll(firstID, "7", "9")+`"token":"b","logprob":-1.3862943611198906}`)))
	b = writeFile(t, "b.json", []byte(entry(`"logprob":-0.6931471805599453`, `{"token":"c","logprob":-0.916290731874155}`)))
	return a, b
}

func TestCompareLists(t *testing.T) {
	a, b := listsOfTwoServers(t, `"id":7,`)
	ref, got, err := OpenPair(a, b, &Options{VocabSize: 3})
	require.NoError(t, err)
	defer ref.Close()
	defer got.Close()
	s := summarise(t, ref, got)
	testkit.Near(t, 0.19134122909315257, s.MeanKL, 1e-9, "lower bound")
	assert.Equal(t, 1, s.Bounded)
	assert.Equal(t, 1, s.DataTokens)
}

// Two readers opened apart have a table each, in which b and c have the same id.
func TestCompareListsOpenedApart(t *testing.T) {
	a, b := listsOfTwoServers(t, "")
	open := func(path string) Reader {
		r, err := OpenWith(path, &Options{VocabSize: 3})
		require.NoError(t, err)
		t.Cleanup(func() { r.Close() })
		return r
	}
	testkit.Near(t, 0.19134122909315257, summarise(t, open(a), open(b)).MeanKL, 1e-9, "lower bound")
	assert.Zero(t, summarise(t, open(a), open(a)).MeanKL)

	withIDs, _ := listsOfTwoServers(t, `"id":7,`)
	_, err := correctness.CompareSources(open(withIDs), open(b), nil)
	refuses(t, err, correctness.ErrTokenMismatch, "a table made of the vocabulary would join them")
}

// The data tokens of a file whose floor raised some of them give no perplexity.
func TestCompareWithholdsPerplexityAtTheFloor(t *testing.T) {
	logits := make([]float32, 4*3)
	for i := range logits {
		logits[i] = float32(-30 * (i % 4)) // the token of the text lies 30 nats down
	}
	h := BaseHeader{Context: 8, Vocab: 4, Tokens: []int32{0, 0, 0, 0, 0, 1, 1, 1}}
	var file bytes.Buffer
	rows, err := RawFloat32(bytes.NewReader(rawBytes(logits)), int64(4*len(logits)), &Options{VocabSize: 4, RowsPerPrompt: 3})
	require.NoError(t, err)
	require.NoError(t, WriteLlamaCppBase(&file, h, rows))
	base := func() *Base {
		b, err := LlamaCppBase(bytes.NewReader(file.Bytes()), int64(file.Len()), nil)
		require.NoError(t, err)
		return b
	}
	s := summarise(t, base(), base())
	assert.Zero(t, s.MeanKL)
	assert.Equal(t, 3, s.DataTokens)
	assert.True(t, math.IsNaN(s.LogPPLRatio) && math.IsNaN(s.PPLRef), "withheld")
	assert.Contains(t, fmt.Sprint(s.Warnings), "perplexity is withheld: 3 tokens")
}

// A table made of the vocabulary gives the model's ids: a whole row
// {a: .6, b: .25, c: .15} against the list {a: .5, c: .4}, which leaves b .1.
func TestCompareLogitsWithAListByBytes(t *testing.T) {
	o := &Options{VocabSize: 3, Tokens: correctness.NewTokenTable([]string{"a", "b", "c"})}
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
