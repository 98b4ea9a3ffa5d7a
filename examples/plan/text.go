package main

import (
	"fmt"
	"io"
	"strings"

	"example.com/servemath/capacity"
	"example.com/servemath/internal/texttable"
)

// writeText prints every row, the footnote and, last, the count of figures that
// came out.
func (p *plan) writeText(w io.Writer) error {
	fmt.Fprintln(w, "People served: min(speed, memory), by the published rule")
	fmt.Fprintln(w)
	if err := p.table().Write(w, ""); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, line := range p.Footnote {
		fmt.Fprintln(w, line)
	}
	_, err := fmt.Fprintf(w, "%d of %d memory-limited figures reproduced\n", p.Reproduced, p.Memory)
	return err
}

func (p *plan) table() *texttable.Table {
	columns := []texttable.Column{right("Row"), {Title: "Configuration"}, right("Max C")}
	for _, name := range usageNames() {
		columns = append(columns, right(strings.ToUpper(name[:1])+name[1:]), texttable.Column{Title: "set by"}, right("published"), right("sessions fit"))
	}
	t := texttable.New(columns...)
	for i, r := range p.Rows {
		cells := []string{fmt.Sprint(i + 1), r.Setup, orDash(r.MaxC)}
		for _, name := range usageNames() {
			u := r.Uses[name]
			cells = append(cells, u.Users, orDash(u.Limit), orDash(u.Published), u.sessions())
		}
		t.Row(cells...)
	}
	return t
}

// sessions is how many sessions fit, or why none was counted.
func (u use) sessions() string {
	if u.Memory.Status != 0 {
		return u.Memory.Status.String()
	}
	return fmt.Sprint(u.Memory.Sessions)
}

func right(title string) texttable.Column {
	return texttable.Column{Title: title, Align: texttable.Right}
}

// shown is the figure with its plus, or the dash of these tables.
func shown(c capacity.Capacity) string { return strings.Replace(c.String(), "—", noFigure, 1) }

func people(n int) string {
	if n == 1 {
		return "1 person"
	}
	return fmt.Sprintf("%d people", n)
}

func orDash(s string) string {
	if s == "" {
		return noFigure
	}
	return s
}

// footnote says what the figures rest on.
func footnote(embedded bool) []string {
	lines := []string{
		"Speed: Max C x 4 (chat) or x 1.5 (agentic), rounded down. Max C is the highest number of requests at once, as measured, whose",
		"mean first token comes within 1 s and whose mean speed is 20 tokens per second or more. A plus: no higher one was measured.",
		"Memory: device memory x 0.95 (unified 0.85) x 0.90 - weights / (TP x PP), divided by one session of 16,384 tokens (chat)",
		"or 65,536 (agentic) at one byte a value with two copies of a recurrent state, times DP. Weights are the checkpoint's files;",
		"without one, parameters x nominal bits: BF16, FP16 16; FP8, MXFP8, INT8 8; FP4, NVFP4, MXFP4, INT4, AWQ 4.",
		"Where the weights do not fit the figure is speed alone.",
	}
	if !embedded {
		return append(lines, "Max C is a row's max_c, by targets of your own; a row without max_c has no speed limit here: only its sessions are counted.")
	}
	return append(lines,
		"The sweeps behind Max C are not published: Max C is the one level of 1, 2, 4, ... 256 that gives both published figures, or",
		"\">= N\", the smallest of several; a dash where no level meets the targets. Which limit set a figure, and its plus, are the",
		"published row's. Memory figures are computed, and only those set by memory enter the count.")
}
