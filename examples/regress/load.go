package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"example.com/servemath/throughput"
	"example.com/servemath/throughput/results"
)

// loaded is what a file or folder held.
type loaded struct {
	runs   []throughput.Run
	broken []error // files that should have been readable
}

// load reads a file, a folder, or, without a path, an embedded file. A folder may
// hold files of no known format beside the results; a result that cannot be read is
// kept for the report, and one file alone that cannot be read is an error.
func load(path, embedded string) (loaded, error) {
	if path == "" {
		f, err := fixtures.Open("fixtures/" + embedded)
		if err != nil {
			return loaded{}, err
		}
		defer f.Close()
		runs, err := results.Decode(f, "embedded "+embedded)
		return loaded{runs: runs}, err
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return loaded{}, err
	case !info.IsDir():
		f, err := os.Open(path)
		if err != nil {
			return loaded{}, err
		}
		defer f.Close()
		runs, err := results.Decode(f, path)
		return loaded{runs: runs}, err
	}
	runs, errs := results.DecodeFS(os.DirFS(path))
	out := loaded{runs: runs}
	for _, err := range errs {
		if e, ok := errors.AsType[*results.DecodeError](err); ok {
			e.File = filepath.Join(path, e.File) // which of the two folders
		}
		if !errors.Is(err, results.ErrUnknownFormat) {
			out.broken = append(out.broken, err)
		}
	}
	if len(runs) == 0 {
		return loaded{}, errors.Join(append([]error{fmt.Errorf("%s holds no run", path)}, errs...)...)
	}
	return out, nil
}
