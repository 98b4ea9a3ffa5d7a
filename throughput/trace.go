package throughput

import (
	"fmt"
	"math"
	"slices"
)

// Request is one request of a recorded trace. Times are in seconds from an origin
// that all share.
type Request struct {
	StartSeconds, EndSeconds float64
	PromptTokens             int
	Chunks                   []Chunk // of content, in the order they came
	Failed                   bool    // then only its time counts, for the length of the run
}

// Chunk is one piece of a streamed answer.
type Chunk struct {
	Seconds float64
	Tokens  int
}

// OutputTokens returns the tokens of all chunks.
func (r Request) OutputTokens() int {
	n := 0
	for _, c := range r.Chunks {
		n += c.Tokens
	}
	return n
}

func (r Request) e2e() float64  { return r.EndSeconds - r.StartSeconds }
func (r Request) ttft() float64 { return r.Chunks[0].Seconds - r.StartSeconds }

// checkTrace refuses requests that cannot have happened.
func checkTrace(trace []Request) error {
	if len(trace) == 0 {
		return fmt.Errorf("%w: the trace has no request", ErrEmpty)
	}
	completed := false
	for i, r := range trace {
		completed = completed || !r.Failed
		if err := r.check(); err != nil {
			return fmt.Errorf("throughput: request %d: %w", i, err)
		}
	}
	if !completed {
		return fmt.Errorf("%w: all %d of the trace", ErrAllFailed, len(trace))
	}
	return nil
}

func (r Request) check() error {
	last := r.StartSeconds
	for i, c := range r.Chunks {
		switch {
		case math.IsNaN(c.Seconds) || math.IsInf(c.Seconds, 0):
			return fmt.Errorf("%w: chunk %d at %g", ErrNonFinite, i, c.Seconds)
		case c.Seconds < last:
			return fmt.Errorf("%w: chunk %d at %g, after %g", ErrOrder, i, c.Seconds, last)
		case c.Tokens < 1:
			return fmt.Errorf("%w: chunk %d has %d tokens", ErrNonPositive, i, c.Tokens)
		}
		last = c.Seconds
	}
	switch {
	case !(math.Abs(r.StartSeconds) < math.MaxFloat64 && math.Abs(r.EndSeconds) < math.MaxFloat64):
		return fmt.Errorf("%w: from %g to %g", ErrNonFinite, r.StartSeconds, r.EndSeconds)
	case r.EndSeconds < last:
		return fmt.Errorf("%w: end at %g, after %g", ErrOrder, r.EndSeconds, last)
	case r.PromptTokens < 0:
		return fmt.Errorf("%w: %d prompt tokens", ErrNonPositive, r.PromptTokens)
	case !r.Failed && len(r.Chunks) == 0:
		return fmt.Errorf("%w: completed without a chunk", ErrEmpty)
	case !r.Failed && r.EndSeconds == r.StartSeconds:
		return fmt.Errorf("%w: it took no time", ErrNonPositive)
	}
	return nil
}

// completed returns the requests that did not fail.
func completed(trace []Request) []Request {
	return slices.DeleteFunc(slices.Clone(trace), func(r Request) bool { return r.Failed })
}

// window is the time from the first start to the last end, failed requests
// included.
func window(trace []Request) float64 {
	first, last := math.Inf(1), math.Inf(-1)
	for _, r := range trace {
		first, last = min(first, r.StartSeconds), max(last, r.EndSeconds)
	}
	return last - first
}
