package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/servemath/internal/cli"
	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// program runs the program as its binary would run.
func program(args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = cli.Run("regress", run, args, &out, &errs)
	return status, out.String(), errs.String()
}

// folder holds the given files.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return dir
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
	assert.True(t, strings.HasSuffix(out, "\nfail: 3 of 12 lines failed, 0 inconclusive, 0 untested\n"), out)
	assert.Contains(t, out, "fail: a loss of 6.7% is established")
}

func TestFilesAndFolders(t *testing.T) {
	base, next := fixture(t, "base.json"), fixture(t, "new.json")
	lines := strings.SplitAfter(base, "\n")
	old := folder(t, map[string]string{"base.json": base})
	for name, c := range map[string]struct {
		base, next map[string]string
		args       []string
		status     int
		says       string
	}{
		"the same":                {map[string]string{"a.json": base}, map[string]string{"a.json": base}, nil, cli.OK, "pass: 0 of 12 lines failed"},
		"slower":                  {map[string]string{"a.json": base}, map[string]string{"b.json": next}, nil, cli.Fail, "fail: 3 of 12"},
		"slower, and let pass":    {map[string]string{"a.json": base}, map[string]string{"b.json": next}, []string{"-max-loss", "0.2"}, cli.OK, "pass: 0 of 12"},
		"one file a run":          {map[string]string{"1.json": lines[0], "2.json": lines[3], "3.json": lines[6]}, map[string]string{"a.json": lines[0] + lines[3] + lines[6]}, nil, cli.OK, "pass: 0 of 4"},
		"too few runs":            {map[string]string{"a.json": lines[0]}, map[string]string{"a.json": lines[0]}, nil, cli.Inconclusive, "base has 1 runs, need 3"},
		"a file of another kind":  {map[string]string{"a.json": base, "notes.txt": "hello"}, map[string]string{"a.json": base}, nil, cli.OK, "pass"},
		"a cut file among others": {map[string]string{"a.json": base}, map[string]string{"a.json": base, "b.json": lines[0][:200]}, nil, cli.Inconclusive, "not read: "},
	} {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"-base", folder(t, c.base), "-new", folder(t, c.next)}, c.args...)
			status, out, errs := program(args...)
			assert.Equal(t, c.status, status, out+errs)
			assert.Contains(t, out, c.says)
			assert.Empty(t, errs)
		})
	}
	status, out, _ := program("-base", filepath.Join(old, "base.json"), "-new", old)
	assert.Equal(t, cli.OK, status, out)

	cut := folder(t, map[string]string{"a.json": base, "b.json": lines[0][:200]})
	_, out, _ = program("-base", old, "-new", cut)
	assert.Contains(t, out, "warning: not read: results: "+filepath.Join(cut, "b.json")+": the file is cut off")
}

// The binary's own exit statuses.
func TestBinary(t *testing.T) {
	run := testkit.Program(t)
	good := testkit.File(t, "good.json", fixture(t, "base.json"))
	one := testkit.File(t, "one.json", strings.SplitAfter(fixture(t, "base.json"), "\n")[0])
	assert.Equal(t, 0, run("-base", good, "-new", good).Status)
	assert.Equal(t, 1, run().Status)
	assert.Equal(t, 2, run("-base", good, "-new", "none").Status)
	assert.Equal(t, 3, run("-base", good, "-new", one).Status)
}

func TestFormats(t *testing.T) {
	_, out, _ := program("-json")
	var report struct {
		Outcome string
		Entries []struct{ Benchmark, Metric, Outcome string }
	}
	require.NoError(t, json.Unmarshal([]byte(out), &report))
	assert.Equal(t, "fail", report.Outcome)
	assert.Len(t, report.Entries, 12)
	_, out, _ = program("-format", "markdown")
	assert.True(t, strings.HasPrefix(out, "**fail: 3 of 12 lines failed"), out)
	_, out, _ = program("-format", "benchfmt")
	assert.Contains(t, out, "\nside: candidate\nBenchmarkServe/vLLM/Qwen/Qwen3-0.6B/C=1/512/in/128/out 1 ")
}

// One clear line on standard error, exit status 2, nothing on standard output.
func TestBadInput(t *testing.T) {
	good := filepath.Join(folder(t, map[string]string{"good.json": fixture(t, "base.json")}), "good.json")
	bad := func(text string) string {
		return filepath.Join(folder(t, map[string]string{"bad.json": text}), "bad.json")
	}
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"empty file":     {[]string{"-base", good, "-new", bad("")}, "bad.json"},
		"cut file":       {[]string{"-base", good, "-new", bad(fixture(t, "base.json")[:500])}, "cut off"},
		"NaN":            {[]string{"-base", good, "-new", bad(strings.Replace(fixture(t, "base.json"), `"duration": `, `"duration": NaN, "x": `, 1))}, "duration"},
		"unknown format": {[]string{"-base", good, "-new", bad(`{"a": 1}`)}, "no reader"},
		"missing file":   {[]string{"-base", good, "-new", filepath.Join(t.TempDir(), "none")}, "no such file"},
		"empty folder":   {[]string{"-base", good, "-new", t.TempDir()}, "holds no run"},
		"one side":       {[]string{"-base", good}, "go together"},
		"policy":         {[]string{"-max-loss", "3"}, "MaxLoss"},
		"zero loss":      {[]string{"-max-loss", "0"}, "-max-loss: want more than 0"},
		"zero alpha":     {[]string{"-alpha", "0"}, "-alpha: want more than 0"},
		"zero runs":      {[]string{"-min-runs", "0"}, "-min-runs: want more than 0"},
		"format":         {[]string{"-format", "xml"}, "unknown"},
		"argument":       {[]string{"file.json"}, "unexpected argument"},
		"flag":           {[]string{"-nope"}, "not defined"},
	} {
		t.Run(name, func(t *testing.T) {
			status, out, errs := program(c.args...)
			assert.Equal(t, cli.BadInput, status, errs)
			assert.Empty(t, out)
			assert.Equal(t, 1, strings.Count(errs, "\n"), errs)
			assert.True(t, strings.HasPrefix(errs, "regress: "), errs)
			assert.Contains(t, errs, c.says)
		})
	}
	status, out, _ := program("-h")
	assert.Equal(t, cli.OK, status)
	assert.Contains(t, out, "Exit status: 0 pass")
}
