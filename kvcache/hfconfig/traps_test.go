package hfconfig

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/servemath/kvcache"
)

// TestTraps changes what readers have been known to trip over and that does not
// change the cache: the groups stay the same.
func TestTraps(t *testing.T) {
	for trap, c := range map[string]struct{ config, change, to string }{
		"Qwen2.5's window, not in use":      {"Qwen2.5-7B", `"sliding_window": \d+`, `"sliding_window": 64`},
		"Qwen2.5's layers that would slide": {"Qwen2.5-7B", `"max_window_layers": \d+`, `"max_window_layers": 4`},
		"GLM-5's head size":                 {"GLM-5, a head", `"head_dim": 64`, `"head_dim": 192`},
		"GLM-5's KV heads":                  {"GLM-5, a head", `"num_key_value_heads": 64`, `"num_key_value_heads": 1`},
		"Kimi-Linear's head size":           {"Kimi-Linear", `"head_dim": 72`, `"head_dim": 64`},
		"V4's ratio of the MTP layer":       {"DeepSeek-V4 in small, ratios", `1, 0\], "num_nextn`, `1, 128], "num_nextn`},
		"V4's ratios and kinds, which agree": {"DeepSeek-V4 in small, ratios", `"head_dim"`, `"layer_types": ["sliding_attention",
			"compressed_sparse_attention", "heavily_compressed_attention", "compressed_sparse_attention", "sliding_attention"], "head_dim"`},
		"V4's list without one for the MTP layer": {"DeepSeek-V4 in small, ratios", `1, 0\], "num_nextn`, `1], "num_nextn`},
		"Hunyuan's share factor, not in use":      {"Hunyuan-A13B", `"cla_share_factor": 2`, `"cla_share_factor": 4`},
		"MiMo's chunk, which engines drop":        {"MiMo-V2-Flash", `"attention_chunk_size": 128`, `"attention_chunk_size": 64`},
		"Llama 4's empty list, or none":           {"Llama-4-Scout", `"no_rope_layers": \[\]`, `"no_rope_layers": null`},
		"Gemma 4's K = V is stored twice":         {"Gemma-4-31B", `"vision_config": \{"global_head_dim": 72\}`, `"vision_config": {"global_head_dim": 64}`},
		"Nemotron's newer names of its layers":    {"Nemotron-3-Ultra", `"mamba", "moe", "mamba", "attention"`, `"linear_attention", "moe", "mamba", "full_attention"`},
		"Nemotron-Ultra's number of layers":       {"Nemotron-3-Ultra", `"num_attention_heads"`, `"num_hidden_layers": 5, "num_attention_heads"`},
	} {
		config := configOf(c.config)
		changed := regexp.MustCompile(c.change).ReplaceAllLiteralString(config, c.to)
		require.NotEqual(t, config, changed, trap)
		assert.Equal(t, mustRead(t, config, nil).Groups, mustRead(t, changed, nil).Groups, trap)
	}
}

// TestMoreTraps counts by hand where a wrong reading gives another number.
func TestMoreTraps(t *testing.T) {
	layers := func(m *kvcache.Model, name string) []int {
		for _, g := range m.Groups {
			if g.Name == name {
				return g.At
			}
		}
		return nil
	}
	assert.Equal(t, []int{3, 7, 11, 15, 19, 23, 26}, layers(mustRead(t, configOf("Kimi-Linear"), nil), "latent attention"),
		"layers of linear_attn_config count from 1")
	assert.Equal(t, []int{2, 5, 8, 10, 12, 14}, layers(mustRead(t, configOf("LFM2-1.2B"), nil), "full attention"),
		"the first layer of LFM2 has no keys, others have")
	assert.Equal(t, 5, mustRead(t, configOf("Nemotron-3-Ultra"), nil).Layers, "the list stands in for num_hidden_layers")
	nemo := mustRead(t, configOf("Mistral-Nemo"), nil).Groups[0].Streams[0]
	assert.Equal(t, 128, nemo.Dim, "5120 / 32 is 160, which head_dim overrules")
	exaone := strings.Replace(configOf("EXAONE-4.0-32B"), `"num_hidden_layers": 64`, `"num_hidden_layers": 30`, 1)
	assert.Equal(t, []int{3, 7, 11, 15, 19, 23, 27, 29}, layers(mustRead(t, exaone, nil), "full attention"),
		"the last layer is global, whatever the pattern of letters")
	gemma := strings.Replace(configOf("Gemma-3-4B"), `"sliding_window"`, `"_sliding_window_pattern": 2, "sliding_window"`, 1)
	assert.Len(t, layers(mustRead(t, gemma, nil), "full attention"), 17, "Gemma 3's period, as its class saves it")
	kimi := mustRead(t, configOf("Kimi-K2.5"), nil)
	assert.Equal(t, "kimi_k2", kimi.Name, "wrapped twice over")
	assert.Equal(t, kvcache.BF16, kimi.DType, "the outermost dtype")

	llama := mustRead(t, configOf("Llama-3.1-8B"), nil)
	for tp, want := range map[int]int64{8: 134217728, 16: 134217728} {
		size, err := llama.Session(16384, kvcache.Setup{Format: kvcache.FP8, Parallel: kvcache.Parallel{TP: tp}})
		require.NoError(t, err)
		assert.EqualValues(t, want, size.PerDevice, "8 KV heads at TP %d are copied, not divided further", tp)
	}
	oss := mustRead(t, configOf("gpt-oss-20b"), nil)
	size, err := oss.Session(100, kvcache.Setup{Format: kvcache.FP8})
	require.NoError(t, err)
	assert.EqualValues(t, 12*8*(64+64)*100*2, size.Session, "100 tokens do not fill the window of 128")
	phi := mustRead(t, configOf("Phi-3.5"), nil)
	size, err = phi.Session(1000, kvcache.Setup{Format: kvcache.FP8})
	require.NoError(t, err)
	assert.EqualValues(t, 32*32*(96+96)*1000, size.Session, "a window beyond the context never fills")
}

// TestHeadsLeftToTheClass reads what a class makes of a config that names neither
// KV heads nor the size of a head, which is not always as many as query heads of
// hidden / heads values. Text configs lose what equals a default when they are
// saved inside a wrapper. Origin: the configuration classes of transformers.
func TestHeadsLeftToTheClass(t *testing.T) {
	for _, c := range []struct {
		modelType string
		kv, dim   int
	}{
		{"llama", 32, 64}, {"cohere", 32, 64}, {"phi3", 32, 64}, {"olmo3", 32, 64}, {"qwen2", 32, 64}, {"qwen2_vl_text", 8, 64},
		{"qwen2_5_vl_text", 8, 64}, {"qwen3", 32, 128}, {"qwen2_moe", 16, 64}, {"qwen3_moe", 4, 64}, {"qwen3_vl_text", 32, 128},
		{"qwen3_vl_moe_text", 16, 64}, {"qwen3_omni_moe_text", 4, 64}, {"qwen3_5_text", 4, 256}, {"qwen3_5_moe_text", 2, 256},
		{"gemma", 16, 256}, {"glm", 2, 128}, {"glm4", 2, 128}, {"glm4v_text", 2, 64}, {"seed_oss", 8, 128}, {"ernie4_5", 2, 128},
		{"ernie4_5_moe", 4, 64}, {"stablelm", 32, 64}, {"exaone4", 32, 64}, {"minimax_m2", 8, 128}, {"mixtral", 8, 64},
		{"phimoe", 8, 64}, {"starcoder2", 2, 64}, {"mistral", 8, 64}, {"gpt_oss", 8, 64}, {"llama4_text", 8, 128},
		{"nemotron_h", 8, 128}, {"lfm2", 8, 64},
	} {
		layers := map[string]string{
			"nemotron_h": `, "layers_block_type": ["attention"]`, "lfm2": `, "layer_types": ["full_attention"]`,
			"qwen3_5_text": `, "layer_types": ["full_attention"]`, "qwen3_5_moe_text": `, "layer_types": ["full_attention"]`,
			"olmo3": `, "sliding_window": 128`, "gpt_oss": `, "sliding_window": 128`, "mistral": `, "sliding_window": null`,
			"exaone4": `, "sliding_window": null`,
		}[c.modelType]
		m := mustRead(t, `{"model_type": "`+c.modelType+`", "hidden_size": 2048, "num_hidden_layers": 1, "num_attention_heads": 32`+layers+"}", nil)
		k := m.Groups[0].Streams[0]
		assert.Equal(t, c.kv, k.Heads, c.modelType)
		assert.Equal(t, c.dim, k.Dim, c.modelType)
		assert.Contains(t, strings.Join(m.Defaults, "\n"), fmt.Sprintf("num_key_value_heads=%d: ", c.kv), c.modelType)
		assert.Contains(t, strings.Join(m.Defaults, "\n"), fmt.Sprintf("head_dim=%d: ", c.dim), c.modelType)
	}
}

// TestHeadSizesThatAreNotGiven reads a size of null or 0 as one that is absent.
func TestHeadSizesThatAreNotGiven(t *testing.T) {
	for _, none := range []string{"null", "0"} {
		m := mustRead(t, llama(`"head_dim": `+none, `"hidden_size": 2048`), nil)
		assert.Equal(t, 2048/32, m.Groups[0].Streams[0].Dim, none)

		gemma := strings.Replace(configOf("Gemma-4"), `"global_head_dim": 512`, `"global_head_dim": `+none, 1)
		for _, g := range mustRead(t, gemma, nil).Groups {
			assert.Equal(t, 256, g.Streams[0].Dim, "%s: the full layers of Gemma 4 fall back to head_dim", g.Name)
		}
	}
}

// TestUnsupported says so for architectures that have no public config, instead
// of reading them as the nearest thing.
func TestUnsupported(t *testing.T) {
	for _, modelType := range []string{"qwen3_8", "glm_moe_dsa_v3", "hy4", "deepseek_v41", "mimo_v2_5", "baichuan", "rwkv7", "t5", ""} {
		err := readText(strings.Replace(llama(), `"model_type": "llama"`, `"model_type": "`+modelType+`"`, 1))
		var e *UnknownArchitectureError
		assert.ErrorAs(t, err, &e, modelType)
	}
}
