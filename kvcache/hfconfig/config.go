package hfconfig

import (
	"fmt"
	"slices"

	"example.com/servemath/internal/jsontree"
	"example.com/servemath/kvcache"
)

// Bounds of what a config may say. Products of three dimensions stay inside an
// int64, and a list of layers stays small whatever the file claims.
const (
	maxDim     = 1 << 20
	maxLayers  = 1 << 16
	maxTokens  = 1 << 30
	maxModules = 1 << 10
)

// config is one language model's config under reading. The first error sticks,
// and what is read after it is zero, so that a layout is written without checks.
type config struct {
	text      *jsontree.Node
	path      string    // of text: "" or "text_config."
	inText    string    // where a nested object stands in the text config
	outer     []wrapper // outermost first
	modelType string
	family    *family
	opts      Options

	layers   int             // decoder layers
	listKey  string          // the key that said which layer is of which kind
	kinds    map[string]part // kinds that this config alone has
	trailing []string        // kinds listed beyond the decoder's layers: those of the MTP modules
	*findings
}

// findings are shared by a config and its nested objects.
type findings struct {
	err               error
	defaults, omitted []string
	trace             func(path string) // tests: every key that is read
}

type wrapper struct {
	node *jsontree.Node
	path string
}

func (c *config) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

func (c *config) missing(key string) {
	c.fail(&MissingFieldError{Key: key, ModelType: c.modelType, Path: c.path + key})
}

func (c *config) inconsistent(key, reason string) error {
	key = c.spelling(key)
	return &InconsistentError{Key: key, Path: c.path + key, Reason: reason}
}

func (c *config) typeError(key string, n *jsontree.Node, want string) error {
	key = c.spelling(key)
	return &FieldTypeError{Key: key, Path: c.path + key, Want: want, Got: describe(n), Offset: n.Offset}
}

func describe(n *jsontree.Node) string {
	switch n.Kind {
	case jsontree.Number, jsontree.Bool:
		return fmt.Sprintf("%.40s", n.Text())
	case jsontree.String:
		return fmt.Sprintf("%.80q", n.Text())
	}
	return n.Kind.String()
}

// defaulted records a default, or refuses it.
func (c *config) defaulted(key, value, why string) {
	if c.opts.NoDefaults {
		c.missing(key)
		return
	}
	if line := key + "=" + value + ": " + why; !slices.Contains(c.defaults, line) {
		c.defaults = append(c.defaults, line)
	}
}

func (c *config) classDefault(key string, value any) {
	c.defaulted(key, fmt.Sprint(value), "class default of "+c.modelType)
}

// defaultOf is the class default of a key, if it has one.
func (c *config) defaultOf(key string) (value int, ok bool) {
	if value, ok = c.family.classes[c.modelType][key]; !ok {
		value, ok = c.family.defaults[key]
	}
	return value, ok
}

func (c *config) omit(what string) {
	if !slices.Contains(c.omitted, what) {
		c.omitted = append(c.omitted, what)
	}
}

// model puts the answer together.
func (c *config) model() (*kvcache.Model, error) {
	if err := c.checkUnread(); err != nil {
		return nil, err
	}
	m := &kvcache.Model{Name: c.modelType, DType: c.dtype(), ContextWindow: c.contextWindow()}
	m.Groups = c.layout()
	m.Layers = c.layers
	c.noteCacheFormat()
	m.Defaults, m.Omitted = c.defaults, c.omitted
	if c.err != nil {
		return nil, c.err
	}
	return m, nil
}

// windowKeys are the keys of the context window, the first that is given wins.
var windowKeys = [...]string{"max_position_embeddings", "n_positions", "context_length", "max_target_positions", "model_max_length", "seq_length"}

// contextWindow is 0 where neither the config nor the class gives it.
func (c *config) contextWindow() int {
	for _, key := range windowKeys {
		if n, ok := c.value(key); ok {
			return c.integer(key, n, 1, maxTokens)
		}
	}
	for _, key := range windowKeys {
		if _, ok := c.defaultOf(key); ok {
			return c.number(key, 1, maxTokens)
		}
	}
	return 0
}
