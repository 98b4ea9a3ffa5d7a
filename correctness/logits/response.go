package logits

import (
	"math"
	"slices"
	"strconv"

	"example.com/servemath/correctness"
	"example.com/servemath/internal/jsontree"
)

// format is a shape of responses: how one JSON value of it looks, and what it
// says. Decoders only gather; identity, sentinels and alignment are judged once,
// for all formats, by responses.
type format struct {
	name   string
	match  func(n *jsontree.Node) bool
	decode func(d *responses, n *jsontree.Node) (part, error)
}

// formats are tried in this order, the ones with the more telling keys first.
var formats = []format{llamaServer, sglang, vllmPrompt, openAIChat, openAICompletions, openAIResponses, tgi, maxText, ollama}

// part is what one JSON value holds: a response, or one event of a stream.
type part struct {
	offset  int64
	key     string // the file's own name for the prompt
	id      string // the server's name for the response
	stream  string // events of one such name make one response; empty: whole
	done    bool   // the last event of a stream that says so
	choices []choice
	// counted is how many tokens the server says it made, over all choices; -1
	// unknown.
	counted     int
	temperature float64 // that the log-probabilities depend on; NaN: not declared
}

// newPart is a part that says nothing yet.
func newPart(n *jsontree.Node) part {
	return part{offset: n.Offset, counted: -1, temperature: math.NaN()}
}

// choice is one continuation of a prompt, or the prompt itself.
type choice struct {
	index   int
	entries []entry
	prompt  int  // how many of the entries belong to the prompt, which counted leaves out
	open    bool // the server has not said that it is finished
	stopped bool // it ended by an end token, which may be counted without being listed
}

// hasRows says that something is left of a choice without its empty entries.
func (c choice) hasRows() bool {
	return slices.ContainsFunc(c.entries, func(e entry) bool { return !e.empty })
}

// entry is one position.
type entry struct {
	offset int64
	data   token   // what was chosen there, or followed in the prompt
	list   []token // the most likely ones; nil: the response does not say
	asked  []token // whose values the request asked for
	// beside says that the list may carry the data token although it is not among
	// the most likely, as several servers do.
	beside bool
	keyed  bool      // the list is a map by text, which loses tokens of one text
	least  int       // how many texts that map would hold if none was lost
	values []float32 // the whole vocabulary, instead of a list
	empty  bool      // the first token of a prompt, which nothing predicts
}

// token is one entry of a list, as the server wrote it.
type token struct {
	offset   int64
	id       int32  // -1: the response has none
	bytes    string // what identifies it otherwise
	named    bool   // bytes are known
	logprob  float64
	sentinel string // what stands in place of the log-probability
}

// noToken is a data token that the response does not name.
func noToken(n *jsontree.Node) token {
	return token{offset: n.Offset, id: -1, logprob: math.NaN()}
}

// settle books the only choice of a response or an event. Of a stream the last
// event alone says how many tokens there were.
func (p *part) settle(c choice, tokens *jsontree.Node) {
	p.choices = []choice{c}
	if c.open {
		p.stream = "events"
		return
	}
	p.done, p.counted = true, count(tokens)
}

// logprob reads a log-probability or the sentinel that stands for one.
func (d *responses) logprob(n *jsontree.Node, t *token) error {
	if n == nil {
		return d.errorf(correctness.ErrFormat, at(t.offset), "a token without a log-probability")
	}
	x, ok := n.AnyFloat()
	switch t.logprob = x; {
	case n.Kind == jsontree.Null || math.IsNaN(x) || ok && isSentinel(x):
		t.sentinel = n.Text()
	case !ok:
		return d.errorf(correctness.ErrFormat, at(n.Offset), "a log-probability is %s", n.Kind)
	case math.IsInf(x, 1):
		return d.errorf(correctness.ErrPosInf, at(n.Offset), "a log-probability of Infinity")
	case x > positiveSlack:
		return d.errorf(correctness.ErrPositiveLogProb, at(n.Offset), "a log-probability of %g", x)
	}
	t.logprob = min(t.logprob, 0)
	return nil
}

// positiveSlack is how far float32 arithmetic on logits of some ten nats takes a
// log-probability of 0 above it.
const positiveSlack = 1e-5

// isSentinel tells values that servers write where they have no log-probability:
// -9999 (OpenAI), -1e16 (SGLang's padding), -1000 and -100 (clips).
func isSentinel(x float64) bool {
	return x <= -1e16 || x == -9999 || x == -1000 || x == -100
}

// setID reads a token id.
func (d *responses) setID(n *jsontree.Node, t *token) error {
	id, ok := n.Int()
	return d.putID(id, ok, t)
}

// putID checks that an id fits a list; whether the vocabulary has it is for the
// comparison, which knows its size.
func (d *responses) putID(id int64, ok bool, t *token) error {
	if !ok || id < 0 || id > math.MaxInt32 {
		return d.errorf(correctness.ErrVocab, at(t.offset), "not a token id")
	}
	t.id = int32(id)
	return nil
}

// identified reads {token, id, bytes}, whose text may have another key. Only
// llama-server writes ids.
func (d *responses) identified(n *jsontree.Node, text string) (token, error) {
	t := noToken(n)
	if id := get(n, "id"); id != nil {
		if err := d.setID(id, &t); err != nil {
			return t, err
		}
	}
	return t, d.name(get(n, text), get(n, "bytes"), &t)
}

// tokensOf reads each element of an array.
func tokensOf(n *jsontree.Node, read func(n *jsontree.Node) (token, error)) (list []token, err error) {
	for i := range n.Items() {
		t, err := read(&n.Items()[i])
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}

// keyID reads a token id that is the key of an object.
func (d *responses) keyID(key string, t *token) error {
	id, err := strconv.ParseInt(key, 10, 64)
	return d.putID(id, err == nil, t)
}

// A missing member is nil, as is what lies below it, and nil nodes hold nothing:
// decoders look for what they need, and say what is missing only where it is
// needed.

// list returns the elements of a member that must be an array.
func (d *responses) list(n *jsontree.Node, key string) ([]jsontree.Node, error) {
	v, ok := n.Get(key)
	if !ok || v.Kind != jsontree.Array {
		return nil, d.errorf(correctness.ErrFormat, at(n.Offset), "no list %q", key)
	}
	return v.Items(), nil
}

// get follows keys down; a missing one gives nil, whose methods find nothing.
func get(n *jsontree.Node, keys ...string) *jsontree.Node {
	for _, k := range keys {
		n, _ = n.Get(k)
	}
	return n
}

// elem is the i-th element of an array, nil where there is none.
func elem(n *jsontree.Node, i int) *jsontree.Node {
	if items := n.Items(); i < len(items) {
		return &items[i]
	}
	return nil
}

// count reads a number of tokens; -1 when there is none.
func count(n *jsontree.Node) int {
	if c, ok := n.Int(); ok && c >= 0 && c <= math.MaxInt32 {
		return int(c)
	}
	return -1
}

// isNull says that a member is there and null.
func isNull(n *jsontree.Node) bool { return n != nil && n.Kind == jsontree.Null }
