package kvcache

import (
	"fmt"
	"io/fs"
	"math"
	"regexp"
	"slices"
	"strconv"

	"example.com/servemath/internal/jsonout"
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
