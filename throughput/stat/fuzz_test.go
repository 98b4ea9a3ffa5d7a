package stat

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// finite reads bytes as small numbers with many ties.
func finite(b []byte) []float64 {
	xs := make([]float64, 0, len(b))
	for _, c := range b[:min(len(b), 30)] {
		xs = append(xs, float64(int8(c))/8)
	}
	return xs
}

// any64 reads bytes as any floats.
func any64(b []byte) []float64 {
	var xs []float64
	for ; len(b) >= 8 && len(xs) < 32; b = b[8:] {
		xs = append(xs, math.Float64frombits(binary.LittleEndian.Uint64(b)))
	}
	return xs
}

// No test returns a P outside [0, 1], nor an interval that lacks its estimate.
func FuzzTwoSamples(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5}, []byte{3, 3, 3, 9, 200}, 0.95)
	f.Add([]byte{7, 7, 7}, []byte{7}, 0.5)
	f.Fuzz(func(t *testing.T, a, b []byte, level float64) {
		for _, s := range [][2][]float64{{finite(a), finite(b)}, {any64(a), any64(b)}} {
			x, y := s[0], s[1]
			if r, err := MannWhitney(x, y); err == nil {
				for _, p := range []float64{r.P, r.PLess, r.PGreater, r.Effect} {
					assert.True(t, p >= -1e-12 && p <= 1+1e-12, "%+v", r)
				}
			}
			if r, err := Welch(x, y); err == nil {
				assert.True(t, r.P >= 0 && r.P <= 1, "%+v", r)
				within(t, r.Interval, level)
			}
			if i, err := HodgesLehmann(x, y, level); err == nil {
				assert.True(t, i.Contains(i.Estimate) && i.Level >= level-1e-9, "%+v", i)
			}
			if i, err := Fieller(x, y, level); err == nil {
				assert.True(t, i.Lo <= i.Estimate && i.Estimate <= i.Hi, "%+v", i)
			}
			if r, err := Kendall(x, y); err == nil {
				assert.True(t, r.P >= 0 && r.P <= 1, "%+v", r)
			}
			if r, err := SignedRank(x); err == nil {
				assert.True(t, r.P >= 0 && r.P <= 1, "%+v", r)
			}
		}
	})
}

func within(t *testing.T, f func(float64) (Interval, error), level float64) {
	t.Helper()
	i, err := f(level)
	if err != nil {
		require.ErrorIs(t, err, ErrParameter)
		return
	}
	assert.True(t, i.Lo <= i.Estimate && i.Estimate <= i.Hi, "%+v", i)
}

func FuzzOneSample(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 50, 6, 7}, 0.9, 3)
	f.Fuzz(func(t *testing.T, b []byte, q float64, n int) {
		for _, x := range [][]float64{finite(b), any64(b)} {
			for typ := Type7; typ <= FloorIndex; typ++ {
				if v, err := Quantile(x, q, typ); err == nil {
					assert.False(t, math.IsNaN(v))
				}
			}
			if i, err := QuantileInterval(x, q, 0.9); err == nil {
				assert.True(t, i.Lo <= i.Hi && i.Level >= 0.9-1e-9, "%+v", i)
			}
			if i, err := Pseudomedian(x, 0.9); err == nil {
				assert.True(t, i.Contains(i.Estimate), "%+v", i)
			}
			if v, err := EffectiveSize(x); err == nil {
				assert.True(t, v > 0 && v <= float64(len(x)), "%g", v)
			}
			for m := EDivisiveU; m <= OptimalPartition; m++ {
				points, err := ChangePoints(x, &ChangeOptions{Method: m, MinSegment: n})
				for _, p := range points {
					assert.True(t, err == nil && p.Index >= 2 && p.Index <= len(x)-2, "%+v", p)
				}
			}
		}
	})
}
