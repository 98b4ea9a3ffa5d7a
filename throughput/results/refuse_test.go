package results

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/servemath/throughput"
)

// printed makes runs comparable: NaN differs from itself.
func printed(t *testing.T, runs []throughput.Run) string {
	t.Helper()
	var b strings.Builder
	for _, r := range runs {
		fmt.Fprintf(&b, "%s %v %v %v %v %v\n", r.Source, r.Key, r.Load, r.Workload, r.Metrics, r.Warnings)
	}
	return b.String()
}

func TestBadFigures(t *testing.T) {
	for _, c := range []struct {
		key, value string
		is         error
	}{
		{"output_throughput", "-1.0", throughput.ErrNonPositive},
		{"mean_ttft_ms", "-0.5", throughput.ErrNonPositive},
		{"mean_ttft_ms", "NaN", throughput.ErrNonFinite},
		{"mean_ttft_ms", "Infinity", throughput.ErrNonFinite},
		{"mean_ttft_ms", `"nan"`, throughput.ErrNonFinite},
		{"p99_ttft_ms", "1e999", throughput.ErrNonFinite},
		{"duration", "0", throughput.ErrNonPositive},
		{"duration", "0.0", throughput.ErrNonPositive},
		{"completed", "-3", throughput.ErrNonPositive},
		{"completed", "2.5", errCount},
		{"completed", "1e300", errCount},
		{"mean_ttft_ms", `"fast"`, errNumber},
		{"mean_ttft_ms", `"0x10"`, errNumber},
		{"mean_ttft_ms", "true", errNumber},
		{"mean_ttft_ms", "[1]", errNumber},
		{"max_concurrency", "{}", errNumber},
		{"model_id", "5", errText},
		{"request_rate", `"fast"`, errNumber},
		{"request_rate", "-2", throughput.ErrNonPositive},
		{"request_rate", "NaN", throughput.ErrNonFinite},
		{"request_rate", "-Infinity", throughput.ErrNonFinite},
	} {
		text := serve(map[string]string{c.key: c.value})
		_, err := Decode(strings.NewReader(text), "dir/f.json")
		e, ok := errors.AsType[*DecodeError](err)
		require.True(t, ok, "%s %s: %v", c.key, c.value, err)
		assert.ErrorIs(t, err, c.is, "%s %s", c.key, c.value)
		assert.Equal(t, "vLLM serve", e.Tool)
		assert.Equal(t, "dir/f.json", e.File)
		assert.Equal(t, c.key, e.Field)
		assert.EqualValues(t, strings.Index(text, `"`+c.key+`": `)+len(c.key)+4, e.Offset, "%s %s", c.key, c.value)
	}
}

func TestBadFiles(t *testing.T) {
	ollama := "NAME,STEP,COUNT,NS_PER_COUNT,TOKEN_PER_SEC\n"
	csv := "build_number,n_prompt,n_gen,test_time,avg_ts,stddev_ts\n"
	for name, c := range map[string]struct {
		text string
		is   error
		says string
	}{
		"empty":                   {"", ErrUnknownFormat, "the file is empty"},
		"white space":             {" \n\t\n", ErrUnknownFormat, "the file is empty"},
		"only a mark":             {"\uFEFF", ErrUnknownFormat, "the file is empty"},
		"gzip":                    {"\x1f\x8b\x08\x00", ErrUnknownFormat, "decompress"},
		"UTF-16":                  {"\xff\xfe{\x00}\x00", ErrUnknownFormat, "UTF-16"},
		"binary":                  {"GGUF\x00\x00", ErrUnknownFormat, "binary"},
		"not UTF-8":               {"MLPerf Results Summary\nSUT name : \xe9\nScenario : x\n", nil, "not UTF-8"},
		"not UTF-8 in JSON":       {"{\"a\": \"\xe9\"}", nil, "not UTF-8"},
		"another JSON":            {`{"hello": 1}`, ErrUnknownFormat, "shares nothing with any"},
		"a number":                {"[1, 2]", ErrUnknownFormat, "shares nothing"},
		"an empty list":           {"[]", ErrUnknownFormat, "shares nothing"},
		"prose":                   {"nothing to see\n", ErrUnknownFormat, "shares nothing"},
		"one member short":        {serve(map[string]string{"completed": ""}), ErrUnknownFormat, `nearest is vLLM serve, but it has no member "completed"`},
		"one column short":        {"| PP | TG | S_PP t/s | S_TG t/s |\n", ErrUnknownFormat, `nearest is llama-batched-bench Markdown, but it has no text "N_KV"`},
		"one of two":              {`{"request_throughput": {}, "request_latency": {}}`, ErrUnknownFormat, `"was_cancelled" or "error_summary" or "aiperf_version"`},
		"inside a member":         {`{"load_summary": {}, "successes": {}}`, ErrUnknownFormat, `"successes.latency" or "successes.throughput"`},
		"duplicate key":           {`{"duration": 1, "completed": 2, "duration": 3, "request_throughput": 1, "output_throughput": 2}`, ErrDuplicateKey, "duration"},
		"a syntax error":          {`{"duration": 1,}`, nil, "comma"},
		"another record":          {serve(none()) + `{"hello": 1}`, nil, "it has no"},
		"a scalar among records":  {serve(none()) + `17`, nil, "a number where a record belongs"},
		"garbage after":           {serve(none()) + `}`, nil, ""},
		"SQL malformed":           {"CREATE TABLE t (n_prompt, n_gen, avg_ts);\nINSERT INTO t VALUES (1);\n", nil, "not INSERT INTO table"},
		"CSV row too long":        {csv + `"1","512","0","t","5","1","7"` + "\n", nil, "a row of 7 values under a header of 6"},
		"CSV row too short":       {csv + `"1","512","0","t","5"` + "\n" + `"1","512","0","t","5","1"` + "\n", nil, "a row of 5 values"},
		"CSV bad number":          {csv + `"1","512","0","t","five","1"` + "\n", errNumber, "avg_ts"},
		"CSV no test":             {csv + `"1","0","0","t","5","1"` + "\n", nil, "neither prompt nor generated"},
		"CSV only header":         {csv, ErrTruncated, "no result in it"},
		"repetition in no time":   {`[{"n_prompt": 1, "n_gen": 0, "avg_ts": 5, "samples_ns": [5, 0]}]`, nil, "took no time"},
		"Markdown bad test":       {"| model | test | t/s |\n|---|---|---|\n| m | zz5 | 5.0 ± 1.0 |\n", nil, "names no test"},
		"Ollama bad step":         {"BenchmarkModel/name=m/step=nap 1 5 ns/op\n", nil, `step "nap" is not known`},
		"Ollama bad unit":         {"BenchmarkModel/name=m/step=total 1 5 hours\n", nil, "not a line of ns/op"},
		"Ollama bad duration":     {"total duration: soon\nprompt eval rate: 1.00 tokens/s\neval duration: 1s\neval rate: 5.00 tokens/s\n", nil, "not a duration"},
		"Ollama took no time":     {ollama + "m,total,1,0,0\n", throughput.ErrNonPositive, "total"},
		"Ollama API took no time": {`{"model": "m", "created_at": "", "response": "", "done": true, "total_duration": 5, "eval_count": 3, "eval_duration": 0}`, throughput.ErrNonPositive, "eval_duration"},
		"CSV column twice":        {"n_prompt,n_gen,avg_ts,avg_ts,x\n5,0,1,2,3\n", ErrDuplicateKey, "avg_ts"},
		"Markdown column twice":   {"| model | test | t/s | t/s |\n|---|---|---|---|\n| m | pp5 | 5.0 ± 1.0 | 8 |\n", ErrDuplicateKey, "t/s"},
		"AIPerf unknown unit":     {`{"request_throughput": {"unit": "requests/fortnight", "avg": 1}, "request_latency": {}, "was_cancelled": false}`, nil, `unit "requests/fortnight" is not known`},
		"AIPerf time runs back":   {`{"metadata": {"benchmark_phase": "profiling", "request_start_ns": 5, "request_end_ns": 4}, "metrics": {}}`, nil, "before the request's start"},
		"GuideLLM version 1":      {`{"metadata": {"version": 1}, "args": {}, "benchmarks": []}`, ErrUnknownFormat, "schema 1 of GuideLLM"},
		"GuideLLM no benchmarks":  {`{"metadata": {"version": 2, "guidellm_version": "1"}, "benchmarks": []}`, nil, "no result in it"},
		"llm-d counts":            {`{"version": "0.1", "metrics": {"requests": {"total": 1, "failures": 2}, "latency": {}, "throughput": {}}}`, nil, "of which 2 failed"},
		"llm-d no unit":           {`{"version": "0.1", "metrics": {"requests": {"total": 1}, "latency": {"request_latency": {"mean": 5}}, "throughput": {}}}`, nil, `unit "" is not known`},
		"published, not a number": {"Pie 205 · MLX fast\n", throughput.ErrTable, "line 1, column 15"},
		"published, cut":          {"| M5 | G | Single decode | Pie 205 · MLX 18", ErrTruncated, "closing pipe"},
	} {
		t.Run(name, func(t *testing.T) {
			runs, err := Decode(strings.NewReader(c.text), "f")
			e, ok := errors.AsType[*DecodeError](err)
			require.True(t, ok, "%v", err)
			assert.Nil(t, runs)
			assert.Equal(t, "f", e.File)
			assert.Contains(t, err.Error(), c.says)
			if c.is != nil {
				assert.ErrorIs(t, err, c.is)
			}
		})
	}
}

// TestEmptyFile: nothing is no format, perhaps a write that was cut off, and no
// data in any case.
func TestEmptyFile(t *testing.T) {
	_, err := Decode(strings.NewReader(""), "f")
	for _, is := range []error{ErrUnknownFormat, ErrTruncated, throughput.ErrEmpty} {
		assert.ErrorIs(t, err, is)
	}
}

func none() map[string]string { return map[string]string{} }

func TestTextErrorsHaveALine(t *testing.T) {
	text := "NAME,STEP,COUNT,NS_PER_COUNT,TOKEN_PER_SEC\n# Model: m\nm,prefill,1,-5.00,3.00\n"
	_, err := Decode(strings.NewReader(text), "f.csv")
	e, ok := errors.AsType[*DecodeError](err)
	require.True(t, ok)
	assert.Equal(t, 3, e.Line)
	assert.EqualValues(t, strings.Index(text, "m,prefill"), e.Offset)
	assert.Equal(t, "NS_PER_COUNT", e.Field)
	assert.EqualError(t, err, "results: f.csv:3: Ollama CSV: NS_PER_COUNT: throughput/stat: not a positive number: -5")
}

func TestReadErrorsPassThrough(t *testing.T) {
	broken := errors.New("broken disk")
	for _, prefix := range []string{"", "{", "| model | test | t/s |\n", serve(none())} {
		_, err := Decode(io.MultiReader(strings.NewReader(prefix), iotest.ErrReader(broken)), "f")
		assert.ErrorIs(t, err, broken, "%q", prefix)
		_, ok := errors.AsType[*DecodeError](err)
		assert.True(t, ok)
	}
}

func TestDecodeFS(t *testing.T) {
	fsys := fstest.MapFS{
		"a/serve.json":         {Data: []byte(serve(none()))},
		"a/serve.pytorch.json": {Data: []byte(`[{"benchmark": {}, "model": {}, "metric": {}}]`)},
		"a/.hidden/x.json":     {Data: []byte("{")},
		"a/.DS_Store":          {Data: []byte("\x00")},
		"b/cut.json":           {Data: []byte(`{"duration": 1`)},
		"b/notes.txt":          {Data: []byte("nothing to see\n")},
		"c/table.md":           {Data: []byte("| model | backend | test | t/s |\n|---|---|---|---|\n| m | CUDA | pp512 | 10.0 ± 1.0 |\n| m | CUDA | tg128 | 5.0 ± 1.0 |\n")},
	}
	runs, errs := DecodeFS(fsys)
	var sources []string
	for _, r := range runs {
		sources = append(sources, r.Source)
	}
	assert.Equal(t, []string{"a/serve.json", "c/table.md#1", "c/table.md#2"}, sources)
	var files []string
	for _, err := range errs {
		e, ok := errors.AsType[*DecodeError](err)
		require.True(t, ok)
		files = append(files, e.File)
	}
	assert.Equal(t, []string{"b/cut.json", "b/notes.txt"}, files)
	assert.ErrorIs(t, errs[0], ErrTruncated)
	assert.ErrorIs(t, errs[1], ErrUnknownFormat)
}

func TestDecodeFSOfNothing(t *testing.T) {
	runs, errs := DecodeFS(fstest.MapFS{})
	assert.Empty(t, runs)
	assert.Empty(t, errs)
}

func TestFormatsAreNamedOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range Formats() {
		assert.False(t, seen[name], name)
		seen[name] = true
	}
	decoded := map[string]bool{}
	for _, path := range fixtureFiles(t) {
		if s, err := openPath(path); err == nil {
			decoded[s.format.name] = true
		}
	}
	assert.Equal(t, seen, decoded, "every format has a fixture, and every fixture a format")
}
