package jsontree

import (
	"errors"
	"fmt"
)

// Sentinels that a [SyntaxError] wraps where the caller may want to know.
var (
	ErrTruncated    = errors.New("input ends inside a value")
	ErrDuplicateKey = errors.New("duplicate key")
	ErrDepth        = errors.New("nested too deeply")
	ErrTooLarge     = errors.New("value too large")
	ErrEncoding     = errors.New("not UTF-8")
)

// SyntaxError places what is wrong with the text.
type SyntaxError struct {
	Offset int64 // bytes from the start of the input
	Reason string
	Key    string // of ErrDuplicateKey: the key
	Err    error  // a sentinel, or nil
}

// Error implements error.
func (e *SyntaxError) Error() string { return fmt.Sprintf("offset %d: %s", e.Offset, e.Reason) }

// Unwrap returns the sentinel.
func (e *SyntaxError) Unwrap() error { return e.Err }
