package correctness

import (
	"encoding/json"
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDecodeGoldenCodes(t *testing.T) {
	decoders := map[string]func([]float32, []uint16) error{"float16": DecodeF16, "bfloat16": DecodeBF16}
	codes := golden(t).Codes
	require.Len(t, codes, 2)
	for name, list := range codes {
		for _, c := range list {
			var text string
			require.NoError(t, json.Unmarshal(c[0], &text))
			code, err := strconv.ParseUint(text, 16, 16)
			require.NoError(t, err)
			var want number
			require.NoError(t, json.Unmarshal(c[1], &want))
			got := make([]float32, 1)
			require.NoError(t, decoders[name](got, []uint16{uint16(code)}))
			if math.IsNaN(float64(want)) {
				assert.True(t, math.IsNaN(float64(got[0])), "%s %s", name, text)
				continue
			}
			assert.Equal(t, float32(want), got[0], "%s %s", name, text)
		}
	}
}

// Every one of the 65,536 codes against the definition of the format.
func TestDecodeEveryCode(t *testing.T) {
	src := make([]uint16, 1<<16)
	for i := range src {
		src[i] = uint16(i)
	}
	f16, bf16 := make([]float32, len(src)), make([]float32, len(src))
	require.NoError(t, DecodeF16(f16, src))
	require.NoError(t, DecodeBF16(bf16, src))
	for i, h := range src {
		checkCode(t, h, f16[i], 10, 15)
		checkCode(t, h, bf16[i], 7, 127)
	}
}

// checkCode spells out sign, exponent and mant bits of mantissa.
func checkCode(t *testing.T, h uint16, got float32, mant, bias int) {
	t.Helper()
	frac := float64(int(h) & (1<<mant - 1))
	exp := int(h&0x7fff) >> mant
	var want float64
	switch {
	case exp == 2*bias+1 && frac != 0:
		require.True(t, math.IsNaN(float64(got)), "code %#04x", h)
		return
	case exp == 2*bias+1:
		want = math.Inf(1)
	case exp == 0:
		want = math.Ldexp(frac, 1-bias-mant)
	default:
		want = math.Ldexp(1+math.Ldexp(frac, -mant), exp-bias)
	}
	if h&0x8000 != 0 {
		want = -want
	}
	require.Equal(t, math.Float32bits(float32(want)), math.Float32bits(got), "code %#04x", h)
}

func TestDecodeRefusesOtherLengths(t *testing.T) {
	for _, decode := range []func([]float32, []uint16) error{DecodeF16, DecodeBF16} {
		assert.ErrorIs(t, decode(make([]float32, 2), make([]uint16, 3)), ErrVocab)
	}
}

func TestDecodingAllocatesNothing(t *testing.T) {
	dst, src := make([]float32, 1000), make([]uint16, 1000)
	assert.Zero(t, testing.AllocsPerRun(100, func() { _ = DecodeF16(dst, src); _ = DecodeBF16(dst, src) }))
}
