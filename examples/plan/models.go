package main

import (
	"fmt"
	"maps"
	"os"
	"slices"

	"example.com/servemath/internal/jsontree"
	"example.com/servemath/kvcache"
)

// readModels reads the embedded models and those of a file beside them. A file
// may replace an embedded model of the same key.
func readModels(embedded, path string) (map[string]*kvcache.Model, error) {
	models, err := parseModels([]byte(embedded), "explorer_models.json")
	if err != nil || path == "" {
		return models, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	own, err := parseModels(text, path)
	if err != nil {
		return nil, err
	}
	maps.Copy(models, own)
	return models, nil
}

func parseModels(text []byte, name string) (map[string]*kvcache.Model, error) {
	root, err := jsontree.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if root.Kind != jsontree.Object {
		return nil, fmt.Errorf("%s: %s where an object of models belongs", name, root.Kind)
	}
	models := map[string]*kvcache.Model{}
	for key, n := range root.Members() {
		if models[key], err = parseModel(fmt.Sprintf("%s: model %s", name, key), n); err != nil {
			return nil, err
		}
	}
	return models, nil
}

func parseModel(where string, n *jsontree.Node) (*kvcache.Model, error) {
	o := newObject(where, n)
	m := &kvcache.Model{Name: o.text("name", false), ContextWindow: o.integer("context", 0, 0), DType: kvcache.BF16}
	o.ignore("source", "fp8_bytes")
	groups := o.get("groups")
	if len(groups.Items()) == 0 {
		o.fail("groups", "missing or empty")
	}
	for i := range groups.Items() {
		g, err := parseGroup(fmt.Sprintf("%s: group %d", where, i+1), &groups.Items()[i])
		if err != nil {
			return nil, err
		}
		m.Groups = append(m.Groups, g)
	}
	return m, o.done()
}

// kinds turns the layer groups of the explorer's models into groups of the
// library: a kind is an entry, not a branch.
var kinds = map[string]func(o *object, g *kvcache.Group){
	"attention": func(o *object, g *kvcache.Group) {
		g.Streams = keyValue(o)
	},
	"sliding": func(o *object, g *kvcache.Group) {
		g.Tokens = kvcache.TokenRule{Kind: kvcache.Window, N: o.integer("window", 0, 1)}
		g.Streams = keyValue(o)
	},
	"latent": func(o *object, g *kvcache.Group) {
		g.Streams = []kvcache.Stream{shared("values", o.integer("latent", 0, 1)+o.integer("rope", 0, 0))}
		o.ignore("values_per_token")
	},
	"index": func(o *object, g *kvcache.Group) {
		g.Tokens = every(o.integer("pool", 1, 1))
		g.Streams = []kvcache.Stream{shared("keys", o.integer("dim", 0, 1))}
		o.ignore("values_per_token")
	},
	"compressed": func(o *object, g *kvcache.Group) {
		g.Tokens = every(o.integer("ratio", 1, 1))
		g.Streams = []kvcache.Stream{shared("latent", o.integer("latent", 0, 1))}
		if dim := o.integer("index", 0, 0); dim > 0 {
			g.Streams = append(g.Streams, shared("index", dim))
		}
		o.ignore("values_per_token")
	},
	"sliding-latent": func(o *object, g *kvcache.Group) {
		g.Tokens = kvcache.TokenRule{Kind: kvcache.Window, N: o.integer("window", 0, 1)}
		g.Streams = []kvcache.Stream{shared("values", o.integer("values", 0, 1))}
	},
	"state": func(o *object, g *kvcache.Group) {
		heads := o.integer("heads", 0, 1)
		conv := o.integer("conv_channels", 0, 1) * o.integer("conv_positions", 0, 1)
		g.States = []kvcache.State{
			{Name: "recurrent", Values: int64(o.integer("recurrent_values", 0, 1)), Heads: heads, Format: o.format("recurrent_bytes_per_value")},
			{Name: "convolution", Values: int64(conv), Heads: heads, Format: o.format("conv_bytes_per_value")},
		}
		o.ignore("family", "copies")
	},
}

func parseGroup(where string, n *jsontree.Node) (kvcache.Group, error) {
	o := newObject(where, n)
	kind := o.text("kind", true)
	g := kvcache.Group{Name: kind, Layers: o.integer("layers", 0, 1)}
	if build, ok := kinds[kind]; ok {
		build(o, &g)
	} else {
		o.fail("kind", "unknown %q; known: %v", kind, slices.Sorted(maps.Keys(kinds)))
	}
	return g, o.done()
}

func keyValue(o *object) []kvcache.Stream {
	heads := o.integer("kv_heads", 0, 1)
	return []kvcache.Stream{
		{Name: "key", Heads: heads, Dim: o.integer("k_dim", 0, 1)},
		{Name: "value", Heads: heads, Dim: o.integer("v_dim", 0, 1)},
	}
}

// shared is a stream that every tensor-parallel rank keeps whole.
func shared(name string, dim int) kvcache.Stream {
	return kvcache.Stream{Name: name, Heads: 1, Dim: dim, Shard: kvcache.Replicated}
}

func every(ratio int) kvcache.TokenRule {
	if ratio == 1 {
		return kvcache.TokenRule{}
	}
	return kvcache.TokenRule{Kind: kvcache.Every, N: ratio}
}

// format is the element format of that many bytes.
func (o *object) format(key string) kvcache.Format {
	switch n := o.integer(key, 0, 1); n {
	case 4:
		return kvcache.FP32
	case 2:
		return kvcache.BF16
	case 1:
		return kvcache.FP8
	default:
		o.fail(key, "no element format of %d bytes", n)
		return kvcache.Format{}
	}
}
