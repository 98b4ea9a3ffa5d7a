package kvcache_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/servemath/internal/testkit"
	"example.com/servemath/kvcache"
	"example.com/servemath/kvcache/hfconfig"
)

// corpus is every public config that can be sized.
func corpus(t *testing.T) map[string]*kvcache.Model {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(testkit.Samples(t, "kvcache", "configs"), "*.json"))
	require.NoError(t, err)
	models := make(map[string]*kvcache.Model)
	for _, file := range files {
		f, err := os.Open(file)
		require.NoError(t, err)
		if m, err := hfconfig.Read(f); err == nil {
			models[filepath.Base(file)] = m
		}
		f.Close()
	}
	require.GreaterOrEqual(t, len(models), 102)
	return models
}

// What holds of random models holds of the published ones, in every engine and
// split that suits them.
func TestCorpus(t *testing.T) {
	sized := 0
	for name, m := range corpus(t) {
		for _, e := range engines() {
			for _, p := range []kvcache.Parallel{{}, {TP: 2}, {TP: 8}, {TP: 16, PP: 2}, {PP: 3}} {
				s := kvcache.Setup{Engine: e, Parallel: p}
				f, err := m.Session(1, s)
				if err != nil {
					var shape *kvcache.ShapeError
					require.ErrorAs(t, err, &shape, name)
					continue
				}
				sized++
				for n := 1; n <= 1<<20; n *= 4 {
					next, err := m.Session(n, s)
					require.NoError(t, err)
					checkSums(t, next, s, name)
					require.GreaterOrEqual(t, next.PerDevice, f.PerDevice, "%s: monotone", name)
					f = next
				}
				checkLongest(t, m, s, f.PerDevice/3, name)
			}
		}
	}
	t.Logf("%d setups", sized)
}

func checkSums(t *testing.T, f kvcache.Footprint, s kvcache.Setup, name string) {
	require.Equal(t, f.Session, f.Growing+f.Window+f.State+f.Rounding, name)
	parts := kvcache.Bytes(0)
	for _, p := range f.Parts {
		parts += p.Bytes
	}
	require.Equal(t, f.Session, parts, name)
	require.GreaterOrEqual(t, f.Rounding, kvcache.Bytes(0), name)
	ranks := kvcache.Bytes(max(s.Parallel.TP, 1) * max(s.Parallel.PP, 1))
	require.GreaterOrEqual(t, f.PerDevice*ranks, f.Session, name)
}

func checkLongest(t *testing.T, m *kvcache.Model, s kvcache.Setup, budget kvcache.Bytes, name string) {
	n, err := m.MaxTokens(budget, s)
	require.NoError(t, err)
	if n == 0 || n == m.ContextWindow {
		return
	}
	fits, err := m.Session(n, s)
	require.NoError(t, err)
	over, err := m.Session(n+1, s)
	require.NoError(t, err)
	require.True(t, fits.PerDevice <= budget && budget < over.PerDevice, "%s: %d tokens in %d bytes", name, n, int64(budget))
}
