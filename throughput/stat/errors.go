package stat

import (
	"errors"
	"fmt"
	"math"
)

// What an input can lack. Every error of this package wraps one of them.
var (
	ErrEmpty       = errors.New("throughput/stat: no observations")
	ErrTooFew      = errors.New("throughput/stat: too few observations")
	ErrNonFinite   = errors.New("throughput/stat: not a finite number")
	ErrNonPositive = errors.New("throughput/stat: not a positive number")
	ErrUnpaired    = errors.New("throughput/stat: samples do not pair")
	ErrConstant    = errors.New("throughput/stat: no variation")
	ErrParameter   = errors.New("throughput/stat: parameter out of range")
)

// InputError names the observation that cannot be used.
type InputError struct {
	Name  string  // which argument
	Index int     // its place there, from 0
	Value float64 // what stands there
	Err   error   // why: ErrNonFinite or ErrNonPositive
}

// Error implements error.
func (e *InputError) Error() string {
	return fmt.Sprintf("%v: %s[%d] = %g", e.Err, e.Name, e.Index, e.Value)
}

// Unwrap returns the sentinel behind the error.
func (e *InputError) Unwrap() error { return e.Err }

// limit bounds an observation's size: the squares of larger ones overflow.
const limit = 1e150

// checkFinite refuses a sample with fewer than need observations, or with one
// that is not a number or past the limit.
func checkFinite(name string, xs []float64, need int) error {
	if len(xs) == 0 {
		return fmt.Errorf("%w: %s is empty", ErrEmpty, name)
	}
	if len(xs) < need {
		return fmt.Errorf("%w: %s has %d, need %d", ErrTooFew, name, len(xs), need)
	}
	for i, x := range xs {
		if !(math.Abs(x) <= limit) {
			return &InputError{name, i, x, ErrNonFinite}
		}
	}
	return nil
}

// checkPositive is [checkFinite] for observations whose logarithm is taken: they
// stay above 1 / limit, so that no ratio of two overflows.
func checkPositive(name string, xs []float64, need int) error {
	if err := checkFinite(name, xs, need); err != nil {
		return err
	}
	for i, x := range xs {
		if x < 1/limit {
			return &InputError{name, i, x, ErrNonPositive}
		}
	}
	return nil
}

// checkOpen refuses a parameter outside the open interval (lo, hi).
func checkOpen(name string, x, lo, hi float64) error {
	if x > lo && x < hi {
		return nil
	}
	return fmt.Errorf("%w: %s = %g, want more than %g and less than %g", ErrParameter, name, x, lo, hi)
}
