package hfconfig

import (
	"strconv"

	"example.com/servemath/internal/jsontree"
	"example.com/servemath/kvcache"
)

// nasLayers are layers as an architecture search left them: with heads in groups
// of a size of their own, replaced by a linear one or without attention.
func nasLayers(c *config) []string {
	c.listKey = "block_configs"
	blocks, ok := c.value("block_configs")
	if !ok {
		c.missing("block_configs")
		return nil
	}
	items := blocks.Items()
	kinds := make([]string, min(len(items), maxLayers))
	c.kinds = map[string]part{"none": nil}
	for i := range kinds {
		kinds[i] = c.nasLayer(&items[i])
	}
	return c.cut("block_configs", kinds, 0)
}

func (c *config) nasLayer(block *jsontree.Node) string {
	b := c.sub(block, "block_configs.")
	a := b.within("attention")
	if a == nil {
		b.missing("attention")
		return ""
	}
	if a.is("no_op") || a.is("replace_with_linear") {
		return "none"
	}
	size, heads := a.dim("n_heads_in_group"), c.dim("num_attention_heads")
	kv := c.quotient(heads, size, "block_configs", "KV heads")
	kind := groupName(kv)
	if _, ok := c.kinds[kind]; !ok {
		c.kinds[kind] = nasPart(kind, heads, kv)
	}
	return kind
}

func groupName(kv int) string { return "full attention, " + strconv.Itoa(kv) + " KV heads" }

func nasPart(name string, heads, kv int) part {
	return func(c *config) []kvcache.Group {
		dim := c.headSize("head_dim", "num_attention_heads", heads)
		return []kvcache.Group{{Name: name, Streams: keyValue(kv, dim, dim)}}
	}
}
