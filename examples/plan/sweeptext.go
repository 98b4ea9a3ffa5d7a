package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"example.com/servemath/capacity"
	"example.com/servemath/internal/texttable"
)

// writeText prints what was measured, then the figures, then why.
func (rep sweepReport) writeText(w io.Writer, o sweepOptions) error {
	kind := "after the first token"
	if rep.TPSKind == "e2e" {
		kind = "of the whole request"
	}
	fmt.Fprintf(w, "%s: replies of %d tokens, TPS %s; targets: %v\n\n", rep.File, rep.OutputTokens, kind, rep.Targets)
	if err := rep.levels().Write(w, ""); err != nil {
		return err
	}
	fmt.Fprintf(w, "Max C %v (%d without a gap)\n", rep.MaxC, rep.MaxC.Contiguous)
	for _, f := range rep.Findings {
		fmt.Fprintf(w, "check: %v\n", f)
	}
	fmt.Fprintln(w)
	if err := rep.people().Write(w, ""); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, c := range rep.Estimates {
		fmt.Fprintf(w, "%v: %s\n", c.Basis, c.Explain())
	}
	for _, c := range rep.Plan {
		fmt.Fprintf(w, "%s (%s) by %s: %s\n", people(o.users), o.use, c.Name, replicas(c))
	}
	for _, text := range rep.warnings() {
		fmt.Fprintf(w, "note: %s\n", text)
	}
	meet := "whose mean request meets"
	if a := rep.Targets.Attainment; a > 0 {
		meet = fmt.Sprintf("%.6g%% of whose requests meet", 100*a)
	}
	_, err := fmt.Fprintf(w, sweepFootnote, meet)
	return err
}

const sweepFootnote = `
The multiplier is the published rule: people for each request at once. Think time is exact for the measured
sweep: the most people %s the targets, each pausing that long between a reply and the next
request. Without -think it is the pause at which the multiplier would be right if no two ever collided. The
bracket takes the worse and the better neighbour between measured levels, and standard errors where given.
`

func (rep sweepReport) levels() *texttable.Table {
	t := texttable.New(right("C"), right("TTFT s"), right("TPS"), right("request s"), right("C x TPS"), texttable.Column{Title: "targets"})
	for _, v := range rep.MaxC.Levels {
		verdict := "pass"
		if !v.Pass {
			verdict = "fail: " + strings.Join(v.Failed, ", ")
		}
		t.Row(fmt.Sprint(v.Concurrency), fmt.Sprintf("%.4g", v.TTFTSeconds), fmt.Sprintf("%.4g", v.TPS),
			fmt.Sprintf("%.4g", v.E2ESeconds), fmt.Sprintf("%.4g", v.AggregateTPS), verdict)
	}
	return t
}

// people has a row for each usage and basis.
func (rep sweepReport) people() *texttable.Table {
	t := texttable.New(texttable.Column{Title: "Use"}, texttable.Column{Title: "Basis"}, right("think s"), right("People"),
		texttable.Column{Title: "bracket"}, texttable.Column{Title: "set by"})
	for _, c := range rep.Estimates {
		basis, think, bracket := c.Basis.String(), noFigure, noFigure
		if c.Basis == capacity.BasisMultiplier {
			basis = fmt.Sprintf("multiplier %v", c.Usage.Multiplier)
		} else if c.Limit != capacity.LimitNoLevel {
			bracket = fmt.Sprintf("%d to %d", c.Low, c.High)
		}
		if !math.IsNaN(c.ThinkSeconds) {
			think = fmt.Sprintf("%.3g", c.ThinkSeconds)
		}
		t.Row(c.Usage.Name, basis, think, shown(c), bracket, c.Limit.String())
	}
	return t
}

func replicas(c capacity.Choice) string {
	if !c.Serves {
		return "not served"
	}
	machines := "machines"
	if c.Replicas == 1 {
		machines = "machine"
	}
	return fmt.Sprintf("%d such %s, %s on the fullest, %.4g tok/s in all", c.Replicas, machines, people(c.UsersPerReplica), c.OutputTPS)
}

// warnings are those of all estimates, each once.
func (rep sweepReport) warnings() []string {
	var texts []string
	seen := map[string]bool{}
	for _, c := range rep.Estimates {
		for _, w := range c.Warnings {
			if text := strings.TrimPrefix(w.Error(), "capacity: "); !seen[text] {
				seen[text] = true
				texts = append(texts, text)
			}
		}
	}
	return texts
}
