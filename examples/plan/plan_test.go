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
}

func TestExplain(t *testing.T) {
	run := testkit.Program(t)
	byID := run("-explain", "glm-4.7_b300_nvfp4_vllm")
	require.Equal(t, 0, byID.Status, byID.Stderr)
	for _, want := range []string{"179000000000 B", "358B parameters x 4 bits", "= free on each device", "Published: 21, set by memory", "Published: 5, set by memory"} {
		assert.Contains(t, byID.Stdout, want)
	}
	assert.Equal(t, byID.Stdout, run("-explain", "73").Stdout, "a row's place is as good as its id")
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

	models := testkit.File(t, "models.json", `{"my-model": {"context": 20000, "groups": [{"kind": "attention", "layers": 32, "kv_heads": 8, "k_dim": 128, "v_dim": 128}]}}`)
	rows = testkit.File(t, "rows.json", strings.Replace(fmt.Sprintf(ownRow, ""), "gpt-oss-120b", "my-model", 1))
	got = run("-input", rows, "-models", models)
	require.Equal(t, 0, got.Status, got.Stderr)
	assert.Contains(t, got.Stdout, "context too long", "65,536 tokens in a window of 20,000")
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
		"unknown model_key": {file(strings.Replace(fmt.Sprintf(ownRow, ""), "gpt-oss-120b", "x", 1)), `unknown model_key "x"`},
		"unknown hardware":  {file(strings.Replace(fmt.Sprintf(ownRow, ""), "RTX PRO 6000", "x", 1)), `unknown hardware "x"; known: DGX B300`},
		"unknown field":     {own(`, "x": 1`), "x: unknown field"},
		"negative TP":       {own(`, "tp": -1`), "tp: -1 is not from 1"},
		"text for a number": {own(`, "tp": "2"`), "tp: a string where a whole number belongs"},
		"TP that fits not":  {own(`, "tp": 3`), "TP 3"},
		"negative weights":  {file(strings.Replace(fmt.Sprintf(ownRow, ""), "65.25", "-1", 1)), "row mine"},
		"no weights":        {file(strings.Replace(fmt.Sprintf(ownRow, ""), `, "weights_gb": 65.25`, "", 1)), "no weights_gb"},
		"unknown kind":      {models(`{"m": {"groups": [{"kind": "x", "layers": 1}]}}`), `kind: unknown "x"`},
		"no groups":         {models(`{"m": {}}`), "groups: missing or empty"},
		"unknown -for":      {[]string{"-for", "x"}, `-for: unknown "x"; known: chat, agentic`},
		"negative users":    {[]string{"-users", "-1"}, "-users"},
		"unknown row":       {[]string{"-explain", "x"}, `no row "x"`},
		"row 0":             {[]string{"-explain", "0"}, `no row "0"`},
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
