package kvcache_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/servemath/kvcache"
)

// Plain attention: a pool's tokens are its memory over the bytes of a token, in
// whole blocks.
func TestPoolOfOneKind(t *testing.T) {
	for _, c := range []struct {
		model  *kvcache.Model
		setup  kvcache.Setup
		token  kvcache.Bytes
		block  int
		layers int
	}{
		{llama8B(), vllm(), 131072, 16, 32},
		{llama8B(), fp8(vllm()), 65536, 16, 32},
		{llama8B(), kvcache.Setup{Engine: kvcache.VLLM(), Parallel: tp(16)}, 16384, 16, 32},
		{llama8B(), kvcache.Setup{Engine: kvcache.VLLM(), Parallel: kvcache.Parallel{PP: 3}}, 131072 * 11 / 32, 16, 11},
		{llama8B(), kvcache.Setup{}, 65536, 1, 32},
		{llama8B(), kvcache.Setup{Engine: kvcache.LlamaCpp()}, 131072, 256, 32},
		{deepSeek32(), fp8(vllm()), 61 * (656 + 132), 64, 122},
		{glm52(), vllm(), 78*1152 + 21*132, 64, 99},
		{glm52(), kvcache.Setup{Engine: kvcache.SGLang()}, 78 * (1152 + 132), 64, 156},
		{model("DeepSeek-V3", 163840, latent(61, 576)), kvcache.Setup{Engine: kvcache.VLLM(), Parallel: tp(8)}, 61 * 1152, 16, 61},
	} {
		const free = 40 * kvcache.GiB
		n := c.model.ContextWindow
		p := pool(t, c.model, free, n, c.setup)
		require.Equal(t, c.token*kvcache.Bytes(c.block), p.BlockBytes, c.model.Name)
		require.Equal(t, []int{c.block, 1, c.layers}, []int{p.BlockTokens, p.Groups, p.LayersPerGroup}, c.model.Name)
		require.EqualValues(t, free/p.BlockBytes, p.Blocks)
		perSession := (n + c.block - 1) / c.block
		require.Equal(t, perSession, p.BlocksPerSession)
		require.InEpsilon(t, float64(p.Blocks)/float64(perSession), p.Concurrency, 1e-15)
		require.Equal(t, int(int64(p.Blocks)*int64(n)/int64(perSession)), p.Tokens)
	}
}

// Under decode-context parallelism a rank holds one token in D.
func TestPoolDCP(t *testing.T) {
	m := model("DeepSeek-V3", 163840, latent(61, 576))
	s := kvcache.Setup{Engine: kvcache.VLLM(), Parallel: kvcache.Parallel{TP: 8, DCP: 8}}
	require.Equal(t, 163840/8/16, pool(t, m, kvcache.GB, 163840, s).BlocksPerSession)
}

// Layers of several kinds are sorted into groups of one size (vLLM,
// kv_cache_utils.py: the smallest kind, or the largest if less than half again).
func TestPoolGroups(t *testing.T) {
	for _, c := range []struct {
		full, windows, groups, size int
	}{
		{18, 18, 2, 18},
		{10, 50, 6, 10},
		{13, 12, 2, 13}, // 13 < 1.5 x 12: the shorter group is padded
		{10, 14, 2, 14},
		{10, 15, 3, 10},
		{4, 25, 8, 4},
		{1, 1, 2, 1},
	} {
		p := pool(t, model("m", 0, attention(c.full, 8, 64, 64), sliding(c.windows, 8, 64, 128)), kvcache.GB, 1000, vllm())
		require.Equal(t, []int{c.groups, c.size}, []int{p.Groups, p.LayersPerGroup}, c)
		require.EqualValues(t, 16*2048*c.size, p.BlockBytes)
	}
	// Equal layers that a config lists apart are one kind.
	apart := model("m", 0, attention(9, 8, 64, 64), sliding(18, 8, 64, 128), attention(9, 8, 64, 64))
	require.Equal(t, 2, pool(t, apart, kvcache.GB, 1000, vllm()).Groups)
}

func TestPoolRefuses(t *testing.T) {
	_, err := llama8B().Pool(kvcache.GB, 0, vllm())
	require.ErrorIs(t, err, kvcache.ErrTokens)
	_, err = llama8B().Pool(-1, 1, vllm())
	require.ErrorIs(t, err, kvcache.ErrBudget)
	var shape *kvcache.ShapeError
	_, err = llama8B().Pool(1, 1, kvcache.Setup{Parallel: tp(3)})
	require.ErrorAs(t, err, &shape)
	_, err = model("window", 0, sliding(1, 1, 1, 16)).Pool(kvcache.GB, math.MaxInt, vllm())
	require.ErrorIs(t, err, kvcache.ErrOverflow)
	for name, c := range map[string]struct {
		model *kvcache.Model
		setup kvcache.Setup
	}{
		"compressed":         {deepSeekV4("V4", 21, 20, 43), vllm()},
		"Logical":            {gptOSS(), kvcache.Setup{}},
		"SGLang":             {qwen35(), kvcache.Setup{Engine: kvcache.SGLang()}},
		"llama.cpp":          {gemma3(), kvcache.Setup{Engine: kvcache.LlamaCpp()}},
		"mixed over stages":  {gptOSS(), kvcache.Setup{Engine: kvcache.VLLM(), Parallel: kvcache.Parallel{PP: 2}}},
		"an index in a pair": {model("m", 0, latentWithIndex(), deltaNet(4, 16, 16, kvcache.FP32)), vllm()},
		"entry of blocks":    {model("m", 0, every(128, 3, copied("latent", 512)...)), kvcache.Setup{}},
		"unequal blocks":     {model("m", 0, latent(3, 512), index(3)), vllm()},
	} {
		_, err := c.model.Pool(kvcache.GB, 1000, c.setup)
		require.ErrorIs(t, err, kvcache.ErrPool, name)
	}
}

func latentWithIndex() kvcache.Group {
	g := latent(4, 576)
	g.Streams = append(g.Streams, copied("index", 128)...)
	return g
}

func TestPoolWarnsBeyondWindow(t *testing.T) {
	p := pool(t, llama8B(), kvcache.GB, 200_000, vllm())
	require.ErrorIs(t, p.Warnings[0], kvcache.ErrBeyondWindow)
	b, err := json.Marshal(p)
	require.NoError(t, err)
	require.Contains(t, string(b), `"block_tokens":16`)
	require.Contains(t, string(b), `"warnings":["kvcache: session is longer`)
}

// Random models have pools that hold together: the blocks fit, one more does not,
// and more memory is never worth less.
func TestPoolProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	done := 0
	for range 2000 {
		m := randomModel(r)
		s := kvcache.Setup{Engine: kvcache.VLLM(), Parallel: tp(1 << r.IntN(3)), Format: kvcache.FP8}
		free, n := kvcache.Bytes(r.Int64N(1<<40)), 1+r.IntN(1<<17)
		p, err := m.Pool(free, n, s)
		if err != nil {
			continue
		}
		done++
		require.LessOrEqual(t, p.BlockBytes*kvcache.Bytes(p.Blocks), free)
		require.Greater(t, p.BlockBytes*kvcache.Bytes(p.Blocks+1), free)
		require.GreaterOrEqual(t, p.PaddingPercent, 0.0)
		require.GreaterOrEqual(t, p.PageBytes*kvcache.Bytes(p.LayersPerGroup), p.BlockBytes)
		more := pool(t, m, free+kvcache.GiB, n, s)
		require.GreaterOrEqual(t, more.Tokens, p.Tokens)
	}
	require.Greater(t, done, 200)
}

func ExampleModel_Pool() {
	// What vLLM logs for Gemma-4-31B with 24.54 GiB left, and what one session keeps.
	free, _ := kvcache.ParseBytes("24.54GiB")
	setup := kvcache.Setup{Engine: kvcache.VLLM()}
	p, err := gemma4().Pool(free, 262144, setup)
	fmt.Println(p, err)
	fmt.Println(p.Groups, "groups of", p.LayersPerGroup, "layers")
	f, err := gemma4().Session(262144, setup)
	fmt.Println(f.PerDevice, err)
	// Output:
	// 193210 tokens in 10051 blocks; 0.74 sessions of 262144 tokens at once <nil>
	// 6 groups of 10 layers
	// 35748577280 B (35.75 GB, 33.29 GiB) <nil>
}
