package kvcache_test

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"example.com/servemath/kvcache"
)

// shard is a file of safetensors with one BF16 tensor of n values, whose data are
// there in size only.
func shard(tensor string, n int) *fstest.MapFile {
	header := fmt.Sprintf(`{%q:{"dtype":"BF16","shape":[%d],"data_offsets":[0,%d]}}`, tensor, n, 2*n)
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return &fstest.MapFile{Data: append(append(b, header...), make([]byte, 2*n)...)}
}

func indexFile(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

func TestIndexWeights(t *testing.T) {
	w, err := kvcache.IndexWeights(strings.NewReader(
		`{"metadata":{"total_size":62546177752,"note":NaN},"weight_map":{"a":"m-1.safetensors","b":"m-2.safetensors","c":"m-1.safetensors"}}`))
	require.NoError(t, err)
	require.Equal(t, kvcache.Weights{Bytes: 62546177752, Files: 2, Tensors: 3}, w)
	w, err = kvcache.IndexWeights(strings.NewReader(`{"metadata":{"total_size":6.2e10},"weight_map":{"a":"m.safetensors"}}`))
	require.NoError(t, err)
	require.Equal(t, kvcache.Bytes(62_000_000_000), w.Bytes)
}

func TestIndexWeightsRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"empty":          ``,
		"cut":            `{"metadata":{"total_size":625`,
		"no size":        `{"metadata":{},"weight_map":{"a":"m.safetensors"}}`,
		"no metadata":    `{"weight_map":{"a":"m.safetensors"}}`,
		"size as text":   `{"metadata":{"total_size":"62"},"weight_map":{"a":"m.safetensors"}}`,
		"half a byte":    `{"metadata":{"total_size":1.5},"weight_map":{"a":"m.safetensors"}}`,
		"negative":       `{"metadata":{"total_size":-1},"weight_map":{"a":"m.safetensors"}}`,
		"NaN":            `{"metadata":{"total_size":NaN},"weight_map":{"a":"m.safetensors"}}`,
		"duplicate":      `{"metadata":{"total_size":1,"total_size":2},"weight_map":{"a":"m.safetensors"}}`,
		"no map":         `{"metadata":{"total_size":1}}`,
		"empty map":      `{"metadata":{"total_size":1},"weight_map":{}}`,
		"map of numbers": `{"metadata":{"total_size":1},"weight_map":{"a":1}}`,
		"trailing":       `{"metadata":{"total_size":1},"weight_map":{"a":"m.safetensors"}} x`,
		"a list":         `[]`,
		"deep":           strings.Repeat("[", 100_000),
	} {
		w, err := kvcache.IndexWeights(strings.NewReader(text))
		var bad *kvcache.WeightsError
		require.ErrorAs(t, err, &bad, name)
		require.Zero(t, w, name)
	}
}

func TestFolderWeights(t *testing.T) {
	one := fstest.MapFS{"model.safetensors": shard("a", 100), "config.json": indexFile("{}")}
	w, err := kvcache.FolderWeights(one)
	require.NoError(t, err)
	require.Equal(t, kvcache.Weights{Bytes: 200, Files: 1, Tensors: 1}, w)

	shards := fstest.MapFS{
		"model-00001-of-00002.safetensors": shard("a", 100), "model-00002-of-00002.safetensors": shard("b", 50),
		"original/consolidated.safetensors": shard("a", 150),
	}
	w, err = kvcache.FolderWeights(shards)
	require.NoError(t, err)
	require.Equal(t, kvcache.Weights{Bytes: 300, Files: 2, Tensors: 2}, w)

	shards["consolidated.safetensors"] = shard("a", 150)
	shards["model.safetensors.index.json"] = indexFile(`{"metadata":{"total_size":300},"weight_map":{"a":"model-00001-of-00002.safetensors","b":"model-00002-of-00002.safetensors"}}`)
	w, err = kvcache.FolderWeights(shards)
	require.NoError(t, err)
	require.EqualValues(t, 300, w.Bytes, "the same tensors twice are counted once")
	require.Len(t, w.Warnings, 1)
	require.ErrorContains(t, w.Warnings[0], "consolidated.safetensors")

	shards["model.safetensors.index.json"] = indexFile(`{"metadata":{"total_size":301},"weight_map":{"a":"model-00001-of-00002.safetensors","b":"model-00002-of-00002.safetensors"}}`)
	w, err = kvcache.FolderWeights(shards)
	require.NoError(t, err)
	require.ErrorContains(t, w.Warnings[1], "301")
	b, err := json.Marshal(w)
	require.NoError(t, err)
	require.Contains(t, string(b), `"weights_bytes":300,"files":2,"tensors":2,"warnings":["kvcache: consolidated`)
}

func TestFolderWeightsRefuses(t *testing.T) {
	cut := shard("a", 100)
	cut.Data = cut.Data[:len(cut.Data)-1]
	for name, c := range map[string]struct {
		folder fstest.MapFS
		file   string
		is     error
	}{
		"empty":         {fstest.MapFS{}, "", fs.ErrNotExist},
		"no tensors":    {fstest.MapFS{"model.bin": indexFile("x")}, "", fs.ErrNotExist},
		"cut":           {fstest.MapFS{"model.safetensors": cut}, "model.safetensors", nil},
		"not one":       {fstest.MapFS{"model.safetensors": indexFile("hello, world")}, "model.safetensors", nil},
		"missing shard": {fstest.MapFS{"m-00002-of-00002.safetensors": shard("a", 1)}, "m-00001-of-00002.safetensors", fs.ErrNotExist},
		"named shard is missing": {fstest.MapFS{
			"a.safetensors":                shard("a", 1),
			"model.safetensors.index.json": indexFile(`{"weight_map":{"a":"a.safetensors","b":"b.safetensors"}}`),
		}, "b.safetensors", fs.ErrNotExist},
		"bad index": {fstest.MapFS{"a.safetensors": shard("a", 1), "model.safetensors.index.json": indexFile(`{`)}, "model.safetensors.index.json", nil},
		"index out of the folder": {fstest.MapFS{
			"a.safetensors":                shard("a", 1),
			"model.safetensors.index.json": indexFile(`{"weight_map":{"a":"../a.safetensors"}}`),
		}, "../a.safetensors", nil},
	} {
		w, err := kvcache.FolderWeights(c.folder)
		var bad *kvcache.WeightsError
		require.ErrorAs(t, err, &bad, name)
		require.Equal(t, c.file, bad.File, name)
		if c.is != nil {
			require.ErrorIs(t, err, c.is, name)
		}
		require.Zero(t, w, name)
	}
}

func FuzzIndexWeights(f *testing.F) {
	f.Add([]byte(`{"metadata":{"total_size":62546177752},"weight_map":{"a":"m-1.safetensors"}}`))
	f.Add([]byte(`{"metadata":{"total_size":1e300},"weight_map":{"a":""}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		w, err := kvcache.IndexWeights(strings.NewReader(string(b)))
		if err == nil {
			require.GreaterOrEqual(t, w.Bytes, kvcache.Bytes(0))
			require.Positive(t, w.Files)
		}
	})
}

func ExampleIndexWeights() {
	index := `{"metadata": {"total_size": 62546177752}, "weight_map": {"lm_head.weight": "model-00001-of-00002.safetensors"}}`
	w, err := kvcache.IndexWeights(strings.NewReader(index))
	fmt.Println(w.Bytes, err)
	// Output: 62546177752 B (62.55 GB, 58.25 GiB) <nil>
}

func ExampleFolderWeights() {
	folder := fstest.MapFS{ // or os.DirFS("path/to/checkpoint")
		"model-00001-of-00002.safetensors": shard("a", 100),
		"model-00002-of-00002.safetensors": shard("b", 50),
	}
	w, err := kvcache.FolderWeights(folder)
	fmt.Println(int64(w.Bytes), "bytes in", w.Files, "files", err)
	// Output: 300 bytes in 2 files <nil>
}

func ExampleWeightsError() {
	_, err := kvcache.FolderWeights(fstest.MapFS{"model-00002-of-00002.safetensors": shard("b", 50)})
	if bad, ok := errors.AsType[*kvcache.WeightsError](err); ok {
		fmt.Println(bad.File, "-", bad.Reason)
	}
	// Output: model-00001-of-00002.safetensors - shard is missing
}
