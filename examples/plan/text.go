package main

import (
	"fmt"
	"io"
	"strings"

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
	columns := []texttable.Column{{Title: "Row", Align: texttable.Right}, {Title: "Configuration"}, {Title: "Max C", Align: texttable.Right}}
	for _, name := range usageNames() {
		columns = append(columns, texttable.Column{Title: strings.ToUpper(name[:1]) + name[1:], Align: texttable.Right},
			texttable.Column{Title: "set by"}, texttable.Column{Title: "published", Align: texttable.Right},
			texttable.Column{Title: "sessions fit", Align: texttable.Right})
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

func orDash(s string) string {
	if s == "" {
		return noFigure
	}
	return s
}

// footnote says what the figures rest on.
func footnote(embedded bool) []string {
	lines := []string{
		"Memory: device memory x 0.95 (unified 0.85) x 0.90 - weights / (TP x PP), divided by one session of 16,384 tokens (chat)",
		"or 65,536 (agentic) at one byte a value with two copies of a recurrent state, times DP. Weights are the checkpoint's files;",
		"without one, parameters x nominal bits: BF16, FP16 16; FP8, MXFP8, INT8 8; FP4, NVFP4, MXFP4, INT4, AWQ 4.",
	}
	if !embedded {
		return append(lines, "A row without max_c has no speed limit here: only its sessions are counted.")
	}
	return append(lines,
		"The sweeps behind Max C are not published: Max C is the one level of 1, 2, 4, ... 256 that gives both published figures, or",
		"\">= N\", the smallest of several. Which limit set a figure, and its plus, are the published row's. Memory figures are computed,",
		"and only those set by memory enter the count.")
}
