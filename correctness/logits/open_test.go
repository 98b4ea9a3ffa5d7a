package logits

import (
	"archive/zip"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/servemath/correctness"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOpenTellsFormatsApart(t *testing.T) {
	for _, c := range []struct {
		file string
		o    *Options
		rows int
		kind correctness.Kind
	}{
		{"mild_A.kld", nil, 155, correctness.LogProbs},
		{"mild_A.f32", mildOptions(), 155, correctness.Logits},
		{"dumps/ref_f16.npy", nil, 8, correctness.Logits},
		{"dumps/pair_compressed.npz", &Options{Name: "test"}, 4, correctness.Logits},
		{"dumps/logits_bf16.safetensors", nil, 8, correctness.Logits},
		{"llamacpp_server/completion_nprobs5.json", nil, 3, correctness.LogProbs},
		{"llamacpp_server/v1_completions_logprobs.json", &Options{Gaps: GapSkip}, 1, correctness.LogProbs},
	} {
		t.Run(c.file, func(t *testing.T) {
			r, err := OpenWith(filepath.Join("testdata", c.file), c.o)
			require.NoError(t, err)
			rows := allRows(t, r)
			require.Len(t, rows, c.rows)
			assert.Equal(t, c.kind, rows[0].Kind)
			require.NoError(t, r.Close())
			assert.NoError(t, r.Close(), "closing twice")
		})
	}
}

func writeFile(t *testing.T, name string, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, b, 0o600))
	return path
}

// Numbers may begin with what looks like a bracket or a field: text has nothing
// but characters.
func TestOpenRawThatBeginsLikeText(t *testing.T) {
	for _, first := range []string{"{", "[", ":", "id:", " {", "\ufeff["} {
		b := rawBytes([]float32{1.25, -3, 0.5, 7.25})
		copy(b, first)
		r, err := OpenWith(writeFile(t, "f.f32", b), &Options{VocabSize: 2})
		require.NoError(t, err, "%q", first)
		assert.Len(t, allRows(t, r), 2)
		require.NoError(t, r.Close())
	}
}

func TestOpenRefusals(t *testing.T) {
	for _, c := range []struct {
		name string
		b    []byte
		is   error
		text string
	}{
		{"empty", nil, correctness.ErrTruncated, "empty"},
		{"text", []byte("hello"), correctness.ErrFormat, `"hello"`},
		{"raw", make([]byte, 64), correctness.ErrFormat, "Options.VocabSize"},
		{"base", []byte("_logits_"), correctness.ErrTruncated, "8 are there"},
		{"npy", []byte(npyMagic), correctness.ErrTruncated, "inside its header"},
		{"zip", []byte("PK\x03\x04"), correctness.ErrTruncated, "no directory"},
		{"safetensors", safetensorsFile(`{"a":1}`, 0), correctness.ErrFormat, `"a"`},
		{"safetensors cut in its header", safetensorsFile(`{"a":"cut"}`, 0)[:12], correctness.ErrTruncated, "a header of 11 bytes"},
		{"safetensors of a terabyte", append([]byte{7: 0, 5: 1}, `{"a":1}`...), correctness.ErrFormat, "over the limit"},
		{"json", []byte("[1"), correctness.ErrTruncated, "offset 2"},
		{"a response that is none", []byte(`{"error":"x"}`), correctness.ErrFormat, `"error"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := writeFile(t, "f", c.b)
			_, err := Open(path)
			refuses(t, err, c.is, c.text)
			assert.ErrorContains(t, err, path)
		})
	}
	_, err := Open(filepath.Join(t.TempDir(), "missing"))
	assert.ErrorIs(t, err, fs.ErrNotExist)
	_, err = Open(t.TempDir())
	assert.ErrorIs(t, err, correctness.ErrFormat)
}

// Closing after a failed read is no second failure.
func TestCloseAfterDamage(t *testing.T) {
	b := npzFile(t, zip.Deflate, map[string][]byte{"a.npy": testFile(t, "dumps", "ref_f32.npy")})
	b[len(b)/2] ^= 0xff
	r, err := Open(writeFile(t, "a.npz", b))
	require.NoError(t, err)
	_, err = readAll(r)
	require.Error(t, err)
	typed(t, err)
	assert.NoError(t, r.Close())
}

// An error met while reading names the file as well.
func TestReadErrorsNameTheFile(t *testing.T) {
	text := wholeFiles()["llama-server"]
	path := writeFile(t, "two.json", []byte(text+text[:20]))
	r, err := Open(path)
	require.NoError(t, err)
	defer r.Close()
	_, err = readAll(r)
	refuses(t, err, correctness.ErrTruncated, path)
}

func TestOpenPairSharesTokens(t *testing.T) {
	chat := func(a, b string) string {
		return writeFile(t, "r.json", []byte(chatJSON("length", 1, chatEntryJSON(a, b))))
	}
	server := writeFile(t, "s.json", []byte(wholeFiles()["llama-server"]))
	for _, c := range []struct {
		name, ref, got string
		refIDs, gotIDs []int32
		table          bool
	}{
		{"by bytes", chat("a", "b"), chat("b", "a"), []int32{0, 1}, []int32{1, 0}, true},
		{"by ids", server, server, []int32{3}, []int32{3}, false},
		{"ids and bytes against bytes", server, chat("b", "a"), []int32{0}, []int32{1, 0}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			ref, got, err := OpenPair(c.ref, c.got, nil)
			require.NoError(t, err)
			defer ref.Close()
			defer got.Close()
			assert.Equal(t, c.refIDs, allRows(t, ref)[0].TopK.IDs)
			assert.Equal(t, c.gotIDs, allRows(t, got)[0].TopK.IDs)
			assert.Same(t, ref.Tokens(), got.Tokens())
			assert.Equal(t, c.table, ref.Tokens() != nil)
		})
	}
}

// Responses without positions tell nothing of identity: it is settled by the first
// that has some, before a pair is judged.
func TestOpenPairSharesTokensAfterEmptyResponses(t *testing.T) {
	empty := chatJSON("stop", 0) + "\n"
	ref, got, err := OpenPair(
		writeFile(t, "r.json", []byte(empty+chatJSON("length", 1, chatEntryJSON("a", "b")))),
		writeFile(t, "g.json", []byte(empty+chatJSON("length", 1, chatEntryJSON("a", "c")))), nil)
	require.NoError(t, err)
	defer ref.Close()
	defer got.Close()
	sameRows(t, []wantRow{{"1", 0, 0, map[int32]float64{0: -1.5, 1: -2.5}, 0}}, allRows(t, ref))
	sameRows(t, []wantRow{{"1", 0, 0, map[int32]float64{0: -1.5, 2: -2.5}, 0}}, allRows(t, got))
	none, err := Open(writeFile(t, "e.json", []byte(empty+empty)))
	require.NoError(t, err)
	assert.Empty(t, allRows(t, none))
	require.NoError(t, none.Close())
}

func TestOpenPairRefusals(t *testing.T) {
	chat := writeFile(t, "r.json", []byte(wholeFiles()["OpenAI chat"]))
	_, _, err := OpenPair("testdata/mild_A.kld", chat, nil)
	assert.ErrorIs(t, err, correctness.ErrTokenMismatch)
	ref, got, err := OpenPair(writeFile(t, "s.json", []byte(wholeFiles()["SGLang"])), chat, nil)
	require.NoError(t, err)
	_, err = readAll(ref)
	refuses(t, err, correctness.ErrTokenMismatch, "nothing tells it apart")
	require.NoError(t, errors.Join(ref.Close(), got.Close()))
	hot, cold := strings.Replace(wholeFiles()["OpenAI Responses"], "{", `{"temperature":1,`, 1), strings.Replace(wholeFiles()["OpenAI Responses"], "{", `{"temperature":0,`, 1)
	_, _, err = OpenPair(writeFile(t, "hot.json", []byte(hot)), writeFile(t, "cold.json", []byte(cold)), nil)
	assert.ErrorIs(t, err, correctness.ErrTemperature)
	assert.ErrorContains(t, err, "temperature 1, the other 0")
	_, _, err = OpenPair(chat, "missing", nil)
	assert.ErrorIs(t, err, fs.ErrNotExist)
	_, _, err = OpenPair("missing", chat, nil)
	assert.ErrorIs(t, err, fs.ErrNotExist)
}

func FuzzOpen(f *testing.F) {
	f.Add(testFile(f, "mild_A.kld")[:64])
	f.Add(testFile(f, "dumps", "ref_f64.npy"))
	f.Add(npzFile(f, zip.Deflate, map[string][]byte{"a.npy": testFile(f, "dumps", "ref_f64.npy")}))
	f.Add(safetensorsFile(`{"a":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}}`, 4))
	for _, text := range wholeFiles() {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		path := filepath.Join(t.TempDir(), "f")
		require.NoError(t, os.WriteFile(path, b, 0o600))
		r, err := Open(path)
		if err == nil {
			_, err = readAll(r)
			require.NoError(t, r.Close())
		}
		typed(t, err)
	})
}
