package throughput

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const published = `### Apple Silicon

| Machine | Model | Setup | tok/s |
|---|---|---|---:|
| M5 Max 128 GB | Gemma-4-E2B | Single decode | Pie 205 · MLX 185 · llama.cpp 166 |
| M5 Max 128 GB | Gemma-4-E2B | Single prefill | Pie 21,112 · MLX 16,192 |

### NVIDIA GPU

| Machine | Model | Setup | tok/s |
|---|---|---|---:|
| B200 180 GB | Qwen3.5-0.8B | Single decode | TensorRT-LLM 66.3 |
`

func TestReadTable(t *testing.T) {
	m5 := Row{"Apple Silicon", "M5 Max 128 GB", "Gemma-4-E2B", "Single decode", "", 0}
	with := func(r Row, setup, engine string, value float64) Row {
		r.Setup, r.Engine, r.Value = setup, engine, value
		return r
	}
	want := []Row{
		with(m5, "Single decode", "Pie", 205), with(m5, "Single decode", "MLX", 185), with(m5, "Single decode", "llama.cpp", 166),
		with(m5, "Single prefill", "Pie", 21112), with(m5, "Single prefill", "MLX", 16192),
		{"NVIDIA GPU", "B200 180 GB", "Qwen3.5-0.8B", "Single decode", "TensorRT-LLM", 66.3},
	}
	bare := []Row{{Engine: "Pie", Value: 205}, {Engine: "llama.cpp WebGPU", Value: 1166}}
	for name, c := range map[string]struct {
		in   string
		want []Row
	}{
		"published":        {published, want},
		"BOM and CRLF":     {"\uFEFF" + strings.ReplaceAll(published, "\n", "\r\n"), want},
		"no last line end": {strings.TrimSuffix(published, "\n"), want},
		"figures alone":    {"Pie 205 · llama.cpp WebGPU 1,166\n", bare},
		"only line":        {"Pie 205 · llama.cpp WebGPU 1,166", bare},
		"twice, alone":     {"Pie 205\nPie 206\n", []Row{{Engine: "Pie", Value: 205}, {Engine: "Pie", Value: 206}}},
		"tabs, by position": {"M5\tGemma\tSingle decode\tPie 2.5\n",
			[]Row{{"", "M5", "Gemma", "Single decode", "Pie", 2.5}}},
		"tabs, with platform": {"Apple\tM5\tGemma\tSingle decode\tPie 2.5\n",
			[]Row{{"Apple", "M5", "Gemma", "Single decode", "Pie", 2.5}}},
		"header out of order": {"# A\nModel\tSource\tMachine\tspeed\nGemma\tblog\tM5\tPie 2.5\n",
			[]Row{{"A", "M5", "Gemma", "", "Pie", 2.5}}},
		"indented": {"  | M5 | Gemma | Single decode |  Pie 2.5  |  \n", []Row{{"", "M5", "Gemma", "Single decode", "Pie", 2.5}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ReadTable(strings.NewReader(c.in))
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
		})
	}
}

func TestReadTableNamesThePlace(t *testing.T) {
	for _, c := range []struct {
		in           string
		err          error
		line, column int
	}{
		{"Pie 205 · MLX\n", ErrTable, 1, 11},
		{"Pie 205 · · MLX 3\n", ErrTable, 1, 11},
		{"Pie 205 · MLX 1,85\n", ErrTable, 1, 15},
		{"Pie 205 · MLX ,185\n", ErrTable, 1, 15},
		{"Pie 205 · MLX 1852,185\n", ErrTable, 1, 15},
		{"Pie 205 · MLX 1.185,5\n", ErrTable, 1, 15},
		{"Pie 205 · MLX 2e3\n", ErrTable, 1, 15},
		{"Pie 205 · MLX 2k\n", ErrTable, 1, 15},
		{"Pie 205 · MLX NaN\n", ErrNonFinite, 1, 15},
		{"Pie 205 · MLX Inf\n", ErrNonFinite, 1, 15},
		{"Pie 205 · MLX -3\n", ErrNonPositive, 1, 15},
		{"Pie 205 · MLX 0\n", ErrNonPositive, 1, 15},
		{"Pie 205 · Pie 206\n", ErrDuplicate, 1, 11},
		{"\n\n205\n", ErrTable, 3, 1},
		{"| a | b | Pie 2 |\n", ErrTable, 1, 1},
		{"| Machine | Model | x |\n| a | Pie 2 |\n", ErrTable, 2, 1},
		{"| Machine | Model | Single | Batched |\n| a | b | Pie 1 · MLX 2 | Pie 3 |\n", ErrTable, 2, 11},
		{"| a | b | c | Pie 2 |\n| a | b | c | Pie 3 |\n", ErrDuplicate, 2, 15},
		{"| é · | b | c | Pie x |\n", ErrTable, 1, 21},
		{"| a | b | c | Pie 2\n| d | b | c | Pie 2 |\n", ErrTruncated, 1, 1},
		{"a\tb\tc\tPie 20", ErrTruncated, 1, 1},
		{"Pie 20\nPie 2", ErrTruncated, 2, 1},
		{"Pie 205\xff\n", ErrTable, 1, 1},
		{"P\x00i\x00e\x00", ErrTable, 1, 1},
		{"Some prose about speed.\n", ErrTable, 1, 18},
	} {
		_, err := ReadTable(strings.NewReader(c.in))
		require.ErrorIs(t, err, c.err, "%q", c.in)
		place, ok := errors.AsType[*TableError](err)
		require.True(t, ok, "%q", c.in)
		assert.Equal(t, fmt.Sprint(c.line, c.column), fmt.Sprint(place.Line, place.Column), "%q: %v", c.in, err)
	}
}

func TestReadTableOfNothing(t *testing.T) {
	for _, in := range []string{"", "\n\n", "# Apple\n", "| Machine | Model | tok/s |\n|---|---|---|\n"} {
		_, err := ReadTable(strings.NewReader(in))
		assert.ErrorIs(t, err, ErrEmpty, "%q", in)
	}
	_, err := ReadTable(iotest.ErrReader(errors.ErrUnsupported))
	assert.ErrorIs(t, err, errors.ErrUnsupported)
}

// A cut is an error unless it falls on a line end or behind a whole row.
func TestReadTableCutAnywhere(t *testing.T) {
	whole := map[int]bool{}
	for i := range published {
		if i > 0 && (published[i-1] == '\n' || published[i] == '\n' && strings.Contains(published[:i], " |") && published[i-1] == '|') {
			whole[i] = true
		}
	}
	for i := range published {
		_, err := ReadTable(strings.NewReader(published[:i]))
		if !whole[i] && i > 0 {
			assert.ErrorIs(t, err, ErrTruncated, "%q", published[:i])
		} else if err != nil && !errors.Is(err, ErrEmpty) {
			assert.ErrorIs(t, err, ErrTruncated, "%q: %v", published[:i], err)
		}
	}
}

func FuzzReadTable(f *testing.F) {
	f.Add(published)
	f.Add("Pie 205 · MLX 1,185")
	f.Add("a\tb\tc\tPie 2.5\n")
	f.Fuzz(func(t *testing.T, in string) {
		rows, err := ReadTable(strings.NewReader(in))
		if err != nil {
			assert.Nil(t, rows)
			return
		}
		require.NotEmpty(t, rows)
		for _, r := range rows {
			assert.Positive(t, r.Value)
		}
	})
}
