package kvcache_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/servemath/kvcache"
)

func TestStages(t *testing.T) {
	for _, c := range []struct {
		layers, pp int
		engine     kvcache.Engine
		want       []int
		origin     string
	}{
		{61, 4, kvcache.VLLM(), []int{15, 15, 16, 15}, "vLLM get_pp_indices"},
		{62, 3, kvcache.VLLM(), []int{21, 21, 20}, "vLLM get_pp_indices"},
		{7, 4, kvcache.VLLM(), []int{2, 2, 2, 1}, "every stage but the last"},
		{61, 4, kvcache.SGLang(), []int{16, 15, 15, 15}, "the first stages"},
		{32, 2, kvcache.LlamaCpp(), []int{17, 15}, "33 with the output: 16.5 and 16.5"},
		{80, 1, kvcache.Logical(), []int{80}, "one stage"},
		{2, 4, kvcache.Logical(), []int{1, 1, 0, 0}, "more stages than layers"},
		{0, 2, kvcache.VLLM(), []int{0, 0}, "no layers"},
		{10, 0, kvcache.VLLM(), nil, "no stage"},
		{-1, 2, kvcache.VLLM(), nil, "negative"},
	} {
		require.Equal(t, c.want, kvcache.Stages(c.layers, c.pp, c.engine), c.origin)
	}
}

// Stages share out every layer, and none has two more than another.
func TestStagesProperties(t *testing.T) {
	for _, e := range engines() {
		for layers := range 130 {
			for pp := 1; pp < 20; pp++ {
				stages := kvcache.Stages(layers, pp, e)
				sum, least, most := 0, layers, 0
				for _, n := range stages {
					sum, least, most = sum+n, min(least, n), max(most, n)
				}
				require.Equal(t, layers, sum)
				if e.Stages != kvcache.WithOutput {
					require.LessOrEqual(t, most-least, 1)
				}
			}
		}
	}
}

// An engine puts whole layers on stages, so that the fullest decides; where the
// layers of a group stand matters.
func TestSessionOverStages(t *testing.T) {
	place := func(g kvcache.Group, at ...int) kvcache.Group { g.At, g.Layers = at, len(at); return g }
	early := model("early", 0, place(attention(0, 1, 64, 64), 0, 1), place(sliding(0, 1, 64, 16), 2, 3))
	spread := model("spread", 0, place(attention(0, 1, 64, 64), 0, 2), place(sliding(0, 1, 64, 16), 1, 3))
	s := kvcache.Setup{Format: kvcache.FP8, Parallel: kvcache.Parallel{PP: 2}}
	exact := session(t, early, 1000, s)
	require.Equal(t, exact.PerDevice, session(t, spread, 1000, s).PerDevice, "Logical divides exactly")
	require.Equal(t, exact.Session/2, exact.PerDevice)

	s.Engine = kvcache.SGLang()
	require.EqualValues(t, 2*128*1000, session(t, early, 1000, s).PerDevice, "both full layers on one stage")
	require.EqualValues(t, 128*1000+128*16, session(t, spread, 1000, s).PerDevice)

	uneven := model("61 layers", 0, attention(61, 1, 64, 64))
	s.Parallel.PP = 4
	require.EqualValues(t, 16*128*1000, session(t, uneven, 1000, s).PerDevice)
	behind := model("15 of 61", 0, place(attention(0, 1, 64, 64), 0, 1, 2))
	behind.Layers = 61
	require.EqualValues(t, 3*128*1000, session(t, behind, 1000, s).PerDevice, "the model is longer than its groups")

	drafting := place(attention(0, 1, 64, 64), 61, 62, 63, 64)
	mtp := model("61 layers and 4 of drafting", 0, attention(61, 1, 64, 64), drafting)
	mtp.Layers = 61
	require.EqualValues(t, (15+4)*128*1000, session(t, mtp, 1000, s).PerDevice, "which stand on the last stage")
}

func ExampleStages() {
	fmt.Println(kvcache.Stages(61, 4, kvcache.VLLM()))
	// Output: [15 15 16 15]
}
