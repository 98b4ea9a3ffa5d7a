package bt

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"example.com/servemath/internal/texttable"
)

// WriteText writes the ranking as an aligned table, and below it what the
// intervals rest on. It fails like [Model.Ranking], or with w's error.
func (m *Model) WriteText(w io.Writer, o *IntervalOptions) error {
	sp, err := m.spread(o)
	if err != nil {
		return err
	}
	right := func(title string) texttable.Column {
		return texttable.Column{Title: title, Align: texttable.Right}
	}
	t := texttable.New(right("rank"), right("tier"), texttable.Column{Title: "item"}, right("strength"),
		right("interval"), right("log-strength"), right("std err"), right("comparisons"), right("won-tied-lost"))
	for _, s := range m.standings(sp) {
		t.Row(strconv.Itoa(s.Rank), strconv.Itoa(s.Tier), s.Item, percent(s.Strength),
			fmt.Sprintf("%.1f-%s", 100*s.Lo, percent(s.Hi)), fmt.Sprintf("%.3f", s.LogStrength), fmt.Sprintf("%.3f", s.StdErr),
			number(s.Comparisons), fmt.Sprintf("%s-%s-%s", number(s.Wins), number(s.Ties), number(s.Comparisons-s.Wins-s.Ties)))
	}
	if err := t.Write(w, ""); err != nil {
		return err
	}
	_, err = io.WriteString(w, m.notes(sp, o))
	return err
}

// meaning says what the strengths are.
func (m *Model) meaning(o *IntervalOptions) string {
	switch m.options.Ties {
	case Davidson:
		return fmt.Sprintf("chance to beat %s, where the two do not tie", originName(o))
	case RaoKupper:
		return fmt.Sprintf("sigmoid of the log-strength above %s, which is no chance: ties take part of it", originName(o))
	}
	return "chance to beat " + originName(o)
}

func originName(o *IntervalOptions) string {
	switch {
	case o != nil && o.Reference != "":
		return o.Reference
	case o != nil && o.ByComparisons:
		return "the average comparison's item"
	}
	return "an item of average log-strength"
}

func percent(p float64) string { return fmt.Sprintf("%.1f%%", 100*p) }

// number writes a count, fractions to a hundredth.
func number(x float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(x, 'f', 2, 64), "0"), ".")
}

// notes say what the figures are.
func (m *Model) notes(sp *spread, o *IntervalOptions) string {
	var b strings.Builder
	basis := "comparisons taken as independent"
	if o != nil && len(o.By) > 0 {
		basis = "clustered by " + strings.Join(o.By, " and ")
	}
	fmt.Fprintf(&b, "\nstrength: %s; %.6g%% intervals, %s\n", m.meaning(o), 100*sp.level, basis)
	b.WriteString("tier: items of one tier are not told apart by their intervals\n")
	fmt.Fprintf(&b, "ties: %v", m.options.Ties)
	if m.options.Ties.estimated() {
		fmt.Fprintf(&b, ", parameter %.4g", m.TieParameter())
	}
	b.WriteString("\n")
	if m.options.Prior != nil {
		fmt.Fprintf(&b, "prior: %s\n", m.options.Prior.describe())
	}
	if m.p.virtual > 0 && sp.origin == nil {
		b.WriteString("log-strength: relative to the virtual player\n")
	}
	if estimate, se := m.Order(); m.p.orderAt > 0 {
		fmt.Fprintf(&b, "order effect: %.3f, standard error %.3f\n", estimate, se)
	}
	for _, warning := range append(m.Warnings(), sp.warnings...) {
		fmt.Fprintf(&b, "warning: %s\n", strings.TrimPrefix(warning.Error(), "bt: "))
	}
	return b.String()
}
