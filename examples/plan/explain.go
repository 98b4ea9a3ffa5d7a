package main

import (
	"fmt"
	"io"
	"strings"

	"example.com/servemath/capacity"
	"example.com/servemath/internal/cli"
)

// explain prints the arithmetic of one row, step by step.
func (p *plan) explain(w io.Writer, name string, asJSON bool) error {
	r, err := p.find(name)
	if err != nil {
		return err
	}
	if asJSON {
		return cli.WriteJSON(w, r)
	}
	fmt.Fprintf(w, "%s\n%s\nweights: %v (%s)\n", r.ID, r.Setup, r.Weights, r.From)
	if p := r.row.published; p != nil && p.tps > 0 {
		fmt.Fprintf(w, "published: one request alone gets %v tok/s, its first token after %v ms\n", p.tps, p.ttftMS)
		if p.singleRequest {
			fmt.Fprintln(w, "nothing but one request alone was measured")
		}
	}
	for _, name := range usageNames() {
		u := r.Uses[name]
		fmt.Fprintf(w, "\n%s\n%s", name, u.Memory.Explain())
		fmt.Fprintf(w, "answer: %s\n", r.answer(u))
	}
	return nil
}

// answer is the last step: both limits, and the published figure. Where memory
// set the figure the published row does not say how far speed would go.
func (r *result) answer(u use) string {
	workedBack := u.Capacity != nil && r.row.maxC == 0
	s := "the speed limit is not known; " + u.Memory.String()
	switch {
	case workedBack && strings.HasPrefix(r.MaxC, orMore) && u.Limit == capacity.LimitMemory.String():
		s = fmt.Sprintf("%s, set by memory: %v; speed allows as many or more.", people(u.Memory.Sessions), u.Memory)
	case u.Capacity != nil:
		s = u.Capacity.Explain()
	case r.row.published != nil && u.Published == "":
		s = "no level meets the targets, by the published row; " + u.Memory.String()
	}
	if u.Published != "" {
		s += fmt.Sprintf(" Published: %s", u.Published)
		if workedBack {
			s += ", set by " + u.Limit
		}
		s += "."
	}
	if workedBack {
		s += fmt.Sprintf(" (Max C %s: worked back from the published figures.)", r.MaxC)
	}
	return s
}
