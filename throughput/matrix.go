package throughput

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"example.com/servemath/internal/jsonout"
	"example.com/servemath/internal/resample"
	"example.com/servemath/internal/texttable"
	"example.com/servemath/throughput/stat"
)

// PairComparison is one entry of [CompareAll].
type PairComparison struct {
	Platform, Setup string
	EngineComparison
	AdjustedP float64 // Holm over all entries that have a P
}

// CompareAll compares every pair of engines within every platform and setup. The
// more pairs there are, the more of them differ by chance: verdicts of Faster and
// Slower hold for all of them together, as Holm's procedure adjusts the P of the
// machines' means over all entries. Pairs come in the order of platform, setup and
// names, A before B; pairs without a common place do not come.
func CompareAll(rows []Row, o *EngineOptions) ([]PairComparison, error) {
	opt, err := o.defaults()
	if err != nil {
		return nil, err
	}
	ix, err := newIndex(rows, opt.admits)
	if err != nil {
		return nil, err
	}
	tasks := ix.tasks()
	out := make([]PairComparison, len(tasks))
	resample.Each(len(tasks), func() struct{} { return struct{}{} }, func(i int, _ struct{}) {
		t := tasks[i]
		out[i] = PairComparison{Platform: t.platform, Setup: t.setup, EngineComparison: comparePairs(t.a, t.b, t.pairs, opt)}
	})
	adjustAll(out, opt)
	return out, nil
}

// adjustAll withdraws verdicts that do not survive the number of comparisons.
func adjustAll(all []PairComparison, o EngineOptions) {
	p := make([]float64, len(all))
	for i, c := range all {
		p[i] = c.P
	}
	for i, adjusted := range stat.Holm(p) {
		c := &all[i]
		c.AdjustedP = adjusted
		if (c.Verdict == Faster || c.Verdict == Slower) && !(adjusted < 1-o.Level) {
			c.Verdict = Inconclusive
		}
	}
}

// task is one pair of engines of one platform and setup.
type task struct {
	platform, setup, a, b string
	pairs                 []pair
}

// tasks lists the pairs of engines that share a place.
func (ix *index) tasks() []task {
	type key struct{ platform, setup, a, b string }
	at := map[key]int{}
	var out []task
	for i, j := 0, 0; i < len(ix.rows); i = j {
		for j = i + 1; j < len(ix.rows) && ix.rows[j].place() == ix.rows[i].place(); j++ {
		}
		here := ix.rows[i:j] // in order of engine
		for x, a := range here {
			for _, b := range here[x+1:] {
				k := key{a.Platform, a.Setup, a.Engine, b.Engine}
				t, ok := at[k]
				if !ok {
					t = len(out)
					at[k] = t
					out = append(out, task{k.platform, k.setup, k.a, k.b, nil})
				}
				out[t].pairs = append(out[t].pairs, pair{a.place(), a.Value, b.Value})
			}
		}
	}
	slices.SortFunc(out, func(x, y task) int {
		return cmp.Or(cmp.Compare(x.platform, y.platform), cmp.Compare(x.setup, y.setup), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	return out
}

// String gives one line.
func (c PairComparison) String() string {
	return fmt.Sprintf("%s, %s: %v, p = %.2g after Holm", c.Platform, c.Setup, c.EngineComparison, c.AdjustedP)
}

// MarshalJSON leaves out what is unknown.
func (c PairComparison) MarshalJSON() ([]byte, error) {
	return append(append(jsonout.Object{{Name: "platform", Value: c.Platform}, {Name: "setup", Value: c.Setup}}, c.object()...),
		jsonout.Field{Name: "adjusted_p", Value: c.AdjustedP}).MarshalJSON()
}

// WriteMatrix writes what [CompareAll] returned as a matrix of engines for every
// platform and setup: the row's speed over the column's, with + where the row is
// faster, - where it is slower, = where they are equivalent and nothing where that
// is open.
func WriteMatrix(w io.Writer, all []PairComparison) error {
	for i, j := 0, 0; i < len(all); i = j {
		for j = i + 1; j < len(all) && all[j].Platform == all[i].Platform && all[j].Setup == all[i].Setup; j++ {
		}
		if _, err := fmt.Fprintf(w, "%s, %s\n", all[i].Platform, all[i].Setup); err != nil {
			return err
		}
		if err := writeMatrix(w, all[i:j]); err != nil {
			return err
		}
	}
	return nil
}

// writeMatrix writes the pairs of one platform and setup.
func writeMatrix(w io.Writer, pairs []PairComparison) error {
	var engines []string
	cells := map[[2]string]string{}
	marks := map[Verdict][2]string{Faster: {"+", "-"}, Slower: {"-", "+"}, Equivalent: {"=", "="}, Inconclusive: {"", ""}}
	for _, p := range pairs {
		engines = append(engines, p.A, p.B)
		mark := marks[p.Verdict]
		cells[[2]string{p.A, p.B}] = fmt.Sprintf("%.3f%-1s", p.Estimate, mark[0])
		cells[[2]string{p.B, p.A}] = fmt.Sprintf("%.3f%-1s", 1/p.Estimate, mark[1])
	}
	slices.Sort(engines)
	engines = slices.Compact(engines)
	columns := []texttable.Column{{Title: "", Align: texttable.Left}}
	for _, e := range engines {
		columns = append(columns, texttable.Column{Title: e + " ", Align: texttable.Right})
	}
	table := texttable.New(columns...)
	for _, a := range engines {
		row := []string{a}
		for _, b := range engines {
			row = append(row, cells[[2]string{a, b}])
		}
		table.Row(row...)
	}
	return table.Write(w, "  ")
}
