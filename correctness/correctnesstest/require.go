package correctnesstest

import (
	"fmt"
	"strings"

	"example.com/servemath/correctness"
)

// T is what is used of a [testing.TB].
type T interface {
	Helper()
	Logf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Options are the choices of [RequireWith]. The zero value is what [Require] uses.
type Options struct {
	Compare           *correctness.Options
	Summary           *correctness.SummaryOptions
	AllowInconclusive bool // an inconclusive verdict is logged, not failed
	Worst             int  // positions to show; 0 is 10
}

// Require fails the test, and ends it, unless got passes the criterion.
func Require(t T, ref, got correctness.Source, c correctness.Criterion) {
	t.Helper()
	RequireWith(t, ref, got, c, nil)
}

// RequireWith is [Require] with options. Sources that cannot be compared fail the
// test with the error.
func RequireWith(t T, ref, got correctness.Source, c correctness.Criterion, o *Options) {
	t.Helper()
	if o == nil {
		o = &Options{}
	}
	a, err := correctness.CompareSources(ref, got, o.Compare)
	if err != nil {
		t.Fatalf("cannot compare: %v", err)
		return
	}
	s, err := a.Summary(o.Summary)
	if err != nil {
		t.Fatalf("cannot sum up: %v", err)
		return
	}
	switch v := s.Judge(c); {
	case v.Outcome == correctness.Pass:
	case v.Outcome == correctness.Inconclusive && o.AllowInconclusive:
		t.Logf("%s", report(v, s, o.Worst))
	default:
		t.Fatalf("%s", report(v, s, o.Worst))
	}
}

// report is the verdict, the figures and the worst positions as text.
func report(v correctness.Verdict, s correctness.Summary, worst int) string {
	if worst == 0 {
		worst = 10
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%v\n", v)
	for _, line := range s.Table() {
		fmt.Fprintf(&b, "  %-28s %s\n", line[0], line[1])
	}
	for _, w := range s.Warnings {
		fmt.Fprintf(&b, "  warning: %v\n", w)
	}
	shown := s.Worst[:min(worst, len(s.Worst))]
	fmt.Fprintf(&b, "  worst positions:\n  %-20s %8s %12s %10s %10s\n", "prompt", "position", "KL (nats)", "top ref", "top got")
	for _, w := range shown {
		fmt.Fprintf(&b, "  %-20s %8d %12.6g %10d %10d\n", clip(w.Prompt), w.Index, w.KL, w.TopRef, w.TopGot)
	}
	return strings.TrimRight(b.String(), "\n")
}

// clip keeps a prompt's name within its column.
func clip(s string) string {
	if r := []rune(s); len(r) > 20 {
		return string(r[:19]) + "…"
	}
	return s
}
