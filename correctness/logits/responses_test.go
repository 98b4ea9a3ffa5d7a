package logits

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"example.com/servemath/correctness"
	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// anyFormat opens responses as Open does.
func anyFormat(o *Options) source {
	return streamed(func(r io.Reader, o *Options) (Reader, error) { return newResponses(r, o, formats...) }, o)
}

func apiSample(tb testing.TB, name string) []byte {
	tb.Helper()
	b, err := os.ReadFile(testkit.Samples(tb, "correctness", "samples", "api", name))
	require.NoError(tb, err)
	return b
}

// wantRow is a row by what identifies it: place, data token, list.
type wantRow struct {
	prompt string
	index  int
	data   int
	top    map[int32]float64
	k      int // of the TopK: 0, all are the most likely
}

func sameRows(tb testing.TB, want []wantRow, got []correctness.Row) {
	tb.Helper()
	require.Len(tb, got, len(want))
	for i, w := range want {
		assert.Equal(tb, w.prompt, got[i].Prompt, "row %d", i)
		assert.Equal(tb, w.index, got[i].Index, "row %d", i)
		assert.Equal(tb, w.data, got[i].DataToken, "row %d", i)
		assert.Equal(tb, correctness.LogProbs, got[i].Kind, "row %d", i)
		require.NotNil(tb, got[i].TopK)
		assert.Equal(tb, w.k, got[i].TopK.K, "row %d", i)
		require.Len(tb, got[i].TopK.LogProbs, len(w.top), "row %d", i)
		require.Len(tb, got[i].TopK.IDs, len(w.top), "row %d", i)
		for k, id := range got[i].TopK.IDs {
			assert.Equal(tb, w.top[id], got[i].TopK.LogProbs[k], "row %d token %d", i, id)
			assert.True(tb, k == 0 || got[i].TopK.LogProbs[k] <= got[i].TopK.LogProbs[k-1], "row %d is not sorted", i)
		}
	}
}

// Responses of other projects, as SOURCE.tsv of the samples names them; the wanted
// values are read off the files.
func TestAPISamples(t *testing.T) {
	for _, c := range []struct {
		file string
		o    Options
		rows []wantRow
		warn string
	}{
		{"openai_chat_top_logprobs_fragment.json", Options{}, []wantRow{
			{"0", 0, 0, map[int32]float64{0: -4.3202e-07, 1: -15.096754}, 0},
			{"0", 1, 2, map[int32]float64{2: -0.00035739198, 3: -8.090163}, 0},
			{"0", 2, 4, map[int32]float64{4: -3.7697225e-06, 5: -12.53977}, 0},
		}, ""},
		{"vllm_chat_logprobs_fragment.json", Options{}, []wantRow{
			{"0", 0, 0, map[int32]float64{0: -0.5897256135940552, 1: -1.0897256135940552}, 0},
			{"0", 1, 2, map[int32]float64{2: -0.000722266617231071, 3: -7.875722408294678}, 0},
			{"0", 2, 4, map[int32]float64{4: 0, 5: -18.625}, 0},
		}, ""},
		{"openai_legacy_completions_fragment.json", Options{Gaps: GapSkip}, []wantRow{
			{"0", 0, 0, map[int32]float64{0: -0.028534053, 1: -5.3414392, 2: -6.8118296, 3: -4.9322805, 4: -5.6061873}, 0},
		}, "1 positions without a whole list"},
		{"vllm_prompt_logprobs.json", Options{}, []wantRow{
			{"0", 1, -1, map[int32]float64{14924: -1.179518699645996, 755: -2.179518699645996, 2: -2.742018699645996, 791: -3.679518699645996, 16309: -4.179518699645996}, 0},
		}, ""},
		{"vllm_masked_neg_inf_bare.json", Options{Sentinels: SentinelUnknown}, []wantRow{
			{"0", 0, -1, map[int32]float64{785: 0}, 0},
		}, "4 sentinels in place of log-probabilities were left out"},
		{"vllm_masked_neg_inf_bare.json", Options{Sentinels: SentinelMasked}, []wantRow{
			{"0", 0, -1, map[int32]float64{785: 0, 0: math.Inf(-1), 1: math.Inf(-1), 2: math.Inf(-1), 3: math.Inf(-1)}, 1},
		}, "4 sentinels in place of log-probabilities were taken for probability 0"},
		{"sglang_generate_logprobs.json", Options{Gaps: GapSkip}, []wantRow{
			{"0", 1, 315, map[int32]float64{315: -0.58203125, 3283: -2.140625, 374: -3.765625}, 0},
			{"0", 2, 9625, map[int32]float64{279: -1.0390625, 9625: -3.53125, 5616: -3.96875}, 0},
			{"0", 3, 374, map[int32]float64{13: -2.09375, 58883: -2.34375, 11: -2.40625, 374: -2.84375}, 3},
			{"0", 4, 12095, map[int32]float64{12095: -0.73046875, 2130: -2.734375, 32671: -3.046875}, 0},
			{"0", 5, 13, map[int32]float64{13: -0.9765625, 58883: -1.7265625, 11: -2.53125}, 0},
		}, "all 16 log-probabilities lie on the grid of bfloat16"},
	} {
		t.Run(c.file, func(t *testing.T) {
			src, err := anyFormat(&c.o)(apiSample(t, c.file))
			require.NoError(t, err)
			rows, err := readAll(src)
			require.NoError(t, err)
			sameRows(t, c.rows, rows)
			warnings := fmt.Sprint(src.(Reader).Warnings())
			if c.warn == "" {
				assert.Equal(t, "[]", warnings)
			}
			assert.Contains(t, warnings, c.warn)
		})
	}
}

func TestAPISamplesRefused(t *testing.T) {
	for _, c := range []struct {
		file string
		is   error
		text string
	}{
		{"openai_legacy_completions_fragment.json", correctness.ErrDuplicateToken, `position 1 offset 228: a map of 3 texts where the response lists at least 5`},
		{"openai_responses_logprobs.json", correctness.ErrFormat, "Sampled"},
		{"sglang_generate_logprobs.json", correctness.ErrAlignment, "output_top_logprobs has 2 positions for 6 tokens"},
		{"tgi_stream.txt", correctness.ErrFormat, "Sampled"},
		{"maxtext_token_log_probs.json", correctness.ErrFormat, "Sampled"},
		{"vllm_masked_neg_inf_bare.json", correctness.ErrFormat, "-Infinity stands in place"},
	} {
		t.Run(c.file, func(t *testing.T) {
			_, err := anyFormat(nil).read(apiSample(t, c.file))
			refuses(t, err, c.is, c.text)
		})
	}
}

func TestLlamaServerSamples(t *testing.T) {
	native := []wantRow{
		{"0", 0, 261, map[int32]float64{261: -2.568490743637085, 151: -2.9618914127349854, 139: -3.289123773574829, 216: -3.3252594470977783, 59: -3.4556822776794434}, 0},
		{"0", 1, 24, map[int32]float64{24: -2.4619927406311035, 152: -3.2899932861328125, 182: -3.36596417427063, 273: -3.4056456089019775, 145: -3.636824131011963}, 0},
		{"0", 2, 24, map[int32]float64{24: -2.2403180599212646, 309: -3.6334760189056396, 128: -3.695544958114624, 269: -3.7325711250305176, 115: -3.8009867668151855}, 0},
	}
	sameRows(t, native, read(t, streamed(LlamaServer, nil), "llamacpp_server", "completion_nprobs5.json"))

	post := testFile(t, "llamacpp_server", "completion_post_sampling.json")
	_, err := streamed(LlamaServer, nil).read(post)
	refuses(t, err, correctness.ErrTemperature, "Options.PostSampling")
	src, err := streamed(LlamaServer, &Options{PostSampling: true})(post)
	require.NoError(t, err)
	sameRows(t, []wantRow{
		{"0", 0, 151, map[int32]float64{261: math.Log(0.6369154453277588), 151: math.Log(0.3630845248699188)}, 0},
		{"0", 1, 269, map[int32]float64{24: math.Log(0.9045582413673401), 269: math.Log(0.09544181078672409)}, 0},
	}, allRows(t, src))
	assert.Contains(t, fmt.Sprint(src.(Reader).Warnings()), "after temperature")
	assert.InDelta(t, 0.7, src.(Reader).Temperature(), 1e-6)
	assert.Nil(t, src.(Reader).Tokens(), "the ids are the model's")
}

// llama-server merges tokens in the middle of a character: one position for two
// tokens, under the id of the second and the bytes of both.
func TestLlamaServerMergedTokens(t *testing.T) {
	for _, c := range []struct {
		file string
		o    Options
		is   error
		text string
	}{
		{"chat_logprobs.json", Options{}, correctness.ErrAlignment, "1 positions are listed for 2 tokens"},
		{"chat_logprobs.json", Options{Gaps: GapSkip}, correctness.ErrTokenMismatch, "tokens were merged"},
		{"chat_stream.txt", Options{}, correctness.ErrAlignment, "1 positions are listed for 2 tokens"},
		{"chat_stream.txt", Options{Gaps: GapSkip}, correctness.ErrTokenMismatch, "tokens were merged"},
		{"v1_completions_logprobs.json", Options{}, correctness.ErrAlignment, "1 positions are listed for 2 tokens"},
	} {
		t.Run(c.file, func(t *testing.T) {
			_, err := anyFormat(&c.o).read(testFile(t, "llamacpp_server", c.file))
			refuses(t, err, c.is, c.text)
		})
	}
	src, err := anyFormat(&Options{Gaps: GapSkip})(testFile(t, "llamacpp_server", "v1_completions_logprobs.json"))
	require.NoError(t, err)
	sameRows(t, []wantRow{{"0", 0, 187, map[int32]float64{187: -3.062911033630371, 24: -3.244551420211792, 73: -3.3242385387420654}, 0}}, allRows(t, src))
	assert.Contains(t, fmt.Sprint(src.(Reader).Warnings()), "1 positions are missing")
}

// chatEntryJSON is one position whose chosen token is the first listed.
func chatEntryJSON(tokens ...string) string {
	var list []string
	for i, tok := range tokens {
		list = append(list, fmt.Sprintf(`{"token":%q,"logprob":%d.5,"bytes":null}`, tok, -i-1))
	}
	return fmt.Sprintf(`{"token":%q,"logprob":-1.5,"bytes":null,"top_logprobs":[%s]}`, tokens[0], strings.Join(list, ","))
}

func chatJSON(finish string, tokens int, entries ...string) string {
	return fmt.Sprintf(`{"id":"r","choices":[{"index":0,"message":{},"finish_reason":%q,"logprobs":{"content":[%s]}}],"usage":{"completion_tokens":%d}}`,
		finish, strings.Join(entries, ","), tokens)
}

func TestOpenAIChatShapes(t *testing.T) {
	ab := map[int32]float64{0: -1.5, 1: -2.5}
	one := chatJSON("length", 1, chatEntryJSON("a", "b"))
	chunk := func(id, finish, entries string) string {
		return fmt.Sprintf("data: {\"id\":%q,\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":%s,\"logprobs\":{\"content\":[%s]}}]}\n\n", id, finish, entries)
	}
	for _, c := range []struct {
		name, text string
		rows       []wantRow
	}{
		{"one", one, []wantRow{{"0", 0, 0, ab, 0}}},
		{"two values", one + "\n" + one, []wantRow{{"0", 0, 0, ab, 0}, {"1", 0, 0, ab, 0}}},
		{"an array", "[" + one + "," + one + "]", []wantRow{{"0", 0, 0, ab, 0}, {"1", 0, 0, ab, 0}}},
		{"an empty response between", one + chatJSON("stop", 0) + one, []wantRow{{"0", 0, 0, ab, 0}, {"2", 0, 0, ab, 0}}},
		{"a batch", `{"custom_id":"p7","response":{"status_code":200,"body":` + one + `}}`, []wantRow{{"p7", 0, 0, ab, 0}}},
		{"an end token counted", chatJSON("stop", 2, chatEntryJSON("a", "b")), []wantRow{{"0", 0, 0, ab, 0}}},
		{"hidden reasoning", strings.Replace(one, `"completion_tokens":1`, `"completion_tokens":9,"completion_tokens_details":{"reasoning_tokens":8}`, 1), []wantRow{{"0", 0, 0, ab, 0}}},
		{"two choices", `{"choices":[{"index":0,"message":{},"logprobs":{"content":[` + chatEntryJSON("a", "b") + `]}},{"index":1,"message":{},"logprobs":{"content":[` + chatEntryJSON("b", "a") + `]}}]}`,
			[]wantRow{{"0", 0, 0, ab, 0}, {"0/1", 0, 1, map[int32]float64{1: -1.5, 0: -2.5}, 0}}},
		{"a refusal", `{"choices":[{"message":{},"logprobs":{"content":null,"refusal":[` + chatEntryJSON("a", "b") + `]}}]}`, []wantRow{{"0", 0, 0, ab, 0}}},
		{"chosen beside the list", `{"choices":[{"message":{},"logprobs":{"content":[{"token":"z","logprob":-9,"top_logprobs":[{"token":"a","logprob":-1.5},{"token":"b","logprob":-2.5}]}]}}]}`,
			[]wantRow{{"0", 0, 0, map[int32]float64{1: -1.5, 2: -2.5, 0: -9}, 2}}},
		{"chosen in the list, below it", `{"choices":[{"message":{},"logprobs":{"content":[{"token":"z","logprob":-9,"top_logprobs":[{"token":"z","logprob":-9},{"token":"a","logprob":-1.5},{"token":"b","logprob":-2.5}]}]}}]}`,
			[]wantRow{{"0", 0, 0, map[int32]float64{1: -1.5, 2: -2.5, 0: -9}, 2}}},
		{"ids as text", `{"choices":[{"message":{},"logprobs":{"content":[` + chatEntryJSON("token_id:7", "token_id:9") + `]}}]}`, []wantRow{{"0", 0, 7, map[int32]float64{7: -1.5, 9: -2.5}, 0}}},
		{"a stream", chunk("x", "null", "") + ": ping\n\n" + chunk("x", "null", chatEntryJSON("a", "b")) + chunk("x", `"stop"`, chatEntryJSON("b", "a")) + "data: [DONE]\n\n",
			[]wantRow{{"0", 0, 0, ab, 0}, {"0", 1, 1, map[int32]float64{1: -1.5, 0: -2.5}, 0}}},
		{"a stream of two choices", chunk("x", "null", chatEntryJSON("a", "b")) + strings.Replace(chunk("x", `"stop"`, chatEntryJSON("b", "a")), `"index":0`, `"index":1`, 1) + chunk("x", `"stop"`, ""),
			[]wantRow{{"0", 0, 0, ab, 0}, {"0/1", 0, 1, map[int32]float64{1: -1.5, 0: -2.5}, 0}}},
		{"two streams", chunk("x", `"length"`, chatEntryJSON("a", "b")) + "data: [DONE]\n\nevent: y\n" + chunk("y", `"length"`, chatEntryJSON("a", "b")) + "data: [DONE]\n",
			[]wantRow{{"0", 0, 0, ab, 0}, {"1", 0, 0, ab, 0}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows, err := streamed(OpenAIChat, nil).read([]byte(c.text))
			require.NoError(t, err)
			sameRows(t, c.rows, rows)
		})
	}
}

func TestOpenAIChatRefusals(t *testing.T) {
	entry := func(list string) string {
		return `{"choices":[{"message":{},"logprobs":{"content":[{"token":"a","logprob":-1,"top_logprobs":[` + list + `]}]}}]}`
	}
	tok := func(text, logprob string) string { return fmt.Sprintf(`{"token":%s,"logprob":%s}`, text, logprob) }
	a := tok(`"a"`, "-1")
	for _, c := range []struct {
		name, text string
		o          Options
		is         error
		reason     string
	}{
		{"empty", "", Options{}, correctness.ErrTruncated, "no response"},
		{"blank", " \n", Options{}, correctness.ErrTruncated, "no response"},
		{"another format", `{"meta_info":{}}`, Options{}, correctness.ErrFormat, `the keys "meta_info", not "OpenAI chat"`},
		{"a number", `3`, Options{}, correctness.ErrFormat, "a number"},
		{"cut", entry(a)[:40], Options{}, correctness.ErrTruncated, "offset 40"},
		{"a key twice", `{"choices":[],"choices":[]}`, Options{}, correctness.ErrDuplicateToken, "choices"},
		{"nested 10,000 deep", strings.Repeat(`{"a":`, 10_000), Options{}, correctness.ErrFormat, "nested"},
		{"nested 10,000 deep and closed", strings.Repeat(`[`, 10_000) + strings.Repeat(`]`, 10_000), Options{}, correctness.ErrFormat, "nested"},
		{"too large", entry(strings.Repeat(" ", 1<<20) + a), Options{MaxBytes: 1000}, correctness.ErrFormat, "more than 1000 bytes"},
		{"no logprobs", `{"choices":[{"message":{}}]}`, Options{}, correctness.ErrFormat, "must ask for logprobs"},
		{"null logprobs", `{"choices":[{"message":{},"logprobs":null}]}`, Options{}, correctness.ErrFormat, "must ask for logprobs"},
		{"fewer positions", chatJSON("length", 2, chatEntryJSON("a")), Options{}, correctness.ErrAlignment, `prompt "0" offset 0: 1 positions`},
		{"more positions", chatJSON("stop", 1, chatEntryJSON("a"), chatEntryJSON("b")), Options{}, correctness.ErrAlignment, "2 positions"},
		{"listed twice", entry(a + "," + a), Options{}, correctness.ErrDuplicateToken, `prompt "0" position 0 index 1`},
		{"above 0", entry(a + "," + tok(`"b"`, "0.5")), Options{}, correctness.ErrPositiveLogProb, "0.5"},
		{"Infinity", entry(tok(`"b"`, "Infinity")), Options{}, correctness.ErrPosInf, "Infinity"},
		{"NaN", entry(tok(`"b"`, "NaN")), Options{}, correctness.ErrNaN, "NaN stands in place"},
		{"NaN is no mask", entry(tok(`"b"`, "NaN")), Options{Sentinels: SentinelMasked}, correctness.ErrNaN, "NaN stands in place"},
		{"null", entry(tok(`"b"`, "null")), Options{}, correctness.ErrNaN, "null stands in place"},
		{"-9999", entry(a + "," + tok(`"b"`, "-9999.0")), Options{}, correctness.ErrFormat, "-9999.0 stands in place"},
		{"-1e16", entry(tok(`"b"`, "-1e16")), Options{}, correctness.ErrFormat, "-1e16 stands in place"},
		{"-1000", entry(tok(`"b"`, "-1000")), Options{}, correctness.ErrFormat, "-1000 stands in place"},
		{"-100", entry(tok(`"b"`, "-100.0")), Options{}, correctness.ErrFormat, "-100.0 stands in place"},
		{"all left out", strings.Replace(entry(tok(`"b"`, "null")), `"logprob":-1`, `"logprob":null`, 1), Options{Sentinels: SentinelUnknown}, correctness.ErrNoSupport, "no token of the list"},
		{"text", entry(tok(`"b"`, `"x"`)), Options{}, correctness.ErrFormat, "a log-probability is a string"},
		{"no log-probability", entry(`{"token":"b"}`), Options{}, correctness.ErrFormat, "without a log-probability"},
		{"no text", entry(`{"logprob":-1}`), Options{}, correctness.ErrFormat, "without text"},
		{"cut characters", entry(a + "," + tok("\"\ufffd\"", "-2")), Options{}, correctness.ErrTokenMismatch, "nothing tells it apart"},
		{"a bad byte", entry(`{"token":"b","bytes":[256],"logprob":-1}`), Options{}, correctness.ErrFormat, "not a byte"},
		{"a bad id", entry(`{"token":"token_id:-4","logprob":-1}`), Options{}, correctness.ErrVocab, "token id"},
		{"ids for some", entry(`{"token":"b","id":4,"logprob":-2},` + a), Options{}, correctness.ErrTokenMismatch, "without an id among tokens with ids"},
		{"a cut stream", "data: {\"id\":\"x\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"delta\":{},\"finish_reason\":null}]}\n", Options{}, correctness.ErrTruncated, "the stream ends"},
		{"a name twice", strings.Repeat(`{"custom_id":"x","response":{"body":`+entry(a)+"}}\n", 2), Options{}, correctness.ErrAlignment, `prompt "x"`},
		{"a stream too large", strings.Repeat("data: {\"id\":\"x\",\"object\":\"chat.completion.chunk\",\"choices\":[]}\n", 50), Options{MaxBytes: 500}, correctness.ErrFormat, "a response of more than 500 bytes"},
		{"a stream cut before its first choice", "data: {\"id\":\"x\",\"object\":\"chat.completion.chunk\",\"choices\":[]}\n", Options{}, correctness.ErrTruncated, "the stream ends"},
		{"unknown policy", entry(a), Options{Sentinels: 9}, correctness.ErrFormat, "Options.Sentinels 9"},
		{"unknown gap policy", entry(a), Options{Gaps: -1}, correctness.ErrFormat, "Options.Gaps -1"},
		{"unknown kind", entry(a), Options{Kind: 7}, correctness.ErrFormat, "Options.Kind 7"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := streamed(OpenAIChat, &c.o).read([]byte(c.text))
			refuses(t, err, c.is, c.reason)
		})
	}
}

// The chosen token alone is known, and bounds nothing.
func TestChosenAlone(t *testing.T) {
	o := &Options{ChosenAlone: true}
	src, err := anyFormat(o)([]byte(`{"tokens":[5,6,7],"token_log_probs":[-1,-2]}`))
	require.NoError(t, err)
	sameRows(t, []wantRow{{"0", 0, 6, map[int32]float64{6: -1}, -1}, {"0", 1, 7, map[int32]float64{7: -2}, -1}}, allRows(t, src))
	assert.Contains(t, fmt.Sprint(src.(Reader).Warnings()), "of 2 positions the chosen token alone")
	_, err = anyFormat(o).read([]byte(`{"prompt_logprobs":[null,null]}`))
	refuses(t, err, correctness.ErrNoSupport, "position 1")
}

// What K says of a list: how many of its tokens bound those that are not listed.
func TestTopKSaysWhatBoundsTheRest(t *testing.T) {
	low := math.Inf(-1)
	for _, c := range []struct {
		name, data, list string
		policy           SentinelPolicy
		top              map[int32]float64
		k                int
	}{
		{"all", `-1`, `-1,-2,-3`, SentinelRefuse, map[int32]float64{0: -1, 1: -2, 2: -3}, 0},
		{"a low sentinel unlisted", `-1`, `-1,-2,-9999.0`, SentinelUnknown, map[int32]float64{0: -1, 1: -2}, 0},
		{"an unknown within: what follows may not exceed it", `-1`, `-1,null,-3`, SentinelUnknown, map[int32]float64{0: -1, 2: -3}, 1},
		{"an unknown first", `-1`, `NaN,-2`, SentinelUnknown, map[int32]float64{1: -2}, -1},
		{"a mask bounds nothing", `-1`, `-1,-Infinity`, SentinelMasked, map[int32]float64{0: -1, 1: low}, 1},
		{"masks only", `-1`, `-Infinity,-Infinity`, SentinelMasked, map[int32]float64{0: low, 1: low}, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			var list []string
			for i, x := range strings.Split(c.list, ",") {
				list = append(list, fmt.Sprintf("[%s,%d,null]", x, i))
			}
			text := fmt.Sprintf(`{"meta_info":{"output_token_logprobs":[[%s,0,null]],"output_top_logprobs":[[%s]]}}`, c.data, strings.Join(list, ","))
			rows, err := streamed(SGLang, &Options{Sentinels: c.policy}).read([]byte(text))
			require.NoError(t, err)
			sameRows(t, []wantRow{{"0", 0, 0, c.top, c.k}}, rows)
		})
	}
}

// Servers that put the chosen token first write no falling list: an unknown value
// in it may exceed all that is known.
func TestUnknownValueBesideTheChosenToken(t *testing.T) {
	text := `{"choices":[{"message":{},"logprobs":{"content":[{"token":"z","logprob":-9,"top_logprobs":[` +
		`{"token":"z","logprob":-9},{"token":"a","logprob":null},{"token":"b","logprob":-12}]}]}}]}`
	rows, err := streamed(OpenAIChat, &Options{Sentinels: SentinelUnknown}).read([]byte(text))
	require.NoError(t, err)
	sameRows(t, []wantRow{{"0", 0, 0, map[int32]float64{0: -9, 2: -12}, -1}}, rows)
}

// Bytes tell tokens apart that look the same as text.
func TestBytesBeforeText(t *testing.T) {
	text := `{"choices":[{"message":{},"logprobs":{"content":[{"token":"\ufffd","bytes":[200],"logprob":-1,"top_logprobs":[` +
		`{"token":"\ufffd","bytes":[200],"logprob":-1},{"token":"\ufffd","bytes":[201],"logprob":-2},{"token":"bytes:\\xc9\\xff","logprob":-3}]}]}}]}`
	rows, err := streamed(OpenAIChat, nil).read([]byte(text))
	require.NoError(t, err)
	sameRows(t, []wantRow{{"0", 0, 0, map[int32]float64{0: -1, 1: -2, 2: -3}, 0}}, rows)
}

// A position that cannot be identified is a gap.
func TestGapSkipLeavesOutUnknownTokens(t *testing.T) {
	cut := `{"token":"a","logprob":-1,"top_logprobs":[{"token":"\ufffd","logprob":-1}]}`
	src, err := streamed(OpenAIChat, &Options{Gaps: GapSkip})([]byte(chatJSON("length", 2, cut, chatEntryJSON("a", "b"))))
	require.NoError(t, err)
	rows := allRows(t, src)
	require.Len(t, rows, 1)
	assert.Equal(t, 1, rows[0].Index)
}

func TestTemperatureThatChanges(t *testing.T) {
	response := func(temperature string) string {
		return `{"object":"response","temperature":` + temperature + `,"output":[{"content":[{"logprobs":[` + chatEntryJSON("a", "b") + `]}]}]}`
	}
	src, err := streamed(OpenAIResponses, nil)([]byte(response("1") + response("1.0")))
	require.NoError(t, err)
	assert.Len(t, allRows(t, src), 2)
	assert.Equal(t, 1.0, src.(Reader).Temperature())
	assert.Contains(t, fmt.Sprint(src.(Reader).Warnings()), "6 decimals")
	_, err = streamed(OpenAIResponses, nil).read([]byte(response("1") + response("0.5")))
	refuses(t, err, correctness.ErrTemperature, "temperature 0.5 after responses at 1")
}

func TestOpenAICompletionsShapes(t *testing.T) {
	legacy := func(tokens, values, tops, usage string) string {
		return `{"id":"c","choices":[{"index":0,"text":"","finish_reason":"length","logprobs":{"tokens":` + tokens + `,"token_logprobs":` + values + `,"top_logprobs":` + tops + `}}]` + usage + `}`
	}
	for _, c := range []struct {
		name, text string
		o          Options
		rows       []wantRow
		is         error
		reason     string
	}{
		{name: "echo", text: legacy(`["a","b","c"]`, `[null,-1,-2]`, `[null,{"b":-1,"a":-3},{"a":-1,"c":-2}]`, `,"usage":{"prompt_tokens":2,"completion_tokens":1}`),
			rows: []wantRow{{"0", 1, 0, map[int32]float64{0: -1, 1: -3}, 0}, {"0", 2, 2, map[int32]float64{1: -1, 2: -2}, 1}}},
		{name: "a map one short is the chosen beside", text: legacy(`["a","b"]`, `[-9,-1]`, `[{"x":-1,"a":-9},{"b":-1}]`, ""),
			rows: []wantRow{{"0", 0, 0, map[int32]float64{1: -1, 0: -9}, 1}, {"0", 1, 2, map[int32]float64{2: -1}, 0}}},
		{name: "a map too short", text: legacy(`["a","b"]`, `[-1,-1]`, `[{"x":-2,"a":-1},{"b":-1}]`, ""), is: correctness.ErrDuplicateToken, reason: "position 1"},
		{name: "an unknown value in a map without order", text: legacy(`["a"]`, `[-1]`, `[{"a":-1,"b":null,"c":-2}]`, ""), o: Options{Sentinels: SentinelUnknown},
			rows: []wantRow{{"0", 0, 0, map[int32]float64{0: -1, 2: -2}, -1}}},
		{name: "no list of values", text: `{"choices":[{"text":"x","logprobs":{"tokens":["a"]}}]}`, is: correctness.ErrFormat, reason: "token_logprobs"},
		{name: "tokens that are no list", text: `{"choices":[{"text":"x","logprobs":{"tokens":3}}]}`, is: correctness.ErrFormat, reason: "tokens"},
		{name: "a value that is none", text: legacy(`["a"]`, `["x"]`, `[{}]`, ""), is: correctness.ErrFormat, reason: "a string"},
		{name: "a value in a map that is none", text: legacy(`["a"]`, `[-1]`, `[{"a":true}]`, ""), is: correctness.ErrFormat, reason: "a boolean"},
		{name: "an id in a map that is none", text: legacy(`["a"]`, `[-1]`, `[{"token_id:x":-1}]`, ""), is: correctness.ErrVocab, reason: "token id"},
		{name: "no maps", text: legacy(`["a"]`, `[-1]`, `null`, ""), is: correctness.ErrFormat, reason: "Sampled"},
		{name: "a map missing", text: legacy(`["a","b"]`, `[-1,-1]`, `[{"a":-1},null]`, ""), is: correctness.ErrFormat, reason: "position 1"},
		{name: "lists of two lengths", text: legacy(`["a","b"]`, `[-1]`, `null`, ""), is: correctness.ErrAlignment, reason: "2 tokens, 1 log-prob"},
		{name: "maps of another length", text: legacy(`["a","b"]`, `[-1,-1]`, `[{}]`, ""), is: correctness.ErrAlignment, reason: "1 maps"},
		{name: "fewer than counted", text: legacy(`["a"]`, `[-1]`, `[{"a":-1}]`, `,"usage":{"completion_tokens":2}`), is: correctness.ErrAlignment, reason: "for 2 tokens"},
		{name: "logprobs left out", text: `{"choices":[{"text":"x"}]}`, is: correctness.ErrFormat, reason: "must ask"},
		{name: "no logprobs", text: `{"choices":[{"text":"x","logprobs":null}]}`, is: correctness.ErrFormat, reason: "must ask"},
		{name: "one text twice", text: legacy(`["a"]`, `[-1]`, `[{"a":-1,"a":-2}]`, ""), is: correctness.ErrDuplicateToken, reason: `"a"`},
		{name: "a stream", text: "data: " + strings.Replace(legacy(`["a"]`, `[-1]`, `[{"a":-1}]`, ""), `"length"`, "null", 1) + "\n\ndata: " + legacy(`["b"]`, `[-1]`, `[{"b":-1}]`, "") + "\n\ndata: [DONE]\n",
			rows: []wantRow{{"0", 0, 0, map[int32]float64{0: -1}, 0}, {"0", 1, 1, map[int32]float64{1: -1}, 0}}},
		{name: "a stream with a map too short", text: strings.Replace(legacy(`["a"]`, `[-1]`, `[{"a":-1,"b":-2}]`, ""), `"length"`, "null", 1) + legacy(`["b"]`, `[-1]`, `[{"b":-1}]`, ""),
			is: correctness.ErrDuplicateToken, reason: "position 1"},
		{name: "a cut stream", text: strings.Replace(legacy(`["a"]`, `[-1]`, `[{"a":-1}]`, ""), `"length"`, "null", 1), is: correctness.ErrTruncated, reason: "the stream ends"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows, err := streamed(OpenAICompletions, &c.o).read([]byte(c.text))
			if c.is != nil {
				refuses(t, err, c.is, c.reason)
				return
			}
			require.NoError(t, err)
			sameRows(t, c.rows, rows)
		})
	}
}

func TestVLLMPromptShapes(t *testing.T) {
	position := func(entries ...string) string { return "{" + strings.Join(entries, ",") + "}" }
	tok := func(id, rank int, logprob string) string {
		return fmt.Sprintf(`"%d":{"logprob":%s,"rank":%d,"decoded_token":"t%d"}`, id, logprob, rank, id)
	}
	list := `[null,` + position(tok(5, 7, "-8"), tok(1, 1, "-1"), tok(2, 2, "-2")) + "," + position(tok(2, 2, "-2"), tok(1, 1, "-1")) + `]`
	rows := []wantRow{{"0", 1, 5, map[int32]float64{1: -1, 2: -2, 5: -8}, 2}, {"0", 2, -1, map[int32]float64{1: -1, 2: -2}, 0}}
	known := []wantRow{rows[0], {"0", 2, 2, rows[1].top, 0}}
	for _, c := range []struct {
		name, text string
		rows       []wantRow
		is         error
		reason     string
	}{
		{name: "in a choice", text: `{"choices":[{"prompt_logprobs":` + list + `}]}`, rows: rows},
		{name: "at the top", text: `{"choices":[{}],"prompt_logprobs":` + list + `}`, rows: rows},
		{name: "with ids", text: `{"choices":[{"prompt_token_ids":[9,5,2],"prompt_logprobs":` + list + `}]}`, rows: known},
		{name: "ids too few", text: `{"choices":[{"prompt_token_ids":[9,5],"prompt_logprobs":` + list + `}]}`, is: correctness.ErrAlignment, reason: "3 positions for 2"},
		{name: "another id", text: `{"choices":[{"prompt_token_ids":[9,5,3],"prompt_logprobs":` + list + `}]}`, is: correctness.ErrTokenMismatch, reason: "token 3"},
		{name: "an id beside the stranger", text: `{"choices":[{"prompt_token_ids":[9,1,2],"prompt_logprobs":` + list + `}]}`, is: correctness.ErrTokenMismatch, reason: "token 1"},
		{name: "no ranks", text: `{"prompt_logprobs":[null,{"1":{"logprob":-1}}]}`, is: correctness.ErrFormat, reason: "no rank"},
		{name: "a rank twice", text: `{"prompt_logprobs":[null,` + position(tok(1, 1, "-1"), tok(2, 1, "-2")) + `]}`, is: correctness.ErrFormat, reason: "no rank of its own"},
		{name: "ranks missing", text: `{"prompt_logprobs":[null,` + position(tok(1, 1, "-1"), tok(2, 5, "-2"), tok(3, 6, "-3")) + `]}`, is: correctness.ErrFormat, reason: "ranks 2 to 4"},
		{name: "an id that is text", text: `{"prompt_logprobs":[null,{"x":{"logprob":-1,"rank":1}}]}`, is: correctness.ErrVocab, reason: "token id"},
		{name: "a position missing", text: `{"prompt_logprobs":[null,null]}`, is: correctness.ErrFormat, reason: "position 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows, err := streamed(VLLMPrompt, nil).read([]byte(c.text))
			if c.is != nil {
				refuses(t, err, c.is, c.reason)
				return
			}
			require.NoError(t, err)
			sameRows(t, c.rows, rows)
		})
	}
}

func TestVLLMOutputIsNamed(t *testing.T) {
	src, err := anyFormat(nil)([]byte(`{"choices":[{"message":{},"logprobs":{"content":[]},"prompt_logprobs":[null,{"1":{"logprob":-1,"rank":1}}]}]}`))
	require.NoError(t, err)
	assert.Len(t, allRows(t, src), 1)
	assert.Contains(t, fmt.Sprint(src.(Reader).Warnings()), "OpenAIChat")
}

// Tokens that the request named are known, and bound nothing.
func TestSGLangAskedTokens(t *testing.T) {
	rows, err := streamed(SGLang, nil).read([]byte(`{"meta_info":{"output_token_logprobs":[[-1,2,null],[-2,3,null]],` +
		`"output_top_logprobs":[[[-1,2,null]],[[-0.5,9,null]]],"output_token_ids_logprobs":[[[-7,50,null],[-1,2,null]],[[-8,50,null]]]}}`))
	require.NoError(t, err)
	sameRows(t, []wantRow{
		{"0", 0, 2, map[int32]float64{2: -1, 50: -7}, 1},
		{"0", 1, 3, map[int32]float64{9: -0.5, 50: -8, 3: -2}, 1},
	}, rows)
}

func TestSGLangRefusals(t *testing.T) {
	for _, c := range []struct {
		name, meta string
		is         error
		reason     string
	}{
		{"nothing", `{}`, correctness.ErrFormat, "return_logprob"},
		{"an event", `{"finish_reason":null}`, correctness.ErrFormat, "stream"},
		{"a pair", `{"output_token_logprobs":[[-1,2]]}`, correctness.ErrFormat, "[log-probability, id, text]"},
		{"no id", `{"output_token_logprobs":[[-1,null,"a"]]}`, correctness.ErrVocab, "token id"},
		{"an odd list", `{"output_token_logprobs":[[-1,2,"a"]],"output_top_logprobs":[[[-1]]]}`, correctness.ErrFormat, "[log-probability, id, text]"},
		{"an odd list of asked tokens", `{"output_token_logprobs":[[-1,2,"a"]],"output_token_ids_logprobs":[[3]]}`, correctness.ErrFormat, "[log-probability, id, text]"},
		{"asked tokens of another length", `{"input_token_logprobs":[[-1,2,"a"]],"input_token_ids_logprobs":[[],[]]}`, correctness.ErrAlignment, "2 positions for 1 tokens"},
		{"no lists", `{"output_token_logprobs":[[-1,2,"a"]]}`, correctness.ErrFormat, "Sampled"},
		{"padding", `{"output_token_logprobs":[[-1,2,null]],"output_top_logprobs":[[[-1,2,null],[-1e16,0,null]]]}`, correctness.ErrFormat, "-1e16"},
		{"fewer than counted", `{"completion_tokens":3,"output_token_logprobs":[[-1,2,null]],"output_top_logprobs":[[[-1,2,null]]]}`, correctness.ErrAlignment, "for 3 tokens"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := streamed(SGLang, nil).read([]byte(`{"meta_info":` + c.meta + `}`))
			refuses(t, err, c.is, c.reason)
		})
	}
}

func TestLlamaServerShapes(t *testing.T) {
	tok := `{"id":3,"token":"a","bytes":[97],"logprob":-1`
	entry := tok + `,"top_logprobs":[` + tok + `}]}`
	row := map[int32]float64{3: -1}
	event := func(stop, rest string) string {
		return `data: {"stop":` + stop + `,"completion_probabilities":[` + rest + "\n\n"
	}
	old := `{"stop":true,"completion_probabilities":[{"content":"a","probs":[{"tok_str":"a","prob":0.5},{"tok_str":"b","prob":0.25}]}]}`
	for _, c := range []struct {
		name, text string
		o          Options
		rows       []wantRow
		is         error
		reason     string
	}{
		{name: "a stream", text: event("false", entry+"]}") + event("false", entry+"]}") + event("true", `],"tokens_predicted":2}`),
			rows: []wantRow{{"0", 0, 3, row, 0}, {"0", 1, 3, row, 0}}},
		{name: "two streams", text: event("false", entry+"]}") + event("true", `]}`) + event("false", entry+"]}") + event("true", `]}`),
			rows: []wantRow{{"0", 0, 3, row, 0}, {"1", 0, 3, row, 0}}},
		{name: "a cut stream", text: event("false", entry+"]}"), is: correctness.ErrTruncated, reason: "the stream ends"},
		{name: "a stream short of a token", text: event("false", entry+"]}") + event("true", `],"tokens_predicted":2}`), is: correctness.ErrAlignment, reason: "for 2"},
		{name: "before December 2024", text: old, is: correctness.ErrTemperature, reason: "PostSampling"},
		{name: "before December 2024, accepted", text: old, o: Options{PostSampling: true}, rows: []wantRow{{"0", 0, 0, map[int32]float64{0: math.Log(.5), 1: math.Log(.25)}, 0}}},
		{name: "a probability above 1", text: strings.Replace(old, "0.5", "1.5", 1), o: Options{PostSampling: true}, is: correctness.ErrPositiveLogProb, reason: "1.5"},
		{name: "a negative probability", text: strings.Replace(old, "0.5", "-0.5", 1), o: Options{PostSampling: true}, is: correctness.ErrNegativeProb, reason: "-0.5"},
		{name: "no probability", text: strings.Replace(old, "0.5", "null", 1), o: Options{PostSampling: true}, is: correctness.ErrFormat, reason: "without a probability"},
		{name: "chat", text: chatJSON("length", 1, chatEntryJSON("a")), rows: []wantRow{{"0", 0, 0, map[int32]float64{0: -1.5}, 0}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows, err := streamed(LlamaServer, &c.o).read([]byte(c.text))
			if c.is != nil {
				refuses(t, err, c.is, c.reason)
				return
			}
			require.NoError(t, err)
			sameRows(t, c.rows, rows)
		})
	}
}

func TestOllamaShapes(t *testing.T) {
	entry := `{"token":"a","logprob":-1,"top_logprobs":[{"token":"a","logprob":-1},{"token":"b","logprob":-2}]}`
	row := map[int32]float64{0: -1, 1: -2}
	whole := `{"done":true,"done_reason":"stop","eval_count":2,"logprobs":[` + entry + `]}`
	stream := `{"done":false,"logprobs":[` + entry + `]}` + "\n" + `{"done":false,"logprobs":[` + entry + `]}` + "\n" + `{"done":true,"done_reason":"length","eval_count":2}` + "\n"
	rows, err := streamed(Ollama, nil).read([]byte(whole))
	require.NoError(t, err)
	sameRows(t, []wantRow{{"0", 0, 0, row, 0}}, rows)
	rows, err = streamed(Ollama, nil).read([]byte(stream + whole))
	require.NoError(t, err)
	sameRows(t, []wantRow{{"0", 0, 0, row, 0}, {"0", 1, 0, row, 0}, {"1", 0, 0, row, 0}}, rows)
	_, err = streamed(Ollama, nil).read([]byte(stream[:len(whole)]))
	typed(t, err)
	assert.Error(t, err)
	_, err = streamed(Ollama, nil).read([]byte(`{"done":true,"eval_count":3,"logprobs":[` + entry + `]}`))
	refuses(t, err, correctness.ErrAlignment, "for 3 tokens")
}

func TestMaxTextShapes(t *testing.T) {
	inf := float32(math.Inf(-1))
	for _, c := range []struct {
		name, text string
		o          Options
		values     [][]float32
		data       []int
		is         error
		reason     string
	}{
		{name: "a row a token", text: `{"tokens":[1,2,0],"logits":[[0,1,2],[3,4,-Infinity],[6,7,8]]}`,
			values: [][]float32{{0, 1, 2}, {3, 4, inf}, {6, 7, 8}}, data: []int{2, 0, -1}},
		{name: "without the last", text: `{"tokens":[1,2,0],"logits":[[0,1,2],[3,4,5]]}`, values: [][]float32{{0, 1, 2}, {3, 4, 5}}, data: []int{2, 0}},
		{name: "rows missing", text: `{"tokens":[1,2,0],"logits":[[0,1,2]]}`, is: correctness.ErrAlignment, reason: "3 tokens have 1 rows"},
		{name: "log-probs as many as tokens", text: `{"tokens":[1,2],"token_log_probs":[-1,-2]}`, is: correctness.ErrAlignment, reason: "predicts the next"},
		{name: "NaN", text: `{"tokens":[1,2],"logits":[[0,NaN,2]]}`, is: correctness.ErrNaN, reason: "position 0 index 1"},
		{name: "null", text: `{"tokens":[1,2],"logits":[[0,null,2]]}`, is: correctness.ErrNaN, reason: "null"},
		{name: "Infinity", text: `{"tokens":[1,2],"logits":[[0,1,Infinity]]}`, is: correctness.ErrPosInf, reason: "index 2"},
		{name: "text", text: `{"tokens":[1,2],"logits":[["x"]]}`, is: correctness.ErrFormat, reason: "a string"},
		{name: "an empty row", text: `{"tokens":[1,2],"logits":[[]]}`, is: correctness.ErrVocab, reason: "a row of 0"},
		{name: "another vocabulary", text: `{"tokens":[1,2],"logits":[[1,2]]}`, o: Options{VocabSize: 3}, is: correctness.ErrVocab, reason: "a row of 2"},
		{name: "a token that is none", text: `{"tokens":[1,-2],"logits":[[1,2]]}`, is: correctness.ErrVocab, reason: "token id"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows, err := streamed(MaxText, &c.o).read([]byte(c.text))
			if c.is != nil {
				refuses(t, err, c.is, c.reason)
				return
			}
			require.NoError(t, err)
			require.Len(t, rows, len(c.values))
			for i := range rows {
				assert.Equal(t, correctness.Logits, rows[i].Kind)
				assert.Nil(t, rows[i].TopK)
				assert.Equal(t, c.values[i], rows[i].Values)
				assert.Equal(t, c.data[i], rows[i].DataToken)
				assert.Equal(t, i, rows[i].Index)
			}
		})
	}
}

// whole are one small file a format, which no prefix may stand for.
func wholeFiles() map[string]string {
	return map[string]string{
		"OpenAI chat":          chatJSON("length", 1, chatEntryJSON("a", "b")),
		"OpenAI completions":   `{"choices":[{"text":"a","logprobs":{"tokens":["a"],"token_logprobs":[-1],"top_logprobs":[{"a":-1}]}}]}`,
		"OpenAI Responses":     `{"object":"response","output":[{"content":[{"logprobs":[` + chatEntryJSON("a") + `]}]}]}`,
		"vLLM prompt_logprobs": `{"prompt_logprobs":[null,{"1":{"logprob":-1,"rank":1,"decoded_token":"a"}}]}`,
		"SGLang":               `{"meta_info":{"output_token_logprobs":[[-1,2,null]],"output_top_logprobs":[[[-1,2,null]]]}}`,
		"llama-server":         `{"stop":true,"completion_probabilities":[{"id":3,"token":"a","logprob":-1,"top_logprobs":[{"id":3,"token":"a","logprob":-1}]}]}`,
		"Ollama":               `{"done":true,"logprobs":[{"token":"a","logprob":-1,"top_logprobs":[{"token":"a","logprob":-1}]}]}`,
		"MaxText":              `{"tokens":[1,2],"logits":[[1,2,3]]}`,
	}
}

func TestResponsesCutEverywhere(t *testing.T) {
	for name, text := range wholeFiles() {
		t.Run(name, func(t *testing.T) {
			rows, err := anyFormat(nil).read([]byte(text))
			require.NoError(t, err)
			assert.Len(t, rows, 1)
			cutEverywhere(t, anyFormat(nil), []byte(text))
		})
	}
}

func TestFormatIsRecognised(t *testing.T) {
	for name, text := range wholeFiles() {
		src, err := anyFormat(nil)([]byte(text))
		require.NoError(t, err, name)
		assert.Equal(t, name, src.(*responses).format.name)
	}
	_, err := anyFormat(nil)([]byte(`{"a":1}`))
	refuses(t, err, correctness.ErrFormat, `"SGLang", "llama-server"`)
}

// One response is held at a time: a second pass over many costs no more memory
// than over few. Names, lists and the JSON tree are what is allocated.
func TestMemoryIsOneResponse(t *testing.T) {
	one := []byte(wholeFiles()["llama-server"])
	peak := func(n int) int {
		src, err := anyFormat(nil)(bytes.Repeat(one, n))
		require.NoError(t, err)
		most := 0
		for {
			var row correctness.Row
			if src.Next(&row) == io.EOF {
				return most
			}
			d := src.(*responses)
			most = max(most, len(d.values)+len(d.ready))
		}
	}
	assert.Equal(t, peak(2), peak(200))
}

func fuzzResponses(f *testing.F, open func(io.Reader, *Options) (Reader, error), seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s), byte(0))
		f.Add([]byte(s), byte(7))
	}
	f.Fuzz(func(t *testing.T, b []byte, policy byte) {
		o := &Options{Sentinels: SentinelPolicy(policy & 3 % 3), Gaps: GapPolicy(policy >> 2 & 1), PostSampling: policy&8 != 0}
		rows, err := streamed(open, o).read(b)
		typed(t, err)
		for _, row := range rows {
			if row.TopK != nil && (len(row.TopK.IDs) == 0 || len(row.TopK.IDs) != len(row.TopK.LogProbs)) {
				t.Fatalf("a list of %d ids and %d log-probabilities", len(row.TopK.IDs), len(row.TopK.LogProbs))
			}
		}
	})
}

func FuzzOpenAIChat(f *testing.F) {
	fuzzResponses(f, OpenAIChat, wholeFiles()["OpenAI chat"], string(testFile(f, "llamacpp_server", "chat_logprobs.json")), string(testFile(f, "llamacpp_server", "chat_stream.txt")))
}

func FuzzOpenAICompletions(f *testing.F) {
	fuzzResponses(f, OpenAICompletions, wholeFiles()["OpenAI completions"], string(testFile(f, "llamacpp_server", "v1_completions_logprobs.json")))
}

func FuzzOpenAIResponses(f *testing.F) {
	fuzzResponses(f, OpenAIResponses, wholeFiles()["OpenAI Responses"])
}

func FuzzVLLMPrompt(f *testing.F) {
	fuzzResponses(f, VLLMPrompt, wholeFiles()["vLLM prompt_logprobs"], `{"logprobs":[{"785":{"logprob":0.0,"rank":1},"2":{"logprob":-Infinity,"rank":2}}]}`)
}

func FuzzSGLang(f *testing.F) { fuzzResponses(f, SGLang, wholeFiles()["SGLang"]) }

func FuzzLlamaServer(f *testing.F) {
	fuzzResponses(f, LlamaServer, wholeFiles()["llama-server"], string(testFile(f, "llamacpp_server", "completion_nprobs5.json")), string(testFile(f, "llamacpp_server", "completion_post_sampling.json")))
}

func FuzzOllama(f *testing.F) { fuzzResponses(f, Ollama, wholeFiles()["Ollama"]) }

func FuzzMaxText(f *testing.F) { fuzzResponses(f, MaxText, wholeFiles()["MaxText"]) }
