package gate

import (
	"fmt"
	"io"
	"math"
	"strings"

	"example.com/servemath/internal/texttable"
	"example.com/servemath/throughput"
)

// columns of the table, in text and Markdown alike.
var columns = []texttable.Column{
	{Title: "benchmark", Align: texttable.Left}, {Title: "metric", Align: texttable.Left},
	{Title: "base", Align: texttable.Right}, {Title: "candidate", Align: texttable.Right}, {Title: "unit", Align: texttable.Left},
	{Title: "n", Align: texttable.Right}, {Title: "change", Align: texttable.Right}, {Title: "p", Align: texttable.Right},
	{Title: "sees", Align: texttable.Right}, {Title: "outcome", Align: texttable.Left},
}

// cells are one line of the table.
func (e Entry) cells() []string {
	change := e.Loss
	if !e.Metric.LowerIsBetter() && change != 0 { // no minus before a zero
		change = -change
	}
	outcome := e.Outcome.String()
	if e.New() {
		outcome = "new"
	} else if e.Reason != "" {
		outcome += ": " + e.Reason
	}
	return []string{e.Benchmark, string(e.Metric), figure(e.Base), figure(e.Candidate), e.Metric.Unit(),
		fmt.Sprintf("%d v %d", e.NBase, e.NCandidate), number("%+.1f%%", 100*change), number("%.2g", e.AdjustedP),
		number("%.1f%%", 100*e.Detectable), outcome}
}

// figure has four digits or more, and never an exponent where it is large.
func figure(x float64) string {
	if x >= 1e4 {
		return number("%.0f", x)
	}
	return number("%.4g", x)
}

// percent has two digits, and never an exponent where the share is large.
func percent(share float64) string {
	if share >= 0.1 {
		return fmt.Sprintf("%.0f%%", 100*share)
	}
	return fmt.Sprintf("%.2g%%", 100*share)
}

// number formats a figure, and leaves an unknown one blank.
func number(format string, x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return fmt.Sprintf(format, x)
}

// footnote says what the columns mean.
func (r *Report) footnote() string {
	corrected := fmt.Sprintf("after Holm over %d lines", r.Tested)
	if r.Policy.Uncorrected {
		corrected = "uncorrected"
	}
	return fmt.Sprintf("n: repetitions. p: one-sided, of no loss, %s; fails below %g with a loss over %g%%. sees: the loss that a line would show in %g%% of such runs.",
		corrected, r.Policy.Alpha, 100*r.Policy.MaxLoss, 100*r.Policy.Power)
}

// WriteText writes the report as an aligned table with its verdict below.
func (r *Report) WriteText(w io.Writer) error {
	t := texttable.New(columns...)
	for _, e := range r.Entries {
		t.Row(e.cells()...)
	}
	if err := t.Write(w, ""); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%s\n%s%v\n", r.footnote(), r.warningLines("warning: "), r)
	return err
}

func (r *Report) warningLines(prefix string) string {
	var b strings.Builder
	for _, warning := range r.Warnings {
		fmt.Fprintf(&b, "%s%v\n", prefix, warning)
	}
	return b.String()
}

// WriteMarkdown writes the report for a pull request: the verdict, then the table.
func (r *Report) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "**%v**\n\n", r)
	var titles, rule []string
	for _, c := range columns {
		titles = append(titles, c.Title)
		rule = append(rule, map[texttable.Align]string{texttable.Left: "---", texttable.Right: "---:"}[c.Align])
	}
	row := func(cells []string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	row(titles)
	row(rule)
	for _, e := range r.Entries {
		cells := e.cells()
		for i, c := range cells {
			cells[i] = strings.ReplaceAll(c, "|", `\|`)
		}
		row(cells)
	}
	fmt.Fprintf(&b, "\n%s\n", r.footnote())
	b.WriteString(r.warningLines("\n> warning: "))
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteBenchmark writes all observations in Go's benchmark format, the base's and
// then the candidate's, told apart by the key "side":
//
//	benchstat -col side report.txt
func (r *Report) WriteBenchmark(w io.Writer) error {
	var b strings.Builder
	units := map[throughput.Metric]bool{}
	for _, e := range r.Entries {
		if !units[e.Metric] {
			units[e.Metric] = true
			fmt.Fprintf(&b, "Unit %s better=%s\n", benchUnit(e.Metric), better(e.Metric))
		}
	}
	for _, side := range []string{"base", "candidate"} {
		fmt.Fprintf(&b, "\nside: %s\n", side)
		for _, e := range r.Entries {
			xs := e.base
			if side == "candidate" {
				xs = e.candidate
			}
			for _, x := range xs {
				fmt.Fprintf(&b, "Benchmark%s 1 %g %s\n", benchName(e.Benchmark), x, benchUnit(e.Metric))
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// benchName turns a name into one word that begins in upper case.
func benchName(s string) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' }), "/")
	return "Serve/" + s
}

// benchUnit is a unit of its own for each metric: "ttft-sec", "output_rate-tok/s".
func benchUnit(m throughput.Metric) string {
	unit := map[string]string{"s": "sec", "": "requests"}
	u, ok := unit[m.Unit()]
	if !ok {
		u = m.Unit()
	}
	return string(m) + "-" + u
}

func better(m throughput.Metric) string {
	if m.LowerIsBetter() {
		return "lower"
	}
	return "higher"
}
