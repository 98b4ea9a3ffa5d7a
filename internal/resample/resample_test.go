package resample

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestEachIsTheSameForAnyGOMAXPROCS(t *testing.T) {
	draw := func(procs int) []float64 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		out := make([]float64, 1000)
		Each(len(out), func() struct{} { return struct{}{} }, func(i int, _ struct{}) {
			out[i] = Rand(7, i).Float64()
		})
		return out
	}
	assert.Equal(t, draw(1), draw(8))
}

func TestEachOfNothing(t *testing.T) {
	Each(0, func() int { return 0 }, func(int, int) { t.Error("called") })
}

func TestStreamsDiffer(t *testing.T) {
	seen := map[uint64]bool{}
	for i := range 10_000 {
		seen[Rand(0, i).Uint64()] = true
	}
	assert.Len(t, seen, 10_000)
	assert.Equal(t, Rand(DefaultSeed, 3).Uint64(), Rand(0, 3).Uint64(), "0 is the default seed")
	assert.NotEqual(t, Rand(1, 3).Uint64(), Rand(2, 3).Uint64())
}
