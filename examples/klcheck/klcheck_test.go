package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/servemath/correctness"
	"example.com/servemath/internal/testkit"
)

// TestProgram builds the binary once and runs it.
func TestProgram(t *testing.T) {
	run := testkit.Program(t)
	t.Run("embedded pair", func(t *testing.T) { testEmbeddedPair(t, run) })
	t.Run("JSON", func(t *testing.T) { testJSON(t, run) })
	t.Run("files", func(t *testing.T) { testFiles(t, run) })
	t.Run("file flags", func(t *testing.T) { testFileFlags(t, run) })
	t.Run("bad input", func(t *testing.T) { testBadInput(t, run) })
}

type runner func(args ...string) testkit.Outcome

func testEmbeddedPair(t *testing.T, run runner) {
	got := run()
	assert.Equal(t, 3, got.Status, "five prompts are too few")
	assert.Empty(t, got.Stderr)
	for _, want := range []string{"155 in 5 prompts", "0.0612683 nats", "64.52%", "inconclusive: too few to judge by: 5 prompts", "960.566726 ± 117.196"} {
		assert.Contains(t, got.Stdout, want)
	}
	assert.Equal(t, 0, run("-min-prompts", "5", "-tolerance", "0.2").Status)
	fail := run("-min-prompts", "5", "-tolerance", "0.02")
	assert.Equal(t, 1, fail.Status)
	assert.Contains(t, fail.Stdout, "fail: mean KL is at least 0.05746, over the limit of 0.02")
	assert.Equal(t, 3, run("-min-prompts", "5", "-tolerance", "0.06").Status)
	assert.Equal(t, 1, run("-min-prompts", "5", "-tolerance", "0.2", "-agreement", "0.99").Status)
	assert.Equal(t, 3, run("-min-prompts", "5", "-tolerance", "0.2", "-noise-floor", "0.3").Status)
}

// Every figure that the tool printed, to half its last digit and what another expf
// changes: 1e-6 of divergences, 3e-7 of perplexities, 2e-6 of their errors.
func TestToolsPrintedFigures(t *testing.T) {
	printed, err := os.ReadFile("testdata/mild_A_vs_B.out")
	require.NoError(t, err)
	rep := embeddedReport(t)
	rows := map[string]toolRow{}
	for _, row := range rep.LlamaCpp {
		rows[row.Name] = row
	}
	line := regexp.MustCompile(`^(.*\S)\s*:\s*(-?[\d.]+)(?: ± +([\d.]+))?\s*(%?)$`)
	_, statistics, found := bytes.Cut(printed, []byte("====== Perplexity statistics"))
	require.True(t, found)
	matched := map[string]bool{}
	for text := range strings.Lines(string(statistics)) {
		m := line.FindStringSubmatch(strings.TrimSpace(text))
		if m == nil {
			continue
		}
		name := strings.Join(strings.Fields(m[1]), " ")
		row, ok := rows[name]
		require.True(t, ok, "%q is not computed", name)
		matched[name] = true
		scale := 1.0
		if m[4] == "%" {
			scale = 100
		}
		checkPrinted(t, name, m[2], scale*row.Tool, 3e-7)
		if m[3] != "" {
			checkPrinted(t, name+" error", m[3], scale*row.Err, 2e-6)
		}
	}
	assert.Len(t, matched, 31, "of its 32 lines one is printed twice")
}

func checkPrinted(t *testing.T, name, printed string, got, rel float64) {
	t.Helper()
	want, err := strconv.ParseFloat(printed, 64)
	require.NoError(t, err)
	_, decimals, _ := strings.Cut(printed, ".")
	assert.InDelta(t, want, got, 0.5000001*math.Pow(10, -float64(len(decimals)))+1e-6+rel*math.Abs(want), "%s", name)
}

func embeddedReport(t *testing.T) *report {
	t.Helper()
	s, err := parse(nil, nil)
	require.NoError(t, err)
	in, err := open(s)
	require.NoError(t, err)
	rep, err := compare(in, s)
	require.NoError(t, err)
	return rep
}

// The tool's statistics recomputed independently in its arithmetic (expected.json
// of the samples): KLD to 1e-6, PPL to 1e-7 relative.
func TestToolsArithmetic(t *testing.T) {
	want := map[string]float64{
		"Mean PPL(Q)": 960.5667174929421, "Mean PPL(base)": 954.3162047866193, "Cor(ln(PPL(Q)), ln(PPL(base)))": 0.9758422830069735,
		"Mean ln(PPL(Q)/PPL(base))": 0.0065283729184058, "Mean KLD": 0.06126820571593519, "Maximum KLD": 0.1843622624874115,
		"99.9% KLD": 0.18357668817043304, "99.0% KLD": 0.16962206363677979, "Median KLD": 0.055136263370513916,
		"10.0% KLD": 0.02964313142001629, "5.0% KLD": 0.025529416278004646, "1.0% KLD": 0.01843419298529625,
		"Minimum KLD": 0.014017378911376, "Mean Δp": -0.00018867766407164446, "RMS Δp": 0.001988550739659118, "Same top p": 0.6451612903225806,
	}
	rep := embeddedReport(t)
	found := 0
	for _, row := range rep.LlamaCpp {
		w, ok := want[row.Name]
		if !ok {
			continue
		}
		found++
		if strings.Contains(row.Name, "PPL(") && w > 1 {
			testkit.Rel(t, w, row.Tool, 1e-7, "%s", row.Name)
		} else {
			assert.InDelta(t, w, row.Tool, 1e-6, row.Name)
		}
		switch row.Name {
		case "Mean KLD":
			assert.InDelta(t, 0.002661748526395716, row.Err, 1e-6)
			// The base's 16 bits cost at most 1e-5 a position against exact logits.
			assert.InDelta(t, 0.061268504239436486, row.Here, 1e-6, "exact mean of the two models' logits")
		case "Same top p":
			assert.InDelta(t, 0.03855576159143205, row.Err, 1e-6)
			assert.Equal(t, w, row.Here)
		}
	}
	assert.Equal(t, len(want), found)
}

func testJSON(t *testing.T, run runner) {
	got := run("-json", "-min-prompts", "5", "-tolerance", "0.2")
	require.Equal(t, 0, got.Status)
	var rep struct {
		Summary struct {
			Positions int     `json:"positions"`
			Mean      float64 `json:"mean_kl_nats"`
		}
		Verdict struct{ Outcome, Reason string }
		Tool    []struct {
			Name string
			Tool float64
		} `json:"llama_perplexity"`
	}
	require.NoError(t, json.Unmarshal([]byte(got.Stdout), &rep))
	assert.Equal(t, 155, rep.Summary.Positions)
	testkit.Near(t, 0.061268504239436486, rep.Summary.Mean, 1e-6, "mean")
	assert.Equal(t, "pass", rep.Verdict.Outcome)
	assert.Len(t, rep.Tool, 34)
}

func testFiles(t *testing.T, run runner) {
	got := run("-ref", "testdata/mild_A.kld", "-got", "testdata/mild_B.f32", "-row", "323", "-rows-per-prompt", "31", "-min-prompts", "5", "-tolerance", "0.2")
	assert.Equal(t, 0, got.Status, got.Stderr)
	assert.Contains(t, got.Stdout, "960.566726 ± 117.196")
	self := run("-ref", "testdata/mild_B.f32", "-got", "testdata/mild_B.f32", "-row", "323", "-rows-per-prompt", "5")
	assert.Equal(t, 0, self.Status, self.Stderr)
	assert.Contains(t, self.Stdout, "mean KL                0 nats", "a model does not differ from itself")
	assert.NotContains(t, self.Stdout, "llama-perplexity", "which compares with its base files only")
}

func testBadInput(t *testing.T, run runner) {
	base, err := os.ReadFile("testdata/mild_A.kld")
	require.NoError(t, err)
	file := func(name string, b []byte) string {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(path, b, 0o600))
		return path
	}
	nan := bytes.Clone(embeddedLogits)
	copy(nan[4*323*40:], "\xff\xff\xff\x7f")
	const kld, f32 = "testdata/mild_A.kld", "testdata/mild_B.f32"
	raw := []string{"-row", "323", "-rows-per-prompt", "31"}
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"missing file":   {[]string{"-ref", kld, "-got", "nowhere.npy"}, "nowhere.npy"},
		"only one":       {[]string{"-ref", kld}, "go together"},
		"empty":          {[]string{"-ref", kld, "-got", file("empty", nil)}, "the file is empty"},
		"cut":            {[]string{"-ref", file("cut.kld", base[:70_001]), "-got", kld}, "102980 bytes"},
		"header cut":     {[]string{"-ref", file("cut.kld", base[:13]), "-got", kld}, "header"},
		"garbage":        {[]string{"-ref", file("x", []byte("hello there, this is no file of ours")), "-got", kld}, "hello there"},
		"NaN":            {append([]string{"-ref", kld, "-got", file("nan.f32", nan)}, raw...), `prompt "1": position 9: index 0: NaN in got`},
		"other prompts":  {append([]string{"-ref", kld, "-got", f32}, "-row", "323", "-rows-per-prompt", "5"), `engine is at prompt "1" position 0`},
		"other rows":     {[]string{"-ref", kld, "-got", f32, "-row", "324"}, "324 was asked for"},
		"kind":           {[]string{"-kind", "odds"}, "-kind: unknown"},
		"zero":           {[]string{"-zero", "clip"}, "-zero: unknown"},
		"as probs":       {append([]string{"-ref", kld, "-got", f32, "-kind", "probs"}, raw...), "below 0 in got"},
		"vocabulary":     {[]string{"-vocab", "400"}, "under the vocabulary of 400"},
		"tolerance":      {[]string{"-tolerance", "-0.05"}, "-tolerance -0.05: not 0 or more"},
		"no number":      {[]string{"-noise-floor", "NaN"}, "-noise-floor NaN: not 0 or more"},
		"no limit":       {[]string{"-p99", "Inf"}, "-p99 +Inf: not 0 or more"},
		"percent":        {[]string{"-agreement", "98"}, "-agreement 98: over 1"},
		"floor":          {[]string{"-floor", "2"}, "-floor 2: over 1"},
		"row":            {[]string{"-row", "-323"}, "-row -323: less than 0"},
		"prompts":        {[]string{"-min-prompts", "0"}, "-min-prompts 0: less than 1"},
		"no row":         {[]string{"-ref", kld, "-got", f32}, "raw float32 if -row tells"},
		"level":          {[]string{"-level", "95"}, "Level 95"},
		"worst":          {[]string{"-worst", "-1"}, "-worst"},
		"unknown flag":   {[]string{"-nothing"}, "-nothing"},
		"stray argument": {[]string{"file"}, "unexpected argument"},
	} {
		t.Run(name, func(t *testing.T) {
			got := run(c.args...)
			assert.Equal(t, 2, got.Status)
			assert.Contains(t, got.Stderr, c.want)
			assert.True(t, strings.HasPrefix(got.Stderr, "klcheck: "), got.Stderr)
			assert.Equal(t, 1, strings.Count(got.Stderr, "\n"), "one line: %s", got.Stderr)
			assert.Empty(t, got.Stdout)
		})
	}
	help := run("-h")
	assert.Equal(t, 0, help.Status)
	assert.Contains(t, help.Stdout, "Exit status: 0 pass, 1 fail, 3 inconclusive, 2 bad input.")
	assert.Contains(t, help.Stdout, "-tolerance")
}

// What only a flag can say of a file: the messages name it.
func testFileFlags(t *testing.T, run runner) {
	two := testkit.Samples(t, "correctness", "samples", "dumps", "pair.npz")
	got := run("-ref", two, "-got", two)
	assert.Equal(t, 2, got.Status)
	assert.Contains(t, got.Stderr, "set -name")
	got = run("-ref", two, "-got", two, "-name", "test")
	assert.Equal(t, 3, got.Status, got.Stderr)

	chosen := testkit.Samples(t, "correctness", "samples", "api", "tgi_stream.txt")
	got = run("-ref", chosen, "-got", chosen)
	assert.Equal(t, 2, got.Status)
	assert.Contains(t, got.Stderr, "-chosen-alone takes it")
	got = run("-ref", chosen, "-got", chosen, "-chosen-alone")
	assert.Equal(t, 3, got.Status, got.Stderr)

	// Tokens known by their bytes only: both sides share a table.
	chat := testkit.Samples(t, "correctness", "samples", "api", "openai_chat_top_logprobs_fragment.json")
	got = run("-ref", chat, "-got", chat)
	assert.Equal(t, 3, got.Status, got.Stderr)
	assert.Contains(t, got.Stdout, "mean KL, lower bounds  0 nats")

	sampled := testkit.Samples(t, "correctness", "samples", "llamacpp_server", "completion_post_sampling.json")
	got = run("-ref", sampled, "-got", sampled)
	assert.Equal(t, 2, got.Status)
	assert.Contains(t, got.Stderr, "set -post-sampling")
	got = run("-ref", sampled, "-got", sampled, "-post-sampling")
	assert.Equal(t, 3, got.Status, got.Stderr)
}

func TestProgress(t *testing.T) {
	var out bytes.Buffer
	p := &progress{rows: 200, done: 50, out: &out}
	p.report(10 * time.Second)
	p.rows = 0
	p.report(20 * time.Second)
	assert.Equal(t, "klcheck: 50 of 200 rows, 10 s, about 30 s to go\nklcheck: 50 rows, 20 s\n", out.String())
}

// A base file whose floor raised tokens of the text has no perplexity.
func TestPerplexityIsWithheldAtTheFloor(t *testing.T) {
	bad := bytes.Clone(embeddedBase)
	// The first row: a range of 16 nats, and the data token's code at the floor.
	row := 20 + 4*64*5
	copy(bad[row:], "\x00\x00\x80\x39\x00\x00\x80\xc1") // 2^-12, a range of 15.9998, from -16 on
	token := int(bad[20+4*33]) | int(bad[20+4*33+1])<<8
	copy(bad[row+8+2*token:], "\x00\x00")
	path := filepath.Join(t.TempDir(), "floor.kld")
	require.NoError(t, os.WriteFile(path, bad, 0o600))
	s, err := parse([]string{"-ref", path, "-got", "testdata/mild_B.f32", "-row", "323", "-rows-per-prompt", "31"}, nil)
	require.NoError(t, err)
	s.compare.MaxSumError = -1 // the row no longer sums to 1
	in, err := open(s)
	require.NoError(t, err)
	rep, err := compare(in, s)
	require.NoError(t, err)
	assert.True(t, math.IsNaN(rep.Summary.LogPPLRatio))
	require.NotEmpty(t, rep.Readers)
	assert.Contains(t, rep.Readers[0].Error(), "no perplexity")
	assert.Equal(t, correctness.Inconclusive, rep.Verdict.Outcome)
}
