package capacity

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"example.com/servemath/internal/jsonout"
)

// Row is one line of a table of benchmarks.
type Row struct {
	ID     string // unique in the table
	Setup  Setup
	Sweep  *Sweep        // nil where it is not published; then MaxC says what is known of it
	MaxC   *MaxC         // without a Sweep
	Memory []MemoryLimit // one for each usage; none: unknown for all
	Scores []Score
	Notes  []string // of the run
}

// Score is a model's result in a public index, which says nothing across
// versions of that index.
type Score struct {
	Index   string  `json:"index"`
	Version string  `json:"version"`
	Value   float64 `json:"value"`
}

// Compare orders two scores of one index and version like [cmp.Compare]; of two
// versions or two indexes it is an [*InputError].
func (s Score) Compare(t Score) (int, error) {
	if s.Index != t.Index || s.Version != t.Version {
		return 0, &InputError{0, "Scores", fmt.Sprintf("%s %s and %s %s do not compare", s.Index, s.Version, t.Index, t.Version)}
	}
	return cmpKnown(s.Value, t.Value, false), nil
}

// Evaluated is a row held against targets.
type Evaluated struct {
	Row
	MaxC        MaxC
	Capacities  []Capacity // one for each usage
	SinglePoint bool       // measured at one level only
}

// EvaluateRows holds every row against the targets and estimates each usage.
// Other targets change the figures and never hide a row: that is what a [Filter]
// does. Two rows of one ID, a row without Sweep and MaxC, and memory limits
// that do not match the usages are an [*InputError]; every other error names the
// row.
func EvaluateRows(rows []Row, t Targets, usages []Usage, o *Options) ([]Evaluated, error) {
	seen := map[string]bool{}
	out := make([]Evaluated, 0, len(rows))
	for _, r := range rows {
		if seen[r.ID] {
			return nil, &InputError{0, "ID", fmt.Sprintf("row %q is given twice", r.ID)}
		}
		seen[r.ID] = true
		e, err := r.evaluate(t, usages, o)
		if err != nil {
			return nil, fmt.Errorf("row %q: %w", r.ID, err)
		}
		out = append(out, e)
	}
	return out, nil
}

// evaluate works out Max C once and every usage on it.
func (r Row) evaluate(t Targets, usages []Usage, o *Options) (Evaluated, error) {
	if len(r.Memory) != 0 && len(r.Memory) != len(usages) {
		return Evaluated{}, &InputError{0, "Memory", fmt.Sprintf("%d limits for %d usages", len(r.Memory), len(usages))}
	}
	e := Evaluated{Row: r}
	switch {
	case r.Sweep != nil:
		var err error
		if e.MaxC, err = r.Sweep.MaxC(t); err != nil {
			return Evaluated{}, err
		}
		e.SinglePoint = len(r.Sweep.levels) == 1
	case r.MaxC != nil:
		e.MaxC = *r.MaxC
	default:
		return Evaluated{}, &InputError{0, "Sweep", "neither a sweep nor its Max C is given"}
	}
	for i, u := range usages {
		var m MemoryLimit
		if len(r.Memory) != 0 {
			m = r.Memory[i]
		}
		c, err := r.capacity(t, u, m, o)
		if err != nil {
			return Evaluated{}, err
		}
		e.Capacities = append(e.Capacities, c)
	}
	return e, nil
}

func (r Row) capacity(t Targets, u Usage, m MemoryLimit, o *Options) (Capacity, error) {
	if r.Sweep == nil {
		return EstimateFromMaxC(*r.MaxC, u, m)
	}
	return Estimate(r.Sweep, t, u, m, o)
}

// At is the row's measured level of that concurrency, or its lowest for 0. It is
// not ok where the row was not measured there: Max C and the capacities do not
// depend on what is looked at.
func (e Evaluated) At(concurrency int) (v LevelVerdict, ok bool) {
	for _, v := range e.MaxC.Levels {
		if concurrency == 0 || v.Concurrency == concurrency {
			return v, true
		}
	}
	return LevelVerdict{}, false
}

// Explain is the row in one paragraph: setup, speed of the lowest level, every
// capacity with its reason, what the figures rest on and the notes of the run.
func (e Evaluated) Explain() string {
	parts := []string{cmp.Or(e.Setup.String(), e.ID) + "."}
	if v, ok := e.At(0); ok {
		parts = append(parts, fmt.Sprintf("With %s at once: %s tok/s, first token after %s ms.",
			plural(v.Concurrency, "request"), printTPS(v.TPS), printMS(v.TTFTSeconds)))
	}
	for _, c := range e.Capacities {
		parts = append(parts, c.Explain())
	}
	if e.SinglePoint {
		parts = append(parts, "Only one level was measured.")
	}
	return strings.Join(append(parts, e.Notes...), " ")
}

// printTPS rounds to one decimal, a half to the even digit, as the published
// table does: 17.05 is 17.
func printTPS(x float64) string { return fmt.Sprint(math.RoundToEven(x*10) / 10) }

// printMS rounds to whole milliseconds, a half up, with a comma every three
// digits.
func printMS(seconds float64) string {
	if math.IsNaN(seconds) {
		return "an unknown number of"
	}
	return group(int(math.Floor(seconds*1000 + 0.5)))
}

// MarshalJSON writes the row with stable names; the sweep stays in max_c.
func (e Evaluated) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "id", Value: e.ID},
		{Name: "setup", Value: e.Setup},
		{Name: "max_c", Value: e.MaxC},
		{Name: "capacities", Value: e.Capacities},
		{Name: "single_point", Value: e.SinglePoint},
		{Name: "scores", Value: orNothing(e.Scores)},
		{Name: "notes", Value: orNothing(e.Notes)},
		{Name: "explanation", Value: e.Explain()},
	}.MarshalJSON()
}
