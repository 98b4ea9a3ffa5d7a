package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"example.com/servemath/capacity"
	"example.com/servemath/internal/cli"
	"example.com/servemath/internal/texttable"
)

// defaultOutput is the reply length of a table that says nothing else.
const defaultOutput = 128

// sweepOptions are the flags that go with -sweep.
type sweepOptions struct {
	path         string
	outputTokens int
	kind         string
	targets      capacity.Targets
	think        float64
	slots        int
	prefill      float64
	sessions     string
	users        int
	use          string
}

// sweepReport is a sweep on both bases.
type sweepReport struct {
	File         string              `json:"file"`
	OutputTokens int                 `json:"output_tokens"`
	TPSKind      string              `json:"tps_kind"`
	Targets      capacity.Targets    `json:"targets"`
	MaxC         capacity.MaxC       `json:"max_c"`
	Findings     []capacity.Finding  `json:"findings"`
	Estimates    []capacity.Capacity `json:"estimates"` // for each usage by the multiplier, then by think time
	Plan         []capacity.Choice   `json:"plan,omitempty"`
}

// sweep answers for a sweep of the user's own.
func sweep(w io.Writer, o sweepOptions, asJSON bool) error {
	limits, err := sessionLimits(o.sessions)
	if err != nil {
		return err
	}
	if o.kind != "" {
		if err := cli.OneOf("tps-kind", o.kind, []string{"decode", "e2e"}); err != nil {
			return err
		}
	}
	s, err := readSweep(o.path, o.outputTokens, o.kind)
	if err != nil {
		return err
	}
	rep, err := o.report(s, limits)
	if err != nil {
		return err
	}
	if asJSON {
		return cli.WriteJSON(w, rep)
	}
	return rep.writeText(w, o)
}

// sessionLimits reads "46,11": the sessions that fit, for each usage.
func sessionLimits(s string) ([]capacity.MemoryLimit, error) {
	limits := make([]capacity.MemoryLimit, len(usages()))
	if s == "" {
		return limits, nil
	}
	parts := strings.Split(s, ",")
	if len(parts) != len(limits) {
		return nil, fmt.Errorf("-sessions: %q; one number for each of %s", s, strings.Join(usageNames(), ", "))
	}
	for i, p := range parts {
		n, err := strconv.Atoi(strings.TrimSpace(p))
		if err != nil || n < 0 {
			return nil, fmt.Errorf("-sessions: %q is not a number of sessions", p)
		}
		limits[i] = capacity.MemoryLimit{Status: capacity.MemoryKnown, Sessions: n}
	}
	return limits, nil
}

// report works out every usage on both bases.
func (o sweepOptions) report(s *capacity.Sweep, limits []capacity.MemoryLimit) (sweepReport, error) {
	w := s.Workload()
	rep := sweepReport{File: o.path, OutputTokens: w.OutputTokens, TPSKind: "decode", Targets: o.targets, Findings: s.Check()}
	if w.TPS == capacity.EndToEndTPS {
		rep.TPSKind = "e2e"
	}
	var err error
	if rep.MaxC, err = s.MaxC(o.targets); err != nil {
		return rep, err
	}
	for i, u := range usages() {
		bases, err := o.bases(s, u, limits[i])
		if err != nil {
			return rep, err
		}
		rep.Estimates = append(rep.Estimates, bases...)
		if o.users > 0 && u.Name == o.use {
			if rep.Plan, err = o.plan(s, bases, limits[i]); err != nil {
				return rep, err
			}
		}
	}
	return rep, nil
}

// options of the queueing model.
func (o sweepOptions) options() *capacity.Options {
	return &capacity.Options{Slots: o.slots, PrefillSeconds: o.prefill}
}

// bases is the published rule and, beside it, the exact answer at -think, or at
// the think time that the rule's multiplier implies. Without a passing level no
// think time is implied.
func (o sweepOptions) bases(s *capacity.Sweep, u capacity.Usage, m capacity.MemoryLimit) ([]capacity.Capacity, error) {
	rule, err := capacity.Estimate(s, o.targets, u, m, nil)
	if err != nil {
		return nil, err
	}
	if u.ThinkSeconds = o.think; o.think == 0 {
		u.ThinkSeconds = rule.ThinkSeconds
	}
	if math.IsNaN(u.ThinkSeconds) {
		return []capacity.Capacity{rule}, nil
	}
	exact, err := capacity.Estimate(s, o.targets, u, m, o.options())
	if errors.Is(err, capacity.ErrUnbounded) { // the rule still answers
		rule.Warnings = append(rule.Warnings, err)
		return []capacity.Capacity{rule}, nil
	}
	return []capacity.Capacity{rule, exact}, err
}

// plan is how many such machines -users needs, on each basis.
func (o sweepOptions) plan(s *capacity.Sweep, bases []capacity.Capacity, m capacity.MemoryLimit) ([]capacity.Choice, error) {
	var all []capacity.Choice
	for _, c := range bases {
		config := capacity.Config{Name: c.Basis.String(), Sweep: s, Memory: m}
		if c.Basis != capacity.BasisMultiplier {
			config.Options = o.options()
		}
		choices, err := capacity.Plan(o.users, c.Usage, o.targets, []capacity.Config{config})
		if err != nil {
			return nil, err
		}
		all = append(all, choices...)
	}
	return all, nil
}

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

// MarshalJSON writes no findings as an empty list.
func (rep sweepReport) MarshalJSON() ([]byte, error) {
	type plain sweepReport
	if rep.Findings == nil {
		rep.Findings = []capacity.Finding{}
	}
	return json.Marshal(plain(rep))
}
