package kvcache

import "errors"

var (
	// ErrTokens is a session of less than one token.
	ErrTokens = errors.New("kvcache: a session has at least 1 token")
	// ErrOverflow is a size of 2^63 bytes or more.
	ErrOverflow = errors.New("kvcache: size does not fit 63 bits")
	// ErrUnit is a size without a unit, or with one that is unknown.
	ErrUnit = errors.New("kvcache: size needs a unit")
	// ErrFormat is a format name that is unknown.
	ErrFormat = errors.New("kvcache: unknown format")
	// ErrBudget is a budget that makes no sense, such as a share above 1.
	ErrBudget = errors.New("kvcache: bad budget")
	// ErrPool is a layout that an engine does not keep in one pool of blocks, or
	// whose pool is not known well enough to predict.
	ErrPool = errors.New("kvcache: pool is not modelled")
	// ErrInconsistent is a set of observations that nothing explains.
	ErrInconsistent = errors.New("kvcache: no value is consistent with the observations")
	// ErrBeyondWindow is the warning that a session is longer than the model's
	// context window.
	ErrBeyondWindow = errors.New("kvcache: session is longer than the model's window")
)

// ShapeError is a model that cannot be as described, or that cannot be split as
// asked: a dimension of zero, or a tensor-parallel size that neither divides the
// heads nor is a multiple of them.
type ShapeError struct {
	Group  string // empty: the model or the setup as a whole
	Reason string
}

// Error implements error.
func (e *ShapeError) Error() string {
	if e.Group == "" {
		return "kvcache: " + e.Reason
	}
	return "kvcache: group " + e.Group + ": " + e.Reason
}
