package hfconfig

import (
	"fmt"
	"strings"
)

// UnknownArchitectureError refuses a model type that the registry does not hold.
type UnknownArchitectureError struct {
	ModelType     string
	Architectures []string // of the config, for the message
	Nearest       string   // the registered model type closest in spelling; "" where none is close
}

// Error implements error.
func (e *UnknownArchitectureError) Error() string {
	var b strings.Builder
	b.WriteString("hfconfig: ")
	if e.ModelType == "" {
		b.WriteString("no model_type")
	} else {
		fmt.Fprintf(&b, "unknown model_type %.80q", e.ModelType)
	}
	if len(e.Architectures) > 0 {
		fmt.Fprintf(&b, " (architectures %s)", strings.Join(e.Architectures, ", "))
	}
	if e.Nearest != "" {
		fmt.Fprintf(&b, "; the nearest known is %q", e.Nearest)
	}
	return b.String()
}

// UnmodelledFieldError refuses a key that shapes the cache and that the
// architecture's entry does not read, or a value of such a key that it does not
// know: any size computed in spite of it would be a guess.
type UnmodelledFieldError struct {
	Key, ModelType string
	Path           string // where the key stands, such as "text_config.index_topk"
	Value          string // the unknown value, where the key itself is known
}

// Error implements error.
func (e *UnmodelledFieldError) Error() string {
	if e.Value != "" {
		return fmt.Sprintf("hfconfig: %s: %.80s is unknown for model_type %q", e.Path, e.Value, e.ModelType)
	}
	return fmt.Sprintf("hfconfig: %s shapes the cache and is not modelled for model_type %q", e.Path, e.ModelType)
}

// MissingFieldError names a key that the size depends on and that has neither a
// value nor a default that may be applied.
type MissingFieldError struct {
	Key, ModelType string
	Path           string
}

// Error implements error.
func (e *MissingFieldError) Error() string {
	return fmt.Sprintf("hfconfig: %s is missing, model_type %q needs it", e.Path, e.ModelType)
}

// InconsistentError names a key whose value cannot be, alone or beside another.
type InconsistentError struct {
	Key    string
	Reason string
	Path   string
}

// Error implements error.
func (e *InconsistentError) Error() string { return fmt.Sprintf("hfconfig: %s: %s", e.Path, e.Reason) }

// FieldTypeError names a key whose value is of another type than it should be:
// "32" is not 32, and neither is NaN.
type FieldTypeError struct {
	Key       string
	Want, Got string
	Offset    int64 // bytes from the start of the input
	Path      string
}

// Error implements error.
func (e *FieldTypeError) Error() string {
	return fmt.Sprintf("hfconfig: %s at offset %d: %s where %s belongs", e.Path, e.Offset, e.Got, e.Want)
}

// SyntaxError says why the input is no config: it is not one JSON object, names
// a key twice, nests too deeply or is larger than [Options].MaxBytes.
type SyntaxError struct {
	Offset int64 // bytes from the start of the input
	Reason string
	Err    error // what the parser said, or nil
}

// Error implements error.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("hfconfig: offset %d: %s", e.Offset, e.Reason)
}

// Unwrap returns the cause.
func (e *SyntaxError) Unwrap() error { return e.Err }
