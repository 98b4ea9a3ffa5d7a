package kvcache

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"example.com/servemath/internal/jsontree"
	"example.com/servemath/internal/safetensors"
)

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
