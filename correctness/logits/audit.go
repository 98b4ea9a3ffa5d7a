package logits

import (
	"errors"
	"fmt"
	"math"
)

// audit counts what a reader tolerated, for its warnings.
type audit struct {
	unknown, masked int // sentinels
	skipped         int // positions without a whole list
	missing         int // tokens counted and not listed
	alone           int // positions of the chosen token alone
	notes           []error

	values, coarse int // log-probabilities other than 0; those on the bfloat16 grid
}

// value looks at a log-probability.
func (a *audit) value(x float64) {
	if x == 0 || math.IsInf(x, 0) {
		return
	}
	a.values++
	f := float32(x)
	if float64(f) == x && math.Float32bits(f)&0xffff == 0 {
		a.coarse++
	}
}

// note adds a warning once.
func (a *audit) note(text string) {
	for _, n := range a.notes {
		if n.Error() == text {
			return
		}
	}
	a.notes = append(a.notes, errors.New(text))
}

// fewValues is below what coarseness can be told by: a value lies on the grid of
// bfloat16 by chance once in 65,536.
const fewValues = 4

// warnings puts the counts into words. It may be called again.
func (a *audit) warnings() []error {
	out := a.notes[:len(a.notes):len(a.notes)]
	add := func(n int, format string) {
		if n > 0 {
			out = append(out, fmt.Errorf(format, n))
		}
	}
	add(a.unknown, "logits: %d sentinels in place of log-probabilities were left out of their lists")
	add(a.masked, "logits: %d sentinels in place of log-probabilities were taken for probability 0")
	add(a.skipped, "logits: %d positions without a whole list were left out")
	add(a.alone, "logits: of %d positions the chosen token alone is known: their divergences are lower bounds")
	add(a.missing, "logits: %d positions are missing or too many beside the tokens counted")
	if a.values >= fewValues && a.coarse == a.values {
		out = append(out, fmt.Errorf("logits: all %d log-probabilities lie on the grid of bfloat16: errors reach 0.2 nats", a.values))
	}
	return out
}
