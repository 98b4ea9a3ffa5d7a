package throughput

import (
	"errors"
	"fmt"

	"example.com/servemath/throughput/stat"
)

// What data can lack. The first five are those of package stat.
var (
	ErrEmpty         = stat.ErrEmpty
	ErrTooFew        = stat.ErrTooFew
	ErrNonFinite     = stat.ErrNonFinite
	ErrNonPositive   = stat.ErrNonPositive
	ErrUnpaired      = stat.ErrUnpaired
	ErrDuplicate     = errors.New("throughput: measured twice")
	ErrIncomparable  = errors.New("throughput: not the same quantity")
	ErrNoConcurrency = errors.New("throughput: concurrency unknown")
	ErrAllFailed     = errors.New("throughput: every request failed")
	ErrOptions       = errors.New("throughput: option out of range")
	ErrTable         = errors.New("throughput: not the published table form")
	ErrTruncated     = errors.New("throughput: cut off")
	ErrOrder         = errors.New("throughput: out of order")
)

// What a summary or comparison warns of.
var (
	ErrDrift          = errors.New("throughput: the series drifts")
	ErrAutocorrelated = errors.New("throughput: neighbours resemble each other")
	ErrOutliers       = errors.New("throughput: outliers")
	ErrNoVariation    = errors.New("throughput: no variation")
	ErrDisagree       = errors.New("throughput: two estimates disagree")
)

// InputError names the observation that cannot be used: an index into an
// argument.
type InputError = stat.InputError

// RowError names the row that cannot be used.
type RowError struct {
	Index int // into the rows, from 0
	Row   Row
	Err   error
}

// Error implements error.
func (e *RowError) Error() string {
	return fmt.Sprintf("%v: row %d (%v)", e.Err, e.Index, e.Row)
}

// Unwrap returns the sentinel behind the error.
func (e *RowError) Unwrap() error { return e.Err }

// TableError points into a published table.
type TableError struct {
	Line, Column int // from 1, columns in characters; the column of a whole line is 1
	Reason       string
	Err          error // ErrTable, ErrTruncated, ErrDuplicate, ErrNonFinite or ErrNonPositive
}

// Error implements error.
func (e *TableError) Error() string {
	return fmt.Sprintf("%v: line %d, column %d: %s", e.Err, e.Line, e.Column, e.Reason)
}

// Unwrap returns the sentinel behind the error.
func (e *TableError) Unwrap() error { return e.Err }
