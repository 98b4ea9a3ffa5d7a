package logits

import (
	"errors"
	"io"
	"iter"
	"math"

	"example.com/servemath/correctness"
)

// Sample is the log-probability that an engine gave to one token of the text.
type Sample struct {
	Prompt  string
	Index   int // position within the prompt
	Token   int
	LogProb float64
}

// Sampled yields the chosen token of every position of responses in any format
// that is read here, and in those that tell no more than it: the stream of
// text-generation-inference and MaxText's token_log_probs. No divergence can be
// computed of them; [correctness.SampledKL] makes an estimate of two engines'
// values for the same tokens. An error ends the sequence. A stream of
// text-generation-inference counts as far as it goes, its last event or not.
func Sampled(r io.Reader, o *Options) iter.Seq2[Sample, error] {
	return func(yield func(Sample, error) bool) {
		src, err := newResponses(r, o, formats...)
		if err != nil {
			yield(Sample{}, err)
			return
		}
		d := src.(*responses) // newResponses makes nothing else
		for {
			s, ok, err := d.sample()
			if errors.Is(err, io.EOF) {
				return
			}
			if (ok || err != nil) && !yield(s, err) || err != nil {
				return
			}
		}
	}
}

// sample reads the next position; not ok where the options leave it out.
func (d *responses) sample() (s Sample, ok bool, err error) {
	e, p, err := d.entry()
	if err != nil || e.empty {
		return s, false, err
	}
	id, err := d.id(e.data, p)
	if err != nil {
		return s, false, err
	}
	if e.data.sentinel == "" && math.IsNaN(e.data.logprob) {
		return s, false, d.errorf(correctness.ErrFormat, p, "no log-probability of the chosen token beside its list")
	}
	ok, err = d.unmask(&e.data, p)
	return Sample{p.prompt, p.position, int(id), e.data.logprob}, ok, err
}
