package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"example.com/servemath/internal/testkit"
	"example.com/servemath/testdata"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every figure that memory set, of the published rows.
func TestMemoryFigures(t *testing.T) {
	p, err := load("", "")
	require.NoError(t, err)
	rows := 0
	for _, r := range p.Rows {
		limited := false
		for _, name := range usageNames() {
			if u := r.Uses[name]; u.Limit == "memory" {
				limited = true
				assert.Equal(t, u.Published, fmt.Sprint(u.Memory.Sessions), "%s %s", r.ID, name)
			}
		}
		if limited {
			rows++
		}
	}
	assert.Equal(t, 35, rows)
	assert.Equal(t, 65, p.Memory)
	assert.Equal(t, 65, p.Reproduced)
}

// Every published figure comes out of the rule at the Max C that is printed,
// with its plus. A level is the only one where speed set a figure: in 54 rows
// both, in 4 the chat figure.
func TestSpeedFigures(t *testing.T) {
	p, err := load("", "")
	require.NoError(t, err)
	unique, some := 0, 0
	for _, r := range p.Rows {
		if r.Uses["chat"].Published == "" {
			continue
		}
		some++
		if !strings.HasPrefix(r.MaxC, ">=") {
			unique++
		}
		for _, name := range usageNames() {
			assert.Equal(t, r.Uses[name].Published, r.Uses[name].Users, "%s %s", r.ID, name)
			if c := r.Uses[name].Capacity; assert.NotNil(t, c, r.ID) && r.Uses[name].Limit != "tie" {
				assert.Equal(t, r.row.published.of(name).users, c.Users, r.ID)
			}
		}
	}
	assert.Equal(t, 89, some)
	assert.Equal(t, 54+4, unique)
}

func TestPublishedRows(t *testing.T) {
	run := testkit.Program(t)
	got := run()
	require.Equal(t, 0, got.Status, got.Stderr)
	lines := strings.Split(strings.TrimRight(got.Stdout, "\n"), "\n")
	assert.Equal(t, "65 of 65 memory-limited figures reproduced", lines[len(lines)-1])
	assert.Contains(t, lines[len(lines)-2], "enter the count")
	for _, term := range []string{"Max C is the highest", "x 4 (chat)", "within 1 s", "20 tokens", "A plus", "a dash where no level"} {
		assert.Contains(t, got.Stdout, term, "the footnote says what the table's figures mean")
	}

	got = run("-json")
	require.Equal(t, 0, got.Status, got.Stderr)
	var rep struct {
		Rows       []json.RawMessage
		Reproduced int `json:"memory_figures_reproduced"`
	}
	require.NoError(t, json.Unmarshal([]byte(got.Stdout), &rep))
	assert.Len(t, rep.Rows, 103)
	assert.Equal(t, 65, rep.Reproduced)
}

func TestServing(t *testing.T) {
	run := testkit.Program(t)
	got := run("-users", "20", "-for", "agentic")
	require.Equal(t, 0, got.Status, got.Stderr)
	assert.Contains(t, got.Stdout, "configurations serve 20 people (agentic)")
	assert.Contains(t, got.Stdout, "MiniMax-M3 MXFP8 vLLM, DGX B300 TP=4", "91 agentic")
	assert.NotContains(t, got.Stdout, "GLM-4.7 NVFP4", "5 agentic")
	assert.Regexp(t, `RTX PRO 6000, speculative +24  speed +weights do not fit\n`, got.Stdout)
	assert.Contains(t, got.Stdout, "the figure is speed alone")

	got = run("-users", "100000")
	require.Equal(t, 0, got.Status, got.Stderr)
	assert.NotContains(t, got.Stdout, "Configuration", "no table without a row")

	got = run("-users", "20", "-for", "agentic", "-json")
	require.Equal(t, 0, got.Status, got.Stderr)
	var rep struct {
		Serve []struct {
			Row      int
			Sessions string `json:"sessions_fit"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(got.Stdout), &rep))
	require.Len(t, rep.Serve, 41)
	assert.Equal(t, "24", rep.Serve[0].Sessions)
}

func TestExplain(t *testing.T) {
	run := testkit.Program(t)
	byID := run("-explain", "glm-4.7_b300_nvfp4_vllm")
	require.Equal(t, 0, byID.Status, byID.Stderr)
	for _, want := range []string{"179000000000 B", "358B parameters x 4 bits", "= free on each device", "Published: 21, set by memory", "Published: 5, set by memory"} {
		assert.Contains(t, byID.Stdout, want)
	}
	assert.Equal(t, byID.Stdout, run("-explain", "73").Stdout, "a row's place is as good as its id")
	// Max C of 4 would make it a tie; the row says memory, so the level is higher.
	several := run("-explain", "69")
	require.Equal(t, 0, several.Status, several.Stderr)
	assert.Contains(t, several.Stdout, "answer: 16 people, set by memory: 16 sessions of 16384 tokens; speed allows as many or more. Published: 16, set by memory. (Max C >= 4: worked back from the published figures.)")
	assert.NotContains(t, several.Stdout, "either limit")
}

const ownRow = `[{"id": "mine", "model_key": "gpt-oss-120b", "hardware": "RTX PRO 6000", "weights_gb": 65.25%s}]`

func TestOwnRows(t *testing.T) {
	run := testkit.Program(t)
	rows := testkit.File(t, "rows.json", fmt.Sprintf(ownRow, ""))
	got := run("-input", rows)
	require.Equal(t, 0, got.Status, got.Stderr)
	assert.Contains(t, got.Stdout, "without max_c")
	assert.Contains(t, got.Stdout, "0 of 0 memory-limited figures reproduced")

	rows = testkit.File(t, "rows.json", fmt.Sprintf(ownRow, `, "max_c": 8`))
	got = run("-input", rows, "-users", "32")
	require.Equal(t, 0, got.Status, got.Stderr)
	assert.Contains(t, got.Stdout, "1 of 1 configurations serve 32 people (chat)")

	// Figures of its own and published ones stand side by side.
	rows = testkit.File(t, "rows.json", fmt.Sprintf(ownRow, `, "max_c": 64, "max_c_at_least": true, "published": {"chat": 55, "agentic": 13}`))
	got = run("-input", rows)
	require.Equal(t, 0, got.Status, got.Stderr)
	assert.Regexp(t, `64\+ +55  memory +55 +55 +13  memory +13 +13\n`, got.Stdout)
	assert.Contains(t, got.Stdout, "2 of 2 memory-limited figures reproduced")

	rows = testkit.File(t, "rows.json", fmt.Sprintf(ownRow, `, "published": {"chat": 16, "agentic": 6}`))
	got = run("-input", rows, "-explain", "mine")
	require.Equal(t, 0, got.Status, got.Stderr)
	assert.Contains(t, got.Stdout, "Published: 16, set by speed. (Max C 4: worked back", "a limit that the row does not name is the rule's")

	// A machine that is not listed, by the memory of one device: the published
	// example's 96 GB by another name.
	listed := run("-input", testkit.File(t, "rows.json", fmt.Sprintf(ownRow, "")))
	rows = testkit.File(t, "rows.json", strings.Replace(fmt.Sprintf(ownRow, `, "memory_gb": 96`), "RTX PRO 6000", "My  Own  GPU", 1))
	assert.Equal(t, listed.Stdout, strings.Replace(run("-input", rows).Stdout, "My  Own  GPU", "RTX PRO 6000", 1))
	rows = testkit.File(t, "rows.json", fmt.Sprintf(ownRow, `, "memory_gb": 128, "unified": true`))
	got = run("-input", rows, "-explain", "mine")
	require.Equal(t, 0, got.Status, got.Stderr)
	assert.Contains(t, got.Stdout, "x 0.85 allocated                108800000000 B")

	models := testkit.File(t, "models.json", `{"my-model": {"context": 20000, "groups": [{"kind": "attention", "layers": 32, "kv_heads": 8, "k_dim": 128, "v_dim": 128}]}}`)
	rows = testkit.File(t, "rows.json", strings.Replace(fmt.Sprintf(ownRow, ""), "gpt-oss-120b", "my-model", 1))
	got = run("-input", rows, "-models", models)
	require.Equal(t, 0, got.Status, got.Stderr)
	assert.Contains(t, got.Stdout, "context too long", "65,536 tokens in a window of 20,000")
	rows = testkit.File(t, "rows.json", strings.Replace(fmt.Sprintf(ownRow, `, "max_c": 8`), "gpt-oss-120b", "my-model", 1))
	got = run("-input", rows, "-models", models, "-users", "5", "-for", "agentic")
	require.Equal(t, 0, got.Status, got.Stderr)
	assert.Contains(t, got.Stdout, "1 by the model's window")
}

func TestHelp(t *testing.T) {
	got := testkit.Program(t)("-h")
	assert.Equal(t, 0, got.Status)
	assert.Contains(t, got.Stdout, "-explain")
	assert.Contains(t, got.Stdout, "concurrency  ttft_seconds  tps", "the form of a sweep")
}

func TestBadInput(t *testing.T) {
	run := testkit.Program(t)
	file := func(text string) []string { return []string{"-input", testkit.File(t, "rows.json", text)} }
	own := func(field string) []string { return file(fmt.Sprintf(ownRow, field)) }
	models := func(text string) []string {
		return append(own(""), "-models", testkit.File(t, "models.json", text))
	}
	one := strings.Trim(fmt.Sprintf(ownRow, ""), "[]")
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"empty file":        {file(""), "empty"},
		"empty list":        {file("[]"), "an empty list"},
		"an object":         {file("{}"), "where a list of rows belongs"},
		"cut in a row":      {file(testdata.ExplorerRows[:3000]), "ends inside a value"},
		"cut in a value":    {file(fmt.Sprintf(ownRow, "")[:30]), "ends inside a value"},
		"NaN":               {file(strings.Replace(fmt.Sprintf(ownRow, ""), "65.25", "NaN", 1)), "(mine): weights_gb: NaN where a finite number belongs"},
		"duplicate id":      {file("[" + one + "," + one + "]"), `row 2: id "mine" is row 1's already`},
		"duplicate key":     {own(`, "id": "x"`), "duplicate key"},
		"unknown model_key": {file(strings.Replace(fmt.Sprintf(ownRow, ""), "gpt-oss-120b", "x", 1)), `unknown model_key "x"; known: `},
		"unknown hardware":  {file(strings.Replace(fmt.Sprintf(ownRow, ""), "RTX PRO 6000", "x", 1)), `unknown hardware "x" without memory_gb; known: DGX B300`},
		"no memory":         {own(`, "memory_gb": 0`), "memory_gb: 0 is not a size"},
		"unified alone":     {own(`, "unified": true`), "unified: without memory_gb"},
		"plus alone":        {own(`, "max_c_at_least": true`), "max_c_at_least: without max_c"},
		"unknown field":     {own(`, "x": 1`), "x: unknown field"},
		"negative TP":       {own(`, "tp": -1`), "tp: -1 is not from 1"},
		"text for a number": {own(`, "tp": "2"`), "tp: a string where a whole number belongs"},
		"TP that fits not":  {own(`, "tp": 3`), "TP 3"},
		"negative weights":  {file(strings.Replace(fmt.Sprintf(ownRow, ""), "65.25", "-1", 1)), "(mine): weights_gb: -1 is not a size"},
		"weights of 0":      {file(strings.Replace(fmt.Sprintf(ownRow, ""), "65.25", "0", 1)), "(mine): weights_gb: 0 is not a size"},
		"weights beyond":    {file(strings.Replace(fmt.Sprintf(ownRow, ""), "65.25", "1e30", 1)), "(mine): weights_gb: 1e30 is not a size"},
		"no parameters":     {file(strings.Replace(fmt.Sprintf(ownRow, `, "quantization": "FP8", "params": "many"`), `, "weights_gb": 65.25`, "", 1)), `no weights_gb: capacity: Params: "many"`},
		"too many":          {file(strings.Replace(fmt.Sprintf(ownRow, `, "quantization": "FP8", "params": "99999999T"`), `, "weights_gb": 65.25`, "", 1)), `params "99999999T" are too many`},
		"no weights":        {file(strings.Replace(fmt.Sprintf(ownRow, ""), `, "weights_gb": 65.25`, "", 1)), "no weights_gb"},
		"unknown kind":      {models(`{"m": {"groups": [{"kind": "x", "layers": 1}]}}`), `kind: unknown "x"`},
		"no groups":         {models(`{"m": {}}`), "groups: missing or empty"},
		"unknown -for":      {[]string{"-for", "x"}, `-for: unknown "x"; known: chat, agentic`},
		"negative users":    {[]string{"-users", "-1"}, "-users"},
		"unknown row":       {[]string{"-explain", "x"}, `no row "x"`},
		"row 0":             {[]string{"-explain", "0"}, `no row "0"`},
		"row and a letter":  {[]string{"-explain", "3x"}, `no row "3x"`},
		"explain and users": {[]string{"-explain", "3", "-users", "5"}, "-users does not go with -explain"},
		"empty name":        {[]string{"-input", ""}, "-input: nothing is given"},
		"no file":           {[]string{"-input", "no such file"}, "no such file"},
	} {
		got := run(c.args...)
		assert.Equal(t, 2, got.Status, "%s: %s", name, got.Stdout)
		assert.Empty(t, got.Stdout, name)
		assert.Contains(t, got.Stderr, c.want, name)
		assert.Equal(t, 1, strings.Count(got.Stderr, "\n"), "%s: one line: %s", name, got.Stderr)
		assert.True(t, strings.HasPrefix(got.Stderr, "plan: "), name)
	}
}
