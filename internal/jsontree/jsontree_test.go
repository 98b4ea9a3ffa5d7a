package jsontree

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	n, err := Parse([]byte("\uFEFF" + ` {"a": [1, -2.5e3, "x\n\u00e9\ud83d\ude00", true, null], "b": {"c": NaN}, "d": -Infinity} `))
	require.NoError(t, err)
	a, ok := n.Get("a")
	require.True(t, ok)
	require.Len(t, a.Items(), 5)
	i, ok := a.Items()[0].Int()
	assert.True(t, ok)
	assert.EqualValues(t, 1, i)
	f, ok := a.Items()[1].Float()
	assert.True(t, ok)
	assert.Equal(t, -2500.0, f)
	s, ok := a.Items()[2].Str()
	assert.True(t, ok)
	assert.Equal(t, "x\né😀", s)
	b, ok := a.Items()[3].Bool()
	assert.True(t, ok && b)
	assert.Equal(t, Null, a.Items()[4].Kind)
	inner, _ := n.Get("b")
	c, _ := inner.Get("c")
	assert.Equal(t, NonFinite, c.Kind)
	_, ok = c.Float()
	assert.False(t, ok, "NaN is not a finite number")
	nan, ok := c.AnyFloat()
	assert.True(t, ok && math.IsNaN(nan))
	d, _ := n.Get("d")
	inf, ok := d.AnyFloat()
	assert.True(t, ok && math.IsInf(inf, -1))
	var keys []string
	for k := range n.Members() {
		keys = append(keys, k)
	}
	assert.Equal(t, []string{"a", "b", "d"}, keys)
}

func TestAccessorsRefuseOtherKinds(t *testing.T) {
	n, err := Parse([]byte(`{"text": "32", "number": 32}`))
	require.NoError(t, err)
	text, _ := n.Get("text")
	_, ok := text.Int()
	assert.False(t, ok, "a string of digits is not a number")
	number, _ := n.Get("number")
	_, ok = number.Str()
	assert.False(t, ok)
	missing, ok := n.Get("missing")
	assert.False(t, ok)
	_, ok = missing.Float()
	assert.False(t, ok, "a nil node has no value")
	assert.Nil(t, missing.Items())
}

func TestInt(t *testing.T) {
	for text, want := range map[string]int64{"32": 32, "32.0": 32, "1e3": 1000, "-0": 0, "9223372036854775807": math.MaxInt64} {
		n, err := Parse([]byte(text))
		require.NoError(t, err, text)
		got, ok := n.Int()
		assert.True(t, ok, text)
		assert.Equal(t, want, got, text)
	}
	for _, text := range []string{"1.5", "1e300", "9223372036854775808", `"1"`, "true"} {
		n, err := Parse([]byte(text))
		require.NoError(t, err, text)
		_, ok := n.Int()
		assert.False(t, ok, text)
	}
}

func TestSyntaxErrors(t *testing.T) {
	for _, c := range []struct {
		text   string
		offset int64
		is     error
	}{
		{"", 0, ErrTruncated},
		{"  ", 2, ErrTruncated},
		{`{"a": 1`, 7, ErrTruncated},
		{`{"a": `, 6, ErrTruncated},
		{`{"a`, 3, ErrTruncated},
		{`[1, 2`, 5, ErrTruncated},
		{`[tru`, 4, ErrTruncated},
		{`-Inf`, 4, ErrTruncated},
		{`"\u12`, 5, ErrTruncated},
		{`{"a": 1, "b": 2, "a": 3}`, 22, ErrDuplicateKey},
		{`{"a": {"b": 1, "b": 1}}`, 20, ErrDuplicateKey},
		{"\xff\xfe{\x00", 0, ErrEncoding},
		{"{\"a\": \"\xff\"}", 7, ErrEncoding},
		{"{\"a\": \"\xc3", 7, ErrTruncated},
		{strings.Repeat("[", MaxDepth+1), MaxDepth, ErrDepth},
		{`{"a": 1} x`, 9, nil},
		{`{a: 1}`, 1, nil},
		{`[1 2]`, 3, nil},
		{`[1,]`, 3, nil},
		{`[01]`, 1, nil},
		{`[+1]`, 1, nil},
		{`[1.]`, 3, nil},
		{`[.5]`, 1, nil},
		{`["\x"]`, 2, nil},
		{"[\"a\nb\"]", 3, nil},
		{`{"a" 1}`, 5, nil},
		{`nope`, 0, nil},
	} {
		_, err := Parse([]byte(c.text))
		se, ok := errors.AsType[*SyntaxError](err)
		if !assert.True(t, ok, "%q: %v", c.text, err) {
			continue
		}
		assert.Equal(t, c.offset, se.Offset, "%q: %v", c.text, err)
		if c.is == nil {
			assert.NoError(t, se.Err, "%q", c.text)
		} else {
			assert.ErrorIs(t, err, c.is, "%q", c.text)
		}
	}
}

func TestManyKeysAreStillUnique(t *testing.T) {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, `"k%d": %d,`, i, i)
	}
	_, err := Parse([]byte("{" + strings.TrimSuffix(b.String(), ",") + "}"))
	assert.NoError(t, err)
	_, err = Parse([]byte("{" + b.String() + `"k7": 0}`))
	assert.ErrorIs(t, err, ErrDuplicateKey)
	se, ok := errors.AsType[*SyntaxError](err)
	assert.True(t, ok)
	assert.Equal(t, "k7", se.Key)
}

func TestDecoder(t *testing.T) {
	const text = "\uFEFF{\"a\": \"}\\\"\"}\r\n[1]{\"b\":2} 7 NaN\n\"x y\"\n"
	for name, r := range map[string]io.Reader{
		"whole": strings.NewReader(text), "byte by byte": iotest.OneByteReader(strings.NewReader(text)),
	} {
		d := NewDecoder(r)
		var kinds []Kind
		var offsets []int64
		for {
			n, err := d.Next()
			if err == io.EOF {
				break
			}
			require.NoError(t, err, name)
			kinds = append(kinds, n.Kind)
			offsets = append(offsets, n.Offset)
		}
		assert.Equal(t, []Kind{Object, Array, Object, Number, NonFinite, String}, kinds, name)
		assert.Equal(t, []int64{3, 17, 20, 28, 30, 34}, offsets, name)
	}
}

func TestDecoderErrors(t *testing.T) {
	d := NewDecoder(strings.NewReader("{\"a\":1}\n{\"a\":"))
	_, err := d.Next()
	require.NoError(t, err)
	_, err = d.Next()
	assert.ErrorIs(t, err, ErrTruncated)
	se, _ := errors.AsType[*SyntaxError](err)
	assert.EqualValues(t, 13, se.Offset)

	d = NewDecoder(strings.NewReader(`"` + strings.Repeat("x", 1<<20) + `"`))
	d.MaxBytes = 1 << 10
	_, err = d.Next()
	assert.ErrorIs(t, err, ErrTooLarge)

	d = NewDecoder(iotest.ErrReader(io.ErrUnexpectedEOF))
	_, err = d.Next()
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

// FuzzParse holds the parser against encoding/json: what that accepts, this
// accepts, unless a key is given twice.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"a":[1,2,{"b":null}]}`, `[NaN, -Infinity]`, `"\ud83d"`, `{"a":1,"a":2}`, `-0.5e-7`, "[[[[", "\uFEFF1"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		n, err := Parse(b)
		if err == nil && n == nil {
			t.Fatal("no value and no error")
		}
		var want any
		if json.Unmarshal(b, &want) != nil || err == nil || errors.Is(err, ErrDuplicateKey) || errors.Is(err, ErrEncoding) || errors.Is(err, ErrDepth) {
			return
		}
		t.Fatalf("encoding/json takes %q: %v", b, err)
	})
}

// record is what the benchmark's text decodes into with encoding/json.
type record struct {
	Model    string             `json:"model"`
	Duration float64            `json:"duration"`
	TTFTs    []float64          `json:"ttfts"`
	ITLs     [][]float64        `json:"itls"`
	Metrics  map[string]float64 `json:"metrics"`
}

func benchText(b *testing.B) []byte {
	r := record{Model: "m", Duration: 1.5, Metrics: map[string]float64{"mean_ttft_ms": 12.25, "p99_ttft_ms": 31.0625}}
	for i := range 200 {
		r.TTFTs = append(r.TTFTs, 0.0123456789*float64(i+1))
		r.ITLs = append(r.ITLs, []float64{0.01123, 0.00934567, 0.0102, float64(i) / 7})
	}
	text, err := json.Marshal(r)
	require.NoError(b, err)
	b.SetBytes(int64(len(text)))
	return text
}

func BenchmarkParse(b *testing.B) {
	text := benchText(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncodingJSON(b *testing.B) {
	text := benchText(b)
	b.ReportAllocs()
	for b.Loop() {
		var r record
		if err := json.Unmarshal(text, &r); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkConfig(b *testing.B) {
	fields := make(map[string]any)
	for i := range 400 {
		fields[fmt.Sprintf("model.layers.%d.some_quantized_module", i)] = map[string]any{"bits": 4, "group_size": 32, "mode": "affine"}
	}
	text, err := json.MarshalIndent(fields, "", "  ")
	require.NoError(b, err)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Parse(text); err != nil {
			b.Fatal(err)
		}
	}
}
