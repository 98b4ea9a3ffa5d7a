package hfconfig

import (
	"fmt"
	"slices"
	"strconv"

	"example.com/servemath/internal/jsontree"
)

// The values of a config, each read as one type and within bounds.

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

// spelling is the name by which the config gives a key: its own or an alias.
func (c *config) spelling(key string) string {
	for _, name := range append([]string{key}, c.family.aliases[key]...) {
		if n, ok := c.text.Get(name); ok && n.Kind != jsontree.Null {
			return name
		}
	}
	return key
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
	if d, has := c.defaultOf(key); !ok && has {
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

// dimOr is dim, or what another rule gives where the key is null, or absent and
// the class has no default.
func (c *config) dimOr(key string, rule func() int, why string) int {
	n, ok := c.get(key)
	_, has := c.defaultOf(key)
	if !ok && has || ok && n.Kind != jsontree.Null {
		return c.dim(key)
	}
	return c.derived(key, rule, why)
}

// sizeOr is dimOr for the size of a head, which configs also give as 0 where they
// mean none.
func (c *config) sizeOr(key string, rule func() int, why string) int {
	n, _ := c.get(key)
	if i, ok := n.Int(); ok && i == 0 {
		return c.derived(key, rule, why)
	}
	return c.dimOr(key, rule, why)
}

func (c *config) derived(key string, rule func() int, why string) int {
	v := rule()
	c.defaulted(key, strconv.Itoa(v), why)
	return v
}

// count is a number that may be 0, which it is where the key is absent.
func (c *config) count(key string) int {
	n, ok := c.value(key)
	if d, has := c.defaultOf(key); !ok && has {
		c.classDefault(key, d)
		return d
	}
	if !ok {
		return 0
	}
	return c.integer(key, n, 0, maxDim)
}

// is says whether a boolean is true: one that is absent or null is not.
func (c *config) is(key string) bool {
	n, ok := c.value(key)
	if !ok {
		return false
	}
	v, ok := n.Bool()
	if !ok {
		c.fail(c.typeError(key, n, "true or false"))
	}
	return v
}

// flag is the same where the class has a default, true or false.
func (c *config) flag(key string) bool {
	if _, ok := c.value(key); ok {
		return c.is(key)
	}
	v := slices.Contains(c.family.trues, key)
	c.classDefault(key, v)
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
			key = c.spelling(key)
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
	return &config{text: n, path: c.path + path, inText: c.inText + path, modelType: c.modelType, family: noFamily, opts: c.opts, findings: c.findings}
}

// noFamily has no aliases and no defaults: wrappers and nested objects say what
// they mean.
var noFamily = new(family)
