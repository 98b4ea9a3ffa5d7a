package logits_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"example.com/servemath/correctness"
	"example.com/servemath/correctness/logits"
)

// show prints the rows of a source: place, data token, and the list or the first
// values.
func show(src correctness.Source) {
	var row correctness.Row
	for {
		err := src.Next(&row)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("prompt %s row %d, then token %d:", row.Prompt, row.Index, row.DataToken)
		if row.TopK != nil {
			fmt.Println(" tokens", row.TopK.IDs, "at", row.TopK.LogProbs)
		} else {
			fmt.Printf(" %.4g ...\n", row.Values[:min(3, len(row.Values))])
		}
	}
}

func float32s(values ...float32) *bytes.Reader {
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, values); err != nil {
		log.Fatal(err)
	}
	return bytes.NewReader(b.Bytes())
}

func ExampleOpen() {
	r, err := logits.Open("testdata/dumps/logits_bf16.safetensors")
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	var row correctness.Row
	if err := r.Next(&row); err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(row.Values), row.Values[:3])
	// Output: 323 [0.34570312 -2.6875 -0.6484375]
}

func ExampleOpenWith() {
	_, err := logits.Open("testdata/dumps/pair.npz")
	fmt.Println(errors.Is(err, correctness.ErrFormat))
	r, err := logits.OpenWith("testdata/dumps/pair.npz", &logits.Options{Name: "ref"})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	var row correctness.Row
	fmt.Println(r.Next(&row), row.Values[:2])
	// Output:
	// true
	// <nil> [0.3454731 -2.6844358]
}

// The mean divergence of the sample pair: a base file against raw logits.
func ExampleOpenPair() {
	o := &logits.Options{VocabSize: 323, RowsPerPrompt: 31}
	ref, got, err := logits.OpenPair("testdata/mild_A.kld", "testdata/mild_B.f32", o)
	if err != nil {
		log.Fatal(err)
	}
	defer ref.Close()
	defer got.Close()
	var a, b correctness.Row
	var sum, n float64
	for ref.Next(&a) == nil && got.Next(&b) == nil {
		// Log-probabilities are logits whose normaliser is 0.
		kl, err := correctness.KL(a.Values, b.Values)
		if err != nil {
			log.Fatal(err)
		}
		sum, n = sum+kl, n+1
	}
	fmt.Printf("%.5f nats over %.0f positions\n", sum/n, n)
	// Output: 0.06127 nats over 155 positions
}

func ExampleLlamaCppBase() {
	b, err := os.ReadFile("testdata/mild_A.kld")
	if err != nil {
		log.Fatal(err)
	}
	base, err := logits.LlamaCppBase(bytes.NewReader(b), int64(len(b)), nil)
	if err != nil {
		log.Fatal(err)
	}
	var row correctness.Row
	fmt.Println(base.Next(&row), row.DataToken, row.Values[:2])
	h, err := base.Header()
	fmt.Println(err, h.Context, h.Vocab, h.Tokens[:4])
	// Output:
	// <nil> 276 [-6.650656 -9.680522]
	// <nil> 64 323 [1 274 112 113]
}

// A base file whose floor raised the data token gives divergences, and no
// perplexity.
func ExampleBase_PerplexityError() {
	var file bytes.Buffer
	h := logits.BaseHeader{Context: 4, Vocab: 3, Tokens: []int32{0, 1, 0, 2}}
	rows, err := logits.RawFloat32(float32s(20, 10, -30), 12, &logits.Options{VocabSize: 3})
	if err != nil {
		log.Fatal(err)
	}
	if err := logits.WriteLlamaCppBase(&file, h, rows); err != nil {
		log.Fatal(err)
	}
	base, err := logits.LlamaCppBase(bytes.NewReader(file.Bytes()), int64(file.Len()), nil)
	if err != nil {
		log.Fatal(err)
	}
	show(base)
	fmt.Println(base.Floor())
	fmt.Println(base.PerplexityError())
	// Output:
	// prompt 0 row 0, then token 2: [-4.578e-05 -10 -16] ...
	// 16
	// logits: 1 of 1 data tokens lie at the base file's floor of 16 nats: no perplexity from it
}

func ExampleWriteLlamaCppBase() {
	want, err := os.ReadFile("testdata/mild_A.kld")
	if err != nil {
		log.Fatal(err)
	}
	base, err := logits.LlamaCppBase(bytes.NewReader(want), int64(len(want)), nil)
	if err != nil {
		log.Fatal(err)
	}
	header, err := base.Header()
	if err != nil {
		log.Fatal(err)
	}
	raw, err := logits.OpenWith("testdata/mild_A.f32", &logits.Options{VocabSize: header.Vocab})
	if err != nil {
		log.Fatal(err)
	}
	defer raw.Close()
	var got bytes.Buffer
	err = logits.WriteLlamaCppBase(&got, header, raw)
	fmt.Println(err, got.Len(), bytes.Equal(want, got.Bytes()))
	// Output: <nil> 102980 true
}

func ExampleRawFloat32() {
	r, err := logits.RawFloat32(float32s(1, 2, 3, 4, 5, 6), 24, &logits.Options{VocabSize: 3})
	if err != nil {
		log.Fatal(err)
	}
	show(r)
	// Output:
	// prompt 0 row 0, then token -1: [1 2 3] ...
	// prompt 0 row 1, then token -1: [4 5 6] ...
}

func ExampleNPY() {
	b, err := os.ReadFile("testdata/dumps/ref_f64.npy")
	if err != nil {
		log.Fatal(err)
	}
	r, err := logits.NPY(bytes.NewReader(b), int64(len(b)), &logits.Options{RowsPerPrompt: 1})
	if err != nil {
		log.Fatal(err)
	}
	show(r)
	// Output:
	// prompt 0 row 0, then token -1: [0.3455 -2.684 -0.6487] ...
	// prompt 1 row 0, then token -1: [-1.379 1.25 -1.33] ...
}

func ExampleNPZ() {
	b, err := os.ReadFile("testdata/dumps/pair_compressed.npz")
	if err != nil {
		log.Fatal(err)
	}
	r, err := logits.NPZ(bytes.NewReader(b), int64(len(b)), &logits.Options{Name: "test"})
	if err != nil {
		log.Fatal(err)
	}
	var row correctness.Row
	fmt.Println(r.Next(&row), row.Values[:2])
	// Output: <nil> [0.18594265 -2.3224223]
}

func ExampleSafetensors() {
	b, err := os.ReadFile("testdata/dumps/topk_dwq.safetensors")
	if err != nil {
		log.Fatal(err)
	}
	_, err = logits.Safetensors(bytes.NewReader(b), int64(len(b)), nil)
	fmt.Println(errors.Is(err, correctness.ErrNotNormalised))
	// Output: true
}

func ExampleOpenAIChat() {
	r, err := logits.OpenAIChat(strings.NewReader(`{"choices": [{"index": 0, "finish_reason": "length", "message": {}, "logprobs": {"content": [
		{"token": "Yes", "bytes": [89, 101, 115], "logprob": -0.1, "top_logprobs": [
			{"token": "Yes", "bytes": [89, 101, 115], "logprob": -0.1},
			{"token": "No", "bytes": [78, 111], "logprob": -2.5}]}]}}],
		"usage": {"completion_tokens": 1}}`), nil)
	if err != nil {
		log.Fatal(err)
	}
	show(r)
	// Output: prompt 0 row 0, then token 0: tokens [0 1] at [-0.1 -2.5]
}

func ExampleOpenAICompletions() {
	r, err := logits.OpenAICompletions(strings.NewReader(`{"choices": [{"text": "a b", "logprobs": {
		"tokens": ["a", " b"], "token_logprobs": [null, -0.2], "top_logprobs": [null, {" b": -0.2, " c": -2}]}}]}`), nil)
	if err != nil {
		log.Fatal(err)
	}
	show(r)
	// Output: prompt 0 row 1, then token 0: tokens [0 1] at [-0.2 -2]
}

func ExampleOpenAIResponses() {
	r, err := logits.OpenAIResponses(strings.NewReader(`{"object": "response", "output": [{"content": [{"logprobs": [
		{"token": "Hi", "bytes": [72, 105], "logprob": -0.05, "top_logprobs": [
			{"token": "Hi", "bytes": [72, 105], "logprob": -0.05}]}]}]}]}`), nil)
	if err != nil {
		log.Fatal(err)
	}
	show(r)
	fmt.Println(r.Warnings())
	// Output:
	// prompt 0 row 0, then token 0: tokens [0] at [-0.05]
	// [logits: OpenAI Responses round log-probabilities to 6 decimals: differences below 1e-6 mean nothing]
}

// Token 5 of the prompt has rank 40: it is the data token, and not one of the two
// most likely.
func ExampleVLLMPrompt() {
	r, err := logits.VLLMPrompt(strings.NewReader(`{"choices": [{"prompt_logprobs": [null,
		{"5": {"logprob": -7, "rank": 40}, "1": {"logprob": -0.5, "rank": 1}, "2": {"logprob": -1.5, "rank": 2}}]}]}`), nil)
	if err != nil {
		log.Fatal(err)
	}
	show(r)
	// Output: prompt 0 row 1, then token 5: tokens [1 2 5] at [-0.5 -1.5 -7]
}

func ExampleSGLang() {
	r, err := logits.SGLang(strings.NewReader(`{"meta_info": {
		"output_token_logprobs": [[-0.3, 17, null]],
		"output_top_logprobs": [[[-0.3, 17, null], [-1.4, 20, null]]]}}`), nil)
	if err != nil {
		log.Fatal(err)
	}
	show(r)
	// Output: prompt 0 row 0, then token 17: tokens [17 20] at [-0.3 -1.4]
}

func ExampleLlamaServer() {
	f, err := os.Open("testdata/llamacpp_server/completion_nprobs5.json")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	r, err := logits.LlamaServer(f, nil)
	if err != nil {
		log.Fatal(err)
	}
	var row correctness.Row
	fmt.Println(r.Next(&row), row.DataToken, row.TopK.IDs)
	// Output: <nil> 261 [261 151 139 216 59]
}

func ExampleOllama() {
	r, err := logits.Ollama(strings.NewReader(`{"done": false, "logprobs": [{"token": "a", "logprob": -0.3, "top_logprobs": [{"token": "a", "logprob": -0.3}]}]}
		{"done": true, "eval_count": 1}`), nil)
	if err != nil {
		log.Fatal(err)
	}
	show(r)
	// Output: prompt 0 row 0, then token 0: tokens [0] at [-0.3]
}

func ExampleMaxText() {
	r, err := logits.MaxText(strings.NewReader(`{"tokens": [1, 2, 0], "logits": [[0.5, 1, 2], [3, 4, 5]]}`), nil)
	if err != nil {
		log.Fatal(err)
	}
	show(r)
	// Output:
	// prompt 0 row 0, then token 2: [0.5 1 2] ...
	// prompt 0 row 1, then token 0: [3 4 5] ...
}

func ExampleSampled() {
	stream := `data: {"token": {"id": 7, "text": " a", "logprob": -0.5}}
data: {"token": {"id": 9, "text": " b", "logprob": -1.25}, "generated_text": " a b"}
`
	for s, err := range logits.Sampled(strings.NewReader(stream), nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(s.Index, s.Token, s.LogProb)
	}
	// Output:
	// 0 7 -0.5
	// 1 9 -1.25
}

// A server wrote -9999 for a token that it had no value for. What that means is
// the caller's to say.
func ExampleSentinelPolicy() {
	response := `{"choices": [{"message": {}, "logprobs": {"content": [{"token": "a", "logprob": -0.1, "top_logprobs": [
		{"token": "a", "logprob": -0.1}, {"token": "b", "logprob": -9999.0}]}]}}]}`
	for _, policy := range []logits.SentinelPolicy{logits.SentinelUnknown, logits.SentinelMasked} {
		r, err := logits.OpenAIChat(strings.NewReader(response), &logits.Options{Sentinels: policy})
		if err != nil {
			log.Fatal(err)
		}
		show(r)
		fmt.Println(r.Warnings())
	}
	// Output:
	// prompt 0 row 0, then token 0: tokens [0] at [-0.1]
	// [logits: 1 sentinels in place of log-probabilities were left out of their lists]
	// prompt 0 row 0, then token 0: tokens [0 1] at [-0.1 -Inf]
	// [logits: 1 sentinels in place of log-probabilities were taken for probability 0]
}

// A response that counts two tokens and lists one position.
func ExampleGapPolicy() {
	response := `{"usage": {"completion_tokens": 2}, "choices": [{"finish_reason": "length", "message": {}, "logprobs": {"content": [
		{"token": "a", "logprob": -0.1, "top_logprobs": [{"token": "a", "logprob": -0.1}]}]}}]}`
	_, err := logits.OpenAIChat(strings.NewReader(response), nil)
	fmt.Println(errors.Is(err, correctness.ErrAlignment))
	r, err := logits.OpenAIChat(strings.NewReader(response), &logits.Options{Gaps: logits.GapSkip})
	if err != nil {
		log.Fatal(err)
	}
	show(r)
	fmt.Println(r.Warnings())
	// Output:
	// true
	// prompt 0 row 0, then token 0: tokens [0] at [-0.1]
	// [logits: 1 positions are missing or too many beside the tokens counted]
}
