package logits

import (
	"io"

	"example.com/servemath/internal/jsontree"
)

// Ollama reads responses of Ollama's /api/generate and /api/chat, from 0.12.11 on:
// logprobs at the top of each object, whole or streamed. Log-probabilities are
// those of the model, not scaled by temperature.
func Ollama(r io.Reader, o *Options) (Reader, error) { return newResponses(r, o, ollama) }

// ollama is
//
//	{"done", "done_reason", "eval_count",
//	 "logprobs": [{"token", "logprob", "bytes", "top_logprobs": [{"token", "logprob", "bytes"}]}]}
//
// a line an event, of which the last is done.
var ollama = format{
	name: "Ollama",
	match: func(n *jsontree.Node) bool {
		_, done := get(n, "done").Bool()
		return done || elem(get(n, "logprobs"), 0) != nil && get(elem(get(n, "logprobs"), 0), "token") != nil
	},
	decode: decodeOllama,
}

// decodeOllama reads a response, or an event of a stream.
func decodeOllama(d *responses, n *jsontree.Node) (part, error) {
	p := newPart(n)
	reason, _ := get(n, "done_reason").Str()
	done, known := get(n, "done").Bool()
	c := choice{open: known && !done, stopped: reason == "stop"}
	entries := get(n, "logprobs").Items()
	for i := range entries {
		e, err := d.chatEntry(&entries[i])
		if err != nil {
			return p, err
		}
		c.entries = append(c.entries, e)
	}
	p.settle(c, get(n, "eval_count"))
	return p, nil
}
