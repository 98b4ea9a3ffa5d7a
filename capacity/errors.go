package capacity

import (
	"errors"
	"fmt"
)

// Errors of this package; each is wrapped with what was wrong.
var (
	ErrEmptySweep = errors.New("capacity: the sweep has no level")
	ErrTargets    = errors.New("capacity: bad target")
	ErrUsage      = errors.New("capacity: bad usage")
	ErrUsers      = errors.New("capacity: bad number of users")
	ErrThink      = errors.New("capacity: bad think time")
	ErrOptions    = errors.New("capacity: bad option")
	ErrUnstable   = errors.New("capacity: more requests arrive than can be served")
	ErrUnbounded  = errors.New("capacity: the targets set no bound")
)

// errProjected refuses what a longer prompt's sweep would have to measure.
var errProjected = fmt.Errorf("%w: a TTFT target needs a measured sweep, and this one is projected", ErrTargets)

// InputError says which figure of the input cannot be used.
type InputError struct {
	Level  int    // the concurrency of the offending level; 0 where the field belongs to none
	Field  string // as the struct spells it: "TPS", "TTFTSeconds", "OutputTokens"
	Reason string
}

// Error names the level, the field and the reason.
func (e *InputError) Error() string {
	if e.Level == 0 {
		return fmt.Sprintf("capacity: %s: %s", e.Field, e.Reason)
	}
	return fmt.Sprintf("capacity: level %d: %s: %s", e.Level, e.Field, e.Reason)
}
