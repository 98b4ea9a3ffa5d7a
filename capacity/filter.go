package capacity

import (
	"slices"
	"strings"
)

// Filter hides rows. What is set must hold all at once; zero fields ask nothing.
type Filter struct {
	Models, Formats, Engines, Hardware []string // any of them, case aside
	MinParams, MaxParams               float64
	Speculative                        *bool

	Concurrency    int     // rows not measured at it are hidden; 0: any, looking at the lowest level
	MinTPS         float64 // at Concurrency
	MaxTTFTSeconds float64 // at Concurrency
	MinUsers       []int   // for each usage; by the number, with or without a plus
}

// Apply returns the rows that pass, in their order. A row that lacks the figure
// a filter asks for does not pass it.
func (f Filter) Apply(rows []Evaluated) []Evaluated {
	var out []Evaluated
	for _, r := range rows {
		if f.named(r.Setup) && f.sized(r.Setup) && f.fast(r) && f.serves(r) {
			out = append(out, r)
		}
	}
	return out
}

func (f Filter) named(s Setup) bool {
	return among(f.Models, s.Model) && among(f.Formats, s.Format) && among(f.Engines, s.Engine) &&
		among(f.Hardware, s.Hardware) && (f.Speculative == nil || *f.Speculative == (s.Speculative != ""))
}

func among(names []string, name string) bool {
	return len(names) == 0 || slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
}

func (f Filter) sized(s Setup) bool {
	if f.MinParams == 0 && f.MaxParams == 0 {
		return true
	}
	x, err := ParseParams(s.Params)
	return err == nil && x >= f.MinParams && (f.MaxParams == 0 || x <= f.MaxParams)
}

// fast looks at the selected level; without one asked for, rows whose sweep is
// not published stay.
func (f Filter) fast(r Evaluated) bool {
	if f.Concurrency == 0 && f.MinTPS == 0 && f.MaxTTFTSeconds == 0 {
		return true
	}
	v, ok := r.At(f.Concurrency)
	return ok && v.TPS >= f.MinTPS && (f.MaxTTFTSeconds == 0 || v.TTFTSeconds <= f.MaxTTFTSeconds)
}

func (f Filter) serves(r Evaluated) bool {
	for i, least := range f.MinUsers {
		if least > 0 && (i >= len(r.Capacities) || r.Capacities[i].Users < least) {
			return false
		}
	}
	return true
}
