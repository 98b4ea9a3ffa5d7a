package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/servemath/internal/cli"
	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func program(args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = cli.Run("audit", run, args, &out, &errs)
	return status, out.String(), errs.String()
}

func fixture(t *testing.T, name string) string {
	t.Helper()
	b, err := fixtures.ReadFile("fixtures/" + name)
	require.NoError(t, err)
	return string(b)
}

func TestEmbedded(t *testing.T) {
	status, out, errs := program()
	assert.Equal(t, cli.Fail, status)
	assert.Empty(t, errs)
	assert.Contains(t, out, "tpot is 7.026 ms, but request times leave 14.75 ms a token: 2.1 times as much")
	assert.True(t, strings.HasSuffix(out, "\n4 runs audited: 2 contradictions, 1 notes\n"), out)
}

// The binary's own exit statuses.
func TestBinary(t *testing.T) {
	run := testkit.Program(t)
	assert.Equal(t, 0, run(testkit.File(t, "a.json", fixture(t, "vllm.json"))).Status)
	assert.Equal(t, 1, run().Status)
	assert.Equal(t, 2, run("none").Status)
}

func TestClean(t *testing.T) {
	status, out, errs := program(testkit.File(t, "a.json", fixture(t, "vllm.json")))
	assert.Equal(t, cli.OK, status)
	assert.Equal(t, "3 runs audited: 0 contradictions, 0 notes\n", out)
	assert.Empty(t, errs)
}

func TestJSON(t *testing.T) {
	status, out, _ := program("-json")
	assert.Equal(t, cli.Fail, status)
	var got struct {
		Runs, Contradictions int
		Findings             []struct {
			Kind              string
			Reported, Derived float64
		}
	}
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	assert.Equal(t, 4, got.Runs)
	assert.Equal(t, "tpot_mismatch", got.Findings[0].Kind)
	assert.InDelta(t, 2.1, got.Findings[0].Derived/got.Findings[0].Reported, 0.01)
	_, out, _ = program("-json", testkit.File(t, "a.json", fixture(t, "vllm.json")))
	assert.Contains(t, out, `"findings": []`)
}

func TestFolders(t *testing.T) {
	cut := testkit.File(t, "cut.json", fixture(t, "vllm.json")[:300])
	dir := filepath.Dir(cut)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "good.json"), []byte(fixture(t, "vllm.json")), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("hello"), 0o600))
	status, out, errs := program(dir)
	assert.Equal(t, cli.Inconclusive, status)
	assert.Contains(t, out, "not read: results: "+cut+": the file is cut off")
	assert.Contains(t, out, "1 files of no known format were passed over")
	assert.Contains(t, out, "3 runs audited")
	assert.Empty(t, errs)
}

// Findings of files of one name in two folders say which; what a reader warned of
// stands among the notes.
func TestSources(t *testing.T) {
	invalid := testkit.File(t, "summary.txt", strings.Join([]string{"MLPerf Results Summary", "SUT name : m", "Scenario : Offline",
		"Mode     : PerformanceOnly", "Samples per second: 10", "Tokens per second: 1000", "Result is : INVALID", "No errors encountered during test.", ""}, "\n"))
	other := testkit.File(t, "vllm.json", strings.Replace(fixture(t, "vllm.json"), `"failed": 0`, `"failed": 5`, 1))
	status, out, errs := program(filepath.Dir(invalid), filepath.Dir(other))
	assert.Equal(t, cli.OK, status, errs)
	assert.Regexp(t, regexp.QuoteMeta(invalid)+`\s+note\s+the result is INVALID`, out)
	assert.Regexp(t, regexp.QuoteMeta(other)+`#1\s+note\s+5 of 69 requests failed`, out)
	_, out, _ = program("-json", invalid)
	assert.Contains(t, out, `"kind": "reader"`)
	assert.NotContains(t, out, `"derived"`)
}

func TestBadInput(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"empty file":     {[]string{testkit.File(t, "a.json", "")}, "a.json"},
		"cut file":       {[]string{testkit.File(t, "a.json", fixture(t, "vllm.json")[:300])}, "cut off"},
		"unknown format": {[]string{testkit.File(t, "a.json", `{"a": 1}`)}, "no reader"},
		"missing file":   {[]string{filepath.Join(t.TempDir(), "none")}, "no such file"},
		"empty folder":   {[]string{t.TempDir()}, "no run to audit"},
		"flag":           {[]string{"-nope"}, "not defined"},
	} {
		t.Run(name, func(t *testing.T) {
			status, out, errs := program(c.args...)
			assert.Equal(t, cli.BadInput, status, errs)
			assert.Empty(t, out)
			assert.Equal(t, 1, strings.Count(errs, "\n"), errs)
			assert.Contains(t, errs, c.says)
		})
	}
	status, out, _ := program("-h")
	assert.Equal(t, cli.OK, status)
	assert.Contains(t, out, "Exit status: 0 without contradictions")
}

func TestRealFiles(t *testing.T) {
	status, out, _ := program(testkit.Samples(t, "throughput", "samples", "inference-perf"))
	assert.Equal(t, cli.Fail, status)
	assert.Contains(t, out, "request times leave 19.96 ms a token: 2.1 times as much")
	status, out, _ = program(testkit.Samples(t, "throughput", "samples", "vllm"))
	assert.Equal(t, cli.OK, status, out)
}
