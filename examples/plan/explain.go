package main

import (
	"fmt"
	"io"

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
	for _, name := range usageNames() {
		u := r.Uses[name]
		fmt.Fprintf(w, "\n%s\n%s", name, u.Memory.Explain())
		fmt.Fprintf(w, "answer: %s\n", r.answer(u))
	}
	return nil
}

// answer is the last step: both limits, and the published figure.
func (r *result) answer(u use) string {
	s := "the speed limit is not known; " + u.Memory.String()
	switch {
	case u.Capacity != nil:
		s = u.Capacity.Explain()
	case r.row.published != nil && u.Published == "":
		s = "no level meets the targets, by the published row; " + u.Memory.String()
	}
	if u.Published != "" {
		s += fmt.Sprintf(" Published: %s, set by %s.", u.Published, u.Limit)
	}
	if u.Capacity != nil && r.row.published != nil {
		s += fmt.Sprintf(" (Max C %s: worked back from the published figures.)", r.MaxC)
	}
	return s
}
