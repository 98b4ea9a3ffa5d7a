package hfconfig

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mutants are keys that shape some cache: those that a reader must not pass over,
// and spellings that no model has yet.
var mutants = []string{
	"kv_lora_rank", "index_topk", "index_head_dim", "indexer_types", "compress_ratios", "compress_rates", "layer_types", "sliding_window",
	"sliding_window_size", "sliding_window_pattern", "attention_chunk_size", "mamba_d_state", "ssm_state_size", "linear_num_key_heads",
	"linear_attn_config", "conv_L_cache", "attn_type_list", "hybrid_layer_pattern", "hybrid_override_pattern", "block_configs",
	"num_kv_shared_layers", "use_cla", "cross_attention_layers", "sparse_attention_config", "engram_layers", "engram_table_size",
	"swa_num_key_value_heads", "swa_head_dim", "swa_v_head_dim", "global_head_dim", "num_global_key_value_heads", "attention_k_eq_v",
	"v_head_dim", "qk_rope_head_dim", "full_attention_interval", "attn_layer_period", "attn_layer_offset", "layers_block_type", "block_types",
	"state_size", "conv_kernel", "conv_kernel_size", "conv1d_width", "lru_width", "attention_window_size", "no_rope_layers",
	"local_layer_ids", "use_mla", "multi_query", "num_attention_groups", "attention_other_setting", "kv_source_layer_ids", "n_groups",
	"mamba_ngroups", "n_mamba_heads", "num_kv_heads", "num_key_value_heads", "head_dim", "use_sliding_window",
	"mamba_of_tomorrow", "index_of_tomorrow", "linear_of_tomorrow", "hybrid_of_tomorrow", "swa_of_tomorrow", "kv_of_tomorrow",
}

// values of a key that is there: 0 counts.
var values = []string{"7", "0", "true", `"x"`, "[1]", `{"a": 1}`, "NaN"}

// TestAnUnreadKeyIsRefused adds each key to a config of each family whose entry
// does not list it.
func TestAnUnreadKeyIsRefused(t *testing.T) {
	refused := 0
	for _, x := range fixtures {
		c := opened(t, x.config)
		for i, key := range mutants {
			if _, has := c.text.Get(key); has || c.declares(key) {
				continue
			}
			text := insert(x.config, c.path, fmt.Sprintf("%q: %s", key, values[i%len(values)]))
			_, err := Read(strings.NewReader(text))
			e, ok := errors.AsType[*UnmodelledFieldError](err)
			if assert.True(t, ok, "%s with %s: %v", x.name, key, err) {
				assert.Equal(t, key, e.Key, x.name)
				assert.Equal(t, c.path+key, e.Path, x.name)
				assert.Equal(t, c.modelType, e.ModelType)
				refused++
			}
		}
	}
	assert.Greater(t, refused, 40*len(fixtures))
}

// TestAKeyWithoutEffectIsNot adds each key with a value that leaves it without
// effect.
func TestAKeyWithoutEffectIsNot(t *testing.T) {
	for _, x := range fixtures {
		c := opened(t, x.config)
		for i, key := range mutants {
			if _, has := c.text.Get(key); has || c.declares(key) {
				continue
			}
			text := insert(x.config, c.path, fmt.Sprintf("%q: %s", key, []string{"null", "false", "[]", "{}"}[i%4]))
			_, err := Read(strings.NewReader(text))
			assert.NoError(t, err, "%s with %s", x.name, key)
		}
	}
}

// insert puts a member first into the object at path, "" or "text_config.".
func insert(config, path, member string) string {
	at := 1
	for step := range strings.SplitSeq(strings.TrimSuffix(path, "."), ".") {
		if step != "" {
			at = strings.Index(config, `"`+step+`": {`) + len(step) + len(`"": {`)
		}
	}
	return config[:at] + member + ", " + config[at:]
}

// TestAnUnreadKeyOfACorpusConfigIsRefused does the same to every published
// config that is sized.
func TestAnUnreadKeyOfACorpusConfigIsRefused(t *testing.T) {
	for _, file := range corpus(t, "configs") {
		b, err := os.ReadFile(file)
		require.NoError(t, err)
		text := string(b)
		if _, err := Read(strings.NewReader(text)); err != nil || len(text) > 1e6 {
			continue
		}
		_, err = Read(strings.NewReader(strings.Replace(text, "{", `{"engram_layers": [1], `, 1)))
		e, ok := errors.AsType[*UnmodelledFieldError](err)
		if assert.True(t, ok, "%s: %v", filepath.Base(file), err) {
			assert.Equal(t, "engram_layers", e.Key)
		}
	}
}

func TestNestedAndWrappingObjectsAreCheckedToo(t *testing.T) {
	kimi, m3, nas, gemma := configOf("Kimi-Linear"), configOf("MiniMax-M3"), configOf("a searched"), configOf("Gemma-4-31B")
	for _, c := range []struct{ name, config, key, path string }{
		{"any other key of linear_attn_config", insert(kimi, "linear_attn_config.", `"num_kv_groups": 8`), "num_kv_groups", "linear_attn_config.num_kv_groups"},
		{"any other key of sparse_attention_config", insert(m3, "sparse_attention_config.", `"sparse_value_dim": 64`), "sparse_value_dim", "sparse_attention_config.sparse_value_dim"},
		{"a window of one block", strings.Replace(nas, `"window_length": null`, `"window_length": 4096`, 1), "window_length", "block_configs.attention.window_length"},
		{"another part of a block", insert(nas, "attention.", `"sparsify": ["2:4"]`), "sparsify", "block_configs.attention.sparsify"},
		{"the wrapper", insert(gemma, "", `"index_topk": 2048`), "index_topk", "index_topk"},
		{"an object no one knows", insert(gemma, "text_config.", `"memory": {"engram_layers": [1]}`), "engram_layers", "text_config.memory.engram_layers"},
		{"a list of such objects", insert(gemma, "text_config.", `"memory": [[{"engram_layers": [1]}]]`), "engram_layers", "text_config.memory.engram_layers"},
	} {
		_, err := Read(strings.NewReader(c.config))
		e, ok := errors.AsType[*UnmodelledFieldError](err)
		if assert.True(t, ok, "%s: %v", c.name, err) {
			assert.Equal(t, c.key, e.Key, c.name)
			assert.Equal(t, c.path, e.Path, c.name)
		}
	}
}

func TestOtherTowersAreNotTheLanguageModel(t *testing.T) {
	const text = `"text_config": {"model_type": "llama", "dtype": "bfloat16", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32}`
	for _, tower := range []string{
		`"vision_config": {"sliding_window": 7, "global_head_dim": 72}`,
		`"audio_config": {"conv_kernel_size": 5, "attention_chunk_size": 12}`,
		`"talker_config": {"text_config": {"num_key_value_heads": 2}}`,
		`"quantization_config": {"kv_cache_scheme": null, "config_groups": {"group_0": {"weights": {"index_of": 1}}}}`,
	} {
		_, err := Read(strings.NewReader(`{"model_type": "any_vl", ` + tower + ", " + text + "}"))
		assert.NoError(t, err, tower)
	}
}

// TestWrappersMayRepeat reads wrappers that say again what the text config says,
// as some writers do, and refuses those that contradict it.
func TestWrappersMayRepeat(t *testing.T) {
	const config = `{"model_type": "qwen2_5_vl", "sliding_window": %s, "num_key_value_heads": 4, "layer_types": ["full_attention"],
		"text_config": {"model_type": "qwen2_5_vl_text", "dtype": "bfloat16", "hidden_size": 3584, "num_hidden_layers": 1,
		"num_attention_heads": 28, "num_key_value_heads": 4, "sliding_window": 32768, "use_sliding_window": false, "layer_types": ["full_attention"]}}`
	_, err := Read(strings.NewReader(fmt.Sprintf(config, "32768.0")))
	assert.NoError(t, err)
	_, err = Read(strings.NewReader(fmt.Sprintf(config, "4096")))
	e, ok := errors.AsType[*InconsistentError](err)
	require.True(t, ok, "%v", err)
	assert.Equal(t, "sliding_window", e.Key)

	kimi := configOf("Kimi-Linear")
	at := strings.Index(kimi, `"linear_attn_config"`)
	object := kimi[at : strings.Index(kimi[at:], "}")+at+1]
	assert.NoError(t, readText(`{"model_type": "kimi_vl", `+object+`, "text_config": `+kimi+"}"))
	other := strings.Replace(object, `"num_heads": 32`, `"num_heads": 16`, 1)
	assert.Error(t, readText(`{"model_type": "kimi_vl", `+other+`, "text_config": `+kimi+"}"))
	fewer := strings.Replace(object, `"num_heads": 32`, `"heads": 32`, 1)
	assert.Error(t, readText(`{"model_type": "kimi_vl", `+fewer+`, "text_config": `+kimi+"}"))
}
