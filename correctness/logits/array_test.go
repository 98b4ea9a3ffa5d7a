package logits

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"example.com/servemath/correctness"
	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// klOf is KL(ref||got) of two rows of logits, the slow way: every term of the sum
// p*(e^d-1-d) is non-negative.
func klOf(ref, got []float32) (kl float64) {
	logSum := func(v []float32) float64 {
		s := 0.0
		for _, x := range v {
			s += math.Exp(float64(x))
		}
		return math.Log(s)
	}
	a, b := logSum(ref), logSum(got)
	for i := range ref {
		lp, lq := float64(ref[i])-a, float64(got[i])-b
		kl += math.Exp(lp) * (math.Expm1(lq-lp) - (lq - lp))
	}
	return kl
}

// Divergences of expected.json, computed in float64 from the same arrays: 1e-9
// relative covers the sums' rounding.
func TestDumps(t *testing.T) {
	var want map[string][]float64
	testkit.ReadJSON(t, "testdata/dumps/expected.json", &want)
	ref := read(t, sized(NPY, nil), "dumps", "ref_f32.npy")
	require.Len(t, ref, 8)
	for _, c := range []struct {
		key, file string
		open      source
	}{
		{"kl_ref_vs_test_f32_rows8", "test_f32_fortran.npy", sized(NPY, nil)},
		{"kl_f32_vs_bf16_rows8", "logits_bf16.safetensors", sized(Safetensors, nil)},
		{"kl_f32_vs_f16_rows8", "logits_f16.safetensors", sized(Safetensors, nil)},
		{"kl_f32_vs_f16_rows8", "ref_f16.npy", sized(NPY, nil)},
		{"kl_ref_vs_test_f32_rows8", "pair.npz", sized(NPZ, &Options{Name: "test"})},
		{"kl_ref_vs_test_f32_rows8", "pair_compressed.npz", sized(NPZ, &Options{Name: "test.npy"})},
	} {
		t.Run(c.file, func(t *testing.T) {
			got := read(t, c.open, "dumps", c.file)
			require.NotEmpty(t, got)
			if !strings.HasPrefix(c.file, "pair") { // pairs hold 4 rows
				require.Len(t, got, 8)
			}
			for i := range got {
				assert.Equal(t, i, got[i].Index)
				assert.Equal(t, "0", got[i].Prompt)
				testkit.Rel(t, want[c.key][i], klOf(ref[i].Values, got[i].Values), 1e-9, "row %d", i)
			}
		})
	}
}

func read(tb testing.TB, open source, elem ...string) []correctness.Row {
	tb.Helper()
	rows, err := open.read(testFile(tb, elem...))
	require.NoError(tb, err)
	return rows
}

// The dumps are the first rows of the mild files.
func TestDumpsEqualRawLogits(t *testing.T) {
	raw := allRows(t, mildLogits(t, "mild_A.f32"))
	for file, n := range map[string]int{"ref_f32.npy": 8, "ref_f64.npy": 2} {
		rows := read(t, sized(NPY, nil), "dumps", file)
		require.Len(t, rows, n, file)
		for i := range rows {
			assert.Equal(t, raw[i].Values, rows[i].Values, "%s row %d", file, i)
		}
	}
	assert.Equal(t, "1", raw[mildScored].Prompt)
	assert.Equal(t, 0, raw[mildScored].Index)
}

// npyFile writes an array of the given type; values count up from 1 in the order
// of storage.
func npyFile(version byte, header string, write func(*bytes.Buffer)) []byte {
	var b bytes.Buffer
	b.WriteString(npyMagic)
	b.Write([]byte{version, 0})
	if version == 1 {
		binary.Write(&b, binary.LittleEndian, uint16(len(header)))
	} else {
		binary.Write(&b, binary.LittleEndian, uint32(len(header)))
	}
	b.WriteString(header)
	write(&b)
	return b.Bytes()
}

func npyHeaderText(descr, fortran, shape string) string {
	return fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }  \n", descr, fortran, shape)
}

// half is the float16 and the bfloat16 of small integers.
var halves = []uint16{0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600}
var brains = []uint16{0x3f80, 0x4000, 0x4040, 0x4080, 0x40a0, 0x40c0}

func TestNPYTypes(t *testing.T) {
	f4, f8 := []float32{1, 2, 3, 4, 5, 6}, []float64{1, 2, 3, 4, 5, 6}
	for _, c := range []struct {
		descr  string
		order  binary.ByteOrder
		values any
		bf16   bool
	}{
		{"<f4", binary.LittleEndian, f4, false},
		{">f4", binary.BigEndian, f4, false},
		{"<f8", binary.LittleEndian, f8, false},
		{">f8", binary.BigEndian, f8, false},
		{"<f2", binary.LittleEndian, halves, false},
		{">f2", binary.BigEndian, halves, false},
		{"|V2", binary.LittleEndian, brains, true},
		{"<u2", binary.LittleEndian, brains, true},
		{">u2", binary.BigEndian, brains, true},
	} {
		for version := range byte(3) {
			b := npyFile(version+1, npyHeaderText(c.descr, "False", "(2, 3)"), func(b *bytes.Buffer) { binary.Write(b, c.order, c.values) })
			rows, err := sized(NPY, &Options{BFloat16: c.bf16, Kind: correctness.LogProbs}).read(b)
			require.NoError(t, err, c.descr)
			require.Len(t, rows, 2)
			assert.Equal(t, []float32{4, 5, 6}, rows[1].Values, c.descr)
			assert.Equal(t, correctness.LogProbs, rows[1].Kind)
			assert.Equal(t, -1, rows[1].DataToken)
		}
	}
}

// Element (p, t, v) of a shape (2, 3, 2) array is 100p + 10t + v, in both orders
// and cut into blocks of every size.
func TestNPYOrders(t *testing.T) {
	value := func(p, t, v int) float32 { return float32(100*p + 10*t + v) }
	var c, f []float32
	for p := range 2 {
		for t := range 3 {
			for v := range 2 {
				c = append(c, value(p, t, v))
			}
		}
	}
	for v := range 2 {
		for t := range 3 {
			for p := range 2 {
				f = append(f, value(p, t, v))
			}
		}
	}
	for order, values := range map[string][]float32{"False": c, "True": f} {
		b := npyFile(1, npyHeaderText("<f4", order, "(1, 2, 3, 2)"), func(b *bytes.Buffer) { binary.Write(b, binary.LittleEndian, values) })
		rows, err := sized(NPY, nil).read(b)
		require.NoError(t, err)
		require.Len(t, rows, 6)
		for i, row := range rows {
			p, pos := i/3, i%3
			assert.Equal(t, fmt.Sprint(p), row.Prompt)
			assert.Equal(t, pos, row.Index)
			assert.Equal(t, []float32{value(p, pos, 0), value(p, pos, 1)}, row.Values, "fortran_order %s", order)
		}
	}
}

// A row so long that a block holds one row, and rows of several prompts.
func TestFortranBlocks(t *testing.T) {
	const rows, vocab = 5, fortranBlock/4/2 + 1
	a := &array{data: zeros{}, element: float32s, fortran: true}
	require.NoError(t, a.setShape([]int64{rows, vocab}, 4*rows*vocab, Options{RowsPerPrompt: 1}))
	a.next = 1
	require.NoError(t, a.gather(at(0)))
	assert.EqualValues(t, 1, a.blockRows)
	assert.EqualValues(t, 1, a.blockAt)
}

// zeros is an endless file of zeros.
type zeros struct{}

func (zeros) ReadAt(b []byte, _ int64) (int, error) {
	clear(b)
	return len(b), nil
}

func TestNPYShapes(t *testing.T) {
	for _, c := range []struct {
		shape         string
		values        int
		o             Options
		rows          int
		prompt        string // of the last row
		index         int
		is            error
		text          string
		negativeOrder bool
	}{
		{shape: "(4,)", values: 4, rows: 1, prompt: "0"},
		{shape: "(2, 3)", values: 6, rows: 2, prompt: "0", index: 1},
		{shape: "(4, 3)", values: 12, o: Options{RowsPerPrompt: 2}, rows: 4, prompt: "1", index: 1},
		{shape: "(2, 2, 3)", values: 12, o: Options{RowsPerPrompt: 2}, rows: 4, prompt: "1", index: 1},
		{shape: "(2L, 3L)", values: 6, rows: 2, prompt: "0", index: 1},
		{shape: "()", values: 1, is: correctness.ErrFormat, text: "shape []"},
		{shape: "(2, 2, 2, 2)", values: 16, is: correctness.ErrFormat, text: "shape [2 2 2 2]"},
		{shape: "(0, 3)", is: correctness.ErrFormat, text: "no rows"},
		{shape: "(2, 3)", values: 5, is: correctness.ErrTruncated, text: "does not fit"},
		{shape: "(2, 3)", values: 7, is: correctness.ErrFormat, text: "4 bytes follow"},
		{shape: "(274877906944,)", values: 1, is: correctness.ErrTruncated, text: "does not fit"},
		{shape: "(9223372036854775807, 9223372036854775807)", values: 1, is: correctness.ErrTruncated, text: "does not fit"},
		{shape: "(99999999999999999999,)", values: 1, is: correctness.ErrFormat, text: "not the description"},
		{shape: "(-2, 3)", values: 6, is: correctness.ErrFormat, text: "not the description"},
		{shape: "(2, 3)", values: 6, o: Options{VocabSize: 4}, is: correctness.ErrVocab, text: "4 was asked for"},
		{shape: "(4, 3)", values: 12, o: Options{RowsPerPrompt: 3}, is: correctness.ErrAlignment, text: "4 rows"},
		{shape: "(2, 2, 3)", values: 12, o: Options{RowsPerPrompt: 4}, is: correctness.ErrAlignment, text: "2 rows a prompt"},
	} {
		b := npyFile(1, npyHeaderText("<f4", "False", c.shape), func(b *bytes.Buffer) { b.Write(make([]byte, 4*c.values)) })
		rows, err := sized(NPY, &c.o).read(b)
		if c.is != nil {
			refuses(t, err, c.is, c.text)
			continue
		}
		require.NoError(t, err, c.shape)
		require.Len(t, rows, c.rows, c.shape)
		last := rows[len(rows)-1]
		assert.Equal(t, c.prompt, last.Prompt, c.shape)
		assert.Equal(t, c.index, last.Index, c.shape)
	}
}

func TestNPYRefusals(t *testing.T) {
	good := testFile(t, "dumps", "ref_f32.npy")
	change := func(at int, with string) []byte {
		b := bytes.Clone(good)
		copy(b[at:], with)
		return b
	}
	header := func(text string) []byte { return npyFile(1, text, func(*bytes.Buffer) {}) }
	for _, c := range []struct {
		name string
		b    []byte
		is   error
		text string
	}{
		{"magic", change(0, "x"), correctness.ErrFormat, "offset 0"},
		{"version", change(6, "\x04"), correctness.ErrFormat, "version 4.0"},
		{"header past the end", change(8, "\xff\xff"), correctness.ErrTruncated, "65535 bytes"},
		{"header of 4 GB", npyFile(2, "", func(*bytes.Buffer) {})[:8:8], correctness.ErrTruncated, "inside its header"},
		{"header over the limit", append([]byte(npyMagic+"\x02\x00\xff\xff\xff\xff"), good...), correctness.ErrFormat, "over the limit"},
		{"bfloat16 unasked", header(npyHeaderText("|V2", "False", "(1, 2)")), correctness.ErrFormat, "Options.BFloat16"},
		{"integers", header(npyHeaderText("<i8", "False", "(1, 2)")), correctness.ErrFormat, `"<i8"`},
		{"odd byte order", header(npyHeaderText("!f4", "False", "(1, 2)")), correctness.ErrFormat, `"!f4"`},
		{"structured", header("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}"), correctness.ErrFormat, "not the description"},
		{"key twice", header("{'descr': '<f4', 'descr': '<f8', 'fortran_order': False, 'shape': (1,)}"), correctness.ErrFormat, "not the description"},
		{"unknown key", header("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 1}"), correctness.ErrFormat, "not the description"},
		{"text after it", header("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x"), correctness.ErrFormat, "not the description"},
		{"no order", header("{'descr': '<f4', 'fortran_order': None, 'shape': (1,)}"), correctness.ErrFormat, "not the description"},
		{"open tuple", header("{'descr': '<f4', 'fortran_order': False, 'shape': (1"), correctness.ErrFormat, "not the description"},
		{"open string", header("{'descr: "), correctness.ErrFormat, "not the description"},
		{"empty", header("  "), correctness.ErrFormat, "not the description"},
		{"beyond float32", npyFile(1, npyHeaderText("<f8", "False", "(1, 2)"), func(b *bytes.Buffer) {
			binary.Write(b, binary.LittleEndian, []float64{0, 1e39})
		}), correctness.ErrPosInf, "position 0 index 1"},
		{"beyond float32, column-major", npyFile(1, npyHeaderText("<f8", "True", "(3, 2)"), func(b *bytes.Buffer) {
			binary.Write(b, binary.LittleEndian, []float64{0, 1, 2, 3, 4, 1e39})
		}), correctness.ErrPosInf, "position 2 index 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := sized(NPY, nil).read(c.b)
			refuses(t, err, c.is, c.text)
		})
	}
}

func TestSizesThatAreNone(t *testing.T) {
	for name, open := range map[string]func(io.ReaderAt, int64, *Options) (Reader, error){
		"LlamaCppBase": func(r io.ReaderAt, n int64, o *Options) (Reader, error) { return LlamaCppBase(r, n, o) },
		"NPY":          NPY, "NPZ": NPZ, "Safetensors": Safetensors, "RawFloat32": RawFloat32,
	} {
		_, err := open(bytes.NewReader(nil), -1, &Options{VocabSize: 3})
		require.Error(t, err, name)
		typed(t, err)
	}
}

func TestArraysCutEverywhere(t *testing.T) {
	npy := npyFile(1, npyHeaderText("<f4", "False", "(2, 2)"), func(b *bytes.Buffer) { b.Write(make([]byte, 16)) })
	cutEverywhere(t, sized(NPY, nil), npy)
	cutEverywhere(t, sized(NPY, nil), npyFile(1, npyHeaderText("<f4", "True", "(2, 2)"), func(b *bytes.Buffer) { b.Write(make([]byte, 16)) }))
	for _, method := range []uint16{zip.Store, zip.Deflate} {
		cutEverywhere(t, sized(NPZ, nil), npzFile(t, method, map[string][]byte{"a.npy": npy}))
	}
	cutEverywhere(t, sized(Safetensors, nil), testFile(t, "dumps", "topk_dwq.safetensors")[:1440])
	cutEverywhere(t, sized(Safetensors, nil), safetensorsFile(`{"logits":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}}`, 16))
	cutEverywhere(t, sized(RawFloat32, &Options{VocabSize: 5}), make([]byte, 20))
}

func npzFile(tb testing.TB, method uint16, members map[string][]byte) []byte {
	tb.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, data := range members {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		require.NoError(tb, err)
		_, err = w.Write(data)
		require.NoError(tb, err)
	}
	require.NoError(tb, z.Close())
	return b.Bytes()
}

func TestNPZFortranDeflated(t *testing.T) {
	b := npzFile(t, zip.Deflate, map[string][]byte{"x.npy": testFile(t, "dumps", "test_f32_fortran.npy"), "notes.txt": []byte("not an array")})
	rows, err := sized(NPZ, nil).read(b)
	require.NoError(t, err)
	want := read(t, sized(NPY, nil), "dumps", "test_f32_fortran.npy")
	require.Len(t, rows, len(want))
	for i := range want {
		assert.Equal(t, want[i].Values, rows[i].Values)
	}
}

func TestNPZRefusals(t *testing.T) {
	_, err := sized(NPZ, nil).read(testFile(t, "dumps", "pair.npz"))
	refuses(t, err, correctness.ErrFormat, `["ref" "test"]`)
	_, err = sized(NPZ, &Options{Name: "other"}).read(testFile(t, "dumps", "pair.npz"))
	refuses(t, err, correctness.ErrFormat, `"other"`)
	_, err = sized(NPZ, nil).read(npzFile(t, zip.Store, nil))
	refuses(t, err, correctness.ErrFormat, "no array")

	npy := npyFile(1, npyHeaderText("<f4", "False", "(2, 2)"), func(b *bytes.Buffer) { b.Write(make([]byte, 16)) })
	stored := npzFile(t, zip.Store, map[string][]byte{"a.npy": npy})
	flipped := bytes.Clone(stored)
	flipped[bytes.Index(stored, npy)+len(npy)-1] ^= 1
	_, err = sized(NPZ, nil).read(flipped)
	refuses(t, err, correctness.ErrFormat, "checksum")
}

// Damage inside a deflated member is found by deflate or by the checksum.
func TestNPZDamage(t *testing.T) {
	good := npzFile(t, zip.Deflate, map[string][]byte{"a.npy": testFile(t, "dumps", "ref_f64.npy")})
	data, end := 30+len("a.npy"), bytes.LastIndex(good, []byte("PK\x07\x08"))
	require.Greater(t, end, data)
	for i := data; i < end; i += 97 {
		b := bytes.Clone(good)
		b[i] ^= 0x40
		_, err := sized(NPZ, nil).read(b)
		require.Error(t, err, "byte %d", i)
		typed(t, err)
	}
	_, err := sized(NPZ, nil).read(bytes.Replace(good, []byte("a.npy"), []byte("a.npx"), 1))
	require.NoError(t, err, "only the directory's name counts")
}

// A member that claims a terabyte is refused before anything of that size is
// asked for.
func TestNPZTerabyte(t *testing.T) {
	npy := npyFile(1, npyHeaderText("<f4", "False", "(1, 274877906944)"), func(b *bytes.Buffer) { b.Write(make([]byte, 16)) })
	for _, method := range []uint16{zip.Store, zip.Deflate} {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		w, err := z.CreateRaw(&zip.FileHeader{
			Name: "a.npy", Method: method, CRC32: crc32.ChecksumIEEE(npy),
			CompressedSize64: uint64(len(npy)), UncompressedSize64: 1 << 40,
		})
		require.NoError(t, err)
		_, err = w.Write(npy)
		require.NoError(t, err)
		require.NoError(t, z.Close())
		_, err = sized(NPZ, nil).read(b.Bytes())
		refuses(t, err, correctness.ErrTruncated, "cannot come out")
	}
}

func safetensorsFile(header string, data int) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(b, header...), make([]byte, data)...)
}

func TestSafetensorsRefusals(t *testing.T) {
	_, err := sized(Safetensors, nil).read(testFile(t, "dumps", "topk_dwq.safetensors"))
	refuses(t, err, correctness.ErrNotNormalised, "log-sum-exp")
	for _, c := range []struct {
		header string
		data   int
		o      *Options
		is     error
		text   string
	}{
		{`{"a":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1,1],"data_offsets":[4,8]}}`, 8, nil, correctness.ErrFormat, `["a" "b"]`},
		{`{"ids":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}}`, 8, nil, correctness.ErrFormat, "no array"},
		{`{"ids":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}}`, 8, &Options{Name: "ids"}, correctness.ErrFormat, "I64"},
		{`{"a":{"dtype":"F32","shape":[274877906944],"data_offsets":[0,1099511627776]}}`, 8, nil, correctness.ErrTruncated, "file of 93"},
		{`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}`, 8, nil, correctness.ErrFormat, `"a"`},
		{`{"a":`, 8, nil, correctness.ErrFormat, "header"},
		{strings.Repeat("[", 10_000), 0, nil, correctness.ErrFormat, "nested"},
	} {
		_, err := sized(Safetensors, c.o).read(safetensorsFile(c.header, c.data))
		refuses(t, err, c.is, c.text)
	}
}

func TestRawFloat32(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("HEAD")
	binary.Write(&b, binary.LittleEndian, []float32{1, 2, 3, 4, 5, 6})
	rows, err := sized(RawFloat32, &Options{VocabSize: 3, HeaderBytes: 4}).read(b.Bytes())
	require.NoError(t, err)
	require.Len(t, rows, 2)
	assert.Equal(t, []float32{4, 5, 6}, rows[1].Values)

	for _, c := range []struct {
		o    Options
		is   error
		text string
	}{
		{Options{}, correctness.ErrVocab, "Options.VocabSize"},
		{Options{VocabSize: 4}, correctness.ErrTruncated, "whole number of rows"},
		{Options{VocabSize: 3, HeaderBytes: -1}, correctness.ErrFormat, "negative"},
		{Options{VocabSize: 7, HeaderBytes: 4}, correctness.ErrTruncated, "do not fit"},
		{Options{VocabSize: math.MaxInt}, correctness.ErrVocab, "VocabSize"},
	} {
		_, err := sized(RawFloat32, &c.o).read(b.Bytes())
		refuses(t, err, c.is, c.text)
	}
}

// The heap does not grow with the file: 64 MB of zeros, 4 kB a row.
func TestMemoryDoesNotGrowWithTheFile(t *testing.T) {
	if testkit.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	const rows, vocab = 1 << 14, 1 << 10
	path := filepath.Join(t.TempDir(), "large.f32")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	require.NoError(t, os.Truncate(path, 4*rows*vocab))
	r, err := OpenWith(path, &Options{VocabSize: vocab})
	require.NoError(t, err)
	defer r.Close()
	assert.EqualValues(t, rows, r.(interface{ Rows() int64 }).Rows())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var row correctness.Row
	n := 0
	for ; r.Next(&row) == nil; n++ {
	}
	runtime.ReadMemStats(&after)
	assert.Equal(t, rows, n)
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))
}

// One row in memory: reading on allocates the prompt's name at most.
func TestArrayMemoryIsOneRow(t *testing.T) {
	if testkit.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	for name, r := range map[string]Reader{"raw": mildLogits(t, "mild_A.f32")} {
		var row correctness.Row
		require.NoError(t, r.Next(&row))
		assert.LessOrEqual(t, testing.AllocsPerRun(100, func() { require.NoError(t, r.Next(&row)) }), 1.0, name)
	}
}

func FuzzNPY(f *testing.F) {
	f.Add(testFile(f, "dumps", "ref_f64.npy"))
	f.Add(npyFile(1, npyHeaderText(">f2", "True", "(2, 3)"), func(b *bytes.Buffer) { b.Write(make([]byte, 12)) }))
	f.Fuzz(func(t *testing.T, b []byte) {
		_, err := sized(NPY, &Options{BFloat16: true}).read(b)
		typed(t, err)
	})
}

func FuzzNPZ(f *testing.F) {
	npy := npyFile(1, npyHeaderText("<f4", "False", "(2, 3)"), func(b *bytes.Buffer) { b.Write(make([]byte, 24)) })
	f.Add(npzFile(f, zip.Store, map[string][]byte{"a.npy": npy}))
	f.Add(npzFile(f, zip.Deflate, map[string][]byte{"a.npy": npy}))
	f.Fuzz(func(t *testing.T, b []byte) {
		_, err := sized(NPZ, nil).read(b)
		typed(t, err)
	})
}

func FuzzSafetensors(f *testing.F) {
	f.Add(safetensorsFile(`{"logits":{"dtype":"BF16","shape":[2,2],"data_offsets":[0,8]}}`, 8))
	f.Add(testFile(f, "dumps", "topk_dwq.safetensors"))
	f.Fuzz(func(t *testing.T, b []byte) {
		_, err := sized(Safetensors, nil).read(b)
		typed(t, err)
	})
}

func FuzzRawFloat32(f *testing.F) {
	f.Add(make([]byte, 24), 3, int64(0))
	f.Fuzz(func(t *testing.T, b []byte, vocab int, header int64) {
		_, err := sized(RawFloat32, &Options{VocabSize: vocab, HeaderBytes: header}).read(b)
		typed(t, err)
	})
}
