package logits

import (
	"bufio"
	"errors"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"

	"example.com/servemath/correctness"
	"example.com/servemath/internal/jsontree"
)

// responses turns a file of JSON responses, one or many, whole or streamed, into
// rows. It holds one response at a time, and checks it whole before its first row
// is handed out: a shifted list is noticed at its end.
type responses struct {
	handle
	options Options
	format  format
	dec     *jsontree.Decoder

	values  []*jsontree.Node // of the current JSON value, still to be decoded
	pending *part            // the stream that is being gathered
	ready   []choice         // of the current response
	key     string           // its prompt
	ordinal int              // responses so far
	keys    map[string]struct{}
	pos     int // in ready[0].entries

	byText      bool // tokens are told apart by their bytes
	tokens      *correctness.TokenTable
	temperature float64
	seen        map[int32]struct{}
	audit       audit
}

// newResponses opens r in the first of the formats that its first value matches.
func newResponses(r io.Reader, o *Options, candidates ...format) (Reader, error) {
	d := &responses{options: o.orDefault()}
	return readerOf(d, d.open(r, candidates))
}

// open reads the first value, which settles the format, and on to the first rows.
func (d *responses) open(r io.Reader, candidates []format) error {
	if err := d.options.check(&d.handle); err != nil {
		return err
	}
	d.temperature, d.seen, d.keys = math.NaN(), map[int32]struct{}{}, map[string]struct{}{}
	d.dec = jsontree.NewDecoder(events(bufio.NewReader(r)))
	d.dec.MaxBytes = d.options.MaxBytes
	first, err := d.value()
	if errors.Is(err, io.EOF) {
		return d.errorf(correctness.ErrTruncated, at(0), "no response")
	}
	if err != nil {
		return err
	}
	i := slices.IndexFunc(candidates, func(f format) bool { return f.match(body(first)) })
	if i < 0 {
		return d.errorf(correctness.ErrFormat, at(first.Offset), "%s, not %s", describe(body(first)), names(candidates))
	}
	d.format = candidates[i]
	d.values = append([]*jsontree.Node{first}, d.values...)
	return d.readAhead()
}

// readAhead reads up to the first response that has rows: whether tokens have ids
// must be known before any is handed out, for a pair of readers to share a table.
func (d *responses) readAhead() error {
	for {
		err := d.advance()
		if errors.Is(err, io.EOF) {
			return nil // none has any
		}
		if err != nil || slices.ContainsFunc(d.ready, choice.hasRows) {
			return err
		}
	}
}

// Next implements [correctness.Source].
func (d *responses) Next(row *correctness.Row) error {
	for {
		e, p, err := d.entry()
		if err != nil {
			return err
		}
		if e.empty {
			continue
		}
		kept, err := d.fill(row, e, p)
		if kept || err != nil {
			return err
		}
	}
}

// entry returns the next position of any response, io.EOF after the last.
func (d *responses) entry() (*entry, place, error) {
	for len(d.ready) == 0 || d.pos == len(d.ready[0].entries) {
		if len(d.ready) > 0 {
			d.ready, d.pos = d.ready[1:], 0
			continue
		}
		switch err := d.advance(); {
		case errors.Is(err, io.EOF):
			d.warnings = d.audit.warnings()
			return nil, place{}, io.EOF
		case err != nil:
			return nil, place{}, err
		}
	}
	c := &d.ready[0]
	e := &c.entries[d.pos]
	p := place{d.key, d.pos, -1, e.offset}
	if c.index > 0 {
		p.prompt += "/" + strconv.Itoa(c.index)
	}
	d.pos++
	return e, p, nil
}

// value returns the next response; an array of responses yields each.
func (d *responses) value() (*jsontree.Node, error) {
	for len(d.values) == 0 {
		n, err := d.dec.Next()
		if err != nil {
			return nil, d.jsonError(err)
		}
		if n.Kind != jsontree.Array {
			return n, nil
		}
		for i := range n.Items() {
			d.values = append(d.values, &n.Items()[i])
		}
	}
	n := d.values[0]
	d.values = d.values[1:]
	return n, nil
}

// jsonError places what the parser refuses; errors of the reader below pass.
func (d *responses) jsonError(err error) error {
	syntax, ok := errors.AsType[*jsontree.SyntaxError](err)
	if !ok {
		return err
	}
	is := correctness.ErrFormat
	switch {
	case errors.Is(err, jsontree.ErrTruncated):
		is = correctness.ErrTruncated
	case errors.Is(err, jsontree.ErrDuplicateKey):
		is = errors.Join(correctness.ErrFormat, correctness.ErrDuplicateToken)
	}
	return d.errorf(is, at(syntax.Offset), "%s", syntax.Reason)
}

// body unwraps a line of a batch: {"custom_id", "response": {"body"}}.
func body(n *jsontree.Node) *jsontree.Node {
	if b := get(n, "response", "body"); b != nil {
		return b
	}
	return n
}

// describe says what a value is, for the user to see which request made it.
func describe(n *jsontree.Node) string {
	if n.Kind != jsontree.Object {
		return n.Kind.String()
	}
	var keys []string
	for k := range n.Members() {
		if keys = append(keys, k); len(keys) == 8 {
			break
		}
	}
	return "an object with the keys " + quoted(keys)
}

// names lists formats in an order that does not depend on how they are tried.
func names(fs []format) string {
	set := map[string]bool{}
	for _, f := range fs {
		set[f.name] = true
	}
	return quoted(slices.Sorted(maps.Keys(set)))
}
