package correctness

import (
	"errors"
	"fmt"
)

// Sentinels: what is wrong with an input. Every error of this package and its
// readers wraps one of them.
var (
	ErrVocab           = errors.New("correctness: vocabularies differ")
	ErrNaN             = errors.New("correctness: NaN")
	ErrPosInf          = errors.New("correctness: +Inf")
	ErrNoSupport       = errors.New("correctness: no probability where some is needed")
	ErrNotNormalised   = errors.New("correctness: probabilities do not sum to 1")
	ErrPositiveLogProb = errors.New("correctness: log-probability above 0")
	ErrNegativeProb    = errors.New("correctness: probability below 0")
	ErrMass            = errors.New("correctness: listed or dropped mass out of range")
	ErrDuplicateToken  = errors.New("correctness: token listed twice")
	ErrTokenMismatch   = errors.New("correctness: tokens differ between the two sides")
	ErrAlignment       = errors.New("correctness: positions do not line up")
	ErrTruncated       = errors.New("correctness: input ends early")
	ErrFormat          = errors.New("correctness: not a format that is read here")
	ErrTemperature     = errors.New("correctness: declared sampling settings differ")
	ErrOptions         = errors.New("correctness: option out of range")
)

// InputError places an error: which prompt, which position of it, which index of
// the vocabulary or the list. Position and Index are -1 where they do not apply.
type InputError struct {
	Prompt          string
	Position, Index int
	Reason          string
	Err             error // one of the sentinels
}

// Error implements error.
func (e *InputError) Error() string {
	s := "correctness: "
	if e.Prompt != "" {
		s += fmt.Sprintf("prompt %q: ", e.Prompt)
	}
	if e.Position >= 0 {
		s += fmt.Sprintf("position %d: ", e.Position)
	}
	if e.Index >= 0 {
		s += fmt.Sprintf("index %d: ", e.Index)
	}
	return s + e.Reason
}

// Unwrap returns the sentinel.
func (e *InputError) Unwrap() error { return e.Err }

// inputError reports a fault of one row, which does not know its place.
func inputError(err error, index int, format string, args ...any) error {
	return &InputError{Position: -1, Index: index, Reason: fmt.Sprintf(format, args...), Err: err}
}
