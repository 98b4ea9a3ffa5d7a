package gate

import (
	"strings"

	"example.com/servemath/throughput"
)

// T is what [Require] needs of a *testing.T.
type T interface {
	Helper()
	Logf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Require fails a test, and ends it, unless the candidate passes the gate: an
// inconclusive outcome is no pass. The report is logged either way. Runs or a
// policy that cannot be used end the test too.
func Require(t T, base, candidate []throughput.Run, p Policy) {
	t.Helper()
	r, err := Check(base, candidate, p)
	if err != nil {
		t.Fatalf("%v", err)
		return
	}
	var b strings.Builder
	_ = r.WriteText(&b) // a strings.Builder does not fail
	if r.Outcome == Pass {
		t.Logf("%s", b.String())
		return
	}
	t.Fatalf("%s", b.String())
}
