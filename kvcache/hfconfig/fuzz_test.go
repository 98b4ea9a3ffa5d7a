package hfconfig

import (
	"strings"
	"testing"

	"example.com/servemath/kvcache"
)

// FuzzRead holds that any input is refused by a typed error or gives a model
// that can be sized, whose defaults are refused on request.
func FuzzRead(f *testing.F) {
	for _, x := range fixtures {
		f.Add(x.config, uint8(0))
		f.Add(x.config, uint8(7))
	}
	for _, s := range []string{"", "{}", "[]", `{"model_type": "llama", "num_hidden_layers": 1e30}`, `{"text_config": {"text_config": {}}}`} {
		f.Add(s, uint8(0))
	}
	f.Fuzz(func(t *testing.T, config string, bits uint8) {
		o := Options{MTP: bits&1 != 0, Images: int(bits & 2), EncoderTokens: int(bits & 4), NoDefaults: bits&8 != 0}
		m, err := ReadWith(strings.NewReader(config), &o)
		if err != nil {
			if !typed(err) {
				t.Fatalf("not a typed error: %v", err)
			}
			return
		}
		if o.NoDefaults && len(m.Defaults) > 0 {
			t.Fatalf("defaults that were not allowed: %v", m.Defaults)
		}
		size, err := m.Session(100, kvcache.Setup{Format: kvcache.BF16})
		if err != nil {
			t.Fatalf("cannot be sized: %v", err)
		}
		if size.Session <= 0 {
			t.Fatalf("%d bytes", size.Session)
		}
	})
}
