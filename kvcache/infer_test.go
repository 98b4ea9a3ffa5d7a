package kvcache_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/servemath/kvcache"
)

func size(t *testing.T, s string) kvcache.Bytes {
	t.Helper()
	b, err := kvcache.ParseBytes(s)
	require.NoError(t, err)
	return b
}

var (
	b300   = kvcache.Device{Name: "B300", Memory: 288 * kvcache.GB}
	rtxPro = kvcache.Device{Name: "RTX PRO 6000", Memory: 96 * kvcache.GB}
)

// Published pairs of capacities at 16,384 and 65,536 tokens, the weights that
// explain them, and the size the checkpoint is known to have.
func TestInferWeights(t *testing.T) {
	muse := model("Muse-Glimmer-30B", 131072, attention(13, 2, 128, 128), sliding(39, 2, 128, 2048))
	glm := model("GLM-4.7", 202752, attention(92, 8, 128, 128))
	for _, c := range []struct {
		model         *kvcache.Model
		device        kvcache.Device
		setup         kvcache.Setup
		chat, agentic int
		lo, hi        string // to two decimals of GB
		known         string
	}{
		{gemma4(), b300, kvcache.Setup{}, 168, 59, "61.94GB", "63.03GB", "62.55GB"},
		{muse, rtxPro, kvcache.Setup{}, 0, 47, "59.18GB", "59.66GB", "59.55GB"},
		{glm, b300, kvcache.Setup{}, 21, 5, "178.33GB", "181.41GB", "179GB"},
		{qwen35(), rtxPro, kvcache.Setup{StateCopies: 2}, 60, 20, "30.55GB", "31.39GB", "30.87GB"},
	} {
		observed := []kvcache.Capacity{{Tokens: 65536, Sessions: c.agentic}}
		if c.chat > 0 {
			observed = append(observed, kvcache.Capacity{Tokens: 16384, Sessions: c.chat})
		}
		r, err := c.model.InferWeights(kvcache.Budget{Device: c.device}, c.setup, observed...)
		require.NoError(t, err, c.model.Name)
		near := func(want string, got kvcache.Bytes) {
			require.InDelta(t, float64(size(t, want)), float64(got), 0.005e9, "%s: %v", c.model.Name, r)
		}
		near(c.lo, r.Lo)
		near(c.hi, r.Hi)
		known := size(t, c.known)
		require.True(t, r.Lo <= known && known <= r.Hi, "%s: %v", c.model.Name, r)
	}
}

// Two published capacities of one model cannot both hold with one copy of the
// recurrent state: the finding that made the copies two.
func TestInferWeightsRefutesOneStateCopy(t *testing.T) {
	observed := []kvcache.Capacity{{Tokens: 16384, Sessions: 150}, {Tokens: 65536, Sessions: 50}}
	k3 := model("Kimi K3", 1048576, latent(24, 576), kda(69, 96))
	setup := kvcache.Setup{Parallel: tp(8), StateCopies: 2}
	r, err := k3.InferWeights(kvcache.Budget{Device: b300}, setup, observed...)
	require.NoError(t, err)
	known := size(t, "1560.94GB")
	require.True(t, r.Lo <= known && known <= r.Hi, r)
	setup.StateCopies = 1
	_, err = k3.InferWeights(kvcache.Budget{Device: b300}, setup, observed...)
	require.ErrorIs(t, err, kvcache.ErrInconsistent)
}

// Any weights in the interval give the capacities back, and its neighbours do not.
func TestInferWeightsProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 500 {
		s := kvcache.Setup{Parallel: kvcache.Parallel{TP: 1 << r.IntN(3), PP: 1 + r.IntN(3), DP: 1 + r.IntN(3)}}
		b := kvcache.Budget{Device: b300, Weights: kvcache.Bytes(r.Int64N(int64(300 * kvcache.GB)))}
		o, err := llama8B().Sessions(16384, b, s)
		require.NoError(t, err)
		if o.Status != kvcache.OK || o.Sessions == 0 {
			continue
		}
		in, err := llama8B().InferWeights(b, s, kvcache.Capacity{Tokens: 16384, Sessions: o.Sessions})
		require.NoError(t, err)
		require.True(t, in.Lo <= b.Weights && b.Weights <= in.Hi, "%v has not %v", in, b.Weights)
		for w, same := range map[kvcache.Bytes]bool{in.Lo: true, in.Hi: true, in.Lo - 1: in.Lo == 0, in.Hi + 1: false} {
			if w < 0 {
				continue
			}
			b.Weights = w
			again, err := llama8B().Sessions(16384, b, s)
			require.NoError(t, err)
			require.Equal(t, same, again.Sessions == o.Sessions, "weights of %v", w)
		}
	}
}

func TestInferRefuses(t *testing.T) {
	b := kvcache.Budget{Device: b300}
	_, err := llama8B().InferWeights(b, kvcache.Setup{Parallel: kvcache.Parallel{DP: 2}}, kvcache.Capacity{Tokens: 1, Sessions: 3})
	require.ErrorIs(t, err, kvcache.ErrInconsistent, "3 sessions on 2 copies")
	_, err = llama8B().InferWeights(b, kvcache.Setup{}, kvcache.Capacity{Tokens: 1, Sessions: -1})
	require.ErrorIs(t, err, kvcache.ErrInconsistent)
	_, err = llama8B().InferWeights(b, kvcache.Setup{}, kvcache.Capacity{})
	require.ErrorIs(t, err, kvcache.ErrTokens)
	_, err = llama8B().InferWeights(kvcache.Budget{}, kvcache.Setup{})
	require.ErrorIs(t, err, kvcache.ErrBudget)
	_, err = kvcache.InferCost(0, 1, kvcache.Capacity{Tokens: 1, Sessions: 1})
	require.ErrorIs(t, err, kvcache.ErrBudget)
	_, err = kvcache.InferCost(100, 1, kvcache.Capacity{Sessions: 1})
	require.ErrorIs(t, err, kvcache.ErrTokens)
	_, err = kvcache.InferCost(100, 2, kvcache.Capacity{Tokens: 1, Sessions: 1})
	require.ErrorIs(t, err, kvcache.ErrInconsistent)
	_, err = kvcache.InferCost(1e9, 1, kvcache.Capacity{Tokens: 100, Sessions: 9}, kvcache.Capacity{Tokens: 100, Sessions: 10})
	require.ErrorIs(t, err, kvcache.ErrInconsistent, "touching but half-open")
	_, err = kvcache.InferCost(1e9, 1, kvcache.Capacity{Tokens: 100, Sessions: 5}, kvcache.Capacity{Tokens: 1000, Sessions: 10})
	require.ErrorIs(t, err, kvcache.ErrInconsistent, "longer sessions, yet more of them")
}

// The true cost lies in the intervals, whatever the observations, and more of
// them never widen one.
func TestInferCostProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 100 {
		token, fixed := 1+r.Int64N(100_000), r.Int64N(1e9)
		free := kvcache.Bytes(1e9 + r.Int64N(1e11))
		var seen []kvcache.Capacity
		last := kvcache.Span{Lo: 0, Hi: math.Inf(1)}
		for range 4 {
			n := 1 + r.IntN(200_000)
			seen = append(seen, kvcache.Capacity{Tokens: n, Sessions: int(int64(free) / (fixed + token*int64(n)))})
			c, err := kvcache.InferCost(free, 1, seen...)
			require.NoError(t, err)
			assert.True(t, c.PerToken.Lo <= float64(token) && float64(token) <= c.PerToken.Hi, "%v %v", c, token)
			assert.True(t, c.Fixed.Lo <= float64(fixed) && float64(fixed) <= c.Fixed.Hi, "%v %v", c, fixed)
			assert.True(t, c.PerToken.Lo >= last.Lo && c.PerToken.Hi <= last.Hi, "%v after %v", c.PerToken, last)
			last = c.PerToken
		}
	}
}

func TestInferCost(t *testing.T) {
	// The worked example: 50.08 GB free, 46 and 11 sessions, truly 65,536 a token.
	c, err := kvcache.InferCost(50_080_000_000, 1, kvcache.Capacity{Tokens: 16384, Sessions: 46}, kvcache.Capacity{Tokens: 65536, Sessions: 11})
	require.NoError(t, err)
	require.InDelta(t, (50.08e9/12-50.08e9/46)/49152, c.PerToken.Lo, 1e-3)
	require.InDelta(t, 50.08e9/46/16384, c.PerToken.Hi, 1e-3, "nothing fixed")
	require.Zero(t, c.Fixed.Lo)
	c, err = kvcache.InferCost(1000, 1, kvcache.Capacity{Tokens: 10, Sessions: 0})
	require.NoError(t, err)
	require.True(t, math.IsInf(c.PerToken.Hi, 1) && math.IsInf(c.Fixed.Hi, 1), "nothing bounds it")
	b, err := json.Marshal(c)
	require.NoError(t, err)
	require.JSONEq(t, `{"per_token_bytes":{"lo":0,"hi":"+Inf"},"fixed_bytes":{"lo":0,"hi":"+Inf"}}`, string(b))
}

// What Pool answers, InferFree takes back.
func TestInferFree(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, m := range []*kvcache.Model{llama8B(), gptOSS(), gemma4(), qwen35(), kimiLinear(), deepSeek32()} {
		for range 50 {
			free, n := kvcache.Bytes(r.Int64N(int64(100*kvcache.GB))), 1+r.IntN(m.ContextWindow)
			p := pool(t, m, free, n, vllm())
			in, err := m.InferFree(p.Tokens, n, vllm())
			require.NoError(t, err)
			require.True(t, in.Lo <= free && free <= in.Hi, "%s: %v has not %v", m.Name, in, free)
			require.Equal(t, p.Tokens, pool(t, m, in.Lo, n, vllm()).Tokens)
			require.Equal(t, p.Tokens, pool(t, m, in.Hi, n, vllm()).Tokens)
			require.NotEqual(t, p.Tokens, pool(t, m, in.Hi+1, n, vllm()).Tokens)
		}
	}
	_, err := llama8B().InferFree(17, 131072, vllm())
	require.ErrorIs(t, err, kvcache.ErrInconsistent, "no whole number of 16-token blocks")
	_, err = llama8B().InferFree(-1, 131072, vllm())
	require.ErrorIs(t, err, kvcache.ErrInconsistent)
	_, err = llama8B().InferFree(math.MaxInt, 1, vllm())
	require.ErrorIs(t, err, kvcache.ErrOverflow)
}

const startLog = `INFO gpu_worker.py Available KV cache memory: 5.38 GiB
INFO kv_cache_utils.py GPU KV cache size: 78,384 tokens
INFO kv_cache_utils.py Maximum concurrency for 131,072 tokens per request: 1.14x
INFO interface.py Setting attention block size to 544 tokens to ensure that attention page size is >= mamba page size.
INFO interface.py Padding mamba page size by 1.49% to ensure that both are equal.
INFO KV Cache is allocated. #tokens: 367404, K size: 8.23 GB, V size: 8.23 GB
llama_kv_cache: CUDA0 KV buffer size =  2560.00 MiB
nothing to see here
`

func TestReadLog(t *testing.T) {
	got, err := kvcache.ReadLog(strings.NewReader(startLog))
	require.NoError(t, err)
	var text []string
	for _, f := range got {
		text = append(text, fmt.Sprintf("%d %s %s %.3f %.3f %s %d", f.Line, f.Engine, f.Name, f.Figure.Lo, f.Figure.Hi, f.Unit, f.MaxTokens))
	}
	gib := float64(kvcache.GiB)
	require.Equal(t, []string{
		fmt.Sprintf("1 vllm available memory %.3f %.3f bytes 0", 5.375*gib, 5.385*gib),
		"2 vllm pool tokens 78384.000 78384.000 tokens 0",
		"3 vllm concurrency 1.135 1.145 sessions 131072",
		"4 vllm block 544.000 544.000 tokens 0",
		"5 vllm padding 1.485 1.495 percent 0",
		"6 sglang pool tokens 367404.000 367404.000 tokens 0",
		fmt.Sprintf("6 sglang k pool %.3f %.3f bytes 0", 8.225*gib, 8.235*gib),
		fmt.Sprintf("6 sglang v pool %.3f %.3f bytes 0", 8.225*gib, 8.235*gib),
		fmt.Sprintf("7 llama.cpp cache %.3f %.3f bytes 0", 2559.995*1048576, 2560.005*1048576),
	}, text)
	// 78,384 older tokens lie between what the two ends of the logged memory give.
	lo := olderLog(pool(t, gptOSS(), kvcache.Bytes(got[0].Figure.Lo), 131072, vllm()))
	hi := olderLog(pool(t, gptOSS(), kvcache.Bytes(got[0].Figure.Hi), 131072, vllm()))
	require.True(t, lo <= 78384 && 78384 <= hi, "%v to %v", lo, hi)
}

func TestReadLogRefuses(t *testing.T) {
	_, err := kvcache.ReadLog(strings.NewReader("ok\nAvailable KV cache memory: 5.3.8 GiB"))
	require.ErrorContains(t, err, "line 2")
	_, err = kvcache.ReadLog(strings.NewReader("Maximum concurrency for 99999999999999999999 tokens per request: 1.1x"))
	require.ErrorContains(t, err, "line 1")
	_, err = kvcache.ReadLog(strings.NewReader(strings.Repeat("x", 2<<20)))
	require.ErrorContains(t, err, "line 1")
	got, err := kvcache.ReadLog(strings.NewReader(""))
	require.NoError(t, err)
	require.Empty(t, got)
}

func FuzzReadLog(f *testing.F) {
	f.Add(startLog)
	f.Fuzz(func(t *testing.T, s string) {
		got, err := kvcache.ReadLog(strings.NewReader(s))
		if err != nil {
			return
		}
		for _, g := range got {
			require.LessOrEqual(t, g.Figure.Lo, g.Figure.Hi)
			require.Positive(t, g.Line)
		}
	})
}

func ExampleModel_InferWeights() {
	// Two published capacities of Gemma-4-31B on one B300.
	device := kvcache.Device{Name: "B300", Memory: 288 * kvcache.GB}
	r, err := gemma4().InferWeights(kvcache.Budget{Device: device}, kvcache.Setup{},
		kvcache.Capacity{Tokens: 16384, Sessions: 168}, kvcache.Capacity{Tokens: 65536, Sessions: 59})
	fmt.Println(r.Lo, err)
	fmt.Println(r.Hi)
	// Output:
	// 61942282241 B (61.94 GB, 57.69 GiB) <nil>
	// 63032801280 B (63.03 GB, 58.7 GiB)
}

func ExampleInferCost() {
	c, err := kvcache.InferCost(50_080_000_000, 1,
		kvcache.Capacity{Tokens: 16384, Sessions: 46}, kvcache.Capacity{Tokens: 65536, Sessions: 11})
	fmt.Printf("%.0f to %.0f bytes a token, %v\n", c.PerToken.Lo, c.PerToken.Hi, err)
	// Output: 62757 to 66449 bytes a token, <nil>
}

func ExampleModel_InferFree() {
	// The engine says 26,800 tokens for sessions of at most 26,800.
	r, err := llama8B().InferFree(26800, 26800, kvcache.Setup{Engine: kvcache.VLLM()})
	fmt.Println(r, err)
	// Output: 3512729600 B (3.513 GB, 3.271 GiB) to 3514826751 B (3.515 GB, 3.273 GiB) <nil>
}

func ExampleReadLog() {
	figures, err := kvcache.ReadLog(strings.NewReader("INFO: Available KV cache memory: 24.54 GiB"))
	fmt.Println(figures[0], err)
	// Output: line 1: vllm: available memory from 26344255651.84 to 26354993070.08 bytes <nil>
}
