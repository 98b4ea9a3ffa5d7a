package logits

import (
	"io"

	"example.com/servemath/correctness"
	"example.com/servemath/internal/jsontree"
)

// SGLang reads results of SGLang's /generate: the positions of the prompt, if the
// request asked for them, and then those of the output, counted on. The first
// token of the prompt has no list. Tokens that token_ids_logprob asked for count
// as known besides the most likely ones. Values that lie on the grid of bfloat16, as
// sglang-jax writes them, are named in the warnings.
func SGLang(r io.Reader, o *Options) (Reader, error) { return newResponses(r, o, sglang) }

// sglang is
//
//	{"text", "meta_info": {"finish_reason": {"type"}, "completion_tokens",
//	  "input_token_logprobs":      [[logprob, id, text or null]],
//	  "input_top_logprobs":        [null or [[logprob, id, text]]],
//	  "input_token_ids_logprobs":  the same, of the ids that were asked for,
//	  "output_...":                the same three}}
var sglang = format{
	name:   "SGLang",
	match:  func(n *jsontree.Node) bool { return get(n, "meta_info") != nil },
	decode: decodeSGLang,
}

// decodeSGLang puts the output's positions after the prompt's. Only the former are
// counted in completion_tokens.
func decodeSGLang(d *responses, n *jsontree.Node) (part, error) {
	p := newPart(n)
	meta := get(n, "meta_info")
	if reason := get(meta, "finish_reason"); isNull(reason) {
		return p, d.errorf(correctness.ErrFormat, at(reason.Offset), "an event of a stream, which repeats what came before: ask for the whole result")
	}
	input, err := d.tripleLists(meta, "input")
	if err != nil {
		return p, err
	}
	output, err := d.tripleLists(meta, "output")
	if err != nil {
		return p, err
	}
	if len(input)+len(output) == 0 {
		return p, d.errorf(correctness.ErrFormat, at(n.Offset), "no log-probabilities: the request must set return_logprob")
	}
	reason, _ := get(meta, "finish_reason", "type").Str()
	p.choices = []choice{{entries: append(input, output...), prompt: len(input), stopped: reason == "stop"}}
	p.counted = count(get(meta, "completion_tokens"))
	return p, nil
}

// tripleLists reads the tokens of one side beside the lists of the most likely
// ones and of those that were asked for.
func (d *responses) tripleLists(meta *jsontree.Node, side string) ([]entry, error) {
	tokens := get(meta, side+"_token_logprobs").Items()
	top, err := d.sideList(meta, side+"_top_logprobs", len(tokens))
	if err != nil {
		return nil, err
	}
	asked, err := d.sideList(meta, side+"_token_ids_logprobs", len(tokens))
	if err != nil {
		return nil, err
	}
	out := make([]entry, len(tokens))
	for i := range tokens {
		e := &out[i]
		e.offset = tokens[i].Offset
		if e.data, err = d.triple(&tokens[i]); err != nil {
			return nil, err
		}
		e.empty = i == 0 && side == "input" && e.data.sentinel == "null"
		if e.list, err = tokensOf(elem(top, i), d.triple); err != nil {
			return nil, err
		}
		if e.asked, err = tokensOf(elem(asked, i), d.triple); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// sideList is a list that must have as many positions as there are tokens, if it
// has any.
func (d *responses) sideList(meta *jsontree.Node, key string, tokens int) (*jsontree.Node, error) {
	list := get(meta, key)
	if n := len(list.Items()); n > 0 && n != tokens && d.options.Gaps != GapSkip {
		return nil, d.errorf(correctness.ErrAlignment, at(list.Offset), "%s has %d positions for %d tokens", key, n, tokens)
	}
	return list, nil
}

// triple reads [logprob, id, text or null].
func (d *responses) triple(n *jsontree.Node) (token, error) {
	t := noToken(n)
	if len(n.Items()) != 3 {
		return t, d.errorf(correctness.ErrFormat, at(n.Offset), "not [log-probability, id, text]")
	}
	if err := d.setID(elem(n, 1), &t); err != nil {
		return t, err
	}
	if s, ok := elem(n, 2).Str(); ok {
		if err := d.nameText(s, &t); err != nil {
			return t, err
		}
	}
	return t, d.logprob(elem(n, 0), &t)
}
