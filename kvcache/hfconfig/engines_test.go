package hfconfig

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/servemath/kvcache"
)

// TestEngineBlocksFollowFromTheConfig predicts what vLLM logs of hybrid models
// without prefix caching: the block that makes a page of attention as large as a
// layer's state, and the padding. Origins: testdata/golden_engine.tsv of kvcache.
func TestEngineBlocksFollowFromTheConfig(t *testing.T) {
	for _, c := range []struct {
		config  string
		format  kvcache.Format
		block   int
		padding float64 // percent; -1: no figure
	}{
		{"Qwen3-Next-80B", kvcache.BF16, 544, 1.49}, // published log
		{"Qwen3.5-27B", kvcache.BF16, 784, 0.13},    // published log
		{"Qwen3.5-27B", kvcache.FP8, 1568, 0.13},    // 16*ceil(3207168/(16*2048))
		{"Jamba-1.5-Mini", kvcache.BF16, 80, 5.26},  // 16*ceil(311296/(16*4096))
		{"Nemotron-3-Nano", kvcache.BF16, 2096, -1}, // 16*ceil(2134016/(16*1024))
		{"Kimi-Linear-48B", kvcache.BF16, 1920, -1}, // 128*ceil(2170880/(128*1152))
	} {
		p, err := mustRead(t, configOf(c.config), nil).Pool(100*kvcache.GB, 8192, kvcache.Setup{
			Engine: kvcache.VLLM(), Format: c.format, StateCopies: 1,
		})
		require.NoError(t, err, c.config)
		assert.Equal(t, c.block, p.BlockTokens, "%s %s", c.config, c.format)
		if c.padding >= 0 {
			assert.InDelta(t, c.padding, p.PaddingPercent, 0.005, "%s %s", c.config, c.format)
		}
	}
}

// TestEveryFamilyInEveryEngine sizes each fixture under each engine.
func TestEveryFamilyInEveryEngine(t *testing.T) {
	for _, x := range fixtures {
		for _, o := range []Options{{}, {MTP: true, Images: 1}} {
			m := mustRead(t, x.config, &o)
			for _, e := range []kvcache.Engine{kvcache.Logical(), kvcache.VLLM(), kvcache.SGLang(), kvcache.LlamaCpp()} {
				s := kvcache.Setup{Engine: e, Parallel: kvcache.Parallel{PP: 2}}
				size, err := m.Session(1000, s)
				require.NoError(t, err, "%s in %s", x.name, e.Name)
				assert.Positive(t, size.Session, "%s in %s", x.name, e.Name)
				assert.Equal(t, size.Session, size.Growing+size.Window+size.State+size.Rounding, "%s in %s", x.name, e.Name)
				assert.GreaterOrEqual(t, 2*size.PerDevice, size.Session, "%s in %s", x.name, e.Name)
			}
		}
	}
}
