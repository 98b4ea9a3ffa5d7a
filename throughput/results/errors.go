package results

import (
	"errors"
	"fmt"
	"strings"

	"example.com/servemath/throughput"
)

// Sentinels that a [DecodeError] wraps.
var (
	ErrUnknownFormat = errors.New("no reader for this format")
	ErrTruncated     = errors.New("the file is cut off")
	ErrDuplicateKey  = errors.New("duplicate key")
)

// Faults of a figure. They say what is wrong; the error's Field says where.
var (
	errNumber   = errors.New("not a number")
	errText     = errors.New("not text")
	errCount    = errors.New("not a whole number")
	errDuration = errors.New("not a duration")
	errMissing  = errors.New("missing")
)

// emptyError is all that can be said of an empty file, which may have been cut.
type emptyError struct{}

func (emptyError) Error() string { return "the file is empty" }

func (emptyError) Unwrap() []error {
	return []error{ErrUnknownFormat, ErrTruncated, throughput.ErrEmpty}
}

// DecodeError says where a file is wrong and, through [errors.Is], how.
type DecodeError struct {
	Tool   string // the format, as [Formats] names it; empty while unknown
	File   string // the name given to [Decode]
	Field  string // the member, column or metric; empty where none is to blame
	Offset int64  // bytes from the start of the file
	Line   int    // from 1, in text formats; 0 in JSON
	Err    error
}

// Error implements error.
func (e *DecodeError) Error() string {
	var b strings.Builder
	b.WriteString("results: ")
	if e.File != "" {
		b.WriteString(e.File)
		if e.Line > 0 {
			fmt.Fprintf(&b, ":%d", e.Line)
		}
		b.WriteString(": ")
	}
	for _, part := range []string{e.Tool, e.Field} {
		if part != "" {
			b.WriteString(part + ": ")
		}
	}
	fmt.Fprintf(&b, "%v", e.Err)
	if e.Line == 0 && e.Offset > 0 {
		fmt.Fprintf(&b, " (offset %d)", e.Offset)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *DecodeError) Unwrap() error { return e.Err }
