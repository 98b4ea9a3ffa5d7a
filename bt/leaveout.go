package bt

import (
	"fmt"
	"math"
	"strings"

	"example.com/servemath/internal/jsonout"
)

// Influence is what a ranking loses with one value of a label.
type Influence struct {
	Label, Value  string
	LogStrengths  []float64   // of the fit without it, in Items order; nil when there is none
	LogLikelihood float64     // of that fit; NaN when there is none
	Item          string      // whose strength moves most
	Shift         float64     // of that strength, in probability; NaN when there is no fit
	Swaps         [][2]string // pairs whose first was ahead with the value and is behind without
	Err           error       // why there is no fit
}

// LeaveOut refits without each value of a label in turn, in sorted order: a
// conclusion that one machine or one model carries alone is no conclusion. It
// fails with [ErrUnknownLabel] or [ErrClusters].
func (m *Model) LeaveOut(by string) ([]Influence, error) {
	p, err := m.clusters(by)
	if err != nil {
		return nil, err
	}
	out := make([]Influence, len(p.names))
	for v, name := range p.names {
		out[v] = m.without(p, v)
		out[v].Label, out[v].Value = by, name
	}
	return out, nil
}

func (m *Model) without(p *partition, value int) Influence {
	var cells []cell
	for _, c := range m.cells {
		if p.of[c.group] != value {
			cells = append(cells, c)
		}
	}
	o := m.options
	o.Start = m
	rest, err := fitCells(m.items, cells, m.labels, o)
	if err != nil {
		return Influence{Err: err, Shift: math.NaN(), LogLikelihood: math.NaN()}
	}
	in := Influence{LogStrengths: rest.LogStrengths(), LogLikelihood: rest.logLikelihood, Swaps: m.swaps(rest)}
	before, after := average(m.x[:m.p.n]), average(rest.x[:m.p.n])
	for i, name := range m.items {
		shift := sigmoid(rest.x[i]-after) - sigmoid(m.x[i]-before)
		if math.Abs(shift) > math.Abs(in.Shift) || i == 0 {
			in.Item, in.Shift = name, shift
		}
	}
	return in
}

// swaps lists the pairs that another fit of the same items orders differently.
func (m *Model) swaps(other *Model) [][2]string {
	var out [][2]string
	for i := range m.items {
		for j := range m.items {
			if m.x[i]-m.x[j] > sameStrength && other.x[j]-other.x[i] > sameStrength {
				out = append(out, [2]string{m.items[i], m.items[j]})
			}
		}
	}
	return out
}

// String names the item that moves most and the swaps.
func (in Influence) String() string {
	head := fmt.Sprintf("without %s %s: ", in.Label, in.Value)
	if in.Err != nil {
		return head + in.Err.Error()
	}
	out := []string{fmt.Sprintf("%s %+.1f points", in.Item, 100*in.Shift)}
	for _, s := range in.Swaps {
		out = append(out, s[1]+" passes "+s[0])
	}
	return head + strings.Join(out, ", ")
}

// MarshalJSON leaves out what an influence without a fit does not have.
func (in Influence) MarshalJSON() ([]byte, error) {
	o := jsonout.Object{{Name: "label", Value: in.Label}, {Name: "value", Value: in.Value}}
	if in.Err != nil {
		return append(o, jsonout.Field{Name: "error", Value: in.Err}).MarshalJSON()
	}
	return append(o,
		jsonout.Field{Name: "log_strengths", Value: in.LogStrengths},
		jsonout.Field{Name: "log_likelihood", Value: in.LogLikelihood},
		jsonout.Field{Name: "item", Value: in.Item},
		jsonout.Field{Name: "shift", Value: in.Shift},
		jsonout.Field{Name: "swaps", Value: in.Swaps}).MarshalJSON()
}
