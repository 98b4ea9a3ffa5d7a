package main

import (
	"fmt"

	"example.com/servemath/internal/jsontree"
	"example.com/servemath/kvcache"
)

// object reads the fields of one JSON object by name. The first fault sticks;
// a field that nothing read is one too, so that a misspelt name is not lost.
type object struct {
	where string // file and object, for messages
	node  *jsontree.Node
	read  map[string]bool
	err   error
}

func newObject(where string, n *jsontree.Node) *object {
	o := &object{where: where, node: n, read: map[string]bool{}}
	if n.Kind != jsontree.Object {
		o.fail("", "%s where an object belongs", n.Kind)
	}
	return o
}

func (o *object) fail(key, format string, args ...any) {
	if o.err != nil {
		return
	}
	where := o.where
	if key != "" {
		where += ": " + key
	}
	o.err = fmt.Errorf("%s: %s", where, fmt.Sprintf(format, args...))
}

// get returns a field; nil where it is absent or null.
func (o *object) get(key string) *jsontree.Node {
	o.read[key] = true
	n, ok := o.node.Get(key)
	if !ok || n.Kind == jsontree.Null {
		return nil
	}
	return n
}

// text returns a string, and fails where it is required and missing.
func (o *object) text(key string, required bool) string {
	n := o.get(key)
	if n == nil {
		if required {
			o.fail(key, "missing")
		}
		return ""
	}
	s, ok := n.Str()
	if !ok || required && s == "" {
		o.fail(key, "%s where a text belongs", n.Kind)
	}
	return s
}

// integer returns a whole number of at least least; absent is the given value.
func (o *object) integer(key string, absent, least int) int {
	n := o.get(key)
	if n == nil {
		return absent
	}
	i, ok := n.Int()
	if !ok {
		o.fail(key, "%s where a whole number belongs", describe(n))
	}
	const most = 1 << 40
	if ok && (i < int64(least) || i > most) {
		o.fail(key, "%d is not from %d to %d", i, least, int64(most))
	}
	return int(i)
}

func (o *object) boolean(key string) bool {
	n := o.get(key)
	if n == nil {
		return false
	}
	b, ok := n.Bool()
	if !ok {
		o.fail(key, "%s where true or false belongs", describe(n))
	}
	return b
}

// gigabytes returns a size above 0 in decimal GB as it is written, and exactly;
// "" where it is absent.
func (o *object) gigabytes(key string) (written string, size kvcache.Bytes) {
	n := o.get(key)
	if n == nil {
		return "", 0
	}
	if _, ok := n.Float(); !ok {
		o.fail(key, "%s where a finite number belongs", describe(n))
		return "", 0
	}
	size, err := kvcache.ParseBytes(n.Text() + "GB")
	if err != nil || size == 0 {
		o.fail(key, "%s is not a size in GB", n.Text())
	}
	return n.Text(), size
}

// number returns a finite number; 0 where it is absent.
func (o *object) number(key string) float64 {
	n := o.get(key)
	if n == nil {
		return 0
	}
	x, ok := n.Float()
	if !ok {
		o.fail(key, "%s where a finite number belongs", describe(n))
	}
	return x
}

// sub returns a nested object; nil where it is absent.
func (o *object) sub(key string) *object {
	n := o.get(key)
	if n == nil {
		return nil
	}
	return newObject(o.where+": "+key, n)
}

// ignore names fields that are known and not needed.
func (o *object) ignore(keys ...string) {
	for _, k := range keys {
		o.read[k] = true
	}
}

// done returns the first fault, or the first field that nothing read.
func (o *object) done() error {
	for k := range o.node.Members() {
		if !o.read[k] {
			o.fail(k, "unknown field")
		}
	}
	return o.err
}

func describe(n *jsontree.Node) string {
	if n.Kind == jsontree.NonFinite || n.Kind == jsontree.Number {
		return n.Text()
	}
	return n.Kind.String()
}
