package capacity

import (
	"fmt"
	"math"
	"slices"
)

// maxConcurrency bounds the levels a sweep may hold. It is far above any
// engine's slots and keeps one slice per level count affordable.
const maxConcurrency = 1 << 20

// Level is what one run at a fixed number of requests in flight measured.
type Level struct {
	Concurrency int     // requests in flight throughout the run
	TTFTSeconds float64 // mean time to first token; a percentile instead makes shares and quantiles cautious
	TPS         float64 // mean output tokens per second of one request; Workload.TPS says over which time
	TTFTStdErr  float64 // standard error of TTFTSeconds, 0: not known
	TPSStdErr   float64 // standard error of TPS, 0: not known
	OutputTPS   float64 // output tokens per second of all requests as the tool reported it, 0: not known
}

// TPSKind says which time a tool divides a request's output tokens by.
type TPSKind int

const (
	DecodeTPS   TPSKind = iota // the time after the first token: 1/TPOT
	EndToEndTPS                // the whole request, time to first token included
)

// Workload is the request that every level of a sweep was measured with.
type Workload struct {
	PromptTokens int // 0: not known
	OutputTokens int // at least 1
	TPS          TPSKind
}

// Sweep is one configuration measured at several concurrencies. It never
// changes after [NewSweep], so it is safe for concurrent use.
type Sweep struct {
	work   Workload
	levels []Level // by rising concurrency

	projected bool // not measured: Project made it
}

// NewSweep copies levels, sorts them by concurrency and checks every figure.
// It returns [ErrEmptySweep] for no level and an [*InputError] that names the
// level and the field for a figure that cannot be: concurrency below 1, above
// 2^20 or given twice, a TTFT that is negative or not finite, a TPS that is not
// positive and finite, an end-to-end TPS faster than its own TTFT allows, a
// request time outside 1e-9 to 1e9 s, a negative standard error or total, fewer
// than one output token.
func NewSweep(w Workload, levels []Level) (*Sweep, error) {
	if err := w.check(); err != nil {
		return nil, err
	}
	if len(levels) == 0 {
		return nil, ErrEmptySweep
	}
	s := &Sweep{work: w, levels: slices.Clone(levels)}
	slices.SortStableFunc(s.levels, func(a, b Level) int { return a.Concurrency - b.Concurrency })
	for i, l := range s.levels {
		if err := w.checkLevel(l); err != nil {
			return nil, err
		}
		if i > 0 && l.Concurrency == s.levels[i-1].Concurrency {
			return nil, &InputError{l.Concurrency, "Concurrency", "given twice"}
		}
	}
	return s, nil
}

// Levels returns a copy of the measured levels by rising concurrency.
func (s *Sweep) Levels() []Level {
	if s == nil {
		return nil
	}
	return slices.Clone(s.levels)
}

// Workload returns the request the sweep was measured with.
func (s *Sweep) Workload() Workload {
	if s == nil {
		return Workload{}
	}
	return s.work
}

// options checks that s came from NewSweep and resolves o.
func (s *Sweep) options(o *Options) (Options, error) {
	if err := s.check(); err != nil {
		return Options{}, err
	}
	return o.resolve()
}

func (s *Sweep) check() error {
	if s == nil || len(s.levels) == 0 {
		return ErrEmptySweep
	}
	return nil
}

// top returns the highest measured concurrency.
func (s *Sweep) top() int { return s.levels[len(s.levels)-1].Concurrency }

// secondsPerToken is the mean time between the tokens after the first.
func (w Workload) secondsPerToken(l Level) float64 {
	if w.TPS == DecodeTPS {
		return 1 / l.TPS
	}
	if w.OutputTokens == 1 {
		return 0 // there is no token after the first
	}
	o := float64(w.OutputTokens)
	return max(0, (o/l.TPS-l.TTFTSeconds)/(o-1))
}

// tps is the speed of a request with these times in service.
func (w Workload) tps(ttft, tpot float64) float64 {
	if w.TPS == DecodeTPS {
		return 1 / tpot
	}
	o := float64(w.OutputTokens)
	return o / (ttft + (o-1)*tpot)
}

// responseSeconds is the mean time of a whole request.
func (w Workload) responseSeconds(l Level) float64 {
	return l.TTFTSeconds + float64(w.OutputTokens-1)*w.secondsPerToken(l)
}

func (w Workload) check() error {
	switch {
	case w.OutputTokens < 1:
		return &InputError{0, "OutputTokens", fmt.Sprintf("%d is not a reply; at least 1 is needed", w.OutputTokens)}
	case w.PromptTokens < 0:
		return &InputError{0, "PromptTokens", fmt.Sprintf("%d is negative", w.PromptTokens)}
	case w.TPS != DecodeTPS && w.TPS != EndToEndTPS:
		return &InputError{0, "TPS", fmt.Sprintf("kind %d is neither DecodeTPS nor EndToEndTPS", w.TPS)}
	}
	return nil
}

// checkLevel checks single figures before what they make together, so that the
// error names the one that is wrong.
func (w Workload) checkLevel(l Level) error {
	bad := func(field, format string, args ...any) error {
		return &InputError{l.Concurrency, field, fmt.Sprintf(format, args...)}
	}
	switch {
	case l.Concurrency < 1 || l.Concurrency > maxConcurrency:
		return bad("Concurrency", "%d is not in 1 to %d", l.Concurrency, maxConcurrency)
	case !seconds(l.TTFTSeconds):
		return bad("TTFTSeconds", "%v is not a time", l.TTFTSeconds)
	case !usable(l.TPS):
		return bad("TPS", "%v is not a speed", l.TPS)
	case !nonNegative(l.TTFTStdErr):
		return bad("TTFTStdErr", "%v is not a standard error", l.TTFTStdErr)
	case !nonNegative(l.TPSStdErr):
		return bad("TPSStdErr", "%v is not a standard error", l.TPSStdErr)
	case !nonNegative(l.OutputTPS):
		return bad("OutputTPS", "%v is not a rate", l.OutputTPS)
	case w.TPS == EndToEndTPS && l.TTFTSeconds > float64(w.OutputTokens)/l.TPS*(1+roundOff):
		return bad("TPS", "%d tokens at %v tok/s end to end take less than the TTFT of %v s", w.OutputTokens, l.TPS, l.TTFTSeconds)
	case w.OutputTokens == 1 && l.TTFTSeconds == 0:
		return bad("TTFTSeconds", "a one-token request that takes no time has no rate")
	case !(w.responseSeconds(l) >= minSeconds && w.responseSeconds(l) <= maxSeconds):
		return bad("TPS", "a request time of %v s is not in %v to %v", w.responseSeconds(l), minSeconds, maxSeconds)
	}
	return nil
}

// Times outside these bounds are mistakes of unit; within them no product of
// rates and times leaves the range of float64.
const (
	minSeconds = 1e-9 // of a whole request
	maxSeconds = 1e9  // of any time
)

// roundOff is the relative slack for values that went through arithmetic.
const roundOff = 1e-12

func seconds(x float64) bool { return x >= 0 && x <= maxSeconds }

func nonNegative(x float64) bool { return x >= 0 && !math.IsInf(x, 1) }

func usable(x float64) bool { return x > 0 && !math.IsInf(x, 1) }
