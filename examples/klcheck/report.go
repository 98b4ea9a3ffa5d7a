package main

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"example.com/servemath/correctness"
	"example.com/servemath/internal/jsonout"
)

// report is all that is printed.
type report struct {
	Ref, Got string
	Summary  correctness.Summary
	Verdict  correctness.Verdict
	Readers  []error // the readers' warnings
	LlamaCpp []toolRow
	worst    int
}

func (r *report) writeText(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "reference\t%s\nengine\t%s\n\n", r.Ref, r.Got)
	for _, line := range r.Summary.Table() {
		fmt.Fprintf(w, "%s\t%s\n", line[0], line[1])
	}
	fmt.Fprintln(w)
	r.writeWorst(w)
	r.writeTool(w)
	for _, err := range append(r.Readers, r.Summary.Warnings...) {
		fmt.Fprintf(w, "warning: %v\n", err)
	}
	fmt.Fprintf(w, "%v\n", r.Verdict)
	return w.Flush()
}

func (r *report) writeWorst(w io.Writer) {
	shown := r.Summary.Worst[:min(r.worst, len(r.Summary.Worst))]
	if len(shown) == 0 {
		return
	}
	fmt.Fprintln(w, "worst prompt\tposition\tKL (nats)\ttop token of ref\tof got")
	for _, p := range shown {
		fmt.Fprintf(w, "%s\t%d\t%.6f\t%d\t%d\n", p.Prompt, p.Index, p.KL, p.TopRef, p.TopGot)
	}
	fmt.Fprintln(w)
}

func (r *report) writeTool(w io.Writer) {
	if len(r.LlamaCpp) == 0 {
		return
	}
	fmt.Fprintln(w, "llama-perplexity prints\tas it computes\there")
	for _, row := range r.LlamaCpp {
		fmt.Fprintf(w, "%s\t%s\t%s\n", row.Name, row.figure(row.Tool, row.Err), row.figure(row.Here, row.HereErr))
	}
	fmt.Fprintln(w, "(its ± takes positions for independent; its base is not renormalised)")
	fmt.Fprintln(w)
}

// figure prints six decimals, or a percentage to three, with its error.
func (row *toolRow) figure(x, err float64) string {
	if math.IsNaN(x) {
		return ""
	}
	format, scale := "%.6f", 1.0
	if row.percent {
		format, scale = "%.3f%%", 100
	}
	text := fmt.Sprintf(format, scale*x)
	if !math.IsNaN(err) {
		text += " ± " + fmt.Sprintf(format, scale*err)
	}
	return text
}

// MarshalJSON implements [json.Marshaler].
func (r *report) MarshalJSON() ([]byte, error) {
	o := jsonout.Object{{Name: "ref", Value: r.Ref}, {Name: "got", Value: r.Got}, {Name: "summary", Value: r.Summary},
		{Name: "verdict", Value: r.Verdict}, {Name: "reader_warnings", Value: r.Readers}}
	if len(r.LlamaCpp) > 0 {
		rows := make([]jsonout.Object, len(r.LlamaCpp))
		for i, row := range r.LlamaCpp {
			rows[i] = jsonout.Object{{Name: "name", Value: row.Name}, {Name: "tool", Value: row.Tool}, {Name: "tool_std_err", Value: row.Err},
				{Name: "here", Value: row.Here}, {Name: "here_std_err", Value: row.HereErr}}
		}
		o = append(o, jsonout.Field{Name: "llama_perplexity", Value: rows})
	}
	return o.MarshalJSON()
}
