package main

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"example.com/servemath/internal/texttable"
)

func (r *report) writeText(w io.Writer) error {
	tie := "equal figures tie"
	if r.Tie > 0 {
		tie = fmt.Sprintf("figures within %g%% tie", 100*r.Tie)
	}
	clusters := "comparisons taken as independent"
	if r.By != "" {
		clusters = "clustered by " + r.By
	}
	fmt.Fprintf(w, "Engines by %s, tokens per second; %s; 95%% intervals, %s\n", r.Setup, tie, clusters)
	for _, p := range r.Platforms {
		fmt.Fprintf(w, "\n%s: %d machine-model pairs, %d machines, %d models\n", p.Name, p.Contests, p.Machines, p.Models)
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

func (p platform) table() *texttable.Table {
	t := texttable.New(
		texttable.Column{Title: "Rank", Align: texttable.Right},
		texttable.Column{Title: "Tier", Align: texttable.Right},
		texttable.Column{Title: "Engine"},
		texttable.Column{Title: "Strength", Align: texttable.Right},
		texttable.Column{Title: "95% interval", Align: texttable.Right},
		texttable.Column{Title: "Comparisons", Align: texttable.Right},
		texttable.Column{Title: "Speed", Align: texttable.Right},
		texttable.Column{Title: "95% interval", Align: texttable.Right},
		texttable.Column{Title: "Published", Align: texttable.Right},
		texttable.Column{Title: "Pairs", Align: texttable.Right},
		texttable.Column{Title: "Install", Align: texttable.Right},
		texttable.Column{Title: "Version"},
		texttable.Column{Title: "Note"},
	)
	for _, e := range p.Engines {
		rank, tier, strength, interval, n := e.fitted()
		speed, around := e.speed()
		published, pairs := "", ""
		if e.PublishedPairs > 0 {
			published, pairs = fmt.Sprintf("%g%%", e.PublishedStrength), strconv.Itoa(e.PublishedPairs)
		}
		t.Row(rank, tier, e.Engine, strength, interval, n, speed, around, published, pairs, e.InstallText, e.Version, e.Note)
	}
	return t
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
