package hfconfig

import (
	"fmt"
	"slices"
	"strings"

	"example.com/servemath/internal/jsontree"
)

// shapingKeys are the keys known to change what a model caches, and
// shapingPrefixes and shapingParts the spellings of their kin. One that is given
// and that the family's entry lists nowhere refuses the config.
var shapingKeys = keySet(
	"head_dim", "n_head_kv", "multi_query_group_num", "attention_head_dim",
	"v_head_dim", "qk_rope_head_dim", "global_head_dim", "attention_k_eq_v",
	"num_attention_groups", "attention_other_setting", "multi_query", "use_mla", "use_cla", "cla_share_factor",
	"layer_types", "layers_block_type", "block_types", "block_configs", "per_layer_config", "attn_type_list", "local_layer_ids",
	"attention_chunk_size", "no_rope_layers", "full_attention_interval", "layer_group_size", "full_attn_idxs",
	"cross_attention_layers", "state_size", "conv_kernel", "conv_kernel_size", "conv_L_cache", "conv1d_width",
	"lru_width", "n_groups", "n_mamba_heads",
)

var shapingPrefixes = []string{
	"attn_layer_", "compress_rat", "engram_", "global_attn", "hybrid_", "index_", "indexer_", "kv_", "linear_",
	"mamba_", "sparse_attention", "ssm_", "swa_",
}

var shapingParts = []string{"kv_head", "kv_shared", "key_value_heads", "window"}

func keySet(keys ...string) map[string]bool {
	m := make(map[string]bool, len(keys))
	for _, k := range keys {
		m[k] = true
	}
	return m
}

func shaping(key string) bool {
	if shapingKeys[key] {
		return true
	}
	for _, p := range shapingPrefixes {
		if strings.HasPrefix(key, p) {
			return true
		}
	}
	for _, p := range shapingParts {
		if strings.Contains(key, p) {
			return true
		}
	}
	return false
}

// towers are objects that describe other parts of the checkpoint than the
// language model, or none of its cache.
var towers = keySet("vision_config", "audio_config", "quantization_config", "compression_config")

// absent says whether a value leaves its key without effect. 0 does not.
func absent(n *jsontree.Node) bool {
	switch n.Kind {
	case jsontree.Null:
		return true
	case jsontree.Bool:
		v, _ := n.Bool()
		return !v
	case jsontree.Array, jsontree.Object:
		return n.Len() == 0
	}
	return false
}

// checkUnread refuses a config with a cache-shaping key that nothing reads, in
// the text config, in its objects and in its wrappers.
func (c *config) checkUnread() error {
	for _, w := range c.outer {
		if err := c.checkWrapper(w); err != nil {
			return err
		}
	}
	return c.checkObject(c.text, "")
}

// checkObject checks the keys of one object at a path inside the text config.
// An object that the family declares must hold nothing else than it says.
func (c *config) checkObject(n *jsontree.Node, path string) error {
	for key, v := range n.Members() {
		if absent(v) {
			continue
		}
		if !c.allows(path, key) {
			return c.unmodelled(c.path+path, key)
		}
		scalar := v.Kind != jsontree.Object && v.Kind != jsontree.Array
		if scalar || towers[key] || strings.HasPrefix(key, "rope_") {
			continue
		}
		if err := c.checkNested(v, path+key+"."); err != nil {
			return err
		}
	}
	return nil
}

func (c *config) checkNested(n *jsontree.Node, path string) error {
	switch n.Kind {
	case jsontree.Object:
		return c.checkObject(n, path)
	case jsontree.Array:
		for i := range n.Items() {
			if err := c.checkNested(&n.Items()[i], path); err != nil {
				return err
			}
		}
	}
	return nil
}

// allows says whether a key may stand in the object at path.
func (c *config) allows(path, key string) bool {
	if declared, ok := c.family.nested[strings.TrimSuffix(path, ".")]; ok {
		return slices.Contains(declared, key)
	}
	if !shaping(key) {
		return true
	}
	return path == "" && c.declares(key)
}

// declares says whether the entry lists a key, by its own name or as an alias.
func (c *config) declares(key string) bool {
	if slices.Contains(c.family.reads, key) || slices.Contains(c.family.ignores, key) {
		return true
	}
	for _, aliases := range c.family.aliases {
		if slices.Contains(aliases, key) {
			return true
		}
	}
	return false
}

// checkWrapper allows a wrapper to repeat what the text config says, and nothing
// else that shapes the cache: its other objects are other towers.
func (c *config) checkWrapper(w wrapper) error {
	for key, v := range w.node.Members() {
		if absent(v) || !shaping(key) || slices.Contains(c.family.ignores, key) {
			continue
		}
		inner, ok := c.text.Get(key)
		switch {
		case !ok || !c.declares(key):
			return c.unmodelled(w.path, key)
		case !equal(inner, v):
			return &InconsistentError{Key: key, Path: w.path + key,
				Reason: "is " + describe(v) + ", but the text config says " + describe(inner)}
		}
	}
	return nil
}

func (c *config) unmodelled(path, key string) error {
	return &UnmodelledFieldError{Key: key, ModelType: c.modelType, Path: path + key}
}

// unknownValue refuses an entry of a list whose key is known.
func (c *config) unknownValue(key string, i int, value string) error {
	key = c.spelling(key)
	return &UnmodelledFieldError{Key: key, ModelType: c.modelType, Path: fmt.Sprintf("%s%s[%d]", c.path, key, i), Value: value}
}

// unknownSetting refuses the value of a key that is known.
func (c *config) unknownSetting(key string, n *jsontree.Node) error {
	return &UnmodelledFieldError{Key: key, ModelType: c.modelType, Path: c.path + key, Value: describe(n)}
}

// equal compares two values as JSON: numbers by value, objects by key.
func equal(a, b *jsontree.Node) bool {
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case jsontree.Number:
		x, _ := a.Float()
		y, _ := b.Float()
		return x == y
	case jsontree.Array:
		return slices.EqualFunc(a.Items(), b.Items(), func(x, y jsontree.Node) bool { return equal(&x, &y) })
	case jsontree.Object:
		return a.Len() == b.Len() && equalMembers(a, b)
	}
	return a.Text() == b.Text()
}

func equalMembers(a, b *jsontree.Node) bool {
	for key, x := range a.Members() {
		if y, ok := b.Get(key); !ok || !equal(x, y) {
			return false
		}
	}
	return true
}
