package hfconfig

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/servemath/kvcache"
)

// fixture is a small config, typed anew with the fields that matter of a
// published one, and what a session of 65,536 tokens in BF16 keeps of it by a
// literal count.
type fixture struct {
	name     string // of the model whose dimensions these are
	config   string
	perToken int64 // bytes
	fixed    int64 // bytes: windows at their widest, and states
}

// kinds is a JSON list of a pattern of kinds repeated to n entries.
func kinds(n int, pattern ...string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = pattern[i%len(pattern)]
	}
	b, _ := json.Marshal(list)
	return string(b)
}

// numbers is kinds for numbers.
func numbers(n int, pattern ...string) string {
	return strings.ReplaceAll(kinds(n, pattern...), `"`, "")
}

const (
	s = "sliding_attention"
	f = "full_attention"
	l = "linear_attention"
)

// fixtures has one config or more for every entry of the registry.
var fixtures = []fixture{
	{"Llama-3.1-8B", `{"model_type": "llama", "torch_dtype": "bfloat16", "hidden_size": 4096, "num_hidden_layers": 32,
		"num_attention_heads": 32, "num_key_value_heads": 8, "max_position_embeddings": 131072, "rope_scaling": {"factor": 8.0}}`,
		32 * 8 * (128 + 128) * 2, 0},
	{"Llama-2-7B, no KV heads named", `{"model_type": "llama", "torch_dtype": "float16", "hidden_size": 4096, "num_hidden_layers": 32,
		"num_attention_heads": 32, "num_key_value_heads": null}`,
		32 * 32 * (128 + 128) * 2, 0},
	{"Qwen3-235B-A22B", `{"model_type": "qwen3_moe", "torch_dtype": "bfloat16", "hidden_size": 4096, "num_hidden_layers": 94,
		"num_attention_heads": 64, "num_key_value_heads": 4, "head_dim": 128, "sliding_window": null, "max_window_layers": 94, "use_sliding_window": false}`,
		94 * 4 * (128 + 128) * 2, 0},
	{"Qwen3-VL-235B-A22B", `{"model_type": "qwen3_vl_moe", "text_config": {"model_type": "qwen3_vl_moe_text", "dtype": "bfloat16", "hidden_size": 4096,
		"num_hidden_layers": 94, "num_attention_heads": 64, "num_key_value_heads": 4, "head_dim": 128}}`,
		94 * 4 * (128 + 128) * 2, 0},
	{"Qwen3-VL-8B", `{"model_type": "qwen3_vl", "text_config": {"model_type": "qwen3_vl_text", "dtype": "bfloat16", "hidden_size": 4096,
		"num_hidden_layers": 36, "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128}, "vision_config": {"window_size": 112}}`,
		36 * 8 * (128 + 128) * 2, 0},
	{"phi-1", `{"model_type": "phi", "torch_dtype": "float16", "hidden_size": 2048, "num_hidden_layers": 24, "num_attention_heads": 32}`,
		24 * 32 * (64 + 64) * 2, 0},
	{"Hy3", `{"model_type": "hy_v3", "dtype": "bfloat16", "hidden_size": 4096, "num_hidden_layers": 80, "num_attention_heads": 64,
		"num_key_value_heads": 8, "head_dim": 128, "num_nextn_predict_layers": 1}`,
		80 * 8 * (128 + 128) * 2, 0},
	{"GLM-4.5", `{"model_type": "glm4_moe", "torch_dtype": "bfloat16", "hidden_size": 5120, "num_hidden_layers": 92, "num_attention_heads": 96,
		"num_key_value_heads": 8, "head_dim": 128, "num_nextn_predict_layers": 1}`,
		92 * 8 * (128 + 128) * 2, 0},
	{"MiniMax-M2.7", `{"model_type": "minimax_m2", "dtype": "bfloat16", "hidden_size": 3072, "num_hidden_layers": 62, "num_attention_heads": 48,
		"num_key_value_heads": 8, "head_dim": 128, "attn_type_list": ` + numbers(62, "1") + `, "num_mtp_modules": 3, "mtp_transformer_layers": 1}`,
		62 * 8 * (128 + 128) * 2, 0},
	{"SmolLM3-3B", `{"model_type": "smollm3", "torch_dtype": "bfloat16", "hidden_size": 2048, "num_hidden_layers": 36, "num_attention_heads": 16,
		"num_key_value_heads": 4, "no_rope_layers": ` + numbers(36, "1", "1", "1", "0") + `, "sliding_window": null, "use_sliding_window": false,
		"layer_types": ` + kinds(36, f) + `}`,
		36 * 4 * (128 + 128) * 2, 0},
	{"Falcon-7B", `{"model_type": "falcon", "torch_dtype": "bfloat16", "hidden_size": 4544, "num_attention_heads": 71, "multi_query": true,
		"new_decoder_architecture": false}`,
		32 * 1 * (64 + 64) * 2, 0},
	{"Falcon-40B", `{"model_type": "falcon", "torch_dtype": "bfloat16", "hidden_size": 8192, "n_layer": 60, "n_head": 128, "n_head_kv": 8,
		"multi_query": true, "new_decoder_architecture": true}`,
		60 * 8 * (64 + 64) * 2, 0},
	{"Falcon-RW-1B", `{"model_type": "falcon", "torch_dtype": "bfloat16", "hidden_size": 2048, "num_hidden_layers": 24, "num_attention_heads": 32,
		"multi_query": false, "new_decoder_architecture": false}`,
		24 * 32 * (64 + 64) * 2, 0},
	{"GPT-2", `{"model_type": "gpt2", "torch_dtype": "float32", "n_embd": 768, "n_layer": 12, "n_head": 12, "n_positions": 1024}`,
		12 * 12 * (64 + 64) * 2, 0},
	{"StarCoder", `{"model_type": "gpt_bigcode", "torch_dtype": "float32", "n_embd": 6144, "n_layer": 40, "n_head": 48, "n_positions": 8192, "multi_query": true}`,
		40 * 1 * (128 + 128) * 2, 0},
	{"GLM-4-9B", `{"model_type": "chatglm", "torch_dtype": "bfloat16", "hidden_size": 4096, "num_layers": 40, "num_attention_heads": 32, "kv_channels": 128,
		"multi_query_attention": true, "multi_query_group_num": 2, "seq_length": 131072}`,
		40 * 2 * (128 + 128) * 2, 0},
	{"Hunyuan-A13B, a share factor that is not in use", `{"model_type": "hunyuan", "torch_dtype": "bfloat16", "hidden_size": 4096,
		"num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "attention_head_dim": 128, "cla_share_factor": 2,
		"use_cla": false, "use_mla": false, "kv_lora_rank": null}`,
		32 * 8 * (128 + 128) * 2, 0},
	{"Hunyuan with cross-layer attention", `{"model_type": "hunyuan", "torch_dtype": "bfloat16", "hidden_size": 4096, "num_hidden_layers": 33,
		"num_attention_heads": 32, "num_key_value_heads": 8, "attention_head_dim": 128, "cla_share_factor": 2, "use_cla": true}`,
		17 * 8 * (128 + 128) * 2, 0},
	{"a searched architecture", `{"model_type": "nemotron-nas", "torch_dtype": "bfloat16", "hidden_size": 8192, "num_hidden_layers": 4,
		"num_attention_heads": 64, "num_key_value_heads": null, "block_configs": [
			{"attention": {"n_heads_in_group": 8, "no_op": false, "window_length": null}, "ffn": {"ffn_mult": 5.25}},
			{"attention": {"n_heads_in_group": null, "no_op": true}, "ffn": {}},
			{"attention": {"n_heads_in_group": 16, "no_op": false, "replace_with_linear": false}, "ffn": {}},
			{"attention": {"n_heads_in_group": 16, "no_op": false, "replace_with_linear": true}, "ffn": {}}]}`,
		(8 + 4) * (128 + 128) * 2, 0},

	{"Mistral-7B-v0.1", `{"model_type": "mistral", "torch_dtype": "bfloat16", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
		"num_key_value_heads": 8, "sliding_window": 4096}`,
		0, 32 * 8 * (128 + 128) * 2 * 4096},
	{"Mistral-Nemo, heads not hidden / heads", `{"model_type": "mistral", "torch_dtype": "bfloat16", "hidden_size": 5120, "num_hidden_layers": 40,
		"num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128, "sliding_window": null}`,
		40 * 8 * (128 + 128) * 2, 0},
	{"Mixtral-8x22B", `{"model_type": "mixtral", "torch_dtype": "bfloat16", "hidden_size": 6144, "num_hidden_layers": 56, "num_attention_heads": 48,
		"num_key_value_heads": 8, "sliding_window": null}`,
		56 * 8 * (128 + 128) * 2, 0},
	{"Phi-3.5-mini, a window beyond the context", `{"model_type": "phi3", "torch_dtype": "bfloat16", "hidden_size": 3072, "num_hidden_layers": 32,
		"num_attention_heads": 32, "num_key_value_heads": 32, "sliding_window": 262144, "max_position_embeddings": 131072}`,
		0, 32 * 32 * (96 + 96) * 2 * 65536},
	{"Qwen2.5-7B, a window that is not in use", `{"model_type": "qwen2", "torch_dtype": "bfloat16", "hidden_size": 3584, "num_hidden_layers": 28,
		"num_attention_heads": 28, "num_key_value_heads": 4, "sliding_window": 131072, "max_window_layers": 28, "use_sliding_window": false}`,
		28 * 4 * (128 + 128) * 2, 0},
	{"Qwen2 with its window in use", `{"model_type": "qwen2", "torch_dtype": "bfloat16", "hidden_size": 3584, "num_hidden_layers": 28,
		"num_attention_heads": 28, "num_key_value_heads": 4, "sliding_window": 4096, "max_window_layers": 20, "use_sliding_window": true}`,
		20 * 4 * (128 + 128) * 2, 8 * 4 * (128 + 128) * 2 * 4096},
	{"Qwen2 with its sliding layers listed", `{"model_type": "qwen2", "torch_dtype": "bfloat16", "hidden_size": 3584, "num_hidden_layers": 4,
		"num_attention_heads": 28, "num_key_value_heads": 4, "sliding_window": 4096, "use_sliding_window": true, "layer_types": ` + kinds(4, f, s) + `}`,
		2 * 4 * (128 + 128) * 2, 2 * 4 * (128 + 128) * 2 * 4096},
	{"Gemma-2-9B", `{"model_type": "gemma2", "torch_dtype": "bfloat16", "hidden_size": 3584, "num_hidden_layers": 42, "num_attention_heads": 16,
		"num_key_value_heads": 8, "head_dim": 256, "sliding_window": 4096, "sliding_window_size": 4096}`,
		21 * 8 * (256 + 256) * 2, 21 * 8 * (256 + 256) * 2 * 4096},
	{"Gemma-3-4B, the heads left to the class", `{"model_type": "gemma3", "torch_dtype": "bfloat16", "text_config": {"model_type": "gemma3_text",
		"hidden_size": 2560, "num_hidden_layers": 34, "sliding_window": 1024}}`,
		5 * 4 * (256 + 256) * 2, 29 * 4 * (256 + 256) * 2 * 1024},
	{"Gemma-3n-E4B", `{"model_type": "gemma3n_text", "torch_dtype": "bfloat16", "hidden_size": 2048, "num_hidden_layers": 35, "num_attention_heads": 8,
		"num_key_value_heads": 2, "head_dim": 256, "sliding_window": 512, "num_kv_shared_layers": 15, "layer_types": ` + kinds(35, s, s, s, s, f) + `}`,
		4 * 2 * (256 + 256) * 2, 16 * 2 * (256 + 256) * 2 * 512},
	{"Gemma-4-31B", `{"model_type": "gemma4", "dtype": "bfloat16", "text_config": {"model_type": "gemma4_text", "hidden_size": 5376,
		"num_hidden_layers": 60, "num_attention_heads": 32, "num_key_value_heads": 16, "num_global_key_value_heads": 4, "attention_k_eq_v": true,
		"head_dim": 256, "global_head_dim": 512, "sliding_window": 1024, "num_kv_shared_layers": 0, "use_bidirectional_attention": "vision",
		"layer_types": ` + kinds(60, s, s, s, s, s, f) + `}, "vision_config": {"global_head_dim": 72}, "audio_config": null}`,
		10 * 4 * (512 + 512) * 2, 50 * 16 * (256 + 256) * 2 * 1024},
	{"Command A", `{"model_type": "cohere2", "torch_dtype": "bfloat16", "hidden_size": 12288, "num_hidden_layers": 64, "num_attention_heads": 96,
		"num_key_value_heads": 8, "head_dim": 128, "sliding_window": 4096, "sliding_window_pattern": 4}`,
		16 * 8 * (128 + 128) * 2, 48 * 8 * (128 + 128) * 2 * 4096},
	{"EXAONE-4.0-32B, a pattern of letters", `{"model_type": "exaone4", "torch_dtype": "bfloat16", "hidden_size": 5120, "num_hidden_layers": 64,
		"num_attention_heads": 40, "num_key_value_heads": 8, "head_dim": 128, "sliding_window": 4096, "sliding_window_pattern": "LLLG"}`,
		16 * 8 * (128 + 128) * 2, 48 * 8 * (128 + 128) * 2 * 4096},
	{"EXAONE-4.0-1.2B, no window", `{"model_type": "exaone4", "torch_dtype": "bfloat16", "hidden_size": 2048, "num_hidden_layers": 30,
		"num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 64, "sliding_window": null, "sliding_window_pattern": null}`,
		30 * 8 * (64 + 64) * 2, 0},
	{"OLMo-3.1-32B", `{"model_type": "olmo3", "dtype": "bfloat16", "hidden_size": 5120, "num_hidden_layers": 64, "num_attention_heads": 40,
		"num_key_value_heads": 8, "sliding_window": 4096, "layer_types": ` + kinds(64, s, s, s, f) + `}`,
		16 * 8 * (128 + 128) * 2, 48 * 8 * (128 + 128) * 2 * 4096},
	{"gpt-oss-20b", `{"model_type": "gpt_oss", "hidden_size": 2880, "num_hidden_layers": 24, "num_attention_heads": 64, "num_key_value_heads": 8,
		"head_dim": 64, "sliding_window": 128, "layer_types": ` + kinds(24, s, f) + `}`,
		12 * 8 * (64 + 64) * 2, 12 * 8 * (64 + 64) * 2 * 128},
	{"Laguna", `{"model_type": "laguna", "dtype": "bfloat16", "hidden_size": 2048, "num_hidden_layers": 40, "num_attention_heads": 48,
		"num_key_value_heads": 8, "head_dim": 128, "sliding_window": 512, "layer_types": ` + kinds(40, f, s, s, s) + `}`,
		10 * 8 * (128 + 128) * 2, 30 * 8 * (128 + 128) * 2 * 512},
	{"Muse-Glimmer-30B", `{"model_type": "muse_glimmer_text", "dtype": "bfloat16", "hidden_size": 6656, "num_hidden_layers": 52,
		"num_attention_heads": 32, "num_key_value_heads": 2, "head_dim": 128, "sliding_window": 2048}`,
		13 * 2 * (128 + 128) * 2, 39 * 2 * (128 + 128) * 2 * 2048},
	{"Step-3.7-Flash, lists that go on for the MTP layers", `{"model_type": "step3p7", "torch_dtype": "bfloat16", "hidden_size": 4096,
		"num_hidden_layers": 45, "num_attention_heads": 64, "num_attention_groups": 8, "head_dim": 128, "sliding_window": 512,
		"num_nextn_predict_layers": 3, "layer_types": ` + kinds(48, f, s, s, s) + `,
		"attention_other_setting": {"attention_type": "sliding_attention", "num_attention_heads": 96, "num_attention_groups": 4, "head_dim": 128}}`,
		12 * 8 * (128 + 128) * 2, 33 * 4 * (128 + 128) * 2 * 512},
	{"MiMo-V2-Flash, a chunk that engines drop", `{"model_type": "mimo_v2_flash", "torch_dtype": "bfloat16", "hidden_size": 4096,
		"num_hidden_layers": 12, "num_attention_heads": 64, "num_key_value_heads": 4, "head_dim": 192, "v_head_dim": 128, "sliding_window": 128,
		"sliding_window_size": 128, "attention_chunk_size": 128, "swa_num_attention_heads": 64, "swa_num_key_value_heads": 8, "swa_head_dim": 192,
		"swa_v_head_dim": 128, "swa_rope_theta": 10000, "hybrid_layer_pattern": [0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0]}`,
		3 * 4 * (192 + 128) * 2, 9 * 8 * (192 + 128) * 2 * 128},
	{"Inkling, attention alone", `{"model_type": "inkling_text", "dtype": "bfloat16", "hidden_size": 6144, "num_hidden_layers": 66,
		"num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 128, "swa_num_attention_heads": 64, "swa_num_key_value_heads": 16,
		"swa_head_dim": 128, "sliding_window_size": 512, "conv_kernel_size": 4}`,
		11 * 8 * (128 + 128) * 2, 55 * 16 * (128 + 128) * 2 * 512},
	{"Inkling, sliding layers by index", `{"model_type": "inkling_text", "dtype": "bfloat16", "hidden_size": 6144, "num_hidden_layers": 4,
		"num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 128, "swa_num_attention_heads": 64, "swa_num_key_value_heads": 16,
		"swa_head_dim": 128, "sliding_window_size": 512, "conv_kernel_size": 4, "local_layer_ids": [0, 2, 3]}`,
		1 * 8 * (128 + 128) * 2, 3 * 16 * (128 + 128) * 2 * 512},
	{"Llama-4 with its full layers flagged", `{"model_type": "llama4_text", "torch_dtype": "bfloat16", "hidden_size": 5120, "num_hidden_layers": 4,
		"num_attention_heads": 40, "num_key_value_heads": 8, "head_dim": 128, "attention_chunk_size": 8192, "no_rope_layers": [1, 1, 0, 1]}`,
		1 * 8 * (128 + 128) * 2, 3 * 8 * (128 + 128) * 2 * 8192},
	{"Llama-4-Scout", `{"model_type": "llama4", "torch_dtype": "bfloat16", "text_config": {"model_type": "llama4_text", "hidden_size": 5120,
		"num_hidden_layers": 48, "num_attention_heads": 40, "num_key_value_heads": 8, "head_dim": 128, "attention_chunk_size": 8192,
		"no_rope_layers": []}}`,
		12 * 8 * (128 + 128) * 2, 36 * 8 * (128 + 128) * 2 * 8192},

	{"DeepSeek-V3", `{"model_type": "deepseek_v3", "torch_dtype": "bfloat16", "hidden_size": 7168, "num_hidden_layers": 61, "num_attention_heads": 128,
		"num_key_value_heads": 128, "kv_lora_rank": 512, "q_lora_rank": 1536, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128,
		"num_nextn_predict_layers": 1}`,
		61 * (512 + 64) * 2, 0},
	{"Kimi-K2.5, wrapped twice over", `{"model_type": "kimi_wrapper", "dtype": "bfloat16", "thinker_config": {"model_type": "kimi_k25",
		"text_config": {"model_type": "kimi_k2", "hidden_size": 7168, "num_hidden_layers": 61, "num_attention_heads": 64,
		"num_key_value_heads": 64, "kv_lora_rank": 512, "qk_rope_head_dim": 64, "v_head_dim": 128}}}`,
		61 * (512 + 64) * 2, 0},
	{"GLM-4.7-Flash", `{"model_type": "glm4_moe_lite", "dtype": "bfloat16", "num_hidden_layers": 47, "num_attention_heads": 20,
		"num_key_value_heads": 20, "kv_lora_rank": 512, "qk_rope_head_dim": 64, "v_head_dim": 256}`,
		47 * (512 + 64) * 2, 0},
	{"LongCat-Flash, two attentions a layer", `{"model_type": "longcat_flash", "torch_dtype": "bfloat16", "num_layers": 28, "num_attention_heads": 64,
		"kv_lora_rank": 512, "qk_rope_head_dim": 64, "v_head_dim": 128}`,
		56 * (512 + 64) * 2, 0},
	{"DeepSeek-V3.2", `{"model_type": "deepseek_v32", "torch_dtype": "bfloat16", "num_hidden_layers": 61, "num_attention_heads": 128,
		"num_key_value_heads": 128, "kv_lora_rank": 512, "qk_rope_head_dim": 64, "v_head_dim": 128, "index_head_dim": 128, "index_n_heads": 64,
		"index_topk": 2048}`,
		61 * (512 + 64 + 128) * 2, 0},
	{"GLM-5, a head size without meaning", `{"model_type": "glm_moe_dsa", "dtype": "bfloat16", "head_dim": 64, "num_hidden_layers": 78,
		"num_attention_heads": 64, "num_key_value_heads": 64, "kv_lora_rank": 512, "qk_rope_head_dim": 64, "v_head_dim": 256, "index_head_dim": 128,
		"index_n_heads": 32, "index_topk": 2048, "indexer_rope_interleave": true}`,
		78 * (512 + 64 + 128) * 2, 0},
	{"GLM-5.2, indexers listed", `{"model_type": "glm_moe_dsa", "dtype": "bfloat16", "head_dim": 192, "num_hidden_layers": 6, "kv_lora_rank": 512,
		"qk_rope_head_dim": 64, "index_head_dim": 128, "indexer_types": ["full", "full", "full", "shared", "shared", "shared"],
		"layer_types": ` + kinds(6, "deepseek_sparse_attention") + `, "index_topk_freq": 4, "index_skip_topk_offset": 3, "index_topk_pattern": null}`,
		(6*(512+64) + 3*128) * 2, 0},
	{"GLM-5.2, indexers by frequency", `{"model_type": "glm_moe_dsa", "dtype": "bfloat16", "num_hidden_layers": 78, "kv_lora_rank": 512,
		"qk_rope_head_dim": 64, "index_head_dim": 128, "index_topk_freq": 4, "index_skip_topk_offset": 3}`,
		(78*(512+64) + 21*128) * 2, 0},
	{"GLM-5.2, indexers by letters", `{"model_type": "glm_moe_dsa", "dtype": "bfloat16", "num_hidden_layers": 4, "kv_lora_rank": 512,
		"qk_rope_head_dim": 64, "index_head_dim": 128, "index_topk_pattern": "FSSF"}`,
		(4*(512+64) + 2*128) * 2, 0},
	{"DeepSeek-V3.2 with indexers by frequency", `{"model_type": "deepseek_v32", "torch_dtype": "bfloat16", "num_hidden_layers": 8, "kv_lora_rank": 512,
		"qk_rope_head_dim": 64, "index_head_dim": 128, "index_topk_freq": 2, "index_skip_topk_offset": 1}`,
		(8*(512+64) + 4*128) * 2, 0},
	{"A.X-K2 with indexers by frequency", `{"model_type": "axk2", "dtype": "bfloat16", "num_hidden_layers": 8, "kv_lora_rank": 128,
		"qk_rope_head_dim": 32, "index_head_dim": 128, "index_topk_freq": 4, "index_skip_topk_offset": 0}`,
		(8*(128+32) + 2*128) * 2, 0},
	{"A.X-K2", `{"model_type": "axk2", "dtype": "bfloat16", "num_hidden_layers": 48, "kv_lora_rank": 128, "qk_rope_head_dim": 32, "v_head_dim": 64,
		"index_head_dim": 128, "index_n_heads": 16, "index_topk": 2048}`,
		48 * (128 + 32 + 128) * 2, 0},
	{"DeepSeek-V4 in small, ratios one longer than the layers", `{"model_type": "deepseek_v4", "torch_dtype": "bfloat16", "num_hidden_layers": 5,
		"num_attention_heads": 64, "num_key_value_heads": 1, "head_dim": 512, "qk_rope_head_dim": 64, "index_head_dim": 128, "index_n_heads": 64,
		"index_topk": 512, "sliding_window": 128, "compress_ratios": [0, 4, 128, 4, 1, 0], "num_nextn_predict_layers": 1, "compress_rope_theta": 160000}`,
		2*(512+128)*2/4 + 512*2/128,
		5*512*2*128 + 2*(8*2048*4+8*512*4) + 128*1024*4},
	{"DeepSeek-V4 in small, by layer types", `{"model_type": "deepseek_v4", "torch_dtype": "bfloat16", "num_hidden_layers": 3, "head_dim": 512,
		"index_head_dim": 128, "sliding_window": 128, "compress_rates": {"compressed_sparse_attention": 4, "heavily_compressed_attention": 128},
		"layer_types": ["sliding_attention", "compressed_sparse_attention", "heavily_compressed_attention"]}`,
		(512+128)*2/4 + 512*2/128,
		3*512*2*128 + (8*2048*4 + 8*512*4) + 128*1024*4},
	{"MiniMax-M3", `{"model_type": "minimax_m3", "torch_dtype": "bfloat16", "hidden_size": 6144, "num_hidden_layers": 6, "num_attention_heads": 64,
		"num_key_value_heads": 4, "head_dim": 128, "sparse_attention_config": {"use_sparse_attention": true, "sparse_index_dim": 128,
		"sparse_topk_blocks": 16, "sparse_attention_freq": [0, 0, 0, 1, 1, 1], "sparse_disable_index_value": [0, 0, 0, 1, 1, 1]}}`,
		(6*4*256 + 3*128) * 2, 0},
	{"MiniMax-M3 by layer types", `{"model_type": "minimax_m3_vl_text", "dtype": "bfloat16", "hidden_size": 6144, "num_hidden_layers": 2,
		"num_attention_heads": 64, "num_key_value_heads": 4, "head_dim": 128, "index_head_dim": 64, "index_n_heads": 4,
		"layer_types": ["full_attention", "minimax_m3_sparse"]}`,
		(2*4*256 + 64) * 2, 0},

	{"Qwen3-Next-80B, states as the model's elements", `{"model_type": "qwen3_next", "dtype": "bfloat16", "hidden_size": 2048,
		"num_hidden_layers": 48, "num_attention_heads": 16, "num_key_value_heads": 2, "head_dim": 256, "full_attention_interval": 4,
		"linear_conv_kernel_dim": 4, "linear_key_head_dim": 128, "linear_value_head_dim": 128, "linear_num_key_heads": 16, "linear_num_value_heads": 32}`,
		12 * 2 * 512 * 2, 36 * ((16*128*2+32*128)*3*2 + 32*128*128*2)},
	{"Qwen3.5-27B, recurrent states in FP32", `{"model_type": "qwen3_5", "text_config": {"model_type": "qwen3_5_text", "dtype": "bfloat16",
		"hidden_size": 5120, "num_hidden_layers": 64, "num_attention_heads": 24, "num_key_value_heads": 4, "head_dim": 256,
		"mamba_ssm_dtype": "float32", "linear_conv_kernel_dim": 4, "linear_key_head_dim": 128, "linear_value_head_dim": 128,
		"linear_num_key_heads": 16, "linear_num_value_heads": 48, "mtp_num_hidden_layers": 1, "layer_types": ` + kinds(64, l, l, l, f) + `}}`,
		16 * 4 * 512 * 2, 48 * ((16*128*2+48*128)*3*2 + 48*128*128*4)},
	{"Qwen3.5 by interval", `{"model_type": "qwen3_5_moe_text", "dtype": "bfloat16", "hidden_size": 2048, "num_hidden_layers": 8,
		"num_attention_heads": 16, "num_key_value_heads": 2, "head_dim": 256, "full_attention_interval": 2, "linear_conv_kernel_dim": 4,
		"linear_key_head_dim": 128, "linear_value_head_dim": 128, "linear_num_key_heads": 16, "linear_num_value_heads": 32}`,
		4 * 2 * 512 * 2, 4 * ((16*128*2+32*128)*3*2 + 32*128*128*2)},
	{"Kimi-Linear-48B, layers counted from 1", `{"model_type": "kimi_linear", "torch_dtype": "bfloat16", "hidden_size": 2304, "head_dim": 72,
		"num_hidden_layers": 27, "num_attention_heads": 32, "num_key_value_heads": 32, "kv_lora_rank": 512, "qk_rope_head_dim": 64, "v_head_dim": 128,
		"linear_attn_config": {"num_heads": 32, "head_dim": 128, "short_conv_kernel_size": 4, "full_attn_layers": [4, 8, 12, 16, 20, 24, 27],
		"kda_layers": [1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15, 17, 18, 19, 21, 22, 23, 25, 26]}}`,
		7 * (512 + 64) * 2, 20 * (3*32*128*3*2 + 32*128*128*4)},
	{"MiniMax-M1", `{"model_type": "minimax_m1", "hidden_size": 6144, "num_hidden_layers": 8, "num_attention_heads": 64, "num_key_value_heads": 8,
		"head_dim": 128, "attn_type_list": [0, 0, 0, 0, 0, 0, 0, 1]}`,
		8 * 256 * 2, 7 * 64 * 128 * 128 * 2},
	{"MiniMax-Text-01", `{"model_type": "minimax", "torch_dtype": "bfloat16", "hidden_size": 6144, "num_hidden_layers": 8, "num_attention_heads": 64,
		"num_key_value_heads": 8, "head_dim": 128, "layer_types": ` + kinds(8, l, l, l, l, l, l, l, f) + `, "linear_attn_alpha_factor": 1}`,
		8 * 256 * 2, 7 * 64 * 128 * 128 * 2},
	{"Ring-mini-linear-2.0", `{"model_type": "bailing_moe_linear", "torch_dtype": "bfloat16", "hidden_size": 2048, "num_hidden_layers": 20,
		"num_attention_heads": 16, "num_key_value_heads": 4, "head_dim": 128, "layer_group_size": 5}`,
		4 * 4 * 256 * 2, 16 * 16 * 128 * 128 * 2},
	{"the same with two layers more", `{"model_type": "bailing_moe_linear", "torch_dtype": "bfloat16", "hidden_size": 2048, "num_hidden_layers": 22,
		"num_attention_heads": 16, "num_key_value_heads": 4, "head_dim": 128, "layer_group_size": 5}`,
		6 * 4 * 256 * 2, 16 * 16 * 128 * 128 * 2},
	{"LFM2-1.2B", `{"model_type": "lfm2_vl", "text_config": {"model_type": "lfm2", "dtype": "bfloat16", "hidden_size": 2048, "num_hidden_layers": 16,
		"num_attention_heads": 32, "num_key_value_heads": 8, "conv_L_cache": 3, "layer_types": ["conv", "conv", "full_attention", "conv", "conv",
		"full_attention", "conv", "conv", "full_attention", "conv", "full_attention", "conv", "full_attention", "conv", "full_attention", "conv"]}}`,
		6 * 8 * (64 + 64) * 2, 10 * 2048 * 2 * 2},
	{"LFM2-1.2B by indices", `{"model_type": "lfm2", "torch_dtype": "bfloat16", "hidden_size": 2048, "num_hidden_layers": 16,
		"num_attention_heads": 32, "num_key_value_heads": 8, "conv_L_cache": 3, "full_attn_idxs": [2, 5, 8, 10, 12, 14]}`,
		6 * 8 * (64 + 64) * 2, 10 * 2048 * 2 * 2},
	{"RWKV-4-7B", `{"model_type": "rwkv", "torch_dtype": "bfloat16", "hidden_size": 4096, "num_hidden_layers": 32, "context_length": 1024,
		"attention_hidden_size": null}`,
		0, 32 * (2*4096*2 + 3*4096*4)},
	{"RecurrentGemma-2B", `{"model_type": "recurrent_gemma", "torch_dtype": "bfloat16", "hidden_size": 2560, "num_hidden_layers": 26,
		"num_attention_heads": 10, "num_key_value_heads": 1, "head_dim": 256, "attention_window_size": 2048, "lru_width": 2560, "conv1d_width": 4,
		"block_types": ["recurrent", "recurrent", "attention"]}`,
		0, 8*1*(256+256)*2*2048 + 18*(2560*3*2+2560*4)},

	{"Mamba-2.8B", `{"model_type": "mamba", "torch_dtype": "float16", "hidden_size": 2560, "num_hidden_layers": 64, "state_size": 16,
		"conv_kernel": 4, "expand": 2}`,
		0, 64 * (5120*3*2 + 5120*16*2)},
	{"Mamba-Codestral-7B", `{"model_type": "mamba2", "torch_dtype": "bfloat16", "hidden_size": 4096, "num_hidden_layers": 64, "num_heads": 128,
		"head_dim": 64, "n_groups": 8, "state_size": 128, "conv_kernel": 4, "expand": 2}`,
		0, 64 * ((8192+2*8*128)*3*2 + 128*64*128*2)},
	{"Jamba-1.5-Mini", `{"model_type": "jamba", "torch_dtype": "bfloat16", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
		"num_key_value_heads": 8, "attn_layer_period": 8, "attn_layer_offset": 4, "mamba_d_conv": 4, "mamba_d_state": 16, "mamba_expand": 2,
		"mamba_dt_rank": 256}`,
		4 * 8 * (128 + 128) * 2, 28 * (8192*3*2 + 8192*16*2)},
	{"Nemotron-3-Nano in small, a pattern of letters", `{"model_type": "nemotron_h", "torch_dtype": "bfloat16", "hidden_size": 2688,
		"num_hidden_layers": 8, "num_attention_heads": 32, "num_key_value_heads": 2, "head_dim": 128, "hybrid_override_pattern": "MEM-M*EM",
		"mamba_num_heads": 64, "mamba_head_dim": 64, "n_groups": 8, "ssm_state_size": 128, "conv_kernel": 4, "mamba_ssm_cache_dtype": "float32",
		"time_step_limit": [0.0, Infinity]}`,
		1 * 2 * 256 * 2, 4 * ((4096+2*8*128)*3*2 + 64*64*128*4)},
	{"Nemotron-3-Ultra in small, no number of layers", `{"model_type": "nemotron_h", "dtype": "bfloat16", "hidden_size": 8192,
		"num_attention_heads": 64, "num_key_value_heads": 2, "head_dim": 128, "layers_block_type": ["mamba", "moe", "mamba", "attention", "moe"],
		"mtp_layers_block_type": ["attention", "moe"], "num_nextn_predict_layers": 1,
		"mamba_num_heads": 256, "mamba_head_dim": 64, "n_groups": 8, "ssm_state_size": 128, "conv_kernel": 4}`,
		1 * 2 * 256 * 2, 2 * ((16384+2*8*128)*3*2 + 256*64*128*4)},
	{"Granite-4.0-H-Small", `{"model_type": "granitemoehybrid", "torch_dtype": "bfloat16", "hidden_size": 4096, "num_hidden_layers": 10,
		"num_attention_heads": 32, "num_key_value_heads": 8, "layer_types": ` + kinds(10, "mamba", "mamba", "mamba", "mamba", "mamba", "attention", "mamba", "mamba", "mamba", "mamba") + `,
		"mamba_n_heads": 128, "mamba_d_head": 64, "mamba_n_groups": 1, "mamba_d_state": 128, "mamba_d_conv": 4, "mamba_expand": 2, "mamba_chunk_size": 256}`,
		1 * 8 * (128 + 128) * 2, 9 * ((8192+2*128)*3*2 + 128*64*128*2)},
	{"Bamba-9B", `{"model_type": "bamba", "torch_dtype": "bfloat16", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
		"num_key_value_heads": 8, "attn_layer_indices": [9, 18, 27], "mamba_n_heads": 128, "mamba_d_head": "auto", "mamba_n_groups": 1,
		"mamba_d_state": 128, "mamba_d_conv": 4, "mamba_expand": 2}`,
		3 * 8 * (128 + 128) * 2, 29 * ((8192+2*128)*3*2 + 128*64*128*2)},
	{"Falcon-H1-7B, both in every layer", `{"model_type": "falcon_h1", "torch_dtype": "bfloat16", "hidden_size": 3072, "num_hidden_layers": 44,
		"num_attention_heads": 12, "num_key_value_heads": 2, "head_dim": 128, "mamba_d_ssm": 3072, "mamba_n_heads": 24, "mamba_d_head": 128,
		"mamba_n_groups": 1, "mamba_d_state": 256, "mamba_d_conv": 4, "mamba_expand": 2, "ssm_in_multiplier": 1.5}`,
		44 * 2 * (128 + 128) * 2, 44 * ((3072+2*256)*3*2 + 24*128*256*2)},
	{"Falcon-H1 with expanded channels", `{"model_type": "falcon_h1", "torch_dtype": "bfloat16", "hidden_size": 1024, "num_hidden_layers": 2,
		"num_attention_heads": 8, "num_key_value_heads": 2, "mamba_d_ssm": null, "mamba_n_heads": 32, "mamba_d_head": 64, "mamba_n_groups": 1,
		"mamba_d_state": 64, "mamba_d_conv": 4, "mamba_expand": 2}`,
		2 * 2 * (128 + 128) * 2, 2 * ((2048+2*64)*3*2 + 32*64*64*2)},
	{"Zamba2-2.7B, the class's list", `{"model_type": "zamba2", "torch_dtype": "bfloat16", "hidden_size": 2560, "num_hidden_layers": 54,
		"num_attention_heads": 32, "num_key_value_heads": 32, "attention_head_dim": 160, "kv_channels": 80, "n_mamba_heads": 80, "mamba_ngroups": 1,
		"mamba_d_state": 64, "mamba_d_conv": 4, "mamba_expand": 2}`,
		9 * 32 * (160 + 160) * 2, 54 * ((5120+2*64)*3*2 + 5120*64*2)},

	{"Whisper-tiny", `{"model_type": "whisper", "torch_dtype": "float32", "d_model": 384, "decoder_layers": 4, "decoder_attention_heads": 6,
		"max_source_positions": 1500, "max_target_positions": 448, "num_hidden_layers": 4}`,
		4 * 6 * (64 + 64) * 2, 4 * 6 * (64 + 64) * 2 * 1500},
	{"BART-large", `{"model_type": "bart", "torch_dtype": "float32", "d_model": 1024, "decoder_layers": 12, "decoder_attention_heads": 16,
		"max_position_embeddings": 1024}`,
		12 * 16 * (64 + 64) * 2, 12 * 16 * (64 + 64) * 2 * 1024},
	{"Llama-3.2-11B-Vision without an image", `{"model_type": "mllama", "torch_dtype": "bfloat16", "text_config": {"model_type": "mllama_text_model",
		"hidden_size": 4096, "num_hidden_layers": 40, "num_attention_heads": 32, "num_key_value_heads": 8,
		"cross_attention_layers": [3, 8, 13, 18, 23, 28, 33, 38]}, "vision_config": {"image_size": 560, "patch_size": 14, "max_num_tiles": 4}}`,
		32 * 8 * (128 + 128) * 2, 0},
}

// configOf is the config of the first fixture whose name begins so.
func configOf(name string) string {
	return fixtures[slices.IndexFunc(fixtures, func(x fixture) bool { return strings.HasPrefix(x.name, name) })].config
}

func mustRead(t *testing.T, config string, o *Options) *kvcache.Model {
	t.Helper()
	m, err := ReadWith(strings.NewReader(config), o)
	require.NoError(t, err)
	return m
}

func TestFixtures(t *testing.T) {
	for _, x := range fixtures {
		t.Run(x.name, func(t *testing.T) {
			m := mustRead(t, x.config, nil)
			const n = 65536
			size, err := m.Session(n, kvcache.Setup{Format: kvcache.BF16})
			require.NoError(t, err)
			assert.EqualValues(t, x.perToken*n, size.Growing, "growing")
			assert.EqualValues(t, x.fixed, size.Window+size.State, "fixed")
		})
	}
}

// TestEveryEntryHasAFixture keeps the other tests over fixtures honest.
func TestEveryEntryHasAFixture(t *testing.T) {
	var have []string
	for _, x := range fixtures {
		have = append(have, familyOf(t, x.config).names[0])
	}
	for i := range families {
		assert.Contains(t, have, families[i].names[0])
	}
}

func familyOf(t *testing.T, config string) *family {
	t.Helper()
	return opened(t, config).family
}

func opened(t *testing.T, config string) *config {
	t.Helper()
	root, err := parse(strings.NewReader(config), DefaultMaxBytes)
	require.NoError(t, err)
	c, err := unwrap(root)
	require.NoError(t, err)
	return c
}

// TestEntriesDeclareWhatTheyRead holds the lists of keys to what the layouts do:
// no cache-shaping key is read that is not listed, and none is listed that no
// layout reads.
func TestEntriesDeclareWhatTheyRead(t *testing.T) {
	read := map[string][]string{}
	for _, x := range fixtures {
		for _, opts := range []Options{{}, {MTP: true, Images: 1, MaxBytes: DefaultMaxBytes}} {
			c := opened(t, x.config)
			c.opts = opts
			name := c.family.names[0]
			c.trace = func(key string) { read[name] = append(read[name], key) }
			c.model()
		}
	}
	for i := range families {
		fam := &families[i]
		for _, key := range read[fam.names[0]] {
			if !strings.Contains(key, ".") && shaping(key) {
				assert.Contains(t, fam.reads, key, "%v reads a key it does not list", fam.names)
			}
		}
		for _, key := range fam.reads {
			assert.Contains(t, read[fam.names[0]], key, "%v lists a key it does not read", fam.names)
			assert.True(t, shaping(key), "%v: %s need not be listed", fam.names, key)
		}
		for _, key := range fam.ignores {
			assert.True(t, shaping(key), "%v: %s need not be listed", fam.names, key)
			assert.NotContains(t, fam.reads, key, fam.names)
		}
	}
}

func TestArchitectures(t *testing.T) {
	names := Architectures()
	assert.True(t, slices.IsSorted(names))
	assert.Len(t, slices.Compact(slices.Clone(names)), len(names), "a model type with two entries")
	for _, name := range names {
		assert.NotNil(t, lookup(name))
	}
}
