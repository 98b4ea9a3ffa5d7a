package results

import "strings"

// engines are the names that clients give to backends, and what they stand for.
// Names of a protocol, such as openai-chat, say nothing about the engine.
var engines = map[string]string{
	"vllm": "vLLM", "vllm-chat": "vLLM", "vllm_v1": "vLLM", "dynamo-vllm": "vLLM",
	"sglang": "SGLang", "sglang-native": "SGLang", "sglang-oai": "SGLang", "sglang-oai-chat": "SGLang", "dynamo-sglang": "SGLang", "sgl": "SGLang",
	"trt": "TensorRT-LLM", "trtllm": "TensorRT-LLM", "tensorrt-llm": "TensorRT-LLM", "tensorrt_llm": "TensorRT-LLM", "dynamo-trt": "TensorRT-LLM", "dynamo-trtllm": "TensorRT-LLM",
	"tgi": "TGI", "lmdeploy": "LMDeploy", "llama.cpp": "llama.cpp", "mlx": "MLX", "ollama": "Ollama",
}

// engineName is the engine that a backend's name tells, or nothing.
func engineName(backend string) string { return engines[strings.ToLower(backend)] }
