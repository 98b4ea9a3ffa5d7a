package hfconfig_test

import (
	"errors"
	"fmt"
	"strings"

	"example.com/servemath/kvcache"
	"example.com/servemath/kvcache/hfconfig"
)

const gptOSS = `{
	"model_type": "gpt_oss", "hidden_size": 2880, "num_hidden_layers": 24, "max_position_embeddings": 131072,
	"num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 64, "sliding_window": 128
}`

func ExampleRead() {
	m, err := hfconfig.Read(strings.NewReader(gptOSS))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, g := range m.Groups {
		fmt.Println(g.Layers, g.Name)
	}
	size, err := m.Session(131072, kvcache.Setup{Format: kvcache.FP8})
	fmt.Println(size.Session, err)
	for _, d := range m.Defaults {
		fmt.Println("default:", d)
	}
	// Output:
	// 12 sliding window
	// 12 full attention
	// 1612185600 B (1.612 GB, 1.501 GiB) <nil>
	// default: dtype=bfloat16: the config names none
	// default: layer_types=12 sliding_attention + 12 full_attention: layer rule of gpt_oss
}

func ExampleReadWith() {
	_, err := hfconfig.ReadWith(strings.NewReader(gptOSS), &hfconfig.Options{NoDefaults: true})
	fmt.Println(err)
	// Output:
	// hfconfig: dtype is missing, model_type "gpt_oss" needs it
}

func ExampleOptions() {
	const glm = `{"model_type": "glm4_moe", "dtype": "bfloat16", "num_hidden_layers": 92, "num_attention_heads": 96,
		"num_key_value_heads": 8, "head_dim": 128, "num_nextn_predict_layers": 1}`
	m, err := hfconfig.Read(strings.NewReader(glm))
	fmt.Println(m.Groups[0].Layers, m.Omitted, err)
	m, err = hfconfig.ReadWith(strings.NewReader(glm), &hfconfig.Options{MTP: true})
	fmt.Println(m.Groups[1].Layers, m.Groups[1].Name, err)
	// Output:
	// 92 [num_nextn_predict_layers=1: layers of multi-token prediction, counted with Options.MTP] <nil>
	// 1 MTP full attention <nil>
}

func ExampleArchitectures() {
	names := hfconfig.Architectures()
	fmt.Println(names[0], names[len(names)-1])
	// Output:
	// arcee zamba2
}

func ExampleUnmodelledFieldError() {
	const config = `{"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "index_topk": 2048}`
	_, err := hfconfig.Read(strings.NewReader(config))
	if e, ok := errors.AsType[*hfconfig.UnmodelledFieldError](err); ok {
		fmt.Println(e.Key, "of", e.ModelType)
	}
	fmt.Println(err)
	// Output:
	// index_topk of llama
	// hfconfig: index_topk shapes the cache and is not modelled for model_type "llama"
}

func ExampleUnknownArchitectureError() {
	_, err := hfconfig.Read(strings.NewReader(`{"model_type": "qwen4", "architectures": ["Qwen4ForCausalLM"]}`))
	fmt.Println(err)
	// Output:
	// hfconfig: unknown model_type "qwen4" (architectures Qwen4ForCausalLM); the nearest known is "qwen2"
}

func ExampleMissingFieldError() {
	_, err := hfconfig.Read(strings.NewReader(`{"model_type": "deepseek_v3", "dtype": "bfloat16", "num_hidden_layers": 61}`))
	fmt.Println(err)
	// Output:
	// hfconfig: kv_lora_rank is missing, model_type "deepseek_v3" needs it
}

func ExampleInconsistentError() {
	const config = `{"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 5}`
	_, err := hfconfig.Read(strings.NewReader(config))
	fmt.Println(err)
	// Output:
	// hfconfig: num_key_value_heads: 5 KV heads do not divide 32 heads
}

func ExampleFieldTypeError() {
	_, err := hfconfig.Read(strings.NewReader(`{"model_type": "llama", "num_hidden_layers": "32"}`))
	fmt.Println(err)
	// Output:
	// hfconfig: num_hidden_layers at offset 45: "32" where an integer belongs
}

func ExampleSyntaxError() {
	_, err := hfconfig.Read(strings.NewReader(`{"model_type": "llama", "model_type": "qwen3"}`))
	fmt.Println(err)
	// Output:
	// hfconfig: offset 38: duplicate key "model_type"
}
