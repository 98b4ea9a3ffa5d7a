package kvcache

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"regexp"
	"slices"
	"strconv"

	"example.com/servemath/internal/jsonout"
	"example.com/servemath/internal/jsontree"
	"example.com/servemath/internal/safetensors"
)

// Weights is the size of a checkpoint.
type Weights struct {
	Bytes    Bytes // of all tensors
	Files    int   // that hold them
	Tensors  int
	Warnings []error // files left aside, an index that disagrees
}

// MarshalJSON writes stable names with units.
func (w Weights) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "weights_bytes", Value: w.Bytes},
		{Name: "files", Value: w.Files},
		{Name: "tensors", Value: w.Tensors},
		{Name: "warnings", Value: w.Warnings},
	}.MarshalJSON()
}

// WeightsError is a checkpoint that cannot be sized, and the file that is to blame.
type WeightsError struct {
	File   string
	Reason string
	Err    error // may be nil
}

// Error implements error.
func (e *WeightsError) Error() string {
	if e.File == "" {
		return "kvcache: weights: " + e.Reason
	}
	return fmt.Sprintf("kvcache: weights: %s: %s", e.File, e.Reason)
}

// Unwrap returns the error behind it.
func (e *WeightsError) Unwrap() error { return e.Err }

// indexName is the file that lists the shards of a checkpoint.
const indexName = "model.safetensors.index.json"

// IndexWeights reads the size of a checkpoint from its index: the total_size in
// the metadata of model.safetensors.index.json. An index without one is a
// [WeightsError]; [FolderWeights] then adds up the shards.
func IndexWeights(r io.Reader) (Weights, error) {
	x, err := readIndex(r)
	if err != nil {
		return Weights{}, err
	}
	if x.total < 0 {
		return Weights{}, &WeightsError{Reason: "the index has no metadata.total_size"}
	}
	return Weights{Bytes: Bytes(x.total), Files: len(x.shards), Tensors: x.tensors}, nil
}

// index is the table of contents of a checkpoint: of its files, since the size of
// a tensor stands only in the header of its file.
type index struct {
	total   int64 // -1: not said
	shards  []string
	tensors int
}

// readIndex reads no more than a header may have, whatever is sent.
func readIndex(r io.Reader) (index, error) {
	b, err := io.ReadAll(io.LimitReader(r, safetensors.MaxHeader+1))
	switch {
	case err != nil:
		return index{}, &WeightsError{Reason: err.Error(), Err: err}
	case len(b) > safetensors.MaxHeader:
		return index{}, &WeightsError{Reason: fmt.Sprintf("more than %d bytes", safetensors.MaxHeader)}
	}
	root, err := jsontree.Parse(b)
	if err != nil {
		return index{}, &WeightsError{Reason: err.Error(), Err: err}
	}
	return parseIndex(root)
}

// parseIndex wants the map of tensors to files; the total is optional here, and a
// total that is no whole number is never rounded into one.
func parseIndex(root *jsontree.Node) (index, error) {
	x := index{total: -1}
	if metadata, ok := root.Get("metadata"); ok {
		if n, ok := metadata.Get("total_size"); ok {
			if x.total, ok = n.Int(); !ok || x.total < 0 {
				return index{}, &WeightsError{Reason: fmt.Sprintf("offset %d: metadata.total_size is no whole number of bytes", n.Offset)}
			}
		}
	}
	files, ok := root.Get("weight_map")
	if !ok || files.Kind != jsontree.Object || files.Len() == 0 {
		return index{}, &WeightsError{Reason: "no weight_map: tensor name to file"}
	}
	for tensor, n := range files.Members() {
		file, ok := n.Str()
		if !ok || file == "" {
			return index{}, &WeightsError{Reason: fmt.Sprintf("offset %d: weight_map %q names no file", n.Offset, tensor)}
		}
		x.tensors++
		x.shards = append(x.shards, file)
	}
	slices.Sort(x.shards)
	x.shards = slices.Compact(x.shards)
	return x, nil
}

// FolderWeights adds up the tensors of a checkpoint from the headers of its
// *.safetensors files, those in the folder itself, without reading the tensors.
// An index decides which files belong; others are left aside with a warning. A
// shard that is missing, cut short or unreadable is a [WeightsError].
func FolderWeights(fsys fs.FS) (Weights, error) {
	files, err := fs.Glob(fsys, "*.safetensors")
	if err != nil {
		return Weights{}, &WeightsError{Reason: err.Error(), Err: err}
	}
	var w Weights
	x, err := folderIndex(fsys)
	if err != nil {
		return Weights{}, err
	}
	if x != nil {
		files = w.chosen(files, x.shards)
	}
	if len(files) == 0 {
		return Weights{}, &WeightsError{Reason: "no *.safetensors file", Err: fs.ErrNotExist}
	}
	if err := complete(files); err != nil {
		return Weights{}, err
	}
	for _, file := range files {
		if err := w.addFile(fsys, file); err != nil {
			return Weights{}, err
		}
	}
	if x != nil && x.total >= 0 && Bytes(x.total) != w.Bytes {
		w.Warnings = append(w.Warnings, fmt.Errorf("kvcache: the index says %d bytes, its shards hold %d", x.total, int64(w.Bytes)))
	}
	return w, nil
}

// folderIndex is nil where the folder has none, as one of a single file may.
func folderIndex(fsys fs.FS) (*index, error) {
	f, err := fsys.Open(indexName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &WeightsError{File: indexName, Reason: err.Error(), Err: err}
	}
	defer f.Close()
	x, err := readIndex(f)
	if bad, ok := errors.AsType[*WeightsError](err); ok {
		bad.File = indexName
	}
	return &x, err
}

// chosen are the shards of the index; what else is there is left aside.
func (w *Weights) chosen(files, shards []string) []string {
	for _, file := range files {
		if !slices.Contains(shards, file) {
			w.Warnings = append(w.Warnings, fmt.Errorf("kvcache: %s is not in the index and not counted", file))
		}
	}
	return shards
}

var shardName = regexp.MustCompile(`^(.*)-(\d{5})-of-(\d{5})\.safetensors$`)

// complete refuses a set of numbered shards with one missing: the sum of the rest
// would look like the size of a smaller checkpoint.
func complete(files []string) error {
	there := make(map[string]bool, len(files))
	for _, file := range files {
		there[file] = true
	}
	for _, file := range files {
		m := shardName.FindStringSubmatch(file)
		if m == nil {
			continue
		}
		of, _ := strconv.Atoi(m[3])
		for i := 1; i <= of; i++ {
			if shard := fmt.Sprintf("%s-%05d-of-%s.safetensors", m[1], i, m[3]); !there[shard] {
				return &WeightsError{File: shard, Reason: "shard is missing", Err: fs.ErrNotExist}
			}
		}
	}
	return nil
}

// addFile adds the tensors of one file, whose header must agree with its size.
func (w *Weights) addFile(fsys fs.FS, file string) error {
	bad := func(err error) error {
		return &WeightsError{File: file, Reason: err.Error(), Err: err}
	}
	f, err := fsys.Open(file)
	if err != nil {
		return bad(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return bad(err)
	}
	h, err := safetensors.ReadHeader(f, info.Size())
	if err != nil {
		return bad(err)
	}
	n := h.DataBytes()
	if n > math.MaxInt64-int64(w.Bytes) {
		return bad(ErrOverflow)
	}
	w.Bytes += Bytes(n)
	w.Files++
	w.Tensors += len(h.Tensors)
	return nil
}
