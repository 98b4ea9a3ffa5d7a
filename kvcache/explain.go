package kvcache

import (
	"fmt"
	"math/big"
	"strings"
	"text/tabwriter"
)

// Explain shows the arithmetic step by step, as lines of aligned text: the
// memory left for sessions, the parts of one session with the rule and the
// config key each comes from, and the division.
func (o Occupancy) Explain() string {
	var sb strings.Builder
	w := tabwriter.NewWriter(&sb, 0, 0, 2, ' ', 0)
	o.Parallel = o.Parallel.orOne()
	o.explainMemory(w)
	o.Footprint.explain(w, o.Tokens)
	o.explainCount(w)
	for _, warning := range o.Footprint.Warnings {
		fmt.Fprintf(w, "note\t%v\n", warning)
	}
	w.Flush()
	return sb.String()
}

// explainMemory is memory down to what is free, in whole bytes: memory is rounded
// down and weights up.
func (o Occupancy) explainMemory(w *tabwriter.Writer) {
	b, devices := o.Budget, o.Parallel.TP*o.Parallel.PP
	row(w, "memory of "+orThe(b.Device.Name, "the device"), b.Device.Memory, "")
	row(w, fmt.Sprintf("x %v allocated", b.Allocation), whole(b.allocated()), "")
	row(w, fmt.Sprintf("x %v for weights and sessions", b.Share), whole(b.usable()), "")
	row(w, fmt.Sprintf("- weights / (TP x PP = %d)", devices), roundUp(b.weights(devices)), fmt.Sprintf("of %v", b.Weights))
	row(w, "= free on each device", o.FreePerDevice, "")
}

// explainCount is the division, or the reason why there is none.
func (o Occupancy) explainCount(w *tabwriter.Writer) {
	p := o.Parallel
	row(w, "on the fullest device", o.SessionPerDevice, fmt.Sprintf("TP %d, PP %d, DCP %d", p.TP, p.PP, p.DCP))
	switch o.Status {
	case OK:
		each := o.Sessions / p.DP
		fmt.Fprintf(w, "sessions\t%d\tfloor(free / session) = %d, x DP = %d\n", o.Sessions, each, p.DP)
	case ContextTooLong:
		fmt.Fprintf(w, "sessions\tnone\t%d tokens are beyond the model's window of %d\n", o.Tokens, o.ContextWindow)
	default:
		fmt.Fprintf(w, "sessions\tnone\t%v\n", o.Status)
	}
}

// explain lists the parts of a session.
func (f Footprint) explain(w *tabwriter.Writer, tokens int) {
	row(w, fmt.Sprintf("a session of %d tokens", tokens), f.Session, "")
	for _, p := range f.Parts {
		row(w, "  "+strings.TrimSpace(p.Group+" "+p.Stream), p.Bytes, strings.TrimSpace(p.Rule+" "+bracketed(p.Key)))
	}
}

// row leaves no blank cell at the end of a line: it would be padded with spaces.
func row(w *tabwriter.Writer, label string, b Bytes, note string) {
	fmt.Fprintf(w, "%s\t%v", label, b)
	if note != "" {
		fmt.Fprintf(w, "\t%s", note)
	}
	fmt.Fprintln(w)
}

func roundUp(x *big.Rat) Bytes { return -whole(new(big.Rat).Neg(x)) }

func orThe(name, otherwise string) string {
	if name == "" {
		return otherwise
	}
	return name
}

func bracketed(key string) string {
	if key == "" {
		return ""
	}
	return "[" + key + "]"
}
