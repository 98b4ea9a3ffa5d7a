package bt

import (
	"errors"
	"fmt"
	"strings"
)

var (
	// ErrNoData reports that there is nothing to compare: fewer than two items,
	// or no comparison with a positive weight.
	ErrNoData = errors.New("bt: no comparisons to rank")
	// ErrUnknownItem reports a query about an item that the data never named.
	ErrUnknownItem = errors.New("bt: unknown item")
	// ErrUnknownLabel reports a label that some comparison lacks.
	ErrUnknownLabel = errors.New("bt: unknown label")
	// ErrClusters reports a label with fewer than two values: clusters of
	// comparisons vary only where there are several.
	ErrClusters = errors.New("bt: too few clusters")
	// ErrNotNested reports two models of which one does not contain the other.
	ErrNotNested = errors.New("bt: models are not nested")
	// ErrLevel reports a confidence level outside (0, 1).
	ErrLevel = errors.New("bt: confidence level outside (0, 1)")
	// ErrUnsupported reports a combination of options that has no implementation.
	ErrUnsupported = errors.New("bt: unsupported combination")
	// ErrOptions reports an option outside its documented range.
	ErrOptions = errors.New("bt: invalid option")
)

// InputError reports a comparison or contest that cannot be used.
type InputError struct {
	Index  int // ordinal of the call to an adder of [Data], from 0
	Reason string
}

// Error implements error.
func (e *InputError) Error() string {
	return fmt.Sprintf("bt: comparison %d: %s", e.Index, e.Reason)
}

// DisconnectedError reports items that no chain of comparisons joins, so that
// no data say how one component compares with another (Ford 1957).
type DisconnectedError struct {
	Components [][]string
}

// Error implements error.
func (e *DisconnectedError) Error() string {
	return fmt.Sprintf("bt: no comparison joins the groups %s: rank each by itself, or give a Gaussian or virtual-player prior",
		joinGroups(e.Components, " and "))
}

// SeparableError reports data whose likelihood has no maximum: some strengths
// would run to infinity.
type SeparableError struct {
	Undefeated []string   // never lost, nor tied where a tie is half a loss
	Winless    []string   // never won, nor tied where a tie is half a win
	Groups     [][]string // best first: the groups that would drift apart
	Reason     string

	remedy string // where neither a prior nor fewer items would help
}

// Error implements error.
func (e *SeparableError) Error() string {
	remedy := e.remedy
	if remedy == "" {
		remedy = fmt.Sprintf("a prior, or leaving out the items at the ends of %s, would give one", joinGroups(e.Groups, " > "))
	}
	return fmt.Sprintf("bt: no finite ranking exists: %s; %s", e.Reason, remedy)
}

// NotConvergedError reports a fit that stopped before its tolerance.
type NotConvergedError struct {
	Iterations int
	MaxScore   float64 // largest |score| of an item over the weight of its comparisons
}

// Error implements error.
func (e *NotConvergedError) Error() string {
	return fmt.Sprintf("bt: not converged after %d iterations: a score of %.3g of an item's comparisons is left",
		e.Iterations, e.MaxScore)
}

// shown is how many names an error message spells out.
const shown = 8

func joinNames(names []string) string {
	if len(names) > shown {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
	}
	return strings.Join(names, ", ")
}

func joinGroups(groups [][]string, sep string) string {
	parts := make([]string, 0, min(len(groups), shown+1))
	for i, g := range groups {
		if i == shown {
			parts = append(parts, fmt.Sprintf("%d more", len(groups)-shown))
			break
		}
		parts = append(parts, "{"+joinNames(g)+"}")
	}
	return strings.Join(parts, sep)
}
