package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"example.com/servemath/internal/cli"
	"example.com/servemath/kvcache"
	"example.com/servemath/kvcache/hfconfig"
)

// The shape of gpt-oss-120b, typed in: what runs without an argument.
//
//go:embed config.json
var embedded string

// input is what the files say.
type input struct {
	model       *kvcache.Model
	source      string
	weights     kvcache.Bytes
	weightsFrom string // empty: not known
	warnings    []error
	log         []kvcache.LogFigure
}

// load reads the config, the size of the weights and the log.
func (o *options) load(path string) (*input, error) {
	folder := ""
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		folder, path = path, filepath.Join(path, "config.json")
	}
	r, name, err := cli.Open(path, embedded, "gpt-oss-120b, built in")
	if err != nil {
		return nil, err
	}
	defer r.Close()
	m, err := hfconfig.ReadWith(r, &hfconfig.Options{NoDefaults: o.noDefaults, MTP: o.mtp, Images: o.images, EncoderTokens: o.encoder})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	in := &input{model: m, source: name}
	if err := o.readWeights(in, folder); err != nil {
		return nil, err
	}
	return in, o.readLog(in)
}

func (o *options) readWeights(in *input, folder string) error {
	given := 0
	for _, s := range []string{o.weights, o.index, o.checkpoint} {
		if s != "" {
			given++
		}
	}
	switch {
	case given > 1:
		return errors.New("-weights, -index and -checkpoint: one of them")
	case o.weights != "":
		b, err := kvcache.ParseBytes(o.weights)
		if err != nil {
			return fmt.Errorf("-weights: %w", err)
		}
		in.weights, in.weightsFrom = b, "as given"
		return nil
	case o.index != "":
		return in.fromIndex(o.index)
	case o.checkpoint != "":
		return in.fromFolder(o.checkpoint)
	case folder != "":
		if err := in.fromFolder(folder); !errors.Is(err, fs.ErrNotExist) || holdsTensors(folder) {
			return err
		}
	}
	return nil
}

// holdsTensors tells a checkpoint with a shard missing from a folder that only
// has a config.
func holdsTensors(folder string) bool {
	files, err := filepath.Glob(filepath.Join(folder, "*.safetensors*"))
	return err == nil && len(files) > 0
}

func (in *input) fromIndex(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w, err := kvcache.IndexWeights(f)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	in.weights, in.weightsFrom, in.warnings = w.Bytes, path, w.Warnings
	return nil
}

func (in *input) fromFolder(path string) error {
	w, err := kvcache.FolderWeights(os.DirFS(path))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	in.weights, in.weightsFrom, in.warnings = w.Bytes, fmt.Sprintf("%d files in %s", w.Files, path), w.Warnings
	return nil
}

func (o *options) readLog(in *input) error {
	if o.log == "" {
		return nil
	}
	f, err := os.Open(o.log)
	if err != nil {
		return err
	}
	defer f.Close()
	if in.log, err = kvcache.ReadLog(f); err != nil {
		return fmt.Errorf("%s: %w", o.log, err)
	}
	if len(in.log) == 0 {
		return fmt.Errorf("%s: no figure of a cache in it", o.log)
	}
	return nil
}
