package logits

import (
	"encoding/hex"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/servemath/correctness"
	"example.com/servemath/internal/jsontree"
)

// Tokens implements [Reader].
func (d *responses) Tokens() *correctness.TokenTable { return d.tokens }

// chooseIdentity settles by the first list or token of the file whether ids or bytes
// tell tokens apart; a file has one of the two for all.
func (d *responses) chooseIdentity() {
	if d.tokens != nil {
		return
	}
	if d.options.Tokens != nil {
		d.byText, d.tokens = true, d.options.Tokens
		return
	}
	for _, c := range d.ready {
		for _, e := range c.entries {
			t, listed := e.data, len(e.list) > 0
			if listed {
				t = e.list[0]
			}
			switch {
			case t.id >= 0:
				return
			case listed || t.named:
				d.byText, d.tokens = true, new(correctness.TokenTable)
				return
			}
		}
	}
}

// id returns the id by which a token is compared.
func (d *responses) id(t token, p place) (int32, error) {
	p.offset = t.offset
	switch {
	case d.byText && t.named:
		return d.tokens.ID(t.bytes), nil
	case d.byText:
		return 0, d.errorf(correctness.ErrTokenMismatch, p, "a token without bytes, or whose text was cut inside a character: nothing tells it apart")
	case t.id < 0:
		return 0, d.errorf(correctness.ErrTokenMismatch, p, "a token without an id among tokens with ids")
	}
	return t.id, nil
}

// name identifies a token by its bytes, which are exact, else by its text.
func (d *responses) name(text, bytes *jsontree.Node, t *token) error {
	s, ok := text.Str()
	if !ok {
		return d.errorf(correctness.ErrFormat, at(t.offset), "a token without text")
	}
	if len(bytes.Items()) == 0 || strings.HasPrefix(s, idPrefix) {
		return d.nameText(s, t)
	}
	raw, err := d.rawBytes(bytes)
	t.bytes, t.named = raw, true
	return err
}

// Servers that were asked for ids write idPrefix and the id, and for bytes that
// are no text bytesPrefix and \xNN for each.
const idPrefix, bytesPrefix = "token_id:", "bytes:"

// nameText identifies a token by its text. Text in which a character was cut
// holds U+FFFD, as that of other tokens does, and identifies nothing.
func (d *responses) nameText(s string, t *token) error {
	if id, ok := strings.CutPrefix(s, idPrefix); ok {
		return d.keyID(id, t)
	}
	if raw, ok := escapedBytes(s); ok {
		t.bytes, t.named = raw, true
		return nil
	}
	t.bytes, t.named = s, s != "" && !strings.ContainsRune(s, utf8.RuneError)
	return nil
}

// rawBytes reads a list of numbers from 0 to 255.
func (d *responses) rawBytes(n *jsontree.Node) (string, error) {
	out := make([]byte, n.Len())
	for i := range n.Items() {
		b, ok := n.Items()[i].Int()
		if !ok || b < 0 || b > 255 {
			return "", d.errorf(correctness.ErrFormat, at(n.Items()[i].Offset), "not a byte")
		}
		out[i] = byte(b)
	}
	return string(out), nil
}

// escapedBytes reads what follows bytesPrefix; plain text that begins so is text.
func escapedBytes(s string) (string, bool) {
	rest, ok := strings.CutPrefix(s, bytesPrefix)
	if !ok || rest == "" {
		return "", false
	}
	raw, err := hex.DecodeString(strings.ReplaceAll(rest, `\x`, ""))
	return string(raw), err == nil && strings.Count(rest, `\x`) == len(raw)
}

// sameToken says that two mentions of one id name the same bytes. A server that
// merges tokens whose characters were cut keeps the id of the last of them.
func sameToken(a, b token) bool {
	return a.id != b.id || a.id < 0 || !a.named || !b.named || a.bytes == b.bytes
}

// quoted lists names for a message.
func quoted(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = strconv.Quote(n)
	}
	return strings.Join(out, ", ")
}
