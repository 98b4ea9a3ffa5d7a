package servemath

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "example.com/servemath/"

// packages are the five that import none of each other.
var packages = []string{"bt", "kvcache", "capacity", "throughput", "correctness"}

// sideways lists what a sub-package may import beside its parent and internal/.
var sideways = map[string][]string{
	"throughput/results": {"throughput/stat"},
	"throughput/gate":    {"throughput/stat"},
	"throughput":         {"throughput/stat"}, // stat stands below its parent
}

// TestPackagesAreIndependent parses every file, since a list of packages from a
// subprocess could be served from the test cache after a violation came in.
func TestPackagesAreIndependent(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range sources(t) {
		family, _, _ := strings.Cut(f.dir, "/")
		if !slices.Contains(packages, family) {
			continue
		}
		seen[family] = true
		for _, imp := range f.imports {
			if own, ok := strings.CutPrefix(imp, module); ok {
				assert.True(t, allowed(f.dir, own), "%s imports %s", f.name, imp)
			}
		}
	}
	assert.Len(t, seen, len(packages), "all packages were found")
}

func allowed(dir, own string) bool {
	parent := path.Dir(dir)
	return strings.HasPrefix(own, "internal/") || own == parent || slices.Contains(sideways[dir], own)
}

// TestDependencies keeps the module light: outside tests only the standard
// library, gonum, x/exp and the module itself.
func TestDependencies(t *testing.T) {
	for _, f := range sources(t) {
		for _, imp := range f.imports {
			first, _, _ := strings.Cut(imp, "/")
			ok := !strings.Contains(first, ".") || // the standard library
				strings.HasPrefix(imp, module) ||
				strings.HasPrefix(imp, "gonum.org/v1/gonum/") ||
				strings.HasPrefix(imp, "golang.org/x/exp/")
			assert.True(t, ok, "%s imports %s", f.name, imp)
			assert.False(t, f.dir != "internal/testkit" && imp == module+"internal/testkit", "%s imports a test helper", f.name)
		}
	}
}

func TestAllowed(t *testing.T) {
	assert.False(t, allowed("bt", "kvcache"))
	assert.False(t, allowed("throughput/results", "correctness"))
	assert.False(t, allowed("correctness/logits", "correctness/correctnesstest"), "nothing sideways")
	assert.True(t, allowed("correctness/logits", "correctness"))
	assert.True(t, allowed("throughput/gate", "throughput/stat"))
	assert.True(t, allowed("bt", "internal/resample"))
}

type source struct {
	name, dir string
	imports   []string
}

// sources parses the files of the root module that are not tests.
func sources(t *testing.T) []source {
	t.Helper()
	var out []source
	root := os.DirFS(".")
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && nested(root, name):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		src := source{name: name, dir: path.Dir(name)}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, imp := range f.Imports {
			p, err := strconv.Unquote(imp.Path.Value)
			require.NoError(t, err)
			src.imports = append(src.imports, p)
		}
		out = append(out, src)
		return nil
	})
	require.NoError(t, err)
	return out
}

// nested reports a folder that is a module of its own, or git's.
func nested(root fs.FS, dir string) bool {
	_, err := fs.Stat(root, path.Join(dir, "go.mod"))
	return err == nil || dir == ".git"
}
