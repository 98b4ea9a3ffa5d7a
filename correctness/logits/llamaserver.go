package logits

import (
	"io"
	"math"

	"example.com/servemath/correctness"
	"example.com/servemath/internal/jsontree"
)

// LlamaServer reads responses of llama.cpp's llama-server: /completion with
// n_probs, whole or streamed, and its OpenAI-shaped routes, which [OpenAIChat]
// describes. Log-probabilities of /completion are those of the model, before
// temperature and samplers.
//
// With post_sampling_probs, and before December 2024 always, they are
// probabilities of what the samplers left: a divergence of such measures the
// samplers. They are refused unless Options.PostSampling is set, and then named
// in the warnings.
func LlamaServer(r io.Reader, o *Options) (Reader, error) {
	return newResponses(r, o, llamaServer, openAIChat)
}

// llamaServer is
//
//	{"content", "stop", "tokens_predicted", "stop_type", "generation_settings",
//	 "completion_probabilities": [
//	  {"id", "token", "bytes", "logprob", "top_logprobs": [{"id", "token", "bytes", "logprob"}]}]}
//
// with post_sampling_probs "prob" and "top_probs" instead, and in old versions
// {"content", "probs": [{"tok_str", "prob"}]}. In a stream "stop" is false until
// the last event, which has the counts and no positions.
var llamaServer = format{
	name:   "llama-server",
	match:  func(n *jsontree.Node) bool { return get(n, "completion_probabilities") != nil },
	decode: decodeLlamaServer,
}

// decodeLlamaServer reads a response, or an event, whose lists hold one position.
func decodeLlamaServer(d *responses, n *jsontree.Node) (part, error) {
	p := newPart(n)
	reason, _ := get(n, "stop_type").Str()
	stop, event := get(n, "stop").Bool()
	c := choice{open: event && !stop, stopped: reason == "eos" || reason == "word"}
	entries := get(n, "completion_probabilities").Items()
	for i := range entries {
		e, err := d.serverEntry(n, &entries[i], &p)
		if err != nil {
			return p, err
		}
		c.entries = append(c.entries, e)
	}
	p.settle(c, get(n, "tokens_predicted"))
	return p, nil
}

// serverEntry tells the three shapes of a position apart.
func (d *responses) serverEntry(response, n *jsontree.Node, p *part) (e entry, err error) {
	e.offset = n.Offset
	if top := get(n, "top_logprobs"); top != nil {
		if e.data, err = d.chatToken(n); err == nil {
			e.list, err = tokensOf(top, d.chatToken)
		}
		return e, err
	}
	if !d.options.PostSampling {
		return e, d.errorf(correctness.ErrTemperature, at(n.Offset), "probabilities after temperature and samplers, not the model's: ask without post_sampling_probs, or set Options.PostSampling")
	}
	d.audit.note("logits: probabilities were taken after temperature and samplers: divergences measure those too")
	if t, ok := get(response, "generation_settings", "temperature").Float(); ok {
		p.temperature = t
	}
	if top := get(n, "top_probs"); top != nil {
		if e.data, err = d.probToken(n); err == nil {
			e.list, err = tokensOf(top, d.probToken)
		}
		return e, err
	}
	e.data = noToken(n)
	if err = d.name(get(n, "content"), nil, &e.data); err == nil {
		e.list, err = tokensOf(get(n, "probs"), d.oldProbToken)
	}
	return e, err
}

// probToken reads {id, token, bytes, prob}.
func (d *responses) probToken(n *jsontree.Node) (token, error) { return d.prob(n, "token") }

// oldProbToken reads {tok_str, prob}.
func (d *responses) oldProbToken(n *jsontree.Node) (token, error) { return d.prob(n, "tok_str") }

// prob reads a probability into its logarithm; that of 0 is -Inf, and no sentinel.
func (d *responses) prob(n *jsontree.Node, text string) (token, error) {
	t, err := d.identified(n, text)
	if err != nil {
		return t, err
	}
	x, ok := get(n, "prob").Float()
	switch {
	case !ok:
		return t, d.errorf(correctness.ErrFormat, at(n.Offset), "a token without a probability")
	case x < 0:
		return t, d.errorf(correctness.ErrNegativeProb, at(n.Offset), "a probability of %g", x)
	case x > 1+positiveSlack:
		return t, d.errorf(correctness.ErrPositiveLogProb, at(n.Offset), "a probability of %g", x)
	}
	t.logprob = min(math.Log(x), 0)
	return t, nil
}
