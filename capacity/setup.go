package capacity

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Setup is what was measured, as the table prints it.
type Setup struct {
	Model       string `json:"model"`
	Params      string `json:"params,omitzero"` // as printed, "1.60T": trailing zeros cannot be derived from a number
	Format      string `json:"format"`          // of the weights: "NVFP4"
	Engine      string `json:"engine"`
	Hardware    string `json:"hardware"`
	Nodes       int    `json:"nodes,omitzero"` // printed before the hardware where above 0
	TP          int    `json:"tp,omitzero"`    // tensor, pipeline and data parallel; 0 means 1
	PP          int    `json:"pp,omitzero"`
	DP          int    `json:"dp,omitzero"`
	Speculative string `json:"speculative,omitzero"` // "" is without, else how: "MTP"
}

// Differs names the settings in which two setups differ: "model", "format",
// "engine", "hardware", "parallelism" and "speculative". Two rows show what a
// setting does where it is the only one named. The number of nodes counts as
// parallelism, which it follows from.
func (s Setup) Differs(t Setup) []string {
	var names []string
	add := func(name string, differs bool) {
		if differs {
			names = append(names, name)
		}
	}
	add("model", s.Model != t.Model || s.Params != t.Params)
	add("format", s.Format != t.Format)
	add("engine", s.Engine != t.Engine)
	add("hardware", s.Hardware != t.Hardware)
	add("parallelism", s.parallelism() != t.parallelism())
	add("speculative", s.Speculative != t.Speculative)
	return names
}

func (s Setup) parallelism() [4]int {
	return [4]int{max(1, s.Nodes), max(1, s.TP), max(1, s.PP), max(1, s.DP)}
}

// String is the setup in one line, parallelism above 1 in brackets; what is not
// given is left out.
func (s Setup) String() string {
	model, engine, hardware := s.Model, s.Engine, s.Hardware
	if s.Params != "" {
		model = strings.TrimSpace(model + " (" + s.Params + " parameters)")
	}
	if s.Speculative != "" {
		engine = strings.TrimSpace(engine + " with speculative decoding")
	}
	if s.Nodes > 0 {
		hardware = strings.TrimSpace(fmt.Sprintf("%d× %s", s.Nodes, hardware))
	}
	given := slices.DeleteFunc([]string{model, s.Format, engine, hardware}, func(part string) bool { return part == "" })
	return strings.Join(given, ", ") + because(s.split())
}

// split is the parallelism above 1, in the table's order.
func (s Setup) split() string {
	var above []string
	for _, p := range []struct {
		name string
		n    int
	}{{"TP", s.TP}, {"PP", s.PP}, {"DP", s.DP}} {
		if p.n > 1 {
			above = append(above, fmt.Sprintf("%s=%d", p.name, p.n))
		}
	}
	return strings.Join(above, ", ")
}

// ParseParams reads a number of parameters as it is printed: digits and one of
// K, M, B and T for 1e3 to 1e12. Anything else is an [*InputError].
func ParseParams(printed string) (float64, error) {
	units := map[string]float64{"K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}
	s := strings.TrimSpace(printed)
	if s == "" {
		return 0, badParams(printed)
	}
	unit, ok := units[strings.ToUpper(s[len(s)-1:])]
	digits := s[:len(s)-1]
	x, err := strconv.ParseFloat(digits, 64)
	if !ok || err != nil || strings.Trim(digits, "0123456789.") != "" || x == 0 {
		return 0, badParams(printed)
	}
	return x * unit, nil
}

func badParams(printed string) error {
	return &InputError{0, "Params", fmt.Sprintf("%q is not a number with K, M, B or T", printed)}
}

// NominalBits is the bits of one weight that a format's name promises, for a
// checkpoint whose size is not known: parameters x bits / 8 leaves scales,
// layers kept in other formats and unused tensors out. An unknown name is an
// [*InputError].
//
//	16  BF16, FP16
//	 8  FP8, MXFP8, INT8
//	 4  FP4, NVFP4, MXFP4, INT4, AWQ
func NominalBits(format string) (int, error) {
	switch strings.ToUpper(format) {
	case "BF16", "FP16":
		return 16, nil
	case "FP8", "MXFP8", "INT8":
		return 8, nil
	case "FP4", "NVFP4", "MXFP4", "INT4", "AWQ":
		return 4, nil
	}
	return 0, &InputError{0, "Format", fmt.Sprintf("%q has no nominal width", format)}
}
