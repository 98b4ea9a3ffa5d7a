package jsontree

import (
	"iter"
	"math"
	"strconv"
)

// Kind is what a [Node] holds.
type Kind uint8

const (
	Null Kind = iota
	Bool
	Number
	NonFinite // a bare NaN, Infinity or -Infinity
	String
	Array
	Object
)

// String names the kind as a person would.
func (k Kind) String() string {
	return [...]string{"null", "a boolean", "a number", "NaN or Infinity", "a string", "a list", "an object"}[k]
}

// Node is one value of a parsed text.
type Node struct {
	Kind   Kind
	Offset int64  // bytes from the start of the input
	key    string // in an object: the member's name
	text   string // a number as written, a string unescaped, or a literal
	kids   []Node
}

// Get returns the member of an object with that name. On anything else, and on
// a nil node, there is none.
func (n *Node) Get(key string) (*Node, bool) {
	if n == nil || n.Kind != Object {
		return nil, false
	}
	for i := range n.kids {
		if n.kids[i].key == key {
			return &n.kids[i], true
		}
	}
	return nil, false
}

// Members yields the members of an object in the order of the text.
func (n *Node) Members() iter.Seq2[string, *Node] {
	return func(yield func(string, *Node) bool) {
		if n == nil || n.Kind != Object {
			return
		}
		for i := range n.kids {
			if !yield(n.kids[i].key, &n.kids[i]) {
				return
			}
		}
	}
}

// Items returns the elements of an array; nil for anything else.
func (n *Node) Items() []Node {
	if n == nil || n.Kind != Array {
		return nil
	}
	return n.kids
}

// Len is the number of elements or members.
func (n *Node) Len() int {
	if n == nil {
		return 0
	}
	return len(n.kids)
}

// Float returns a finite number. A string of digits is not a number.
func (n *Node) Float() (float64, bool) {
	if n == nil || n.Kind != Number {
		return 0, false
	}
	x, err := strconv.ParseFloat(n.text, 64)
	return x, err == nil
}

// AnyFloat is Float that also takes NaN and the infinities.
func (n *Node) AnyFloat() (float64, bool) {
	if n == nil || n.Kind != NonFinite {
		return n.Float()
	}
	switch n.text {
	case "NaN":
		return math.NaN(), true
	case "-Infinity":
		return math.Inf(-1), true
	}
	return math.Inf(1), true
}

// Int returns a number that is an integer in value, such as 32, 32.0 or 1e3.
func (n *Node) Int() (int64, bool) {
	if n == nil || n.Kind != Number {
		return 0, false
	}
	if i, err := strconv.ParseInt(n.text, 10, 64); err == nil {
		return i, true
	}
	const exact = 1 << 53 // beyond it a float64 no longer tells integers apart
	x, ok := n.Float()
	if !ok || x != math.Trunc(x) || math.Abs(x) > exact {
		return 0, false
	}
	return int64(x), true
}

// Str returns a string's text, unescaped.
func (n *Node) Str() (string, bool) {
	if n == nil || n.Kind != String {
		return "", false
	}
	return n.text, true
}

// Bool returns a boolean.
func (n *Node) Bool() (value, ok bool) {
	if n == nil || n.Kind != Bool {
		return false, false
	}
	return n.text == "true", true
}

// Text is a number or literal as written, or a string unescaped: for messages.
func (n *Node) Text() string { return n.text }
