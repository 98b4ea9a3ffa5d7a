package logits

import "example.com/servemath/internal/jsontree"

// tgi is what text-generation-inference streams, or gives as details: the chosen
// tokens alone, so that only Sampled reads it.
var tgi = format{
	name: "text-generation-inference",
	match: func(n *jsontree.Node) bool {
		return get(n, "token", "logprob") != nil || get(n, "details", "tokens") != nil
	},
	decode: decodeTGI,
}

// decodeTGI reads an event {"token": {"id", "text", "logprob"}, "generated_text"}, of
// which the last has the text, or a response with details.tokens.
func decodeTGI(d *responses, n *jsontree.Node) (part, error) {
	p := newPart(n)
	var c choice
	tokens := get(n, "details", "tokens").Items()
	if event := get(n, "token"); event != nil {
		p.stream = "events"
		_, p.done = get(n, "generated_text").Str()
		tokens = []jsontree.Node{*event}
	}
	for i := range tokens {
		t := noToken(&tokens[i])
		if err := d.setID(get(&tokens[i], "id"), &t); err != nil {
			return p, err
		}
		if err := d.logprob(get(&tokens[i], "logprob"), &t); err != nil {
			return p, err
		}
		c.entries = append(c.entries, entry{offset: t.offset, data: t})
	}
	p.choices = []choice{c}
	return p, nil
}
