package throughput

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// floats reads any bits as numbers: NaN, infinities, subnormal and huge ones too.
func floats(b []byte) []float64 {
	var xs []float64
	for len(b) >= 8 && len(xs) < 64 {
		xs = append(xs, math.Float64frombits(binary.LittleEndian.Uint64(b)))
		b = b[8:]
	}
	return xs
}

func packed(xs ...float64) []byte {
	var b []byte
	for _, x := range xs {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return b
}

// noNaN requires that what is said to be known is a number.
func noNaN(t *testing.T, xs ...float64) {
	t.Helper()
	for i, x := range xs {
		assert.False(t, math.IsNaN(x), "figure %d", i)
	}
}

func FuzzSummarize(f *testing.F) {
	f.Add(packed(101.3, 99.8, 102.4, 100.9, 98.7, 103.1, 101.8, 100.2, 5))
	f.Add(packed(1e149, -1e149, 1e-300, 0))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := Summarize(floats(b), nil)
		if err != nil {
			return
		}
		noNaN(t, s.Mean, s.Lo, s.Hi, s.Median, s.MAD, s.IQR, s.Min, s.Max, s.EffectiveN)
		assert.True(t, s.Lo <= s.Mean && s.Mean <= s.Hi && s.MedianLo <= s.Median && s.Median <= s.MedianHi, "%+v", s)
		_, err = json.Marshal(s)
		require.NoError(t, err)
	})
}

func FuzzCompare(f *testing.F) {
	f.Add(packed(sampleA...), packed(sampleB...))
	f.Add(packed(1, 1), packed(1e100, 1e-100))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		base, candidate := floats(a), floats(b)
		c, err := Compare(base, candidate, nil)
		if err != nil {
			return
		}
		noNaN(t, c.Ratio, c.Lo, c.Hi, c.P, c.PEquivalent, c.PRank)
		back, err := Compare(candidate, base, nil)
		require.NoError(t, err)
		assert.InDelta(t, c.P, back.P, 1e-9, "symmetric")
		_, err = json.Marshal(c)
		require.NoError(t, err)
	})
}

func FuzzHistory(f *testing.F) {
	f.Add(packed(upAndDown...))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := History(floats(b), nil)
		if err != nil {
			return
		}
		for _, c := range got.Changes {
			noNaN(t, c.Before, c.After, c.Ratio, c.P)
		}
		_, err = json.Marshal(got)
		require.NoError(t, err)
	})
}

func FuzzCompareAll(f *testing.F) {
	f.Add(packed(205, 185, 166, 127, 120, 107), uint8(3))
	f.Add(packed(1e-300, 1e300, 1, 2), uint8(1))
	f.Fuzz(func(t *testing.T, b []byte, engines uint8) {
		var rows []Row
		for i, x := range floats(b) {
			place := i / (int(engines%5) + 1)
			rows = append(rows, Row{"P", string(rune('a' + place%3)), string(rune('a' + place)), "S", string(rune('A' + i%(int(engines%5)+1))), x})
		}
		all, err := CompareAll(rows, &EngineOptions{Replicates: 20})
		if err != nil {
			return
		}
		for _, c := range all {
			noNaN(t, c.Estimate, c.Rows.Lo, c.Rows.Hi, c.ByMachine.Lo, c.ByMachine.Hi, c.Bootstrap.Lo, c.Bootstrap.Hi)
			assert.Equal(t, c.N, c.Wins+c.Ties+c.Losses)
		}
		_, err = json.Marshal(all)
		require.NoError(t, err)
	})
}
