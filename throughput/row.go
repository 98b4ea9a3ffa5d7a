package throughput

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.com/servemath/internal/jsonout"
)

// Row is one figure: what an engine reached on a machine with a model in a
// setup, such as "Single decode". An empty name is unknown.
type Row struct {
	Platform, Machine, Model, Setup, Engine string
	Value                                   float64 // tokens per second, or whatever all rows share
}

// String gives the form "MLX on M5 Max 128 GB, Gemma-4-E2B, Single decode: 185".
func (r Row) String() string { return fmt.Sprintf("%s: %g", r.name(), r.Value) }

// name is the row without its value.
func (r Row) name() string {
	if on := r.place().String(); on != "" {
		return r.Engine + " on " + on
	}
	return r.Engine
}

// field returns where a column's text goes; nil where a row has no such column.
func (r *Row) field(column string) *string {
	switch column {
	case "platform":
		return &r.Platform
	case "machine":
		return &r.Machine
	case "model":
		return &r.Model
	case "setup":
		return &r.Setup
	}
	return nil
}

// MarshalJSON leaves out what is unknown.
func (r Row) MarshalJSON() ([]byte, error) {
	var o jsonout.Object
	for _, column := range []string{"platform", "machine", "model", "setup"} {
		if text := *r.field(column); text != "" {
			o = append(o, jsonout.Field{Name: column, Value: text})
		}
	}
	return append(o, jsonout.Field{Name: "engine", Value: r.Engine}, jsonout.Field{Name: "value", Value: r.Value}).MarshalJSON()
}

// place is what two rows must share to be compared.
type place struct{ platform, machine, model, setup string }

func (r Row) place() place { return place{r.Platform, r.Machine, r.Model, r.Setup} }

func (p place) String() string {
	named := slices.DeleteFunc([]string{p.platform, p.machine, p.model, p.setup}, func(s string) bool { return s == "" })
	return strings.Join(named, ", ")
}

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(p.platform, q.platform), cmp.Compare(p.machine, q.machine),
		cmp.Compare(p.model, q.model), cmp.Compare(p.setup, q.setup))
}

// step is the distance between neighbouring prints: published figures have one
// decimal below 100 and none from 100 up. A figure with more digits was not
// rounded so, and has step 0.
func step(x float64) float64 {
	switch {
	case x >= 100 && x == math.Trunc(x):
		return 1
	case x < 100 && decimals(x) <= 1:
		return 0.1
	}
	return 0
}

// decimals counts the digits after the point in the shortest form of x.
func decimals(x float64) int {
	s := strconv.FormatFloat(x, 'f', -1, 64)
	if i := strings.IndexByte(s, '.'); i >= 0 {
		return len(s) - i - 1
	}
	return 0
}
