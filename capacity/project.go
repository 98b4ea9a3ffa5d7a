package capacity

import (
	"errors"
	"fmt"
)

// Slopes are what a longer context costs, measured with one request alone at two
// prompt lengths and, for the last, with several at once at two lengths.
type Slopes struct {
	PrefillSecondsPerToken float64 // of TTFT by prompt length
	DecodeSecondsPerToken  float64 // of the time per output token by the tokens before it
	BatchSecondsPerToken   float64 // of the same, for each further request in the batch; or KV bytes of a token by memory bandwidth
	LongestPrompt          int     // tokens of the longest prompt among these measurements; 0: the sweep's own
}

// errEstimated is the warning that goes with what a projected sweep answers.
var errEstimated = errors.New("capacity: the sweep is projected, not measured; on 29 public points the time per token was missed by 4.3 % in the median and by up to 12 % in nine of ten, throughput by 3.3 % and 7.8 %")

// Project estimates the sweep at another prompt or reply length. With prompts of
// L tokens, replies of O and a mean context d = L + O/2 it moves the time per
// output token at C requests by
//
//	C b (L'/O' - L/O) + (e + (C-1) g) (d' - d)
//
// for the slopes b of prefill, e of decode and g of the batch: the others'
// prefills take time from decoding, and longer contexts are read for every
// token. Request times and rates use TTFT + b (L' - L), but TTFT under load is
// not predictable so (58 % off in the median): a projected sweep answers no
// TTFT target. See [Sweep.Projected].
//
// Both prompt lengths must be known, and the new one be at most twice
// LongestPrompt: prefill bends upwards beyond. These, negative slopes and a
// time that comes out negative are an [*InputError]. Standard errors and
// reported totals do not carry over.
func (s *Sweep) Project(to Workload, p Slopes) (*Sweep, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	if err := s.checkProjection(to, p); err != nil {
		return nil, err
	}
	longer := contextTokens(to) - contextTokens(s.work)
	prefills := prefillsPerToken(to) - prefillsPerToken(s.work)
	levels := make([]Level, len(s.levels))
	for i, l := range s.levels {
		c := float64(l.Concurrency)
		ttft := l.TTFTSeconds + p.PrefillSecondsPerToken*float64(to.PromptTokens-s.work.PromptTokens)
		tpot := s.work.secondsPerToken(l) + c*p.PrefillSecondsPerToken*prefills + (p.DecodeSecondsPerToken+(c-1)*p.BatchSecondsPerToken)*longer
		if ttft < 0 || tpot <= 0 {
			return nil, &InputError{l.Concurrency, "Slopes", fmt.Sprintf("they make TTFT %.3g s and time per token %.3g s; the prompts are too far apart", ttft, tpot)}
		}
		levels[i] = Level{Concurrency: l.Concurrency, TTFTSeconds: ttft, TPS: to.tps(ttft, tpot)}
	}
	c, err := NewSweep(to, levels)
	if err != nil {
		return nil, err
	}
	c.projected = true
	return c, nil
}

// Projected reports that [Sweep.Project] made the sweep: it was not measured,
// its answers are estimates and it has no TTFT under load.
func (s *Sweep) Projected() bool { return s != nil && s.projected }

// checkProjection refuses what the formula would answer all the same: an
// unknown length as one of no tokens, a length beyond the measured bend.
func (s *Sweep) checkProjection(to Workload, p Slopes) error {
	if err := to.check(); err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		x    float64
	}{
		{"PrefillSecondsPerToken", p.PrefillSecondsPerToken},
		{"DecodeSecondsPerToken", p.DecodeSecondsPerToken},
		{"BatchSecondsPerToken", p.BatchSecondsPerToken},
	} {
		if !seconds(f.x) {
			return &InputError{0, f.name, fmt.Sprintf("%v is not a time", f.x)}
		}
	}
	longest := p.LongestPrompt
	if longest == 0 {
		longest = s.work.PromptTokens
	}
	switch {
	case s.projected:
		return &InputError{0, "Sweep", "already projected; project the measured one"}
	case s.work.PromptTokens == 0 || to.PromptTokens == 0:
		return &InputError{0, "PromptTokens", "both lengths must be known"}
	case longest < 0 || to.PromptTokens > 2*longest:
		return &InputError{0, "PromptTokens", fmt.Sprintf("%d is more than twice the longest measured, %d", to.PromptTokens, longest)}
	}
	return nil
}

// contextTokens is the mean number of tokens before an output token.
func contextTokens(w Workload) float64 {
	return float64(w.PromptTokens) + float64(w.OutputTokens)/2
}

// prefillsPerToken is the prompt tokens that come with one output token.
func prefillsPerToken(w Workload) float64 {
	return float64(w.PromptTokens) / float64(w.OutputTokens)
}
