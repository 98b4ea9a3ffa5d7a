package hfconfig

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/servemath/kvcache"
)

// TestEverySpoiledFieldIsRefusedOrSized puts wrong values into every place of
// every fixture, one at a time: the answer is a typed error or a model that can
// be sized, never a panic.
func TestEverySpoiledFieldIsRefusedOrSized(t *testing.T) {
	spoils := []any{nil, 0, -1, 1, 3, 1.5, 1 << 20, int64(1 << 40), "32", "", "auto", true, false, []any{}, []any{1}, []any{"x"}, map[string]any{}, map[string]any{"a": 1}}
	for _, x := range fixtures {
		var root any
		require.NoError(t, json.Unmarshal([]byte(strings.ReplaceAll(x.config, "Infinity", "1e9")), &root))
		for _, place := range places(&root) {
			was := *place.get()
			for _, v := range spoils {
				place.set(v)
				b, err := json.Marshal(root)
				require.NoError(t, err)
				readSpoiled(t, x.name, b)
			}
			place.set(was)
		}
	}
}

func readSpoiled(t *testing.T, name string, config []byte) {
	for _, o := range []Options{{}, {MTP: true, Images: 2}} {
		m, err := ReadWith(bytes.NewReader(config), &o)
		if err != nil {
			assert.True(t, typed(err), "%s: %v: %s", name, err, config)
			continue
		}
		_, err = m.Session(100, kvcache.Setup{Format: kvcache.BF16})
		assert.NoError(t, err, "%s: %s", name, config)
	}
}

// place is one value of a decoded config.
type place struct {
	get func() *any
	set func(any)
}

// places are those of every member and of the first elements of every list.
func places(v *any) (all []place) {
	switch v := (*v).(type) {
	case map[string]any:
		for key, member := range v {
			all = append(all, place{func() *any { m := v[key]; return &m }, func(x any) { v[key] = x }})
			all = append(all, places(&member)...)
		}
	case []any:
		for i := range min(len(v), 2) {
			all = append(all, place{func() *any { return &v[i] }, func(x any) { v[i] = x }})
			all = append(all, places(&v[i])...)
		}
	}
	return all
}
