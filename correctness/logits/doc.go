// Package logits reads the files and responses that carry logits or
// log-probabilities of a language model, and hands them on as rows: one row a
// position of a text, with the whole vocabulary or with the most likely tokens.
// Every reader is a [correctness.Source]. It makes sure that what is compared may
// be compared, and refuses the rest with the prompt, the position and the offset in
// the file.
//
//	ref, got, err := logits.OpenPair("ref.kld", "engine.npy", nil)
//
// # Formats
//
//	format                     reader             what goes wrong with it
//	llama.cpp base file        LlamaCppBase       values 16 nats below the top are raised to that floor
//	                                              (24 in ik_llama.cpp): no perplexity once a data token is
//	raw float32                RawFloat32         says nothing of its rows: Options.VocabSize
//	.npy, .npz                 NPY, NPZ           Fortran order, other byte order, bfloat16 without a type
//	safetensors                Safetensors        top logits without their normaliser are refused
//	OpenAI chat                OpenAIChat         positions missing, or merged in mid-character
//	OpenAI completions         OpenAICompletions  maps keyed by text lose tokens
//	OpenAI Responses           OpenAIResponses    6 decimals; lists empty unless asked for
//	vLLM prompt_logprobs       VLLMPrompt         the prompt's token may be listed beside the top k
//	SGLang /generate           SGLang             padding of -1e16, bfloat16 arithmetic
//	llama-server /completion   LlamaServer        probabilities after the samplers
//	Ollama                     Ollama             tokens without bytes
//	MaxText lines              MaxText            one row less than tokens
//
// text-generation-inference, and MaxText's token_log_probs, tell the chosen token
// alone: [Sampled] reads that, for an estimate. [Open] tells formats apart by their
// content.
//
// Rows belong to prompts, by which intervals are clustered: chunks, responses, or
// Options.RowsPerPrompt rows of an array. Where a file has no names they are "0",
// "1", ...
//
// # Policies
//
// Two questions have no right answer, so that the default refuses and an option
// answers by name: what a stand-in for a log-probability means (null, NaN,
// -Infinity, -1e16, -9999, -1000, -100: [SentinelPolicy]), and what becomes of
// positions that a response counts and does not list ([GapPolicy]). What was
// tolerated is counted in the warnings.
//
// # Ids
//
// A list holds the model's token ids where the file has them. Elsewhere tokens are
// told apart by their bytes, and ids come from a [correctness.TokenTable]: two
// readers are comparable only with one table, which [OpenPair] sees to.
//
// # Memory
//
// One row a reader, whatever the size of the file; sizes are held against the bytes
// that are there before anything is allocated by them. JSON takes one response, an
// array in Fortran order 32 MiB.
package logits
