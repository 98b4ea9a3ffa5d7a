package jsontree

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// literals are the bare words and their kinds.
var literals = [...]struct {
	word string
	kind Kind
}{
	{"true", Bool}, {"false", Bool}, {"null", Null}, {"NaN", NonFinite}, {"Infinity", NonFinite},
}

func (p *parser) literal() (Kind, string, error) {
	rest := p.s[p.pos:]
	for _, l := range literals {
		if strings.HasPrefix(rest, l.word) {
			p.pos += len(l.word)
			return l.kind, l.word, nil
		}
		if strings.HasPrefix(l.word, rest) {
			p.pos = len(p.s)
			return 0, "", p.truncated()
		}
	}
	return 0, "", p.errorf(nil, "%q does not begin a value", firstRune(rest))
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// number reads a number by the grammar of RFC 8259, or -Infinity.
func (p *parser) number() (Kind, string, error) {
	start := p.pos
	if p.s[p.pos] == '-' {
		p.pos++
		const inf = "Infinity"
		switch rest := p.s[p.pos:]; {
		case strings.HasPrefix(rest, inf):
			p.pos += len(inf)
			return NonFinite, "-Infinity", nil
		case strings.HasPrefix(inf, rest):
			p.pos = len(p.s)
			return 0, "", p.truncated()
		}
	}
	lead := p.pos
	if p.digits() == 0 {
		return 0, "", p.needDigit()
	}
	if p.s[lead] == '0' && p.pos > lead+1 {
		p.pos = lead
		return 0, "", p.errorf(nil, "a number that begins with 0")
	}
	if p.pos < len(p.s) && p.s[p.pos] == '.' {
		if p.pos++; p.digits() == 0 {
			return 0, "", p.needDigit()
		}
	}
	if p.pos < len(p.s) && p.s[p.pos]|0x20 == 'e' {
		p.pos++
		if p.pos < len(p.s) && (p.s[p.pos] == '+' || p.s[p.pos] == '-') {
			p.pos++
		}
		if p.digits() == 0 {
			return 0, "", p.needDigit()
		}
	}
	return Number, p.s[start:p.pos], nil
}

func (p *parser) digits() (n int) {
	i := p.pos
	for i < len(p.s) && p.s[i]-'0' <= 9 {
		i++
	}
	n, p.pos = i-p.pos, i
	return n
}

func (p *parser) needDigit() error {
	if p.pos == len(p.s) {
		return p.truncated()
	}
	return p.errorf(nil, "%q where a digit belongs", firstRune(p.s[p.pos:]))
}

// str reads a quoted string. Without escapes the result shares the input.
func (p *parser) str() (string, error) {
	p.pos++
	start := p.pos
	for i := start; i < len(p.s); i++ {
		switch c := p.s[i]; {
		case c == '"':
			p.pos = i + 1
			return p.s[start:i], nil
		case c == '\\':
			p.pos = i
			return p.escaped(start)
		case c < 0x20:
			p.pos = i
			return "", p.errorf(nil, "control character %#x inside a string", c)
		}
	}
	p.pos = len(p.s)
	return "", p.truncated()
}

func (p *parser) escaped(start int) (string, error) {
	var b strings.Builder
	for p.pos < len(p.s) {
		switch c := p.s[p.pos]; {
		case c == '"':
			b.WriteString(p.s[start:p.pos])
			p.pos++
			return b.String(), nil
		case c < 0x20:
			return "", p.errorf(nil, "control character %#x inside a string", c)
		case c == '\\':
			b.WriteString(p.s[start:p.pos])
			r, err := p.escape()
			if err != nil {
				return "", err
			}
			b.WriteRune(r)
			start = p.pos
		default:
			p.pos++
		}
	}
	return "", p.truncated()
}

// escape reads one escape sequence, the backslash at p.pos.
func (p *parser) escape() (rune, error) {
	if p.pos+1 >= len(p.s) {
		p.pos = len(p.s)
		return 0, p.truncated()
	}
	const from, to = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	c := p.s[p.pos+1]
	if i := strings.IndexByte(from, c); i >= 0 {
		p.pos += 2
		return rune(to[i]), nil
	}
	if c != 'u' {
		return 0, p.errorf(nil, "unknown escape \\%c", firstRune(p.s[p.pos+1:]))
	}
	return p.unicode()
}

// unicode reads \u with four hexadecimal digits, and the second half of a
// surrogate pair. A lone half becomes U+FFFD, as in encoding/json.
func (p *parser) unicode() (rune, error) {
	r, err := p.hex4()
	if err != nil || !utf16.IsSurrogate(r) {
		return r, err
	}
	if !strings.HasPrefix(p.s[p.pos:], `\u`) {
		return utf8.RuneError, nil
	}
	back := p.pos
	low, err := p.hex4()
	if err != nil {
		return 0, err
	}
	if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
		p.pos = back
	}
	return r, nil
}

func (p *parser) hex4() (r rune, err error) {
	for i := p.pos + 2; i < p.pos+6; i++ {
		if i >= len(p.s) {
			p.pos = len(p.s)
			return 0, p.truncated()
		}
		d := strings.IndexByte("0123456789abcdef", p.s[i]|0x20)
		if d < 0 || p.s[i] < '0' {
			return 0, p.errorf(nil, "\\u needs four hexadecimal digits")
		}
		r = r<<4 | rune(d)
	}
	p.pos += 6
	return r, nil
}
