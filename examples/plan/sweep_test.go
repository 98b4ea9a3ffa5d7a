package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ownSweep meets the default targets up to 8 at once.
const ownSweep = `# one machine
concurrency	ttft_seconds	tps	output_tps
1	0.22	55.6	50
2	0.262	44.1
8	0.655	21.3	155
16	1.18	13.2	190
`

func sweepFile(t *testing.T, text string) string { return testkit.File(t, "sweep.tsv", text) }

func fullSweep(t *testing.T) string {
	return sweepFile(t, strings.Replace(ownSweep, "44.1", "44.1\t81", 1))
}

// Both bases stand side by side, with the limit, a bracket and the reason.
func TestSweep(t *testing.T) {
	run := testkit.Program(t)
	file := fullSweep(t)
	got := run("-sweep", file, "-sessions", "46,11", "-users", "100")
	require.Equal(t, 0, got.Status, got.Stderr)
	for _, want := range []string{
		"replies of 128 tokens, TPS after the first token; targets: TTFT <= 1 s, TPS >= 20",
		"16    1.18  13.2       10.8    211.2  fail: TTFT, TPS",
		"Max C 8 (8 without a gap)",
		"chat     multiplier 4       19.9      32  -         speed",
		"agentic  multiplier 1.5     3.31      11  -         memory",
		"think time: chat: ",
		"with 19.9 s between a reply and the next request",
		"memory holds 46 sessions of 16,384 tokens",
		"100 people (chat) by multiplier: 4 such machines, 25 people on the fullest",
		"100 people (chat) by think time: ",
	} {
		assert.Contains(t, got.Stdout, want)
	}
	assert.NotContains(t, got.Stdout, "check:", "the reported totals agree with Little's law")

	got = run("-sweep", file, "-think", "60", "-json")
	require.Equal(t, 0, got.Status, got.Stderr)
	var rep struct {
		Estimates []struct {
			Basis string
			Think float64 `json:"think_seconds"`
			Users int
			Low   int `json:"low_users"`
			High  int `json:"high_users"`
		}
		Findings []any
	}
	require.NoError(t, json.Unmarshal([]byte(got.Stdout), &rep))
	require.Len(t, rep.Estimates, 4)
	assert.NotNil(t, rep.Findings)
	for i, basis := range []string{"multiplier", "think time", "multiplier", "think time"} {
		assert.Equal(t, basis, rep.Estimates[i].Basis)
		assert.LessOrEqual(t, rep.Estimates[i].Low, rep.Estimates[i].Users)
		assert.GreaterOrEqual(t, rep.Estimates[i].High, rep.Estimates[i].Users)
	}
	assert.Equal(t, 60.0, rep.Estimates[1].Think)
	assert.Greater(t, rep.Estimates[1].Users, rep.Estimates[0].Users, "people who pause longer than the multiplier implies")
}

// A level off from its reported total is named, and so is what nothing passes.
func TestSweepDoubts(t *testing.T) {
	run := testkit.Program(t)
	got := run("-sweep", sweepFile(t, "concurrency\tttft_seconds\ttps\toutput_tps\n1024\t0.5\t50\t10000\n"))
	require.Equal(t, 0, got.Status, got.Stderr)
	assert.Contains(t, got.Stdout, "check: level 1024: single level")
	assert.Contains(t, got.Stdout, "check: level 1024: Little mismatch")
	assert.Contains(t, got.Stdout, "note: the sweep has a single level")

	got = run("-sweep", fullSweep(t), "-ttft", "0.1")
	require.Equal(t, 0, got.Status, got.Stderr)
	assert.Contains(t, got.Stdout, "no measured level meets TTFT <= 0.1 s, TPS >= 20")
	assert.NotContains(t, got.Stdout, "think time: ", "without a passing level no think time is implied")

	got = run("-sweep", fullSweep(t), "-attainment", "0.95", "-users", "21", "-think", "20")
	require.Equal(t, 0, got.Status, got.Stderr)
	assert.Contains(t, got.Stdout, "note: a multiplier leaves Attainment out")
	assert.Contains(t, got.Stdout, "95% of whose requests")
	assert.NotContains(t, got.Stdout, "for 95% of requests and 4 people", "the rule knows means only")

	got = run("-sweep", fullSweep(t), "-users", "1")
	require.Equal(t, 0, got.Status, got.Stderr)
	assert.Contains(t, got.Stdout, "1 such machine, 1 person on the fullest")

	got = run("-sweep", fullSweep(t), "-ttft", "0", "-tps", "10")
	require.Equal(t, 0, got.Status, got.Stderr)
	assert.Contains(t, got.Stdout, "multiplier 4")
	assert.Contains(t, got.Stdout, "note: the targets set no bound")
}

func TestSweepFlags(t *testing.T) {
	run := testkit.Program(t)
	figures := func(args ...string) string {
		got := run(append([]string{"-sweep", fullSweep(t), "-think", "20"}, args...)...)
		require.Equal(t, 0, got.Status, got.Stderr)
		for line := range strings.Lines(got.Stdout) {
			if strings.HasPrefix(line, "chat     think time") {
				return strings.Join(strings.Fields(line)[4:], " ")
			}
		}
		return ""
	}
	plain := figures()
	for _, args := range [][]string{
		{"-attainment", "0.95"}, {"-slots", "4"}, {"-prefill", "0.6"}, {"-output-tokens", "256"}, {"-tps-kind", "e2e"}, {"-ttft", "0.5"}, {"-tps", "30"},
	} {
		assert.NotEqual(t, plain, figures(args...), args)
	}
}

// serve is what vllm bench serve writes of one run, times in milliseconds.
func serve(c int, ttft, tpot float64) string {
	return fmt.Sprintf(`{"backend": "vllm", "model_id": "m", "num_prompts": 100, "request_rate": "inf", "max_concurrency": %d, "duration": 50.0,
		"completed": 100, "total_input_tokens": 51200, "total_output_tokens": 25600, "request_throughput": 2.0, "output_throughput": 512.0,
		"total_token_throughput": 1536.0, "mean_ttft_ms": %g, "median_ttft_ms": %g, "std_ttft_ms": 20.0, "p99_ttft_ms": 500.0,
		"mean_tpot_ms": %g, "median_tpot_ms": %g, "std_tpot_ms": 1.0, "p99_tpot_ms": 60.0,
		"mean_itl_ms": %g, "median_itl_ms": %g, "std_itl_ms": 1.0, "p99_itl_ms": 60.0}`, c, ttft, ttft, tpot, tpot, tpot, tpot)
}

// A file that a tool wrote says itself how long its replies were; a folder of
// them is one sweep.
func TestSweepFromToolFiles(t *testing.T) {
	run := testkit.Program(t)
	got := run("-sweep", testkit.File(t, "run.json", serve(8, 200, 20)))
	require.Equal(t, 0, got.Status, got.Stderr)
	assert.Contains(t, got.Stdout, "replies of 256 tokens")
	assert.Contains(t, got.Stdout, "Max C 8+")

	dir := t.TempDir()
	for c, ms := range map[int]float64{1: 100, 8: 200, 32: 900} {
		name := filepath.Join(dir, fmt.Sprintf("c%d.json", c))
		require.NoError(t, os.WriteFile(name, []byte(serve(c, ms, 20+float64(c))), 0o600))
	}
	got = run("-sweep", dir, "-output-tokens", "100")
	require.Equal(t, 0, got.Status, got.Stderr)
	assert.Contains(t, got.Stdout, "replies of 100 tokens")
	for _, level := range []string{" 1     0.1  47.62", " 8     0.2  35.71", "32     0.9  19.23"} {
		assert.Contains(t, got.Stdout, level)
	}
}

// A file that a tool really wrote: 64 at once, 127,853 tokens in 1,000 replies.
func TestSweepFromSample(t *testing.T) {
	file := testkit.Samples(t, "throughput", "samples", "vllm", "serve_2026-03_mock.json")
	got := testkit.Program(t)("-sweep", file)
	require.Equal(t, 0, got.Status, got.Stderr)
	assert.Contains(t, got.Stdout, "replies of 128 tokens")
	assert.Contains(t, got.Stdout, "Max C 64+")
}

func TestSweepBadInput(t *testing.T) {
	run := testkit.Program(t)
	file := func(text string, args ...string) []string {
		return append([]string{"-sweep", sweepFile(t, text)}, args...)
	}
	good := strings.Replace(ownSweep, "44.1", "44.1\t81", 1)
	with := func(old, replacement string) []string { return file(strings.Replace(good, old, replacement, 1)) }
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"empty file":           {file(""), "empty"},
		"header alone":         {file("concurrency\tttft_seconds\ttps\n"), "a header and no rows"},
		"not a table":          {file("hello\n"), "a table of your own begins with the columns concurrency"},
		"cut in a row":         {file(good[:len(good)-8]), "line"},
		"narrow row":           {file(ownSweep), ":4"},
		"unknown column":       {file(strings.Replace(good, "output_tps", "outputs", 1)), `unknown column "outputs"`},
		"missing column":       {file("concurrency\ttps\n1\t50\n"), "ttft_seconds"},
		"NaN":                  {with("0.655", "NaN"), `:5: column ttft_seconds: "NaN" is not a finite number`},
		"half a request":       {with("\n8\t", "\n8.5\t"), `"8.5" is not a whole number`},
		"duplicate level":      {with("\n16\t", "\n8\t"), "level 8: Concurrency: given twice"},
		"negative speed":       {with("21.3", "-21.3"), "level 8: TPS: -21.3 is not a speed"},
		"no such file":         {[]string{"-sweep", "no such file"}, "no such file"},
		"unknown kind":         {file(good, "-tps-kind", "x"), `-tps-kind: unknown "x"; known: decode, e2e`},
		"negative target":      {file(good, "-ttft", "-1"), "MaxTTFTSeconds"},
		"share above 1":        {file(good, "-attainment", "95"), "Attainment: 95 is not in 0 to 1"},
		"negative think":       {file(good, "-think", "-5"), "-5 s"},
		"negative reply":       {file(good, "-output-tokens", "-5"), "OutputTokens"},
		"one session count":    {file(good, "-sessions", "46"), "one number for each of chat, agentic"},
		"negative sessions":    {file(good, "-sessions", "46,-1"), `"-1" is not a number of sessions`},
		"negative slots":       {file(good, "-slots", "-1"), "Slots: -1"},
		"unknown -for":         {file(good, "-for", "x"), `-for: unknown "x"`},
		"with -input":          {file(good, "-input", "rows.json"), "-input does not go with -sweep"},
		"runs at a rate":       {file(strings.Replace(serve(8, 200, 20), `"max_concurrency": 8, `, "", 1)), "runs at a fixed number of requests at once"},
		"-think without sweep": {[]string{"-think", "5"}, "-think goes with -sweep only"},
	} {
		got := run(c.args...)
		assert.Equal(t, 2, got.Status, "%s: %s", name, got.Stdout)
		assert.Empty(t, got.Stdout, name)
		assert.Contains(t, got.Stderr, c.want, name)
		assert.Equal(t, 1, strings.Count(got.Stderr, "\n"), "%s: one line: %s", name, got.Stderr)
		assert.True(t, strings.HasPrefix(got.Stderr, "plan: "), name)
	}
}
