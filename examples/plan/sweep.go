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

// MarshalJSON writes no findings as an empty list.
func (rep sweepReport) MarshalJSON() ([]byte, error) {
	type plain sweepReport
	if rep.Findings == nil {
		rep.Findings = []capacity.Finding{}
	}
	return json.Marshal(plain(rep))
}
