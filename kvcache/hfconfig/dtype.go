package hfconfig

import (
	"fmt"
	"strings"

	"example.com/servemath/internal/jsontree"
	"example.com/servemath/kvcache"
)

// dtype is the element format of the checkpoint. Engines ask the outermost
// config first; where none says, they load 16 bits.
func (c *config) dtype() kvcache.Format {
	var found *jsontree.Node
	var key, path string
	for _, w := range append(c.outer[:len(c.outer):len(c.outer)], wrapper{c.text, c.path}) {
		for _, k := range [...]string{"dtype", "torch_dtype"} {
			n, ok := w.node.Get(k)
			switch {
			case !ok || n.Kind == jsontree.Null:
			case found == nil:
				found, key, path = n, k, w.path+k
			case !equal(found, n):
				c.defaulted("dtype", found.Text(), fmt.Sprintf("%s comes before %s%s=%s", path, w.path, k, n.Text()))
			}
		}
	}
	if found == nil {
		c.defaulted("dtype", "bfloat16", "the config names none")
		return kvcache.BF16
	}
	return c.format(key, path, found)
}

// stateFormat is the element format that a key asks for; zero, which means the
// model's own, where the key is absent.
func (c *config) stateFormat(key string) kvcache.Format {
	n, ok := c.value(key)
	if !ok {
		return kvcache.Format{}
	}
	return c.format(key, c.path+key, n)
}

func (c *config) format(key, path string, n *jsontree.Node) kvcache.Format {
	s, _ := n.Str()
	switch strings.TrimPrefix(s, "torch.") {
	case "bfloat16":
		return kvcache.BF16
	case "float16", "half":
		return kvcache.FP16
	case "float32", "float":
		return kvcache.FP32
	case "float8_e4m3fn", "float8_e5m2":
		return kvcache.FP8
	}
	c.fail(&FieldTypeError{Key: key, Path: path, Want: "a dtype such as bfloat16", Got: describe(n), Offset: n.Offset})
	return kvcache.Format{}
}

// noteCacheFormat says what cache the checkpoint was quantised for. The session
// is sized in the format the caller asks for.
func (c *config) noteCacheFormat() {
	for _, w := range append(c.outer[:len(c.outer):len(c.outer)], wrapper{c.text, c.path}) {
		q, _ := w.node.Get("quantization_config")
		for _, key := range [...]string{"kv_cache_scheme", "kv_cache_quant_algo"} {
			if n, ok := q.Get(key); ok && !absent(n) {
				c.omit(fmt.Sprintf("%squantization_config.%s: the checkpoint was made for %s cache entries", w.path, key, cacheScheme(n)))
			}
		}
	}
}

func cacheScheme(n *jsontree.Node) string {
	bits, ok := n.Get("num_bits")
	if !ok {
		return describe(n)
	}
	kind, _ := n.Get("type")
	s, _ := kind.Str()
	return strings.TrimSpace(bits.Text() + "-bit " + s)
}
