package logits

import (
	"io"

	"example.com/servemath/correctness"
	"example.com/servemath/internal/jsontree"
)

// OpenAIChat reads responses of /v1/chat/completions, as OpenAI, vLLM, SGLang and
// llama-server give them: whole or streamed, one or many, bare or as lines of a
// batch. A row is a generated token; a prompt is a response, named by its
// custom_id or its ordinal. Tokens are told apart by their ids where the server
// adds them, else by their bytes.
//
// A response that lists fewer positions than it counts tokens is
// [correctness.ErrAlignment]: only an end token may be missing. llama-server
// merges tokens in the middle of a character into one position, which shifts all
// that follow.
func OpenAIChat(r io.Reader, o *Options) (Reader, error) { return newResponses(r, o, openAIChat) }

// openAIChat is
//
//	{"id", "object", "usage": {"completion_tokens"}, "choices": [
//	 {"index", "finish_reason", "message", "logprobs": {"content": [
//	   {"token", "logprob", "bytes", "top_logprobs": [{"token", "logprob", "bytes"}]}],
//	  "refusal": [the same]}}]}
//
// Events of a stream have "delta" in place of "message", and finish_reason is null
// in all but the last of a choice.
var openAIChat = format{
	name:   "OpenAI chat",
	match:  func(n *jsontree.Node) bool { return isChunk(n) || hasChatLogprobs(n) },
	decode: decodeChat,
}

// isChunk recognises an event of a stream, even one without choices.
func isChunk(n *jsontree.Node) bool {
	object, _ := get(n, "object").Str()
	return object == "chat.completion.chunk"
}

// hasChatLogprobs looks for choices[].logprobs.content, or for the choices that
// hold them when they were asked for.
func hasChatLogprobs(n *jsontree.Node) bool {
	for _, c := range get(n, "choices").Items() {
		_, content := get(&c, "logprobs").Get("content")
		_, delta := c.Get("delta")
		_, message := c.Get("message")
		if content || delta || message {
			return true
		}
	}
	return false
}

// decodeChat reads a response or an event of a stream: the same shape, but for
// "delta" in place of "message".
func decodeChat(d *responses, n *jsontree.Node) (part, error) {
	p := newPart(n)
	choices, err := d.list(n, "choices")
	if err != nil {
		return p, err
	}
	p.counted = generated(get(n, "usage"), "completion")
	for i := range choices {
		c, err := d.chatChoice(&choices[i])
		if err != nil {
			return p, err
		}
		p.choices = append(p.choices, c)
	}
	p.setStream(n)
	return p, nil
}

// setStream tells an event of a stream from a whole response.
func (p *part) setStream(n *jsontree.Node) {
	p.id, _ = get(n, "id").Str()
	event := isChunk(n)
	for _, c := range p.choices {
		event = event || c.open
	}
	if event {
		p.stream = "events of " + p.id
	}
}

// chatChoice reads what a choice says instead of a refusal, or its refusal.
func (d *responses) chatChoice(n *jsontree.Node) (c choice, err error) {
	c = choiceOf(n)
	logprobs := get(n, "logprobs")
	for _, key := range []string{"content", "refusal"} {
		for i := range get(logprobs, key).Items() {
			e, err := d.chatEntry(&get(logprobs, key).Items()[i])
			if err != nil {
				return c, err
			}
			c.entries = append(c.entries, e)
		}
	}
	if _, event := n.Get("delta"); !event && get(logprobs, "content") == nil && get(logprobs, "refusal") == nil {
		return c, d.errorf(correctness.ErrFormat, at(n.Offset), "a choice without logprobs: the request must ask for logprobs and top_logprobs")
	}
	return c, nil
}

// choiceOf reads the index and the reason to stop. In a stream the reason is null
// until the last event.
func choiceOf(n *jsontree.Node) choice {
	reason := get(n, "finish_reason")
	text, _ := reason.Str()
	return choice{index: max(count(get(n, "index")), 0), open: isNull(reason), stopped: text == "stop"}
}

// chatEntry reads {token, logprob, bytes, top_logprobs}, with an id where
// llama-server writes one.
func (d *responses) chatEntry(n *jsontree.Node) (entry, error) {
	e := entry{offset: n.Offset, beside: true}
	var err error
	if e.data, err = d.chatToken(n); err != nil {
		return e, err
	}
	e.list, err = tokensOf(get(n, "top_logprobs"), d.chatToken)
	return e, err
}

// chatToken reads {token, logprob, bytes}.
func (d *responses) chatToken(n *jsontree.Node) (token, error) {
	t, err := d.identified(n, "token")
	if err != nil {
		return t, err
	}
	return t, d.logprob(get(n, "logprob"), &t)
}

// generated is the number of generated tokens that have log-probabilities: those
// of hidden reasoning have none. The routes name it after a completion or an
// output.
func generated(usage *jsontree.Node, what string) int {
	all := count(get(usage, what+"_tokens"))
	if hidden := count(get(usage, what+"_tokens_details", "reasoning_tokens")); all >= 0 && hidden > 0 {
		return max(all-hidden, 0)
	}
	return all
}
