package hfconfig

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/servemath/internal/jsontree"
	"example.com/servemath/kvcache"
)

// llama is a config whose members a test replaces.
func llama(members ...string) string {
	all := []string{
		`"model_type": "llama"`, `"torch_dtype": "bfloat16"`, `"hidden_size": 4096`, `"num_hidden_layers": 32`, `"num_attention_heads": 32`,
		`"num_key_value_heads": 8`, `"head_dim": 128`, `"max_position_embeddings": 131072`,
	}
	for _, m := range members {
		key, _, _ := strings.Cut(m, ":")
		for i := range all {
			if strings.HasPrefix(all[i], key+":") {
				all[i], m = m, ""
			}
		}
		if m != "" {
			all = append(all, m)
		}
	}
	return "{" + strings.Join(all, ", ") + "}"
}

func readText(text string) error {
	_, err := Read(strings.NewReader(text))
	return err
}

func TestSyntaxErrors(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		offset int64
		is     error
	}{
		"nothing":                  {"", 0, jsontree.ErrTruncated},
		"white space":              {" \n", 2, jsontree.ErrTruncated},
		"a cut file":               {llama()[:40], 40, jsontree.ErrTruncated},
		"trailing bytes":           {llama() + "x", int64(len(llama())), nil},
		"a second object":          {llama() + llama(), int64(len(llama())), nil},
		"a duplicate key":          {`{"model_type": "llama", "model_type": "qwen3"}`, 38, jsontree.ErrDuplicateKey},
		"a duplicate in an object": {`{"text_config": {"a": 1, "a": 1}}`, 30, jsontree.ErrDuplicateKey},
		"deep nesting":             {strings.Repeat(`{"text_config": `, 100_000), 512 * 16, jsontree.ErrDepth},
		"deep lists":               {`{"a": ` + strings.Repeat("[", 100_000), 6 + 511, jsontree.ErrDepth},
		"a list":                   {"[]", 0, nil},
		"a number":                 {"42", 0, nil},
		"text":                     {"model_type: llama", 0, nil},
		"not UTF-8":                {"{\"a\": \"\xff\"}", 7, jsontree.ErrEncoding},
	} {
		e, ok := errors.AsType[*SyntaxError](readText(c.text))
		if !assert.True(t, ok, "%s: %v", name, readText(c.text)) {
			continue
		}
		assert.Equal(t, c.offset, e.Offset, "%s: %v", name, e)
		if c.is != nil {
			assert.ErrorIs(t, e, c.is, name)
		}
	}
}

// endless yields spaces and counts how many were taken.
type endless struct{ read int64 }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	e.read += int64(len(p))
	return len(p), nil
}

func TestMaxBytes(t *testing.T) {
	for _, limit := range []int64{0, 1000} {
		var e endless
		r := io.LimitReader(&e, 100_000_000)
		_, err := ReadWith(r, &Options{MaxBytes: limit})
		se, ok := errors.AsType[*SyntaxError](err)
		require.True(t, ok, "%v", err)
		want := limit
		if limit == 0 {
			want = DefaultMaxBytes
		}
		assert.Equal(t, want, se.Offset)
		assert.ErrorIs(t, err, jsontree.ErrTooLarge)
		assert.LessOrEqual(t, e.read, want+1, "no more is read than is allowed")
	}
	text := llama()
	_, err := ReadWith(strings.NewReader(text), &Options{MaxBytes: int64(len(text))})
	assert.NoError(t, err, "as many bytes as allowed")
	_, err = ReadWith(strings.NewReader(text), &Options{MaxBytes: int64(len(text)) - 1})
	assert.Error(t, err)
	_, err = ReadWith(strings.NewReader(text), &Options{MaxBytes: math.MaxInt64})
	assert.NoError(t, err)
}

// TestMaxValues holds that a text of many small values, which takes far more
// memory than its bytes, is refused before it is parsed.
func TestMaxValues(t *testing.T) {
	for name, text := range map[string]string{
		"numbers":   `{"model_type": "llama", "x": [0` + strings.Repeat(",0", maxValues) + "]}",
		"lists":     `{"model_type": "llama", "x": [[]` + strings.Repeat(",[]", maxValues/2) + "]}",
		"objects":   `{"model_type": "llama", "x": [{}` + strings.Repeat(",{}", maxValues/2) + "]}",
		"unbounded": strings.Repeat("[", 2*maxValues),
	} {
		assert.ErrorIs(t, readText(text), jsontree.ErrTooLarge, name)
	}
	assert.NoError(t, readText(llama(`"notes": "`+strings.Repeat("x", 2*maxValues)+`"`)), "one long value")
}

func TestAReaderThatFails(t *testing.T) {
	_, err := Read(iotest.ErrReader(io.ErrUnexpectedEOF))
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

func TestOptionsOutOfRange(t *testing.T) {
	for _, o := range []Options{{Images: -1}, {EncoderTokens: -1}, {MaxBytes: -1}, {Images: math.MaxInt32}} {
		_, err := ReadWith(strings.NewReader(llama()), &o)
		_, ok := errors.AsType[*InconsistentError](err)
		assert.True(t, ok, "%+v: %v", o, err)
	}
}

func TestFieldTypeErrors(t *testing.T) {
	for key, values := range map[string][]string{
		"num_hidden_layers":       {`"32"`, "32.5", "true", "[32]", "{}", "NaN", "Infinity", "1e30"},
		"num_key_value_heads":     {`"8"`, "8.25", "NaN", "false"},
		"head_dim":                {`"128"`, "NaN", "[]"},
		"max_position_embeddings": {`"131072"`, "-Infinity", "{}"},
		"torch_dtype":             {`"int7"`, "16", "NaN"},
		"model_type":              {"7", `["llama"]`, "true"},
		"text_config":             {"7", `"llama"`, "[1]"},
	} {
		for _, v := range values {
			text := llama(fmt.Sprintf("%q: %s", key, v))
			e, ok := errors.AsType[*FieldTypeError](readText(text))
			if assert.True(t, ok, "%s=%s: %v", key, v, readText(text)) {
				assert.Equal(t, key, e.Key)
				assert.Equal(t, int64(strings.Index(text, fmt.Sprintf("%q: %s", key, v))+len(key)+4), e.Offset, "%s=%s", key, v)
			}
		}
	}
	for _, v := range []string{`"LLLG"`, `["full_attention", 7]`, `{"0": "full_attention"}`, "[NaN]"} {
		text := insert(configOf("OLMo"), "", `"x": 0`)
		text = strings.Replace(text, `"layer_types": [`, `"layer_types": `+v+`, "unread": [`, 1)
		_, ok := errors.AsType[*FieldTypeError](readText(text))
		assert.True(t, ok, "layer_types=%s: %v", v, readText(text))
	}
}

// TestErrorsNameTheKeyAsItIsGiven holds that an alias is named, not the key that it
// stands for, in groups too.
func TestErrorsNameTheKeyAsItIsGiven(t *testing.T) {
	falcon := configOf("Falcon-40B")
	assert.Equal(t, "n_layer", mustRead(t, falcon, nil).Groups[0].Key)
	var wrong *FieldTypeError
	assert.ErrorAs(t, readText(strings.Replace(falcon, `"n_head": 128`, `"n_head": "128"`, 1)), &wrong)
	assert.Equal(t, []string{"n_head", "n_head"}, []string{wrong.Key, wrong.Path})
	var inconsistent *InconsistentError
	assert.ErrorAs(t, readText(strings.Replace(falcon, `"n_head_kv": 8`, `"n_head_kv": 7`, 1)), &inconsistent)
	assert.Equal(t, []string{"n_head_kv", "n_head_kv"}, []string{inconsistent.Key, inconsistent.Path})

	granite := strings.Replace(configOf("Granite"), `"layer_types": [`, `"layers_block_type": [`, 1)
	assert.Equal(t, "layers_block_type", mustRead(t, granite, nil).Groups[0].Key)
	var unknown *UnmodelledFieldError
	assert.ErrorAs(t, readText(strings.Replace(granite, `["mamba"`, `["snake"`, 1)), &unknown)
	assert.Equal(t, []string{"layers_block_type", "layers_block_type[0]"}, []string{unknown.Key, unknown.Path})
	assert.ErrorAs(t, readText(strings.Replace(granite, `["mamba"`, `[7`, 1)), &wrong)
	assert.Equal(t, []string{"layers_block_type", "layers_block_type[0]"}, []string{wrong.Key, wrong.Path})
}

func TestWholeNumbersMayBeWrittenAsFloats(t *testing.T) {
	assert.NoError(t, readText(llama(`"num_hidden_layers": 32.0`, `"max_position_embeddings": 1.31072e5`)))
}

// TestNonFiniteValues holds that bare NaN and Infinity pass where nothing reads
// them, in nested objects too, and nowhere else.
func TestNonFiniteValues(t *testing.T) {
	assert.NoError(t, readText(llama(`"time_step_limit": [0.0, Infinity]`, `"x": NaN`, `"rope_scaling": {"factor": -Infinity}`)))
	for _, key := range []string{"hidden_size", "num_attention_heads", "num_key_value_heads"} {
		assert.Error(t, readText(llama(fmt.Sprintf("%q: NaN", key), `"head_dim": null`)), key)
	}
}

func TestInconsistentErrors(t *testing.T) {
	for name, c := range map[string]struct{ text, key string }{
		"no layers":                 {llama(`"num_hidden_layers": 0`), "num_hidden_layers"},
		"fewer layers":              {llama(`"num_hidden_layers": -1`), "num_hidden_layers"},
		"a million layers":          {llama(`"num_hidden_layers": 1000000`), "num_hidden_layers"},
		"no KV heads":               {llama(`"num_key_value_heads": 0`), "num_key_value_heads"},
		"no recurrent channels":     {strings.Replace(configOf("RecurrentGemma"), `"lru_width": 2560`, `"lru_width": 0`, 1), "lru_width"},
		"no heads":                  {llama(`"num_attention_heads": 0`), "num_attention_heads"},
		"a negative size":           {llama(`"head_dim": -128`), "head_dim"},
		"a size past all bounds":    {llama(`"head_dim": 9223372036854775807`), "head_dim"},
		"KV heads that do not fit":  {llama(`"num_key_value_heads": 5`), "num_key_value_heads"},
		"more KV heads than heads":  {llama(`"num_key_value_heads": 64`), "num_key_value_heads"},
		"heads that do not fit":     {llama(`"hidden_size": 4097`, `"head_dim": null`), "head_dim"},
		"a negative window":         {llama(`"max_position_embeddings": -1`), "max_position_embeddings"},
		"a list too short":          {strings.Replace(configOf("OLMo"), `"num_hidden_layers": 64`, `"num_hidden_layers": 63`, 1), "layer_types"},
		"a list too long":           {strings.Replace(configOf("OLMo"), `"num_hidden_layers": 64`, `"num_hidden_layers": 65`, 1), "layer_types"},
		"two longer than V4's":      {strings.Replace(configOf("DeepSeek-V4 in small, ratios"), `"num_hidden_layers": 5`, `"num_hidden_layers": 4`, 1), "compress_ratios"},
		"a pattern too short":       {strings.Replace(configOf("Nemotron-3-Nano"), `"MEM-M*EM"`, `"MEM-M*E"`, 1), "hybrid_override_pattern"},
		"an empty pattern":          {strings.Replace(configOf("Nemotron-3-Nano"), `"MEM-M*EM"`, `""`, 1), "hybrid_override_pattern"},
		"a window of nothing":       {strings.Replace(configOf("Mistral-7B"), `"sliding_window": 4096`, `"sliding_window": 0`, 1), "sliding_window"},
		"slides without a window":   {strings.Replace(configOf("Qwen2.5-7B"), `"hidden_size"`, `"layer_types": `+kinds(28, s)+`, "hidden_size"`, 1), "layer_types"},
		"aliases that disagree":     {strings.Replace(configOf("Gemma-2"), `"sliding_window_size": 4096`, `"sliding_window_size": 2048`, 1), "sliding_window_size"},
		"a layer listed twice":      {strings.Replace(configOf("Kimi-Linear"), `"kda_layers": [1, `, `"kda_layers": [1, 1, `, 1), "kda_layers"},
		"a layer counted from 0":    {strings.Replace(configOf("Kimi-Linear"), `"kda_layers": [1, `, `"kda_layers": [0, `, 1), "kda_layers"},
		"a layer not listed":        {strings.Replace(configOf("Kimi-Linear"), `"kda_layers": [1, `, `"kda_layers": [`, 1), "kda_layers"},
		"a layer beyond the last":   {strings.Replace(configOf("Bamba"), "[9, 18, 27]", "[9, 18, 32]", 1), "attn_layer_indices"},
		"heads of another size":     {strings.Replace(configOf("Granite"), `"mamba_d_head": 64`, `"mamba_d_head": 32`, 1), "mamba_d_head"},
		"heads without channels":    {strings.Replace(configOf("Granite"), `"mamba_n_heads": 128`, `"mamba_n_heads": 127`, 1), "mamba_n_heads"},
		"more shared than layers":   {strings.Replace(configOf("Gemma-3n"), `"num_kv_shared_layers": 15`, `"num_kv_shared_layers": 36`, 1), "num_kv_shared_layers"},
		"an offset out of period":   {strings.Replace(configOf("Jamba"), `"attn_layer_offset": 4`, `"attn_layer_offset": 8`, 1), "attn_layer_offset"},
		"a number of its own":       {strings.Replace(configOf("LongCat"), `"num_layers": 28`, `"num_layers": 28, "num_hidden_layers": 28`, 1), "num_hidden_layers"},
		"key heads that do not fit": {strings.Replace(configOf("Qwen3-Next"), `"linear_num_key_heads": 16`, `"linear_num_key_heads": 12`, 1), "linear_num_key_heads"},
		"two language models":       {`{"text_config": {"a": 1}, "llm_config": {"a": 1}}`, "llm_config"},
		"an end that slides":        {strings.Replace(configOf("Gemma-4"), kinds(60, s, s, s, s, s, f), kinds(60, f, s, s, s, s, s), 1), "layer_types"},
		"two patterns":              {strings.Replace(configOf("Nemotron-3-Ultra"), `"num_key_value_heads"`, `"hybrid_override_pattern": "MEM*-", "num_key_value_heads"`, 1), "hybrid_override_pattern"},
		"a list past bounds":        {strings.Replace(configOf("Bamba"), "[9, 18, 27]", numbers(1<<16+1, "9"), 1), "attn_layer_indices"},
		"a list of a full model":    {strings.Replace(configOf("EXAONE-4.0-1.2B"), `"hidden_size"`, `"layer_types": `+kinds(29, f)+`, "hidden_size"`, 1), "layer_types"},
		"ratios unlike the kinds":   {strings.Replace(configOf("DeepSeek-V4 in small, ratios"), `"head_dim"`, `"layer_types": `+kinds(5, s)+`, "head_dim"`, 1), "compress_ratios"},
		"a list of other layers":    {strings.Replace(configOf("MiniMax-M3"), `_value": [0, 0,`, `_value": [0,`, 1), "sparse_disable_index_value"},
		"every layer shared":        {strings.Replace(configOf("Gemma-3n"), `"num_kv_shared_layers": 15`, `"num_kv_shared_layers": 35`, 1), "layer_types"},
	} {
		e, ok := errors.AsType[*InconsistentError](readText(c.text))
		if assert.True(t, ok, "%s: %v", name, readText(c.text)) {
			assert.Equal(t, c.key, e.Key, "%s: %v", name, e)
		}
	}
}

func TestMissingFieldErrors(t *testing.T) {
	for name, c := range map[string]struct{ text, key string }{
		"layers":                           {`{"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32}`, "num_hidden_layers"},
		"layers that are null":             {llama(`"num_hidden_layers": null`), "num_hidden_layers"},
		"heads":                            {`{"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32}`, "num_attention_heads"},
		"a size to share out":              {`{"model_type": "llama", "num_hidden_layers": 32, "num_attention_heads": 32}`, "hidden_size"},
		"a rank":                           {`{"model_type": "deepseek_v3", "num_hidden_layers": 61, "qk_rope_head_dim": 64}`, "kv_lora_rank"},
		"a rotary part":                    {`{"model_type": "deepseek_v3", "num_hidden_layers": 61, "kv_lora_rank": 512}`, "qk_rope_head_dim"},
		"ratios":                           {`{"model_type": "deepseek_v4", "num_hidden_layers": 43}`, "compress_ratios"},
		"a list no rule stands for":        {`{"model_type": "granitemoehybrid", "num_hidden_layers": 40}`, "layer_types"},
		"attention layers":                 {`{"model_type": "bamba"}`, "attn_layer_indices"},
		"a pattern":                        {`{"model_type": "nemotron_h", "num_hidden_layers": 52}`, "layers_block_type"},
		"a nested object":                  {`{"model_type": "kimi_linear", "num_hidden_layers": 27}`, "linear_attn_config"},
		"a key of a nested object":         {strings.Replace(configOf("Kimi-Linear"), `"num_heads": 32,`, "", 1), "num_heads"},
		"whether sparse layers are in use": {strings.Replace(configOf("MiniMax-M3"), `"use_sparse_attention": true, `, "", 1), "use_sparse_attention"},
		"sparse layers":                    {strings.Replace(configOf("MiniMax-M3"), `"sparse_attention_freq": [0, 0, 0, 1, 1, 1]`, `"sparse_score_type": "max"`, 1), "sparse_attention_freq"},
		"a list of lightning layers":       {`{"model_type": "minimax_m1", "num_hidden_layers": 80}`, "attn_type_list"},
		"an encoder's length":              {`{"model_type": "bart", "d_model": 1024, "decoder_layers": 12, "decoder_attention_heads": 16}`, "max_position_embeddings"},
		"the window of sliding layers":     {strings.Replace(configOf("OLMo"), `"sliding_window": 4096, `, "", 1), "sliding_window"},
		"the window of a listed layer":     {strings.Replace(configOf("EXAONE-4.0-1.2B"), `"hidden_size"`, `"layer_types": `+kinds(30, s)+`, "hidden_size"`, 1), "sliding_window"},
		"the heads of MiMo's windows":      {strings.Replace(configOf("MiMo"), `"swa_num_key_value_heads": 8, `, "", 1), "swa_num_key_value_heads"},
		"Zamba's list for other depths":    {strings.Replace(configOf("Zamba2"), `"num_hidden_layers": 54`, `"num_hidden_layers": 38`, 1), "layers_block_type"},
	} {
		e, ok := errors.AsType[*MissingFieldError](readText(c.text))
		if assert.True(t, ok, "%s: %v", name, readText(c.text)) {
			assert.Equal(t, c.key, e.Key, "%s: %v", name, e)
		}
	}
}

func TestUnknownValuesAreRefused(t *testing.T) {
	for name, c := range map[string]struct{ text, key, value string }{
		"a kind of layer":        {strings.Replace(configOf("OLMo"), `"layer_types": ["sliding_attention"`, `"layer_types": ["banded_attention"`, 1), "layer_types", "banded_attention"},
		"a letter":               {strings.Replace(configOf("Nemotron-3-Nano"), `"MEM-M*EM"`, `"MEM-M*EX"`, 1), "hybrid_override_pattern", "X"},
		"a flag":                 {strings.Replace(configOf("MiniMax-M1"), "[0, 0,", "[2, 0,", 1), "attn_type_list", "2"},
		"a ratio":                {strings.Replace(configOf("DeepSeek-V4 in small, ratios"), "[0, 4, 128,", "[0, 8, 128,", 1), "compress_ratios", "8"},
		"linear MiniMax-M2":      {strings.Replace(configOf("MiniMax-M2.7"), "[1,", "[0,", 1), "attn_type_list", "linear_attention"},
		"other sparse attention": {strings.Replace(configOf("GLM-5.2, indexers listed"), `["deepseek_sparse_attention"`, `["full_attention"`, 1), "layer_types", "full_attention"},
		"another setting's kind": {strings.Replace(configOf("Step-3.7"), `"attention_type": "sliding_attention"`, `"attention_type": "linear_attention"`, 1), "attention_type", `"linear_attention"`},
		"a value in the index":   {strings.Replace(configOf("MiniMax-M3"), `_value": [0, 0, 0, 1,`, `_value": [0, 0, 0, 0,`, 1), "sparse_disable_index_value", "0"},
		"both directions":        {strings.Replace(configOf("Gemma-4"), `"vision"`, `"all"`, 1), "use_bidirectional_attention", `"all"`},
	} {
		e, ok := errors.AsType[*UnmodelledFieldError](readText(c.text))
		if assert.True(t, ok, "%s: %v", name, readText(c.text)) {
			assert.Equal(t, c.key, e.Key, "%s: %v", name, e)
			assert.Equal(t, c.value, e.Value, "%s: %v", name, e)
			assert.Contains(t, e.Error(), c.value+" is unknown for model_type", name)
		}
	}
}

func TestUnknownArchitectures(t *testing.T) {
	for _, c := range []struct{ text, modelType, nearest, says string }{
		{`{"model_type": "lama"}`, "lama", "llama", `unknown model_type "lama"; the nearest known is "llama"`},
		{`{"model_type": "qwen3_8", "architectures": ["Qwen3_8ForCausalLM"]}`, "qwen3_8", "qwen3_5", `unknown model_type "qwen3_8" (architectures Qwen3_8ForCausalLM); the nearest known is "qwen3_5"`},
		{`{"model_type": "baichuan"}`, "baichuan", "", `unknown model_type "baichuan"`},
		{`{"architectures": ["LlamaForCausalLM"]}`, "", "llama", `no model_type (architectures LlamaForCausalLM); the nearest known is "llama"`},
		{`{}`, "", "", "no model_type"},
		{`{"model_type": "llava", "text_config": {"model_type": "kimi_k9"}}`, "kimi_k9", "kimi_k2", `unknown model_type "kimi_k9"; the nearest known is "kimi_k2"`},
		{`{"model_type": "llava", "architectures": ["A"], "text_config": {"hidden_size": 7}}`, "llava", "llama", `unknown model_type "llava" (architectures A); the nearest known is "llama"`},
		{`{"model_type": "` + strings.Repeat("x", 10_000) + `"}`, strings.Repeat("x", 10_000), "", ""},
	} {
		e, ok := errors.AsType[*UnknownArchitectureError](readText(c.text))
		if !assert.True(t, ok, "%s: %v", c.text, readText(c.text)) {
			continue
		}
		assert.Equal(t, c.modelType, e.ModelType)
		assert.Equal(t, c.nearest, e.Nearest)
		assert.Contains(t, e.Error(), c.says)
	}
}

// TestModelTypeOfTheWrapper holds that the wrapper's model type stands in where
// the text config has none, and only there.
func TestModelTypeOfTheWrapper(t *testing.T) {
	m := mustRead(t, `{"model_type": "gemma3", "torch_dtype": "bfloat16", "text_config": {"hidden_size": 2560, "num_hidden_layers": 34, "sliding_window": 1024}}`, nil)
	assert.Equal(t, "gemma3", m.Name)
	assert.Len(t, m.Groups, 2)
}

func TestDType(t *testing.T) {
	for _, c := range []struct {
		config string
		want   kvcache.Format
		noted  string
	}{
		{llama(), kvcache.BF16, ""},
		{llama(`"torch_dtype": "torch.float16"`), kvcache.FP16, ""},
		{llama(`"torch_dtype": null`, `"dtype": "float32"`), kvcache.FP32, ""},
		{llama(`"torch_dtype": "float8_e4m3fn"`), kvcache.FP8, ""},
		{llama(`"torch_dtype": null`), kvcache.BF16, "dtype=bfloat16: the config names none"},
		{`{"model_type": "x", "dtype": "float16", "text_config": ` + llama(`"torch_dtype": null`) + "}", kvcache.FP16, ""},
		{`{"model_type": "x", "text_config": ` + llama(`"torch_dtype": "float16"`) + "}", kvcache.FP16, ""},
		{`{"model_type": "x", "dtype": "float16", "text_config": ` + llama() + "}", kvcache.FP16,
			"dtype=float16: dtype comes before text_config.torch_dtype=bfloat16"},
	} {
		m := mustRead(t, c.config, nil)
		assert.Equal(t, c.want, m.DType, c.config)
		if c.noted == "" {
			assert.Empty(t, m.Defaults, c.config)
		} else {
			assert.Equal(t, []string{c.noted}, m.Defaults, c.config)
		}
	}
}

func TestDefaultsAreListedAndMayBeRefused(t *testing.T) {
	m := mustRead(t, configOf("Gemma-3-4B"), nil)
	assert.Equal(t, []string{
		"max_position_embeddings=131072: class default of gemma3_text",
		"layer_types=29 sliding_attention + 5 full_attention: layer rule of gemma3_text",
		"num_attention_heads=8: class default of gemma3_text",
		"num_key_value_heads=4: class default of gemma3_text",
		"head_dim=256: class default of gemma3_text",
	}, m.Defaults)
	assert.Equal(t, 131072, m.ContextWindow)
	// With or without defaults: the same model, or the name of what is missing.
	for _, x := range fixtures {
		m := mustRead(t, x.config, nil)
		strict, err := ReadWith(strings.NewReader(x.config), &Options{NoDefaults: true})
		if len(m.Defaults) == 0 {
			require.NoError(t, err, x.name)
			assert.Equal(t, m, strict, x.name)
			continue
		}
		e, ok := errors.AsType[*MissingFieldError](err)
		if assert.True(t, ok, "%s: %v", x.name, err) {
			assert.True(t, strings.HasPrefix(m.Defaults[0], e.Key+"="), "%s: %s is missing, of %v", x.name, e.Key, m.Defaults)
		}
	}
}

func TestContextWindow(t *testing.T) {
	for key, want := range map[string]int{
		"max_position_embeddings": 7, "n_positions": 7, "context_length": 7, "max_target_positions": 7, "model_max_length": 7, "seq_length": 7, "other": 0,
	} {
		m := mustRead(t, llama(`"max_position_embeddings": null`, fmt.Sprintf("%q: 7", key)), nil)
		assert.Equal(t, want, m.ContextWindow, key)
	}
	for modelType, want := range map[string]int{"glm4_moe": 131072, "glm4v_moe_text": 65536} { // as their classes have it
		m := mustRead(t, strings.Replace(configOf("GLM-4.5"), `"glm4_moe"`, `"`+modelType+`"`, 1), nil)
		assert.Equal(t, want, m.ContextWindow, modelType)
	}
}

func TestMTPLayersAreCountedOnRequest(t *testing.T) {
	for _, c := range []struct {
		name   string
		groups map[string]int // layers by group
		first  int            // index of the first layer of the modules
	}{
		{"GLM-4.5", map[string]int{"MTP full attention": 1}, 92},
		{"DeepSeek-V3", map[string]int{"MTP latent attention": 1}, 61},
		{"MiniMax-M2.7", map[string]int{"MTP full attention": 3}, 62},
		{"Qwen3.5-27B", map[string]int{"MTP full attention": 1}, 64},
		{"Nemotron-3-Ultra", map[string]int{"MTP full attention": 1}, 5},
		{"DeepSeek-V4 in small, ratios", map[string]int{"MTP window": 1}, 5},
		{"Step-3.7", map[string]int{"MTP sliding window": 3}, 45},
	} {
		without := mustRead(t, configOf(c.name), nil)
		assert.Contains(t, strings.Join(without.Omitted, "\n"), "multi-token prediction", c.name)
		with := mustRead(t, configOf(c.name), &Options{MTP: true})
		assert.NotContains(t, strings.Join(with.Omitted, "\n"), "multi-token prediction", c.name)
		more := with.Groups[len(without.Groups):]
		got := map[string]int{}
		for _, g := range more {
			got[g.Name] = g.Layers
			assert.Equal(t, c.first, g.At[0], c.name)
			assert.Len(t, g.At, g.Layers, c.name)
		}
		assert.Equal(t, c.groups, got, c.name)
		assert.Equal(t, without.Layers, with.Layers, c.name)
	}
}

func TestMTPModulesOfALetteredModel(t *testing.T) {
	lettered := strings.Replace(configOf("Nemotron-3-Ultra"), `"mtp_layers_block_type": ["attention", "moe"]`, `"mtp_hybrid_override_pattern": "*E"`, 1)
	want := mustRead(t, configOf("Nemotron-3-Ultra"), &Options{MTP: true})
	module := &want.Groups[len(want.Groups)-1]
	assert.Equal(t, "mtp_layers_block_type", module.Key)
	module.Key = "mtp_hybrid_override_pattern"
	assert.Equal(t, want, mustRead(t, lettered, &Options{MTP: true}))

	mtp := func(from, to string) error {
		_, err := ReadWith(strings.NewReader(strings.Replace(lettered, from, to, 1)), &Options{MTP: true})
		return err
	}
	var unknown *UnmodelledFieldError
	assert.ErrorAs(t, mtp(`"*E"`, `"*X"`), &unknown)
	assert.Equal(t, "X", unknown.Value)
	assert.Equal(t, "mtp_hybrid_override_pattern", unknown.Key)
	var wrong *FieldTypeError
	assert.ErrorAs(t, mtp(`"*E"`, `7`), &wrong)
	var missing *MissingFieldError
	assert.ErrorAs(t, mtp(`"*E"`, `null`), &missing)
	assert.Equal(t, "mtp_layers_block_type", missing.Key)
	var inconsistent *InconsistentError
	assert.ErrorAs(t, mtp(`"num_nextn_predict_layers": 1`, `"num_nextn_predict_layers": 1025`), &inconsistent)
	assert.ErrorAs(t, mtp(`"*E"`, `"`+strings.Repeat("*", 1<<17)+`"`), &inconsistent)
}

// TestMTPCountsThatDisagree reads a config that gives its modules twice over, as
// one published copy does.
func TestMTPCountsThatDisagree(t *testing.T) {
	twice := strings.Replace(configOf("MiniMax-M3"), `"head_dim": 128`, `"head_dim": 128, "num_mtp_modules": 7, "num_nextn_predict_layers": 1`, 1)
	assert.NoError(t, readText(twice))
	_, err := ReadWith(strings.NewReader(twice), &Options{MTP: true})
	var e *InconsistentError
	require.ErrorAs(t, err, &e)
	assert.Equal(t, "num_nextn_predict_layers", e.Key)
}

func TestMTPLayersOfUnknownKindAreRefused(t *testing.T) {
	_, err := ReadWith(strings.NewReader(llama(`"num_nextn_predict_layers": 1`)), &Options{MTP: true})
	e, ok := errors.AsType[*UnmodelledFieldError](err)
	require.True(t, ok, "%v", err)
	assert.Equal(t, "num_nextn_predict_layers", e.Key)
	_, err = ReadWith(strings.NewReader(llama(`"num_nextn_predict_layers": 0`)), &Options{MTP: true})
	assert.NoError(t, err, "no modules to count")
	for key, trimmed := range map[string]string{
		"layer_types":     strings.Replace(configOf("Step-3.7"), kinds(48, f, s, s, s), kinds(45, f, s, s, s), 1),
		"compress_ratios": strings.Replace(configOf("DeepSeek-V4 in small, ratios"), "1, 0]", "1]", 1),
	} {
		_, err = ReadWith(strings.NewReader(trimmed), &Options{MTP: true})
		e, ok := errors.AsType[*MissingFieldError](err)
		if assert.True(t, ok, "%v", err) {
			assert.Equal(t, key, e.Key)
		}
	}
}

// TestMTPLayersUnderAnotherKeyAreNotLost gives the modules under a key that the
// family does not have.
func TestMTPLayersUnderAnotherKeyAreNotLost(t *testing.T) {
	for _, name := range []string{"Qwen3.5-27B", "DeepSeek-V3", "DeepSeek-V4 in small, ratios", "MiniMax-M3", "Nemotron-3-Ultra"} {
		x := opened(t, configOf(name))
		text := insert(configOf(name), x.path, `"num_mtp_layers": 5`)
		_, err := ReadWith(strings.NewReader(text), &Options{MTP: true})
		e, ok := errors.AsType[*InconsistentError](err)
		if assert.True(t, ok, "%s: %v", name, err) {
			assert.Equal(t, "num_mtp_layers", e.Key, name)
		}
		assert.Contains(t, strings.Join(mustRead(t, text, nil).Omitted, "\n"), "num_mtp_layers=5", name)
	}
}

func TestCrossAttention(t *testing.T) {
	fixed := func(config string, o *Options) int64 {
		size, err := mustRead(t, config, o).Session(1, kvcache.Setup{Format: kvcache.BF16})
		require.NoError(t, err)
		return int64(size.Window)
	}
	const perToken = 8 * 8 * (128 + 128) * 2 // 8 layers, 8 KV heads
	mllama := configOf("Llama-3.2-11B-Vision")
	assert.EqualValues(t, 0, fixed(mllama, nil))
	assert.Contains(t, mustRead(t, mllama, nil).Omitted[0], "Options.Images")
	assert.EqualValues(t, perToken*6404, fixed(mllama, &Options{Images: 1}), "((560/14)^2+1) x 4 tokens an image")
	assert.EqualValues(t, perToken*6404*3, fixed(mllama, &Options{Images: 3}))
	assert.EqualValues(t, perToken*100, fixed(mllama, &Options{EncoderTokens: 100}))
	assert.EqualValues(t, 4*6*(64+64)*2*200, fixed(configOf("Whisper"), &Options{EncoderTokens: 200}))

	_, err := ReadWith(strings.NewReader(strings.Replace(mllama, "vision_config", "video_config", 1)), &Options{Images: 1})
	e, ok := errors.AsType[*MissingFieldError](err)
	require.True(t, ok, "%v", err)
	assert.Equal(t, "vision_config", e.Key)
	for _, huge := range []string{`"image_size": 1048576, "patch_size": 1`, `"image_size": 560, "patch_size": 13`, `"image_size": 0, "patch_size": 14`} {
		text := strings.Replace(mllama, `"image_size": 560, "patch_size": 14`, huge, 1)
		_, err = ReadWith(strings.NewReader(text), &Options{Images: 1 << 30})
		_, ok := errors.AsType[*InconsistentError](err)
		assert.True(t, ok, "%s: %v", huge, err)
	}
}

func TestOmittedNamesWhatIsNotCounted(t *testing.T) {
	m := mustRead(t, configOf("Inkling"), nil)
	assert.Equal(t, []string{"conv_kernel_size=4: the states of four short convolutions a layer"}, m.Omitted)
	m = mustRead(t, llama(`"quantization_config": {"kv_cache_scheme": {"num_bits": 8, "type": "float", "dynamic": false}}`), nil)
	assert.Equal(t, []string{"quantization_config.kv_cache_scheme: the checkpoint was made for 8-bit float cache entries"}, m.Omitted)
}

// TestTheLargestDimensionsDoNotOverflow reads configs at the bounds: they are
// sized or refused, never wrapped around.
func TestTheLargestDimensionsDoNotOverflow(t *testing.T) {
	for _, config := range []string{
		configOf("Qwen3-Next"), configOf("Mamba-2.8B"), configOf("Mamba-Codestral"), configOf("RWKV"), configOf("LFM2-1.2B by"), configOf("MiniMax-M1"),
	} {
		c := opened(t, config)
		text := config
		for key, n := range c.text.Members() {
			if i, ok := n.Int(); ok && !strings.Contains(key, "layers") {
				text = strings.Replace(text, fmt.Sprintf("%q: %d", key, i), fmt.Sprintf("%q: %d", key, maxDim), 1)
			}
		}
		m, err := Read(strings.NewReader(text))
		if err != nil {
			assert.True(t, typed(err), "%v", err)
			continue
		}
		for _, g := range m.Groups {
			for _, st := range g.States {
				assert.Positive(t, st.Values, "%s %s", m.Name, st.Name)
			}
		}
	}
}
