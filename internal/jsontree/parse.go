package jsontree

import (
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"
)

// MaxDepth is how deep arrays and objects may nest.
const MaxDepth = 512

// Parse reads one value; only white space may follow it.
func Parse(b []byte) (*Node, error) { return ParseString(string(b)) }

// ParseString is [Parse] without a copy of the text, which the nodes keep.
func ParseString(s string) (*Node, error) {
	p := parsers.Get().(*parser)
	defer p.release()
	n, end, err := p.value(s, 0)
	if err != nil {
		return nil, err
	}
	if p.pos = end; p.skipSpace() < len(p.s) {
		return nil, p.errorf(nil, "text after the value")
	}
	return n, nil
}

// parsers are kept for their stacks, which cost more than what they leave behind.
var parsers = sync.Pool{New: func() any { return new(parser) }}

// release gives the parser back without what it refers to.
func (p *parser) release() {
	clear(p.stack)
	*p = parser{stack: p.stack[:0], keys: p.keys}
	parsers.Put(p)
}

// parser reads one value. Children are gathered on a stack and moved to a slab
// when their container closes, so that a value costs few allocations.
type parser struct {
	s     string
	pos   int
	base  int64 // offset of s in the whole input
	depth int
	stack []Node
	slab  []Node
	keys  keySet
}

// value parses the value at the start of s, which begins at offset base of the
// input, and returns where it ended.
func (p *parser) value(s string, base int64) (n *Node, end int, err error) {
	p.s, p.pos, p.base, p.depth, p.stack = s, 0, base, 0, p.stack[:0]
	if err := p.checkEncoding(); err != nil {
		return nil, 0, err
	}
	if p.skipSpace() == len(p.s) {
		return nil, 0, p.errorf(ErrTruncated, "no value: the input is empty")
	}
	root, err := p.parse("")
	if err != nil {
		return nil, 0, err
	}
	return &root, p.pos, nil
}

func (p *parser) checkEncoding() error {
	const bom = "\uFEFF"
	switch {
	case strings.HasPrefix(p.s, "\xff\xfe"), strings.HasPrefix(p.s, "\xfe\xff"):
		return p.errorf(ErrEncoding, "UTF-16 text: convert it to UTF-8")
	case strings.HasPrefix(p.s, bom) && p.base == 0:
		p.pos = len(bom)
	}
	if utf8.ValidString(p.s) {
		return nil
	}
	for i, r := range p.s {
		if r == utf8.RuneError && !strings.HasPrefix(p.s[i:], "\uFFFD") {
			p.pos = i
			break
		}
	}
	if !utf8.FullRuneInString(p.s[p.pos:]) {
		return p.errorf(ErrTruncated, "the input ends inside a character")
	}
	return p.errorf(ErrEncoding, "not UTF-8 text")
}

func (p *parser) parse(key string) (Node, error) {
	if p.skipSpace() == len(p.s) {
		return Node{}, p.truncated()
	}
	n := Node{Offset: p.base + int64(p.pos), key: key}
	var err error
	switch c := p.s[p.pos]; {
	case c == '{':
		n.Kind, err = Object, p.object(&n)
	case c == '[':
		n.Kind, err = Array, p.array(&n)
	case c == '"':
		n.Kind = String
		n.text, err = p.str()
	case c == '-' || c-'0' <= 9:
		n.Kind, n.text, err = p.number()
	default:
		n.Kind, n.text, err = p.literal()
	}
	return n, err
}

func (p *parser) skipSpace() int {
	i := p.pos
	for i < len(p.s) && space(p.s[i]) {
		i++
	}
	p.pos = i
	return i
}

func (p *parser) truncated() error {
	return p.errorf(ErrTruncated, "the input ends inside a value")
}

func (p *parser) errorf(is error, format string, args ...any) error {
	return &SyntaxError{Offset: p.base + int64(p.pos), Reason: fmt.Sprintf(format, args...), Err: is}
}
