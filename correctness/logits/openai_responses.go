package logits

import (
	"io"

	"example.com/servemath/internal/jsontree"
)

// OpenAIResponses reads responses of /v1/responses. Their log-probabilities are
// rounded to 6 decimals, -0.0 among them: differences below 1e-6 mean nothing,
// which stands in the warnings. Without top_logprobs in the request the lists are
// empty, and only [Sampled] can read them.
func OpenAIResponses(r io.Reader, o *Options) (Reader, error) {
	return newResponses(r, o, openAIResponses)
}

// openAIResponses is
//
//	{"object": "response", "status", "temperature", "usage": {"output_tokens"},
//	 "output": [{"content": [{"logprobs": [
//	   {"token", "logprob", "bytes", "top_logprobs": [{"token", "logprob", "bytes"}]}]}]}]}
var openAIResponses = format{
	name: "OpenAI Responses",
	match: func(n *jsontree.Node) bool {
		object, _ := get(n, "object").Str()
		return object == "response" && get(n, "output") != nil
	},
	decode: decodeOpenAIResponse,
}

// decodeOpenAIResponse takes the parts of all messages as one text.
func decodeOpenAIResponse(d *responses, n *jsontree.Node) (part, error) {
	p := newPart(n)
	output, err := d.list(n, "output")
	if err != nil {
		return p, err
	}
	status, _ := get(n, "status").Str()
	c := choice{stopped: status == "" || status == "completed"}
	for i := range output {
		content := get(&output[i], "content").Items()
		for j := range content {
			logprobs := get(&content[j], "logprobs").Items()
			for k := range logprobs {
				e, err := d.chatEntry(&logprobs[k])
				if err != nil {
					return p, err
				}
				c.entries = append(c.entries, e)
			}
		}
	}
	p.choices = []choice{c}
	p.counted = generated(get(n, "usage"), "output")
	if t, ok := get(n, "temperature").Float(); ok {
		p.temperature = t
	}
	d.audit.note("logits: OpenAI Responses round log-probabilities to 6 decimals: differences below 1e-6 mean nothing")
	return p, nil
}
