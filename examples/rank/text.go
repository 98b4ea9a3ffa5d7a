package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"example.com/servemath/internal/texttable"
)

func (r *report) writeText(w io.Writer) error {
	tie := "equal figures tie"
	if r.Tie > 0 {
		tie = fmt.Sprintf("figures within %.6g%% tie", 100*r.Tie)
	}
	clusters := "comparisons taken as independent"
	if r.By != "" {
		clusters = "clustered by " + r.By
	}
	fmt.Fprintf(w, "Engines by %s, tokens per second; %s; 95%% intervals, %s\n", r.Setup, tie, clusters)
	for _, p := range r.Platforms {
		fmt.Fprintf(w, "\n%s: %s, %s, %s\n", p.Name, count(p.Contests, "machine-model pair"), count(p.Machines, "machine"), count(p.Models, "model"))
		if p.NotRanked != "" {
			fmt.Fprintf(w, "  not ranked: %s\n", p.NotRanked)
		}
		if err := p.table().Write(w, "  "); err != nil {
			return err
		}
		for _, line := range p.notes() {
			fmt.Fprintf(w, "  %s\n", line)
		}
	}
	fmt.Fprintln(w)
	for _, line := range r.Footnote {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// table leaves out columns that say nothing, such as those of the published
// page beside the user's own figures.
func (p platform) table() *texttable.Table {
	columns := []texttable.Column{
		{Title: "Rank", Align: texttable.Right},
		{Title: "Tier", Align: texttable.Right},
		{Title: "Engine"},
		{Title: "Strength", Align: texttable.Right},
		{Title: "95% interval", Align: texttable.Right},
		{Title: "Comparisons", Align: texttable.Right},
		{Title: "Speed", Align: texttable.Right},
		{Title: "95% interval", Align: texttable.Right},
		{Title: "Published", Align: texttable.Right},
		{Title: "Pairs", Align: texttable.Right},
		{Title: "Install", Align: texttable.Right},
		{Title: "Version"},
		{Title: "Note"},
	}
	var rows [][]string
	for _, e := range p.Engines {
		rank, tier, strength, interval, n := e.fitted()
		speed, around := e.speed()
		published, pairs := "", ""
		if e.PublishedPairs > 0 {
			published, pairs = fmt.Sprintf("%g%%", e.PublishedStrength), strconv.Itoa(e.PublishedPairs)
		}
		rows = append(rows, []string{rank, tier, e.Engine, strength, interval, n, speed, around,
			published, pairs, e.InstallText, e.Version, e.Note})
	}
	return filled(columns, rows)
}

// filled is a table of the columns with an entry.
func filled(columns []texttable.Column, rows [][]string) *texttable.Table {
	var kept []texttable.Column
	cells := make([][]string, len(rows))
	for c, column := range columns {
		if !slices.ContainsFunc(rows, func(row []string) bool { return row[c] != "" }) {
			continue
		}
		kept = append(kept, column)
		for r, row := range rows {
			cells[r] = append(cells[r], row[c])
		}
	}
	t := texttable.New(kept...)
	for _, row := range cells {
		t.Row(row...)
	}
	return t
}

// count writes a number of things.
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// fitted formats what the fit says of an engine; a dash where it says nothing.
func (e engine) fitted() (rank, tier, strength, interval, comparisons string) {
	s := e.Ranked
	if s == nil {
		return "-", "-", "-", "-", "-"
	}
	return strconv.Itoa(s.Rank), strconv.Itoa(s.Tier), fmt.Sprintf("%.1f%%", 100*s.Strength),
		fmt.Sprintf("%.1f-%.1f%%", 100*s.Lo, 100*s.Hi), fmt.Sprintf("%g", s.Comparisons)
}

// speed formats how much faster an engine is than the platform's average.
func (e engine) speed() (ratio, interval string) {
	if e.Speed == nil {
		return "-", "-"
	}
	ratio, interval = fmt.Sprintf("%.3fx", e.Speed.Estimate), "-"
	if !math.IsNaN(e.Speed.Lo) { // a single ratio has no spread
		interval = fmt.Sprintf("%.3f-%.3f", e.Speed.Lo, e.Speed.Hi)
	}
	return ratio, interval
}

// notes are the lines below a platform's table.
func (p platform) notes() []string {
	var out []string
	if p.Pooled != nil {
		out = append(out, pooledNote(p.Pooled))
	}
	for _, l := range p.LeftOut {
		out = append(out, l.String())
	}
	return append(out, p.Warnings...)
}
