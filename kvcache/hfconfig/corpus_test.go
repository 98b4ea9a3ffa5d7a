package hfconfig

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/servemath/internal/testkit"
	"example.com/servemath/kvcache"
)

// typed says whether an error is one of the refusals that a caller can tell apart.
func typed(err error) bool {
	_, unknown := errors.AsType[*UnknownArchitectureError](err)
	_, unmodelled := errors.AsType[*UnmodelledFieldError](err)
	_, missing := errors.AsType[*MissingFieldError](err)
	_, inconsistent := errors.AsType[*InconsistentError](err)
	_, fieldType := errors.AsType[*FieldTypeError](err)
	_, syntax := errors.AsType[*SyntaxError](err)
	return unknown || unmodelled || missing || inconsistent || fieldType || syntax
}

func corpus(tb testing.TB, folder string) []string {
	files, err := filepath.Glob(filepath.Join(testkit.Samples(tb, "kvcache", folder), "*.json"))
	require.NoError(tb, err)
	return files
}

// TestCorpus holds that every published config is either sized or refused by
// name.
func TestCorpus(t *testing.T) {
	for _, c := range []struct {
		folder       string
		files, sized int
	}{{"configs", 106, 105}, {"class-defaults", 37, 32}} {
		files := corpus(t, c.folder)
		require.Len(t, files, c.files)
		sized := 0
		for _, file := range files {
			m, err := readFile(t, file, nil)
			if err != nil {
				assert.True(t, typed(err), "%s: %v", file, err)
				t.Logf("refused: %s: %v", filepath.Base(file), err)
				continue
			}
			_, err = m.Session(4096, kvcache.Setup{Parallel: kvcache.Parallel{TP: 2}})
			assert.NoError(t, err, file)
			sized++
		}
		t.Logf("%s: %d sized, %d refused by a typed error, of %d", c.folder, sized, len(files)-sized, len(files))
		assert.Equal(t, c.sized, sized, c.folder)
	}
}
