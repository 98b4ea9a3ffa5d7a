package results

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strings"

	"example.com/servemath/throughput"
)

// Decode reads a file that a benchmark tool wrote. It knows the format by what
// is in the file; name is for messages and for the runs' Source, which is name
// alone for a single run and name#k for the k-th of several.
//
// Every error is a [*DecodeError]. With an error there are no runs.
func Decode(r io.Reader, name string) ([]throughput.Run, error) {
	s, err := open(r, name)
	if err != nil {
		return nil, err
	}
	runs := s.format.decode(s)
	switch {
	case s.err != nil:
		return nil, s.err
	case len(runs) == 0 && s.text != nil:
		return nil, s.wrap("", s.text.last(), fmt.Errorf("%w: no result in it", ErrTruncated))
	case len(runs) == 0:
		return nil, s.wrap("", position{}, errors.New("no result in it"))
	}
	for i := range runs {
		if err := s.inRange(runs[i]); err != nil {
			return nil, err
		}
		runs[i].Source = name
		if len(runs) > 1 {
			runs[i].Source = fmt.Sprintf("%s#%d", name, i+1)
		}
	}
	return runs, nil
}

// inRange refuses what arithmetic on extreme figures made of them.
func (s *source) inRange(r throughput.Run) error {
	for _, v := range r.Metrics {
		if math.IsInf(v.Value, 0) || math.IsNaN(v.Value) || math.IsInf(v.SD, 0) {
			return s.wrap(string(v.Metric), position{}, fmt.Errorf("%w: %s is out of range", throughput.ErrNonFinite, v.Stat))
		}
	}
	if w := r.Workload; min(w.PromptTokensServed, w.OutputTokensServed) < 0 {
		return s.wrap("tokens", position{}, fmt.Errorf("%w: their sum is out of range", errCount))
	}
	return nil
}

// DecodeFS decodes every file below the root of fsys, in lexical order. A file
// that cannot be read leaves an error, one each, and the others are read all the
// same. Files and folders whose names begin with a dot, and the .pytorch.json
// files that vLLM writes beside its results, are passed over.
func DecodeFS(fsys fs.FS) ([]throughput.Run, []error) {
	var runs []throughput.Run
	var errs []error
	walk := func(path string, d fs.DirEntry, err error) error {
		hidden := path != "." && strings.HasPrefix(d.Name(), ".")
		switch {
		case err != nil:
			errs = append(errs, &DecodeError{File: path, Err: err})
		case hidden && d.IsDir():
			return fs.SkipDir
		case hidden, d.IsDir(), strings.HasSuffix(path, ".pytorch.json"):
		default:
			got, err := decodeFile(fsys, path)
			if err != nil {
				errs = append(errs, err)
			}
			runs = append(runs, got...)
		}
		return nil
	}
	_ = fs.WalkDir(fsys, ".", walk) // walk keeps its errors
	return runs, errs
}

func decodeFile(fsys fs.FS, path string) ([]throughput.Run, error) {
	f, err := fsys.Open(path)
	if err != nil {
		return nil, &DecodeError{File: path, Err: err}
	}
	defer f.Close()
	return Decode(f, path)
}
