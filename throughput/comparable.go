package throughput

import (
	"fmt"
	"strings"
)

// DefinitionError says in what two values differ. It wraps [ErrIncomparable].
type DefinitionError struct {
	Field string // metric, stat, or a field of Definition
	A, B  string // what the two have there; empty is unknown
}

// Error implements error.
func (e *DefinitionError) Error() string {
	return fmt.Sprintf("%v: %s is %s against %s", ErrIncomparable, e.Field, orUnknown(e.A), orUnknown(e.B))
}

// Unwrap returns [ErrIncomparable].
func (e *DefinitionError) Unwrap() error { return ErrIncomparable }

// Comparable reports whether two values measure the same thing: the same
// statistic of the same metric, with definitions that agree in all that matters
// to it. What a tool calls the metric does not matter, nor who measured it.
//
// A field that neither tool states is taken to agree within one tool only. The
// error is a [DefinitionError].
func Comparable(a, b Value) error {
	if a.Metric != b.Metric {
		return &DefinitionError{"metric", string(a.Metric), string(b.Metric)}
	}
	if a.Stat != b.Stat {
		return &DefinitionError{"stat", string(a.Stat), string(b.Stat)}
	}
	if a.Def == b.Def {
		return nil
	}
	for _, f := range matters(a.Metric, a.Stat) {
		x, y := f.text(a.Def), f.text(b.Def)
		if x != y || x == "" && a.Def.Tool != b.Def.Tool {
			return &DefinitionError{f.name, x, y}
		}
	}
	return nil
}

// defField is a field of a definition; its text is empty where unknown.
type defField struct {
	name string
	text func(Definition) string
}

var (
	fieldFirst = defField{"whether the first token counts", func(d Definition) string { return yesNo(d.IncludesFirst) }}
	fieldZero  = defField{"whether one token counts as zero", func(d Definition) string { return yesNo(d.ZeroForOne) }}
	fieldTwo   = defField{"whether requests of one token are left out", func(d Definition) string { return yesNo(d.TwoTokens) }}
	fieldGap   = defField{"the gap", func(d Definition) string { return string(d.Gap) }}
	fieldWt    = defField{"the weight", func(d Definition) string { return string(d.Weight) }}
	fieldPct   = defField{"the percentile", func(d Definition) string { return string(d.Percentile) }}
)

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// matters lists the fields that a statistic of a metric depends on.
func matters(m Metric, s Stat) []defField {
	var fields []defField
	switch m {
	case PeakRate:
		return []defField{fieldGap}
	case TTFT:
		fields = []defField{fieldTwo}
	case TPOT, UserRateDecode:
		fields = []defField{fieldFirst, fieldZero}
	case ITL:
		fields = []defField{fieldGap, fieldFirst}
	}
	switch {
	case s == Total:
		return nil // over the whole run: nothing is averaged
	case s == Min || s == Max:
		return fields
	case strings.HasPrefix(string(s), "p"):
		return append(fields, fieldWt, fieldPct)
	}
	return append(fields, fieldWt)
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}
