package capacity

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Column is what a table can be sorted by.
type Column int

const (
	ByModel Column = iota
	ByParams
	ByFormat
	ByEngine
	ByHardware
	ByTPS      // at Order.Concurrency
	ByTTFT     // at Order.Concurrency
	ByMaxC     // the number, with or without a plus
	ByCapacity // of Order.Usage, likewise
	ByScore    // of Order.Index
)

// Order says how to sort. A row without the figure comes last either way.
type Order struct {
	Column      Column
	Descending  bool
	Concurrency int    // for ByTPS and ByTTFT; 0: each row's lowest level
	Usage       int    // for ByCapacity: which
	Index       string // for ByScore
}

// SortRows sorts in place and keeps equal rows in their order. An unknown column
// or usage, and scores of several versions of the index, are an [*InputError].
func SortRows(rows []Evaluated, o Order) error {
	if o.Column < ByModel || o.Column > ByScore {
		return &InputError{0, "Column", fmt.Sprintf("%d is unknown", o.Column)}
	}
	if err := o.check(rows); err != nil {
		return err
	}
	slices.SortStableFunc(rows, func(a, b Evaluated) int {
		if o.Column == ByParams || o.Column > ByHardware {
			return cmpKnown(o.number(a), o.number(b), o.Descending)
		}
		c := cmp.Compare(o.text(a.Setup), o.text(b.Setup))
		if o.Descending {
			return -c
		}
		return c
	})
	return nil
}

// check looks at all rows before any is moved.
func (o Order) check(rows []Evaluated) error {
	version, first := "", true
	for _, r := range rows {
		if o.Column == ByCapacity && (o.Usage < 0 || o.Usage >= len(r.Capacities)) {
			return &InputError{0, "Usage", fmt.Sprintf("row %q has no usage %d", r.ID, o.Usage)}
		}
		for _, s := range r.Scores {
			if o.Column != ByScore || s.Index != o.Index {
				continue
			}
			if !first && s.Version != version {
				return &InputError{0, "Scores", fmt.Sprintf("%s %s and %s do not compare", s.Index, version, s.Version)}
			}
			version, first = s.Version, false
		}
	}
	return nil
}

func (o Order) text(s Setup) string {
	switch o.Column {
	case ByFormat:
		return s.Format
	case ByEngine:
		return s.Engine
	case ByHardware:
		return s.Hardware
	}
	return s.Model
}

// number is the figure to sort by, NaN where the row has none.
func (o Order) number(r Evaluated) float64 {
	switch o.Column {
	case ByParams:
		if x, err := ParseParams(r.Setup.Params); err == nil {
			return x
		}
	case ByTPS, ByTTFT:
		if v, ok := r.At(o.Concurrency); ok && o.Column == ByTPS {
			return v.TPS
		} else if ok {
			return v.TTFTSeconds
		}
	case ByMaxC:
		return float64(r.MaxC.Concurrency)
	case ByCapacity:
		if c := r.Capacities[o.Usage]; c.Limit != LimitContext && c.Limit != LimitNoLevel {
			return float64(c.Users)
		}
	case ByScore:
		for _, s := range r.Scores {
			if s.Index == o.Index {
				return s.Value
			}
		}
	}
	return math.NaN()
}

// cmpKnown orders numbers with NaN last, descending or not.
func cmpKnown(a, b float64, descending bool) int {
	switch {
	case math.IsNaN(a) || math.IsNaN(b):
		return cmp.Compare(b, a) // NaN is the least to cmp
	case descending:
		return cmp.Compare(b, a)
	}
	return cmp.Compare(a, b)
}
