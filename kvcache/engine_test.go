package kvcache_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/servemath/kvcache"
)

// vllm is vLLM without prefix caching, as the published logs of hybrid models
// have it.
func vllm() kvcache.Setup {
	return kvcache.Setup{Engine: kvcache.VLLM(), StateCopies: 1}
}

func fp8(s kvcache.Setup) kvcache.Setup { s.Format = kvcache.FP8; return s }

func pool(t *testing.T, m *kvcache.Model, free kvcache.Bytes, tokens int, s kvcache.Setup) kvcache.Pool {
	t.Helper()
	p, err := m.Pool(free, tokens, s)
	require.NoError(t, err)
	return p
}

func session(t *testing.T, m *kvcache.Model, n int, s kvcache.Setup) kvcache.Footprint {
	t.Helper()
	f, err := m.Session(n, s)
	require.NoError(t, err)
	return f
}

// streamBytes adds up the parts of one stream.
func streamBytes(f kvcache.Footprint, stream string) (sum kvcache.Bytes) {
	for _, p := range f.Parts {
		if p.Stream == stream {
			sum += p.Bytes
		}
	}
	return sum
}

func gib(t *testing.T, s string) kvcache.Bytes {
	t.Helper()
	b, err := kvcache.ParseBytes(s + "GiB")
	require.NoError(t, err)
	return b
}

func kda(layers, heads int) kvcache.Group {
	return kvcache.Group{Name: "kda", Key: "linear_attn_config", Layers: layers, States: []kvcache.State{
		{Name: "conv", Values: int64(3 * heads * 128 * 3), Heads: heads},
		{Name: "recurrent", Values: int64(heads * 128 * 128), Format: kvcache.FP32, Heads: heads},
	}}
}

func mamba1(layers, inner, conv, state int) kvcache.Group {
	return kvcache.Group{Name: "mamba", Key: "mamba_d_state", Layers: layers, States: []kvcache.State{
		{Name: "conv", Values: int64(inner * (conv - 1)), Shard: kvcache.ByChannel},
		{Name: "recurrent", Values: int64(inner * state), Shard: kvcache.ByChannel},
	}}
}

func gptOSS() *kvcache.Model {
	return model("gpt-oss-120b", 131072, attention(18, 8, 64, 64), sliding(18, 8, 64, 128))
}

func gemma4() *kvcache.Model {
	return model("gemma-4-31B-it", 262144, attention(10, 4, 512, 512), sliding(50, 16, 256, 1024))
}

func gemma3() *kvcache.Model {
	return model("gemma-3-4b", 131072, attention(5, 4, 256, 256), sliding(29, 4, 256, 1024))
}

func qwen35B() *kvcache.Model {
	return model("Qwen3.5-35B-A3B", 262144, attention(10, 2, 256, 256), deltaNet(30, 16, 32, kvcache.FP32))
}

func qwenNext() *kvcache.Model {
	return model("Qwen3-Next-80B", 262144, attention(12, 2, 256, 256), deltaNet(36, 16, 32, kvcache.Format{}))
}

func smallQwen() *kvcache.Model {
	return model("Qwen3.5-0.8B", 262144, attention(6, 2, 256, 256), deltaNet(18, 16, 16, kvcache.FP32))
}

func nano() *kvcache.Model {
	return model("Nemotron-3-Nano", 262144, attention(6, 2, 128, 128), mamba2(23, 64, 64, 8, 128))
}

func jamba() *kvcache.Model {
	return model("Jamba-1.5-Mini", 262144, attention(4, 8, 128, 128), mamba1(28, 8192, 4, 16))
}

func kimiLinear() *kvcache.Model {
	return model("Kimi-Linear-48B", 1048576, latent(7, 576), kda(20, 32))
}

func deepSeek32() *kvcache.Model {
	return model("DeepSeek-V3.2", 163840, latent(61, 576), index(61))
}

func glm52() *kvcache.Model { return model("GLM-5.2", 1048576, latent(78, 576), index(21)) }

func padding(t *testing.T, m *kvcache.Model, s kvcache.Setup) float64 {
	return math.Round(100*pool(t, m, kvcache.GB, 1000, s).PaddingPercent) / 100
}

func blockTokens(t *testing.T, m *kvcache.Model, s kvcache.Setup) float64 {
	return float64(pool(t, m, kvcache.GB, 1000, s).BlockTokens)
}

// olderLog is how older versions of vLLM stated the pool.
func olderLog(p kvcache.Pool) float64 { return float64(p.Blocks / p.Groups * p.BlockTokens) }

const mib = float64(1 << 20)

// v4Page is a block of one layer's latents in bytes: by the pool, and by what a
// session of so many blocks takes.
func v4Page(t *testing.T, g kvcache.Group, n, blocks int) float64 {
	m := model("m", 0, g)
	page := pool(t, m, kvcache.GB, n, fp8(vllm())).PageBytes
	require.Equal(t, page*kvcache.Bytes(blocks), session(t, m, n, fp8(vllm())).PerDevice)
	return float64(page)
}

func layersText(stages []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(stages), " ", ","), "[]")
}

// Each row of golden_engine.tsv, by its engine, model, setting and quantity. A
// float64 is compared as a number, a string as text; a func is the property that
// the row words.
var engineRows = map[string]func(t *testing.T) any{
	"vllm|Qwen3.5-0.8B bf16 TP1|prefix caching off, 16-token kernel block|attention block size": func(t *testing.T) any {
		return blockTokens(t, smallQwen(), vllm())
	},
	"vllm|Qwen3.5-0.8B bf16 TP1|same|mamba page padding": func(t *testing.T) any { return padding(t, smallQwen(), vllm()) },
	"vllm|Qwen3-Next-80B bf16 TP1 (state bf16)|prefix caching off, 16-token kernel block|attention block size": func(t *testing.T) any {
		return blockTokens(t, qwenNext(), vllm())
	},
	"vllm|Qwen3.5-27B bf16 TP1|prefix caching off, 16-token kernel block|attention block size": func(t *testing.T) any {
		return blockTokens(t, qwen35(), vllm())
	},
	"vllm|Qwen3.5-27B bf16 TP1|same|mamba page padding": func(t *testing.T) any { return padding(t, qwen35(), vllm()) },
	"vllm|Qwen3.5-35B-A3B bf16 TP1|prefix caching off, 16-token kernel block|attention block size": func(t *testing.T) any {
		return blockTokens(t, qwen35B(), vllm())
	},
	"vllm|Qwen3.5-35B-A3B bf16 TP1|same|mamba page padding":   func(t *testing.T) any { return padding(t, qwen35B(), vllm()) },
	"vllm|Qwen3.5-35B-A3B fp8 KV TP1|same|mamba page padding": func(t *testing.T) any { return padding(t, qwen35B(), fp8(vllm())) },
	"vllm|Qwen3.5-27B fp8 KV TP1|prefix caching off, 16-token kernel block|attention block size": func(t *testing.T) any {
		return blockTokens(t, qwen35(), fp8(vllm()))
	},
	"vllm|Qwen3.5-27B fp8 KV TP1|same|mamba page padding": func(t *testing.T) any { return padding(t, qwen35(), fp8(vllm())) },
	"vllm|Nemotron-3-Nano bf16 TP1|prefix caching off, 16-token kernel block|attention block size": func(t *testing.T) any {
		return blockTokens(t, nano(), vllm())
	},
	"vllm|Jamba-1.5-Mini bf16 TP1 (mamba1)|prefix caching off, 16-token kernel block|attention block size": func(t *testing.T) any {
		return blockTokens(t, jamba(), vllm())
	},
	"vllm|Jamba-1.5-Mini bf16 TP1 (mamba1)|same|mamba page padding": func(t *testing.T) any { return padding(t, jamba(), vllm()) },
	"vllm|Kimi-Linear-48B bf16 TP1|MLA hybrids align to 128|attention block size": func(t *testing.T) any {
		return blockTokens(t, kimiLinear(), vllm())
	},
	"vllm|gpt-oss-120b bf16 KV|5.38 GiB available (log rounded)|GPU KV cache size (older logs: blocks//groups*16)": func(t *testing.T) any {
		p := pool(t, gptOSS(), gib(t, "5.38"), 131072, vllm())
		require.Equal(t, []int{2, 18}, []int{p.Groups, p.LayersPerGroup})
		return olderLog(p)
	},
	"vllm|gemma-4-31B-it bf16 KV|24.54 GiB available|GPU KV cache size": func(t *testing.T) any {
		p := pool(t, gemma4(), gib(t, "24.54"), 262144, vllm())
		require.Equal(t, []int{6, 10}, []int{p.Groups, p.LayersPerGroup})
		require.EqualValues(t, 16*16384, p.PageBytes)
		return olderLog(p)
	},
	"vllm|gemma-4-31B-it||bytes per pool token": func(t *testing.T) any {
		p := pool(t, gemma4(), kvcache.GB, 262144, vllm())
		return float64(p.BlockBytes) * float64(p.Groups) / float64(p.BlockTokens)
	},
	"vllm|full attention|dcp D|tokens stored per rank": func(t *testing.T) any {
		for _, n := range []int{1, 7, 4096, 10001} {
			for _, d := range []int{1, 2, 4, 8} {
				s := kvcache.Setup{Parallel: kvcache.Parallel{TP: 8, DCP: d}}
				require.EqualValues(t, 61*576*((n+d-1)/d), session(t, model("V3", 0, latent(61, 576)), n, s).PerDevice)
			}
		}
		return "ceil(n/D)"
	},
	"vllm|sliding window W|max in flight B|blocks per request": func(t *testing.T) any {
		for _, w := range []int{1, 128, 1024, 4096} {
			for _, inFlight := range []int{1, 1024, 16384} {
				for _, n := range []int{1, 100, 5000, 131072} {
					s := vllm()
					s.Engine.WindowSlack = inFlight - 1
					p := pool(t, model("m", 0, sliding(18, 8, 64, w)), kvcache.GB, n, s)
					require.Equal(t, (min(w-1+inFlight, n)+15)/16+1, p.BlocksPerSession)
				}
			}
		}
		return "ceil(min(W-1+B, max_len)/block)+1"
	},
	"vllm|gpt-oss-120b full group|131072 tokens, block 16|blocks per request": func(t *testing.T) any {
		return float64(pool(t, model("full group", 131072, attention(18, 8, 64, 64)), kvcache.GB, 131072, vllm()).BlocksPerSession)
	},
	"vllm|mamba layers|mode none / align / all|state pages per request": func(t *testing.T) any {
		const n = 100_000
		only := model("m", 0, deltaNet(48, 16, 48, kvcache.FP32))
		none, align, all := kvcache.VLLM(), kvcache.VLLM(), kvcache.VLLM()
		none.StateCopies, all.StatePerBlock = 1, true
		for s := range 4 {
			pages := func(e kvcache.Engine) int {
				return pool(t, only, kvcache.GB, n, kvcache.Setup{Engine: e, SpeculativeTokens: s}).BlocksPerSession
			}
			require.Equal(t, []int{1 + s, 2 + s, n/16 + s}, []int{pages(none), pages(align), pages(all)})
		}
		return "1+s / 2+s / ceil(n/block)+s"
	},
	"vllm|DeepSeek-V3.2 fp8_ds_mla||bytes/token/layer": func(t *testing.T) any {
		return float64(streamBytes(session(t, deepSeek32(), 16384, fp8(vllm())), "latent")) / 61 / 16384
	},
	"vllm|DeepSeek-V3.2 indexer||bytes/token/layer": func(t *testing.T) any {
		return float64(streamBytes(session(t, deepSeek32(), 16384, vllm()), "index")) / 61 / 16384
	},
	"vllm|DeepSeek-V4 indexer fp4||bytes/entry": func(t *testing.T) any {
		m := deepSeekV4("DeepSeek-V4-Flash", 21, 20, 43)
		m.Groups[0].Streams[1].Format = kvcache.MXFP4
		return float64(streamBytes(session(t, m, 16384, vllm()), "index")) / 21 / 4096
	},
	"vllm|DeepSeek-V4 page c4|block 256, align 576|page bytes": func(t *testing.T) any {
		return v4Page(t, every(4, 1, copied("latent", 512)...), 512, 2)
	},
	"vllm|DeepSeek-V4 page c128|block 256, align 576|page bytes": func(t *testing.T) any {
		return v4Page(t, every(128, 1, copied("latent", 512)...), 512, 2)
	},
	"vllm|DeepSeek-V4 SWA page|block 64|page bytes": func(t *testing.T) any {
		g := kvcache.Group{Name: "window", Layers: 1, Tokens: kvcache.TokenRule{Kind: kvcache.Window, N: 128}, Streams: copied("latent", 512)}
		return v4Page(t, g, 64, 2) // one block and the spare one
	},
	"vllm|nvfp4 KV|head 128|bytes/head/token one side": func(t *testing.T) any {
		s := kvcache.Setup{Format: kvcache.NVFP4}
		return float64(session(t, model("m", 0, attention(1, 1, 128, 128)), 1, s).Session) / 2
	},
	"vllm|int8/fp8 per_token_head||extra bytes/token/layer": func(t *testing.T) any {
		for _, heads := range []int{1, 4, 8} {
			m := model("m", 0, attention(1, heads, 128, 128))
			plain := session(t, m, 16, kvcache.Setup{Format: kvcache.INT8}).Session
			scaled := session(t, m, 16, kvcache.Setup{Format: kvcache.INT8PerTokenHead}).Session
			require.EqualValues(t, 2*heads*4*16, scaled-plain)
		}
		return "2*kv_heads*4"
	},
	"vllm|PP 4 over 61 layers||layers per stage":              func(*testing.T) any { return layersText(kvcache.Stages(61, 4, kvcache.VLLM())) },
	"vllm|PP 3 over 62 layers (MiniMax-M2)||layers per stage": func(*testing.T) any { return layersText(kvcache.Stages(62, 3, kvcache.VLLM())) },
	"sglang|Qwen3-235B-A22B-FP8 TP4 bf16 KV|367404 tokens|K pool": func(t *testing.T) any {
		s := kvcache.Setup{Engine: kvcache.SGLang(), Parallel: tp(4)}
		f := session(t, model("Qwen3-235B-A22B", 0, attention(94, 4, 128, 128)), 367404, s)
		return math.Round(float64(f.PerDevice)/2/float64(kvcache.GiB)*100) / 100
	},
	"sglang|DSA indexer|page 64|bytes/token/layer": func(t *testing.T) any {
		f := session(t, glm52(), 16384, kvcache.Setup{Engine: kvcache.SGLang()})
		require.EqualValues(t, 78*(576*2+132)*16384, f.PerDevice)
		return float64(streamBytes(f, "index")) / 78 / 16384
	},
	"sglang|DeepSeek-V4 compressor ring|c4 / c128 without and with speculation|rows": func(t *testing.T) any {
		m := deepSeekV4("DeepSeek-V4-Flash", 21, 20, 43)
		s := kvcache.Setup{Engine: kvcache.SGLang()}
		rows := func() string {
			f := session(t, m, 1000, s)
			c4, c128 := f.Parts[2].Bytes/(21*(2048+512)*4), f.Parts[4].Bytes/(20*1024*4)
			return fmt.Sprintf("%d / %d", int64(c4), int64(c128))
		}
		without := rows()
		s.SpeculativeTokens = 3
		return without + "; " + rows()
	},
	"sglang|mamba ssm state||default dtype": func(t *testing.T) any {
		f := session(t, qwenNext(), 1, kvcache.Setup{Engine: kvcache.SGLang(), StateCopies: 1})
		require.EqualValues(t, 36*8192*3*2, streamBytes(f, "conv"), "conv bfloat16")
		if streamBytes(f, "recurrent") == 36*32*128*128*4 {
			return "float32"
		}
		return streamBytes(f, "recurrent")
	},
	"llama.cpp|Qwen3.6-27B, 4 slots|fp32|recurrent buffer": func(t *testing.T) any {
		return float64(session(t, qwen35(), 1, kvcache.Setup{Engine: kvcache.LlamaCpp(), StateCopies: 4}).State) / mib
	},
	"llama.cpp|gemma3:4b f16|131072 cells|full KV buffer": func(t *testing.T) any {
		return float64(session(t, gemma3(), 131072, kvcache.Setup{Engine: kvcache.LlamaCpp()}).Growing) / mib
	},
	"llama.cpp|gemma3:4b f16|window 1024 + ubatch 512|SWA cells": func(t *testing.T) any {
		f := session(t, gemma3(), 131072, kvcache.Setup{Engine: kvcache.LlamaCpp()})
		return float64(f.Window+f.Rounding) / (29 * 4 * 512 * 2)
	},
	"llama.cpp|gemma3:4b f16|1536 cells|SWA KV buffer": func(t *testing.T) any {
		f := session(t, gemma3(), 131072, kvcache.Setup{Engine: kvcache.LlamaCpp()})
		return float64(f.Window+f.Rounding) / mib
	},
	"llama.cpp|gemma-4-26B-A4B f16|4096|KV total": func(t *testing.T) any {
		m := model("gemma-4-26B-A4B", 262144, attention(5, 2, 512, 512), sliding(25, 8, 256, 1024))
		f := session(t, m, 4096, kvcache.Setup{Engine: kvcache.LlamaCpp()})
		return math.Round(float64(f.PerDevice)/float64(kvcache.GB)*100) / 100
	},
	"llama.cpp|LFM2-1.2B f16|32768|KV (6 layers)": func(t *testing.T) any {
		conv := kvcache.Group{Name: "conv", Layers: 10, States: []kvcache.State{{Name: "conv", Values: 2048 * 2, Shard: kvcache.ByChannel}}}
		f := session(t, model("LFM2-1.2B", 128000, attention(6, 8, 64, 64), conv), 32768, kvcache.Setup{Engine: kvcache.LlamaCpp()})
		return float64(f.Growing+f.Rounding) / mib
	},
	"llama.cpp|command-r-v01 f16 (40 layers, 64 heads, 128)|2048|KV": func(t *testing.T) any {
		f := session(t, model("command-r-v01", 8192, attention(40, 64, 128, 128)), 2048, kvcache.Setup{Engine: kvcache.LlamaCpp()})
		return float64(f.PerDevice) / mib
	},
	"llama.cpp|q8_0|32 values|block bytes": func(*testing.T) any { return float64(kvcache.Q8_0.BlockBytes) },
	"llama.cpp|q4_1|32 values|block bytes": func(*testing.T) any { return float64(kvcache.Q4_1.BlockBytes) },
	"llama.cpp|q5_0|32 values|block bytes": func(*testing.T) any { return float64(kvcache.Q5_0.BlockBytes) },
	"llama.cpp|q5_1|32 values|block bytes": func(*testing.T) any { return float64(kvcache.Q5_1.BlockBytes) },
	"llama.cpp|MLA models||V buffer": func(t *testing.T) any {
		f := session(t, model("DeepSeek-V3", 163840, latent(61, 576)), 4096, kvcache.Setup{Engine: kvcache.LlamaCpp()})
		require.EqualValues(t, 61*576*2*4096, f.PerDevice)
		return float64(streamBytes(f, "v"))
	},
	"hf-mem|gemma-4-31B-it|safetensors index|weights": func(t *testing.T) any {
		b, err := kvcache.IndexWeights(strings.NewReader(`{"metadata": {"total_size": 62546177752}, "weight_map": {"a": "model-1.safetensors"}}`))
		require.NoError(t, err)
		return float64(b.Bytes)
	},
}

func TestEngineFigures(t *testing.T) {
	f, err := os.Open(filepath.Join("testdata", "golden_engine.tsv"))
	require.NoError(t, err)
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes = '\t', true
	rows, err := r.ReadAll()
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, row := range rows[1:] {
		key := strings.Join(row[:4], "|")
		seen[key] = true
		got := engineRows[key]
		if !assert.NotNil(t, got, "no test for %s", key) {
			continue
		}
		t.Run(key, func(t *testing.T) {
			want := row[4]
			switch got := got(t).(type) {
			case float64:
				number, err := strconv.ParseFloat(want, 64)
				require.NoError(t, err)
				require.Equal(t, number, got)
			default:
				require.Equal(t, want, got)
			}
		})
	}
	require.Len(t, seen, len(engineRows), "rows without a figure")
	t.Logf("%d figures of engines", len(seen))
}

// vLLM's own test of the window: 1,024 tokens with 1,024 or twice 1,024 under way
// (tests/v1/core, test_swa_admission_cap_accounts_for_overlapping_batches).
func TestWindowBlocks(t *testing.T) {
	for inFlight, want := range map[int]int{1024: 129, 2048: 193} {
		s := vllm()
		s.Engine.WindowSlack = inFlight - 1
		require.Equal(t, want, pool(t, model("m", 0, sliding(1, 1, 1, 1024)), kvcache.GB, 16384, s).BlocksPerSession)
	}
}

func engines() []kvcache.Engine {
	return []kvcache.Engine{{}, kvcache.Logical(), kvcache.VLLM(), kvcache.SGLang(), kvcache.LlamaCpp()}
}

// The properties of any session hold in every engine, and rounding is all that
// blocks change.
func TestEngineProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	done := 0
	for range 4000 {
		m := randomModel(r)
		s := kvcache.Setup{
			Engine: engines()[r.IntN(5)], Parallel: kvcache.Parallel{TP: 1 << r.IntN(4), PP: 1 + r.IntN(4)},
			Format: kvcache.FP8, StateFormat: kvcache.BF16, StateCopies: 1 + r.IntN(3),
		}
		s.Engine.StatePerDraft = false
		if _, err := m.Session(1, s); err != nil {
			continue // does not divide
		}
		done++
		checkProperties(t, m, 1+r.IntN(1<<r.IntN(20)), s)
	}
	require.Greater(t, done, 2000)
}
