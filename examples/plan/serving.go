package main

import (
	"fmt"
	"io"

	"example.com/servemath/internal/cli"
	"example.com/servemath/internal/texttable"
)

// served is one row that serves the people asked for.
type served struct {
	Row   int    `json:"row"`
	ID    string `json:"id"`
	Setup string `json:"setup"`
	Users string `json:"users"`
	Limit string `json:"limit"`
	Fit   string `json:"sessions_fit"`
}

// servingReport is the answer to -users: who serves them, and how many rows do
// not, by the limit that stopped them.
type servingReport struct {
	Users  int            `json:"users_asked"`
	For    string         `json:"for"`
	Serve  []served       `json:"serve"`
	Others map[string]int `json:"others_by_limit"`
}

// serving lists the rows that serve that many people.
func (p *plan) serving(w io.Writer, users int, usage string, asJSON bool) error {
	rep := servingReport{Users: users, For: usage, Serve: []served{}, Others: map[string]int{}}
	for i, r := range p.Rows {
		u := r.Uses[usage]
		n, known := u.number()
		switch {
		case !known:
			rep.Others["no figure"]++
		case n >= users:
			rep.Serve = append(rep.Serve, served{i + 1, r.ID, r.Setup, u.Users, u.Limit, u.sessions()})
		default:
			rep.Others[u.Limit]++
		}
	}
	if asJSON {
		return cli.WriteJSON(w, rep)
	}
	return rep.writeText(w, len(p.Rows))
}

// number is the people a row serves; known is false where only one limit is.
func (u use) number() (n int, known bool) {
	switch {
	case u.Capacity != nil:
		return u.Capacity.Users, true
	case u.Limit == "memory":
		return u.Memory.Sessions, true
	}
	return 0, false
}

func (s servingReport) writeText(w io.Writer, rows int) error {
	fmt.Fprintf(w, "%d of %d configurations serve %s (%s)\n\n", len(s.Serve), rows, people(s.Users), s.For)
	if len(s.Serve) > 0 {
		if err := s.table().Write(w, ""); err != nil {
			return err
		}
		fmt.Fprintln(w, "\nWhere the weights do not fit in the assumed memory the figure is speed alone.")
	}
	_, err := fmt.Fprintf(w, "The others: %d stopped by speed, %d by memory, %d by either, %d by the model's window, %d without a figure.\n",
		s.Others["speed"], s.Others["memory"], s.Others["tie"], s.Others["context too long"], s.Others["no figure"])
	return err
}

func (s servingReport) table() *texttable.Table {
	t := texttable.New(right("Row"), texttable.Column{Title: "Configuration"}, right("People"),
		texttable.Column{Title: "set by"}, right("sessions fit"))
	for _, r := range s.Serve {
		t.Row(fmt.Sprint(r.Row), r.Setup, r.Users, r.Limit, r.Fit)
	}
	return t
}
