package logits

import (
	"bytes"
	"strings"
	"testing"

	"example.com/servemath/correctness"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func samples(b []byte, o *Options) (out []Sample, err error) {
	for s, e := range Sampled(bytes.NewReader(b), o) {
		if e != nil {
			return out, e
		}
		out = append(out, s)
	}
	return out, nil
}

func TestSampledFromAPISamples(t *testing.T) {
	for _, c := range []struct {
		file string
		n    int
		last Sample
	}{
		{"tgi_stream.txt", 3, Sample{"0", 2, 632, -0.568623}},
		{"maxtext_token_log_probs.json", 7, Sample{"0", 6, 338, -10.981508255004883}},
		{"openai_responses_logprobs.json", 9, Sample{"0", 8, 8, 0}},
		{"sglang_generate_logprobs.json", 9, Sample{"0", 9, 304, -0.060546875}},
		{"openai_chat_top_logprobs_fragment.json", 3, Sample{"0", 2, 2, -3.7697225e-06}},
	} {
		t.Run(c.file, func(t *testing.T) {
			got, err := samples(apiSample(t, c.file), &Options{Gaps: GapSkip})
			require.NoError(t, err)
			require.Len(t, got, c.n)
			assert.Equal(t, c.last, got[c.n-1])
		})
	}
}

func TestSampledRefusals(t *testing.T) {
	for _, c := range []struct {
		name, text string
		is         error
		reason     string
	}{
		{"empty", "", correctness.ErrTruncated, "no response"},
		{"logits", wholeFiles()["MaxText"], correctness.ErrFormat, "no log-probability of the chosen token"},
		{"a prompt without its tokens", `{"prompt_logprobs":[null,{"1":{"logprob":-1,"rank":1}}]}`, correctness.ErrTokenMismatch, "position 1"},
		{"a sentinel", `{"token":{"id":1,"logprob":-9999}}`, correctness.ErrFormat, "-9999"},
		{"no id", `{"token":{"logprob":-1}}`, correctness.ErrVocab, "token id"},
		{"cut", `{"token":{"id":1,"logprob":-1}}{`, correctness.ErrTruncated, "offset 32"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := samples([]byte(c.text), nil)
			refuses(t, err, c.is, c.reason)
		})
	}
	got, err := samples([]byte(`{"token":{"id":1,"logprob":-9999}}{"token":{"id":2,"logprob":-1},"generated_text":"x"}`), &Options{Sentinels: SentinelUnknown})
	require.NoError(t, err)
	assert.Equal(t, []Sample{{"0", 1, 2, -1}}, got)
}

func TestSampledStopsWhenAsked(t *testing.T) {
	n := 0
	for range Sampled(strings.NewReader(strings.Repeat(wholeFiles()["SGLang"], 5)), nil) {
		if n++; n == 2 {
			break
		}
	}
	assert.Equal(t, 2, n)
}

func FuzzSampled(f *testing.F) {
	f.Add([]byte(`data: {"token":{"id":1,"logprob":-1,"text":"a"},"generated_text":null}` + "\n\n"))
	f.Add([]byte(`{"tokens":[1,2],"token_log_probs":[-1]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		_, err := samples(b, nil)
		typed(t, err)
	})
}
