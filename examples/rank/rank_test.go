package main

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"example.com/servemath/internal/testkit"
	"example.com/servemath/testdata"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPublishedPage(t *testing.T) {
	run := testkit.Program(t)
	got := run()
	require.Equal(t, 0, got.Status, got.Stderr)
	assert.Empty(t, got.Stderr)
	for _, want := range []string{
		"NVIDIA GPU: 83 machine-model pairs, 10 machines",
		"not ranked: ", // TPU: one engine never wins
		"Splash", "LiteRT-LM", "no throughput row in any setup",
		"512 tokens in, 256 out",
		"claims 120 machines, 27 models and 13 engines; its throughput tables hold 23, 16 and 9",
		"12.3 GB", "1.4.0rc2.post1", // TensorRT-LLM's install size and version
	} {
		assert.Contains(t, got.Stdout, want)
	}
	tpu := section(got.Stdout, "Google TPU")
	assert.Contains(t, tpu, "not ranked")
	assert.Contains(t, tpu, "SGLang", "the engine that never wins is named")
	prefill := section(run("-setup", "Single prefill").Stdout, "Google TPU")
	assert.Less(t, strings.Index(prefill, "-  Pie"), strings.Index(prefill, "-  vLLM"), "what is not ranked is listed by speed")
}

// section is the part of the text from a platform's line to the next blank one.
func section(text, platform string) string {
	_, after, _ := strings.Cut(text, "\n"+platform)
	before, _, _ := strings.Cut(after, "\n\n")
	return before
}

// The log-strengths are those of the golden fit e_nvidia_single in bt/testdata.
func TestJSONHoldsTheSameFigures(t *testing.T) {
	run := testkit.Program(t)
	got := run("-json")
	require.Equal(t, 0, got.Status, got.Stderr)
	var rep struct {
		Platforms []struct {
			Platform  string `json:"platform"`
			NotRanked string `json:"not_ranked"`
			Engines   []struct {
				Engine    string  `json:"engine"`
				Published float64 `json:"published_strength_percent"`
				Fit       *struct {
					Rank     int     `json:"rank"`
					Strength float64 `json:"strength"`
				} `json:"fit"`
			} `json:"engines"`
		} `json:"platforms"`
	}
	require.NoError(t, json.Unmarshal([]byte(got.Stdout), &rep))
	require.Len(t, rep.Platforms, 5)
	nvidia := rep.Platforms[1]
	assert.Equal(t, "NVIDIA GPU", nvidia.Platform)
	for i, want := range []struct {
		engine      string
		logStrength float64
		published   float64
	}{{"Pie", 1.7608212555, 80}, {"SGLang", 0.1258830100, 47}, {"TensorRT-LLM", -0.9265483600, 30}, {"vLLM", -0.9601559055, 39}} {
		e := nvidia.Engines[i]
		assert.Equal(t, want.engine, e.Engine)
		assert.Equal(t, i+1, e.Fit.Rank)
		assert.InDelta(t, 1/(1+math.Exp(-want.logStrength)), e.Fit.Strength, 1e-9)
		assert.Equal(t, want.published, e.Published)
	}
	assert.NotEmpty(t, rep.Platforms[3].NotRanked, "TPU")
}

// Clustered intervals are the golden standard errors of e_nvidia_single, with
// the factor G/(G-1) and Student's t of G-1 degrees of freedom (2.2622 for 10
// machines, 2.2010 for 12 models).
func TestClusteredIntervals(t *testing.T) {
	run := testkit.Program(t)
	for _, c := range []struct {
		by             string
		stdErr, t      float64 // of Pie
		clusters       float64
		carrying, size int
	}{
		{"machine", 0.30895387759474846, 2.2621571627409915, 10, 3, 10},
		{"model", 0.23650765538089394, 2.200985160082949, 12, 4, 12},
	} {
		got := run("-json", "-by", c.by)
		require.Equal(t, 0, got.Status, got.Stderr)
		var rep struct {
			Platforms []struct {
				Engines []struct {
					Fit *struct {
						LogStrength float64 `json:"log_strength"`
						Tier        int     `json:"tier"`
						Lo          float64 `json:"lo"`
					} `json:"fit"`
					Speed struct {
						Estimate float64 `json:"estimate"`
					} `json:"speed_vs_geometric_mean"`
				} `json:"engines"`
				LeftOut []struct {
					Label            string `json:"label"`
					Values, Carrying int
					Turns            []struct{ Ahead, Behind string }
				} `json:"left_out"`
				Warnings []string `json:"warnings"`
			} `json:"platforms"`
		}
		require.NoError(t, json.Unmarshal([]byte(got.Stdout), &rep))
		nvidia := rep.Platforms[1]
		pie := nvidia.Engines[0]
		half := c.t * c.stdErr * math.Sqrt(c.clusters/(c.clusters-1))
		assert.InDelta(t, 1/(1+math.Exp(half-pie.Fit.LogStrength)), pie.Fit.Lo, 1e-9, c.by)
		assert.Equal(t, 1, pie.Fit.Tier)
		// Speeds of k_nvidia_single_logratio; its engines by strength.
		for i, want := range []float64{1.1019729773, 1.0099965446, 0.9286145343, 0.9675506085} {
			assert.InDelta(t, want, nvidia.Engines[i].Speed.Estimate, 1e-9)
		}
		assert.Contains(t, nvidia.Warnings[0], "clusters are few")
		for _, l := range nvidia.LeftOut {
			if l.Label == c.by {
				assert.Equal(t, []int{c.size, c.carrying}, []int{l.Values, l.Carrying})
				require.Len(t, l.Turns, 1)
				assert.Equal(t, "vLLM", l.Turns[0].Behind)
				assert.Equal(t, "TensorRT-LLM", l.Turns[0].Ahead)
			}
		}
		assert.Len(t, nvidia.LeftOut, 2)
		assert.NotZero(t, rep.Platforms[3].Engines[2].Speed.Estimate, "TPU is not ranked, but has speeds")
	}
}

func TestFindingsInText(t *testing.T) {
	got := testkit.Program(t)("-by", "model")
	require.Equal(t, 0, got.Status, got.Stderr)
	assert.Contains(t, got.Stdout, "95% intervals, clustered by model")
	assert.Contains(t, section(got.Stdout, "Apple Silicon"), "MLX -13.4 points without M2 16 GB")
	nvidia := section(got.Stdout, "NVIDIA GPU")
	assert.Contains(t, nvidia, "one machine left out: 3 of 10 carry the order; vLLM passes TensorRT-LLM without B200 180 GB or RTX 5090 32 GB or RTX PRO 6000 96 GB")
	assert.Contains(t, nvidia, "1.102x")
	assert.Contains(t, nvidia, "12 clusters are few")
	tpu := section(got.Stdout, "Google TPU")
	assert.Contains(t, tpu, "1.455x")
	assert.Contains(t, tpu, "pooled with the other platforms: Pie ")
	assert.Contains(t, tpu, "% borrowed")
}

// Two platforms of which one has a single engine: nothing is pooled, and the
// report says why.
func TestNothingToPool(t *testing.T) {
	path := testkit.File(t, "mine.tsv", "platform\tmachine\tmodel\tsetup\tengine\ttok_per_s\n"+
		"P\tm1\ta\tSingle decode\tx\t10\nP\tm1\ta\tSingle decode\ty\t9\nQ\tm2\ta\tSingle decode\tx\t10\n")
	got := testkit.Program(t)("-input", path)
	require.Equal(t, 0, got.Status, got.Stderr)
	assert.Contains(t, got.Stdout, "not ranked: no finite ranking exists: x never lost and y never won")
	assert.Contains(t, got.Stdout, "do not rank them either")
	assert.NotContains(t, got.Stdout, "NaN")
	assert.NotContains(t, got.Stdout, "bt: ")
}

// One machine is no cluster to compare with another: the intervals fall back,
// and the report says so.
func TestOneCluster(t *testing.T) {
	path := testkit.File(t, "mine.tsv", "platform\tmachine\tmodel\tsetup\tengine\ttok_per_s\n"+
		"P\tm1\ta\tSingle decode\tx\t10\nP\tm1\ta\tSingle decode\ty\t9\nP\tm1\tb\tSingle decode\tx\t8\nP\tm1\tb\tSingle decode\ty\t9\n")
	got := testkit.Program(t)("-input", path, "-by", "machine")
	require.Equal(t, 0, got.Status, got.Stderr)
	assert.Contains(t, got.Stdout, "note: too few clusters")
	assert.Contains(t, got.Stdout, "nothing ranks the engines without a or b")
}

func TestOwnFile(t *testing.T) {
	run := testkit.Program(t)
	path := testkit.File(t, "mine.tsv", "platform\tmachine\tmodel\tsetup\tengine\ttok_per_s\n"+
		"P\tm1\ta\tSingle decode\tx\t10\nP\tm1\ta\tSingle decode\ty\t9\nP\tm2\ta\tSingle decode\tx\t8\nP\tm2\ta\tSingle decode\ty\t9\n")
	got := run("-input", path)
	require.Equal(t, 0, got.Status, got.Stderr)
	assert.Contains(t, got.Stdout, "P: 2 machine-model pairs, 2 machines, 1 model\n")
	assert.NotContains(t, got.Stdout, "Splash", "the page's engines are not the user's")
	assert.NotContains(t, got.Stdout, "Published", "nor are its columns")
	assert.Contains(t, got.Stdout, "one machine left out: nothing ranks the engines without m1 or m2\n")
	assert.Contains(t, run("-input", path, "-tie", "0.07").Stdout, "figures within 7% tie") // 100 * 0.07 is 7.000000000000001
}

// A pooled ranking comes with what Pool says of it: here that two platforms say
// little about how much platforms differ.
func TestPooledWarnings(t *testing.T) {
	path := testkit.File(t, "mine.tsv", "platform\tmachine\tmodel\tsetup\tengine\ttok_per_s\n"+
		"P\tm1\ta\tSingle decode\tx\t10\nP\tm1\ta\tSingle decode\ty\t9\nP\tm2\ta\tSingle decode\tx\t8\nP\tm2\ta\tSingle decode\ty\t9\n"+
		"Q\tm3\ta\tSingle decode\tx\t10\nQ\tm3\ta\tSingle decode\ty\t9\n")
	run := testkit.Program(t)
	got := run("-input", path)
	require.Equal(t, 0, got.Status, got.Stderr)
	assert.Contains(t, got.Stdout, "\nQ: 1 machine-model pair, 1 machine, 1 model\n")
	assert.Contains(t, got.Stdout, "note: pooled: 2 groups say little")
	assert.NotContains(t, got.Stdout, "pooled: its intervals")
	assert.Contains(t, run("-input", path, "-by", "machine").Stdout, "note: pooled: its intervals take comparisons as independent")
}

// One machine of three carries the only loss of y: without it nothing ranks,
// and without either of the others the order stands.
func TestLeftOutWithoutAFit(t *testing.T) {
	l := leftOut{Label: "machine", Values: 3, Unranked: []string{"m1"}, Engine: "x", Without: "m2", Shift: -1.5}
	assert.Equal(t, "one machine left out: nothing ranks the engines without m1; "+
		"the order stands without any one of 2 others; most: x -1.5 points without m2", l.String())
}

func TestHelp(t *testing.T) {
	got := testkit.Program(t)("-h")
	assert.Equal(t, 0, got.Status)
	assert.Contains(t, got.Stdout, "-input")
	assert.Empty(t, got.Stderr)
}

func TestBadInput(t *testing.T) {
	run := testkit.Program(t)
	head, body, _ := strings.Cut(testdata.Measurements, "\n")
	first, _, _ := strings.Cut(body, "\n")
	file := func(text string) []string { return []string{"-input", testkit.File(t, "mine.tsv", text)} }
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"empty file":     {file(""), "the file is empty"},
		"only a header":  {file(head + "\n"), "no rows"},
		"cut in a value": {file(strings.TrimRight(testdata.Measurements, "\n")[:5000]), "ends inside this row"},
		"cut in a row":   {file(head + "\n" + first + "\n" + first[:30] + "\n"), "cells where the header has"},
		"NaN":            {file(head + "\n" + strings.Replace(first, "205.0", "NaN", 1) + "\n"), "not a finite number"},
		"negative":       {file(head + "\n" + strings.Replace(first, "205.0", "-1", 1) + "\n"), "not a rate above 0"},
		"duplicate":      {file(head + "\n" + first + "\n" + first + "\n"), "measured twice, first on line 2"},
		"no column":      {file("platform\tmachine\n1\t2\n"), "column model: missing"},
		"no file":        {[]string{"-input", "no such file"}, "no such file"},
		"unknown setup":  {[]string{"-setup", "x"}, `-setup: unknown "x"; known: Single decode`},
		"unknown label":  {[]string{"-by", "x"}, `-by: unknown "x"; known: machine, model`},
		"bad tie":        {[]string{"-tie", "NaN"}, "-tie"},
		"unknown flag":   {[]string{"-x"}, "-h shows the flags"},
		"stray argument": {[]string{"x"}, "unexpected argument"},
	} {
		got := run(c.args...)
		assert.Equal(t, 2, got.Status, name)
		assert.Empty(t, got.Stdout, name)
		assert.Contains(t, got.Stderr, c.want, name)
		assert.Equal(t, 1, strings.Count(got.Stderr, "\n"), "%s: one line: %s", name, got.Stderr)
		assert.True(t, strings.HasPrefix(got.Stderr, "rank: "), name)
	}
}
