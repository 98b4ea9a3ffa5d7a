package hfconfig

import (
	"fmt"
	"slices"
	"strconv"

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
	return &InconsistentError{Key: key, Path: c.path + key, Reason: reason}
}

func (c *config) typeError(key string, n *jsontree.Node, want string) error {
	return &FieldTypeError{Key: key, Path: c.path + key, Want: want, Got: describe(n), Offset: n.Offset}
}

func describe(n *jsontree.Node) string {
	switch n.Kind {
	case jsontree.Number, jsontree.Bool:
		return n.Text()
	case jsontree.String:
		return strconv.Quote(n.Text())
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
	c.defaulted(key, fmt.Sprint(value), "class default of "+c.family.names[0])
}

func (c *config) omit(what string) {
	if !slices.Contains(c.omitted, what) {
		c.omitted = append(c.omitted, what)
	}
}

// get finds a key under its own name or, failing that, an alias of the family.
// Where both are given they must agree.
func (c *config) get(key string) (*jsontree.Node, bool) {
	if c.trace != nil {
		c.trace(c.inText + key)
	}
	found, ok := c.text.Get(key)
	for _, alias := range c.family.aliases[key] {
		n, has := c.text.Get(alias)
		switch {
		case !has:
		case !ok || found.Kind == jsontree.Null:
			found, ok = n, true
		case n.Kind != jsontree.Null && !equal(found, n):
			c.fail(c.inconsistent(alias, fmt.Sprintf("is %s, but %s is %s", describe(n), key, describe(found))))
		}
	}
	return found, ok
}

// value is get without nulls: what is left once the class has had its say.
func (c *config) value(key string) (*jsontree.Node, bool) {
	n, ok := c.get(key)
	return n, ok && n.Kind != jsontree.Null
}

// given says whether a key has a value that is not null, false or empty.
func (c *config) given(key string) bool {
	n, ok := c.get(key)
	return ok && !absent(n)
}

// number reads an integer between lo and hi, or its class default.
func (c *config) number(key string, lo, hi int) int {
	n, ok := c.get(key)
	if d, has := c.family.defaults[key]; !ok && has {
		c.classDefault(key, d)
		return d
	}
	if !ok || n.Kind == jsontree.Null {
		c.missing(key)
		return 0
	}
	return c.integer(key, n, lo, hi)
}

// integer checks the value of a key.
func (c *config) integer(key string, n *jsontree.Node, lo, hi int) int {
	i, ok := n.Int()
	switch {
	case !ok:
		c.fail(c.typeError(key, n, "an integer"))
		return 0
	case i < int64(lo) || i > int64(hi):
		c.fail(c.inconsistent(key, fmt.Sprintf("%d is not between %d and %d", i, lo, hi)))
		return 0
	}
	return int(i)
}

// dim is a number of heads, values or layers: at least 1.
func (c *config) dim(key string) int { return c.number(key, 1, maxDim) }

// dimOr is dim, or what another rule gives where the key is null or 0, or absent
// and the class has no default.
func (c *config) dimOr(key string, rule func() int, why string) int {
	n, ok := c.get(key)
	_, has := c.family.defaults[key]
	if !ok && has || ok && n.Kind != jsontree.Null && !zero(n) {
		return c.dim(key)
	}
	v := rule()
	c.defaulted(key, strconv.Itoa(v), why)
	return v
}

func zero(n *jsontree.Node) bool {
	i, ok := n.Int()
	return ok && i == 0
}

// count is a number that may be 0, which it is where the key is absent.
func (c *config) count(key string) int {
	n, ok := c.value(key)
	if d, has := c.family.defaults[key]; !ok && has {
		c.classDefault(key, d)
		return d
	}
	if !ok {
		return 0
	}
	return c.integer(key, n, 0, maxDim)
}

// flag is a boolean that is false where the key is absent and the class does not
// say otherwise.
func (c *config) flag(key string) bool {
	n, ok := c.value(key)
	if !ok {
		set := slices.Contains(c.family.set, key)
		c.classDefault(key, set)
		return set
	}
	v, ok := n.Bool()
	if !ok {
		c.fail(c.typeError(key, n, "true or false"))
	}
	return v
}

// quotient is a/b, refused where it is not whole.
func (c *config) quotient(a, b int, key, why string) int {
	if b == 0 {
		return 0 // an error already stands
	}
	if a%b != 0 {
		c.fail(c.inconsistent(key, fmt.Sprintf("%s: %d does not divide %d", why, b, a)))
	}
	return a / b
}

// strings reads a list of strings; nil where it is absent, null or empty.
func (c *config) strings(key string) []string {
	return list(c, key, "a list of strings", (*jsontree.Node).Str)
}

// ints reads a list of integers; nil where it is absent, null or empty.
func (c *config) ints(key string) []int64 {
	return list(c, key, "a list of integers", (*jsontree.Node).Int)
}

func list[T any](c *config, key, want string, item func(*jsontree.Node) (T, bool)) []T {
	n, ok := c.value(key)
	if !ok {
		return nil
	}
	if n.Kind != jsontree.Array {
		c.fail(c.typeError(key, n, want))
		return nil
	}
	if len(n.Items()) > maxLayers {
		c.fail(c.inconsistent(key, fmt.Sprintf("%d entries", len(n.Items()))))
		return nil
	}
	items := n.Items()
	out := make([]T, len(items))
	for i := range items {
		v, ok := item(&items[i])
		if !ok {
			c.fail(&FieldTypeError{Key: key, Path: fmt.Sprintf("%s%s[%d]", c.path, key, i), Want: want, Got: describe(&items[i]), Offset: items[i].Offset})
			return nil
		}
		out[i] = v
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// within returns the config of a nested object, for reading its keys; nil where
// there is none.
func (c *config) within(key string) *config {
	n, ok := c.value(key)
	if !ok {
		return nil
	}
	if n.Kind != jsontree.Object {
		c.fail(c.typeError(key, n, "an object"))
		return nil
	}
	return c.sub(n, key+".")
}

func (c *config) sub(n *jsontree.Node, path string) *config {
	return &config{text: n, path: c.path + path, inText: c.inText + path, modelType: c.modelType, family: nestedFamily, opts: c.opts, findings: c.findings}
}

// nestedFamily has no aliases and no defaults: nested objects say what they mean.
var nestedFamily = &family{names: []string{"nested"}}

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
		if _, ok := c.family.defaults[key]; ok {
			return c.number(key, 1, maxTokens)
		}
	}
	return 0
}
