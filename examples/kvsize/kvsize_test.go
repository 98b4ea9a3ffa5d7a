package main

import (
	"encoding/binary"
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

type program = func(args ...string) testkit.Outcome

// TestProgram builds the program once and runs it.
func TestProgram(t *testing.T) {
	run := testkit.Program(t)
	for name, test := range map[string]func(*testing.T, program){
		"built in":                    builtIn,
		"JSON holds the same figures": jSONHoldsTheSameFigures,
		"own config":                  ownConfig,
		"columns follow the flags":    columnsFollowTheFlags,
		"folder":                      folder,
		"log":                         log,
		"help and devices":            helpAndDevices,
		"bad input":                   badInput,
	} {
		t.Run(name, func(t *testing.T) { test(t, run) })
	}
}

// The figures of gpt-oss-120b are the literal 18*8*128*n + 18*8*128*min(128, n)
// bytes, doubled in bf16; the sessions are the published 55 and 13 of one 96 GB
// card with 65.25 GB of weights.
func builtIn(t *testing.T, run program) {
	got := run("-device", "rtx-pro-6000", "-weights", "65.25GB", "-explain")
	require.Equal(t, 0, got.Status, got.Stderr)
	assert.Empty(t, got.Stderr)
	for _, want := range []string{
		"gpt-oss-120b, built in", "window 131072 tokens",
		"304349184", "1210318848", "2420637696", // fp8 at 16,384 and 65,536; bf16 at 65,536
		"every token", "layer_types",
		"logical", "vllm", "sglang", "llama.cpp",
		"= free on each device", "16830000000 B",
	} {
		assert.Contains(t, got.Stdout, want)
	}
	assert.Regexp(t, `16384 +55 `, got.Stdout)
	assert.Regexp(t, `65536 +13 `, got.Stdout)
}

func jSONHoldsTheSameFigures(t *testing.T, run program) {
	got := run("-json", "-device", "rtx-pro-6000", "-weights", "65.25GB", "-context", "16384,65536", "-tp", "1,2,3,16")
	require.Equal(t, 0, got.Status, got.Stderr)
	var r struct {
		Sizes []struct {
			Tokens    int              `json:"tokens"`
			Format    string           `json:"format"`
			Session   int64            `json:"session_bytes"`
			PerDevice map[string]int64 `json:"per_device_bytes_by_tp"`
		} `json:"sizes"`
		Device struct {
			Sessions []struct {
				Sessions int    `json:"sessions"`
				Status   string `json:"status"`
			} `json:"sessions"`
			Longest map[string]struct{ Tokens int } `json:"longest_by_tp"`
		} `json:"device"`
		Engines []struct {
			Engine string                          `json:"engine"`
			Pool   *struct{ Groups, Blocks int }   `json:"pool"`
			Print  struct{ Session_bytes float64 } `json:"footprint"`
		} `json:"engines"`
		Warnings []string `json:"warnings"`
	}
	require.NoError(t, json.Unmarshal([]byte(got.Stdout), &r))
	require.Len(t, r.Sizes, 4)
	assert.Equal(t, int64(304349184), r.Sizes[0].Session)
	assert.Equal(t, map[string]int64{"1": 304349184, "2": 152174592, "16": 38043648}, r.Sizes[0].PerDevice, "8 heads on 16 devices")
	assert.Equal(t, 55, r.Device.Sessions[0].Sessions)
	assert.Equal(t, 131072, r.Device.Longest["1"].Tokens)
	assert.Equal(t, "vllm", r.Engines[1].Engine)
	assert.Equal(t, 2, r.Engines[1].Pool.Groups)
	assert.Nil(t, r.Engines[0].Pool)
	assert.Contains(t, strings.Join(r.Warnings, "\n"), "TP 3 is left out")
}

const tiny = `{"model_type":"llama","hidden_size":1024,"num_hidden_layers":2,"num_attention_heads":16,` +
	`"num_key_value_heads":4,"max_position_embeddings":8192,"torch_dtype":"bfloat16"}`

func ownConfig(t *testing.T, run program) {
	got := run("-context", "100", "-format", "q8_0", "-tp", "4", testkit.File(t, "config.json", tiny))
	require.Equal(t, 0, got.Status, got.Stderr)
	assert.Contains(t, got.Stdout, fmt.Sprint(2*4*2*68*100), "2 layers, 4 heads, k and v of 64 values in 2 blocks of 34 bytes")
	got = run("-context", "9000", testkit.File(t, "config.json", tiny))
	require.Equal(t, 0, got.Status, got.Stderr)
	assert.Contains(t, got.Stdout, "longer than the model's window")
	got = run("-context", "9000", "-memory", "1GB", "-unified", testkit.File(t, "config.json", tiny))
	require.Equal(t, 0, got.Status, got.Stderr)
	assert.Contains(t, got.Stdout, "context too long")
	assert.Contains(t, got.Stdout, "x 0.85 allocated")
	assert.Contains(t, got.Stdout, "the weights are not known")
	got = run("-memory", "1GB", "-weights", "2GB", testkit.File(t, "config.json", tiny))
	require.Equal(t, 0, got.Status, "weights that do not fit are an answer")
	assert.Contains(t, got.Stdout, "weights do not fit")
}

// Sizes out of order or named twice stand above their own figures: 82.08 GB hold 269
// sessions of 304,349,184 bytes, and 2157 of an eighth of them.
func columnsFollowTheFlags(t *testing.T, run program) {
	got := run("-memory", "96GB", "-context", "16384", "-format", "fp8,fp8", "-tp", "8,1,8")
	require.Equal(t, 0, got.Status, got.Stderr)
	assert.Contains(t, got.Stdout, "Sessions at once on the device (logical, fp8)")
	assert.Regexp(t, `GiB +TP 8 +TP 1\n  fp8 +16384 +304349184 +0.3043 +0.2834 +0.0354 +0.2834\n\n`, got.Stdout)
	assert.Regexp(t, `Tokens +TP 8 +TP 1\n +16384 +2157 +269\n`, got.Stdout)
	assert.Regexp(t, `logical +fp8 .* 2157\n`, got.Stdout, "engines are at the first TP")
}

// A folder tells its weights by the headers of its tensors.
func folder(t *testing.T, run program) {
	folder := filepath.Dir(testkit.File(t, "config.json", tiny))
	shard := `{"a":{"dtype":"BF16","shape":[100],"data_offsets":[0,200]}}`
	b := append(binary.LittleEndian.AppendUint64(nil, uint64(len(shard))), shard...)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "model.safetensors"), append(b, make([]byte, 200)...), 0o600))
	got := run("-memory", "1GB", folder)
	require.Equal(t, 0, got.Status, got.Stderr)
	assert.Contains(t, got.Stdout, "weights: 200 B (0.0000002 GB, 0.0000001863 GiB), 1 files in "+folder)
	assert.Contains(t, got.Stdout, "for weights and sessions; weights 200 B")
	require.NoError(t, os.WriteFile(filepath.Join(folder, "model-00002-of-00002.safetensors"), b, 0o600))
	got = run("-memory", "1GB", folder)
	assert.Equal(t, 2, got.Status)
	assert.Contains(t, got.Stderr, "model-00001-of-00002.safetensors: shard is missing")
}

func log(t *testing.T, run program) {
	log := testkit.File(t, "vllm.log", "Available KV cache memory: 5.38 GiB\nGPU KV cache size: 78,384 tokens\n"+
		"Maximum concurrency for 131,072 tokens per request: 1.06x\n")
	got := run("-log", log, "-format", "bf16")
	require.Equal(t, 0, got.Status, got.Stderr)
	assert.Contains(t, got.Stdout, "older versions: 78272 to 78416", "the logged 78,384 lies between")
}

func helpAndDevices(t *testing.T, run program) {
	got := run("-h")
	assert.Equal(t, 0, got.Status)
	assert.Contains(t, got.Stdout, "-memory")
	got = run("-device", "list")
	assert.Equal(t, 0, got.Status)
	assert.Greater(t, strings.Count(got.Stdout, "\n"), 36, "a few dozen devices")
	got = run("-device", "list", "-json")
	var list []struct {
		Memory int64 `json:"memory_bytes"`
	}
	require.NoError(t, json.Unmarshal([]byte(got.Stdout), &list))
	assert.Equal(t, int64(288e9), list[0].Memory)
}

func TestDevicesAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range devices {
		assert.False(t, seen[d.name], d.name)
		seen[d.name] = true
		found, err := findDevice(strings.ToUpper(d.name))
		require.NoError(t, err)
		assert.Equal(t, d.kvcache(), found)
		assert.Positive(t, d.gb)
	}
}

// Bad input gives one line on standard error and status 2.
func badInput(t *testing.T, run program) {
	file := func(text string) string { return testkit.File(t, "config.json", text) }
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"empty":                   {[]string{file("")}, "config.json"},
		"cut":                     {[]string{file(tiny[:60])}, "config.json"},
		"NaN":                     {[]string{file(strings.Replace(tiny, "1024", "NaN", 1))}, "hidden_size"},
		"duplicate key":           {[]string{file(strings.Replace(tiny, "{", `{"hidden_size":1,`, 1))}, "hidden_size"},
		"text for a number":       {[]string{file(strings.Replace(tiny, "1024", `"1024"`, 1))}, "hidden_size"},
		"unknown model":           {[]string{file(`{"model_type":"lama"}`)}, "llama"},
		"unmodelled key":          {[]string{file(strings.Replace(tiny, "{", `{"kv_lora_rank":512,`, 1))}, "kv_lora_rank"},
		"no such file":            {[]string{"/no/such/config.json"}, "no such file"},
		"two configs":             {[]string{file(tiny), file(tiny)}, "one config.json"},
		"flags last":              {[]string{file(tiny), "-explain"}, "behind the flags"},
		"unknown flag":            {[]string{"-frobnicate"}, "-frobnicate"},
		"context 0":               {[]string{"-context", "0"}, "-context"},
		"context with units":      {[]string{"-context", "16k"}, "16k"},
		"format":                  {[]string{"-format", "fp9"}, "fp9"},
		"state format":            {[]string{"-state-format", "fp9"}, "fp9"},
		"TP":                      {[]string{"-tp", "3,5"}, "TP 3"},
		"PP":                      {[]string{"-pp", "0"}, "-pp 0"},
		"engine":                  {[]string{"-engine", "tgi"}, "vllm"},
		"device":                  {[]string{"-device", "h900"}, "-device list"},
		"memory without a unit":   {[]string{"-memory", "96"}, "needs a unit"},
		"weights without a unit":  {[]string{"-weights", "32"}, "needs a unit"},
		"weights twice":           {[]string{"-weights", "32GB", "-index", "x"}, "one of them"},
		"share without a device":  {[]string{"-share", "0.5"}, "-device"},
		"share in percent":        {[]string{"-device", "h200", "-share", "90"}, "share is 90"},
		"copies":                  {[]string{"-state-copies", "-1"}, "kvsize: kvcache: state copies or speculative tokens out of range\n"},
		"index without a total":   {[]string{"-index", testkit.File(t, "other.json", `{"weight_map":{"a":"m"}}`)}, "other.json: kvcache: weights: the index has no"},
		"index cut":               {[]string{"-index", testkit.File(t, "other.json", `{"metadata":`)}, "other.json: kvcache: weights: offset 12"},
		"no index":                {[]string{"-index", "/no/such"}, "no such file"},
		"no checkpoint":           {[]string{"-checkpoint", "/no/such"}, "/no/such"},
		"log without figures":     {[]string{"-log", file("hello")}, "no figure"},
		"log that cannot be read": {[]string{"-log", t.TempDir()}, ": kvcache: log line 1: read"},
		"overflow":                {[]string{"-context", "9000000000000000000"}, "63 bits"},
	} {
		got := run(c.args...)
		assert.Equal(t, 2, got.Status, name)
		assert.Contains(t, got.Stderr, c.want, name)
		assert.Equal(t, 1, strings.Count(got.Stderr, "\n"), "%s: %s", name, got.Stderr)
		assert.Empty(t, got.Stdout, name)
	}
}
