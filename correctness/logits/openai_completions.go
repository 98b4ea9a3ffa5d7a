package logits

import (
	"io"

	"example.com/servemath/correctness"
	"example.com/servemath/internal/jsontree"
)

// OpenAICompletions reads responses of the legacy /v1/completions: parallel lists
// of tokens, their log-probabilities and maps of the most likely texts. With echo
// the prompt's tokens come first, of which the first has no log-probability.
//
// The maps are keyed by text. Tokens of one text collapse into one key, and what
// was lost may have been more likely than what is left: a map that is smaller than
// others of its response allow is refused, or skipped with GapSkip.
func OpenAICompletions(r io.Reader, o *Options) (Reader, error) {
	return newResponses(r, o, openAICompletions)
}

// openAICompletions is
//
//	{"id", "usage": {"prompt_tokens", "completion_tokens"}, "choices": [
//	 {"index", "text", "finish_reason", "logprobs": {
//	   "tokens": [text], "token_logprobs": [number or null],
//	   "top_logprobs": [{text: number} or null], "text_offset": [number]}}]}
var openAICompletions = format{
	name: "OpenAI completions",
	match: func(n *jsontree.Node) bool {
		for _, c := range get(n, "choices").Items() {
			if _, ok := c.Get("text"); ok || get(&c, "logprobs", "tokens") != nil {
				return true
			}
		}
		return false
	},
	decode: decodeCompletions,
}

// decodeCompletions reads a response, or an event of a stream.
func decodeCompletions(d *responses, n *jsontree.Node) (part, error) {
	if hasChatLogprobs(n) { // llama-server answers so
		return decodeChat(d, n)
	}
	p := newPart(n)
	choices, err := d.list(n, "choices")
	if err != nil {
		return p, err
	}
	p.counted = generated(get(n, "usage"), "completion")
	for i := range choices {
		c, err := d.legacyChoice(&choices[i], get(n, "usage"))
		if err != nil {
			return p, err
		}
		p.choices = append(p.choices, c)
	}
	p.setStream(n)
	return p, nil
}

// legacyChoice reads the parallel lists. usage counts the echoed prompt apart from
// what was generated.
func (d *responses) legacyChoice(n, usage *jsontree.Node) (c choice, err error) {
	c = choiceOf(n)
	logprobs := get(n, "logprobs")
	if isNull(logprobs) && c.open {
		return c, nil
	}
	if get(logprobs, "tokens") == nil {
		return c, d.errorf(correctness.ErrFormat, at(n.Offset), "a choice without logprobs: the request must ask for them")
	}
	tokens, err := d.list(logprobs, "tokens")
	if err != nil {
		return c, err
	}
	values, err := d.list(logprobs, "token_logprobs")
	if err != nil {
		return c, err
	}
	maps := get(logprobs, "top_logprobs")
	if len(values) != len(tokens) || maps.Items() != nil && maps.Len() != len(tokens) {
		return c, d.errorf(correctness.ErrAlignment, at(logprobs.Offset), "%d tokens, %d log-probabilities, %d maps", len(tokens), len(values), len(maps.Items()))
	}
	for i := range tokens {
		e, err := d.legacyEntry(&tokens[i], &values[i], elem(maps, i), i)
		if err != nil {
			return c, err
		}
		c.entries = append(c.entries, e)
	}
	if len(c.entries) > 0 && c.entries[0].empty {
		c.prompt = max(count(get(usage, "prompt_tokens")), 0)
	}
	return c, nil
}

// markCollapsed notes how many texts each map of a response must have. A map holds
// the k most likely texts, and the chosen one beside them where it is less likely
// than these.
func markCollapsed(entries []entry) {
	if len(entries) == 0 || !entries[0].keyed {
		return
	}
	k := 0
	for i := range entries {
		n := len(entries[i].list)
		if n > 1 && chosenIsLast(&entries[i]) {
			n--
		}
		k = max(k, n)
	}
	for i := range entries {
		entries[i].least = k
	}
}

// legacyEntry reads the i-th token with its map of texts.
func (d *responses) legacyEntry(text, logprob, top *jsontree.Node, i int) (e entry, err error) {
	e = entry{offset: text.Offset, data: noToken(text), beside: true, keyed: true, empty: i == 0 && isNull(logprob)}
	if err = d.name(text, nil, &e.data); err != nil || e.empty {
		return e, err
	}
	if err = d.logprob(logprob, &e.data); err != nil {
		return e, err
	}
	for key, n := range top.Members() {
		t := noToken(n)
		if err = d.nameText(key, &t); err != nil {
			return e, err
		}
		if err = d.logprob(n, &t); err != nil {
			return e, err
		}
		e.list = append(e.list, t)
	}
	return e, nil
}
