package logits

import (
	"io"
	"math"

	"example.com/servemath/correctness"
	"example.com/servemath/internal/jsontree"
)

// MaxText reads MaxText's golden files, a JSON line a prompt: tokens with logits,
// a row of the whole vocabulary a token. Row i predicts token i+1; that of the
// last token may be there or not. Lines with token_log_probs alone, of which there
// is one less than of tokens, are for [Sampled].
func MaxText(r io.Reader, o *Options) (Reader, error) { return newResponses(r, o, maxText) }

// maxText is {"tokens": [id], "logits": [[number]]} or {"tokens": [id],
// "token_log_probs": [number]}.
var maxText = format{
	name: "MaxText",
	match: func(n *jsontree.Node) bool {
		return get(n, "tokens") != nil && (get(n, "logits") != nil || get(n, "token_log_probs") != nil)
	},
	decode: decodeMaxText,
}

// decodeMaxText pairs rows with the tokens that they predict. A file made with the
// row of token i at place i+1 would have one row too many or too few, and a
// comparison shifted by one is off by tens of nats.
func decodeMaxText(d *responses, n *jsontree.Node) (part, error) {
	p := newPart(n)
	tokens, err := d.list(n, "tokens")
	if err != nil {
		return p, err
	}
	rows, read := get(n, "logits"), d.logitRow
	if rows == nil {
		rows, read = get(n, "token_log_probs"), d.tokenLogProb
	}
	items := rows.Items()
	if short := len(tokens) - 1; len(items) != short && (len(items) != short+1 || get(n, "logits") == nil) {
		return p, d.errorf(correctness.ErrAlignment, at(n.Offset), "%d tokens have %d rows after them: the row of a token predicts the next", len(tokens), len(items))
	}
	c := choice{entries: make([]entry, len(items))}
	for i := range items {
		e := &c.entries[i]
		e.offset, e.data = items[i].Offset, noToken(&items[i])
		if i+1 < len(tokens) {
			if err := d.setID(&tokens[i+1], &e.data); err != nil {
				return p, err
			}
		}
		if err := read(&items[i], e, i); err != nil {
			return p, err
		}
	}
	p.choices = []choice{c}
	return p, nil
}

// tokenLogProb reads one element of token_log_probs.
func (d *responses) tokenLogProb(n *jsontree.Node, e *entry, _ int) error {
	return d.logprob(n, &e.data)
}

// logitRow reads one row. -Infinity is a masked token; NaN and null are refused,
// as a row cannot leave one out.
func (d *responses) logitRow(n *jsontree.Node, e *entry, position int) error {
	items := n.Items()
	if v := d.options.VocabSize; len(items) == 0 || v != 0 && v != len(items) {
		return d.errorf(correctness.ErrVocab, at(n.Offset), "a row of %d logits", len(items))
	}
	e.values = make([]float32, len(items))
	for i := range items {
		x, ok := items[i].AnyFloat()
		p := place{"", position, i, items[i].Offset}
		switch {
		case !ok && isNull(&items[i]) || math.IsNaN(x):
			return d.errorf(correctness.ErrNaN, p, "%s in place of a logit", items[i].Text())
		case !ok:
			return d.errorf(correctness.ErrFormat, p, "a logit is %s", items[i].Kind)
		case x > math.MaxFloat32:
			return d.errorf(correctness.ErrPosInf, p, "a logit of %g", x)
		}
		e.values[i] = float32(x)
	}
	return nil
}
