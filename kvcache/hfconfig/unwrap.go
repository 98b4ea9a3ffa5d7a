package hfconfig

import (
	"fmt"

	"example.com/servemath/internal/jsontree"
)

// wrapperKeys lead from a multimodal config to that of its language model.
var wrapperKeys = [...]string{"text_config", "llm_config", "language_config", "thinker_config"}

// unwrap follows the wrappers down to the config of the language model and looks
// its family up.
func unwrap(root *jsontree.Node) (*config, error) {
	c := &config{text: root, family: noFamily, findings: new(findings)}
	for {
		key, inner, err := c.inner()
		if err != nil {
			return nil, err
		}
		if inner == nil {
			break
		}
		c.outer = append(c.outer, wrapper{c.text, c.path})
		c.text, c.path = inner, c.path+key+"."
	}
	return c, c.identify()
}

// inner finds the one config that c.text wraps, if any.
func (c *config) inner() (key string, inner *jsontree.Node, err error) {
	for _, k := range wrapperKeys {
		n, ok := c.text.Get(k)
		switch {
		case !ok || absent(n):
			continue
		case n.Kind != jsontree.Object:
			return "", nil, c.typeError(k, n, "an object")
		case inner != nil:
			return "", nil, c.inconsistent(k, fmt.Sprintf("stands beside %s: two language models", key))
		}
		key, inner = k, n
	}
	return key, inner, nil
}

// identify sets the model type and its family: the innermost model_type counts,
// and that of the wrappers only where the text config has none.
func (c *config) identify() error {
	n, from := c.text, c.path
	for i := len(c.outer); ; i-- {
		if t, ok := n.Get("model_type"); ok && !absent(t) {
			name, ok := t.Str()
			if !ok {
				return &FieldTypeError{Key: "model_type", Path: from + "model_type", Want: "a string", Got: describe(t), Offset: t.Offset}
			}
			c.modelType = name
			break
		}
		if i == 0 {
			break
		}
		n, from = c.outer[i-1].node, c.outer[i-1].path
	}
	if c.family = lookup(c.modelType); c.family == nil {
		return c.unknown()
	}
	return nil
}

func (c *config) unknown() error {
	e := &UnknownArchitectureError{ModelType: c.modelType, Architectures: architectures(c.text)}
	for i := len(c.outer); len(e.Architectures) == 0 && i > 0; i-- {
		e.Architectures = architectures(c.outer[i-1].node)
	}
	e.Nearest = nearest(c.modelType, e.Architectures)
	return e
}

func architectures(n *jsontree.Node) (names []string) {
	list, _ := n.Get("architectures")
	for i := range list.Items() {
		if s, ok := list.Items()[i].Str(); ok {
			names = append(names, s)
		}
	}
	return names
}
