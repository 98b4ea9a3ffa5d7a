package correctness

import "example.com/servemath/internal/jsonout"

// Outcome is what a verdict comes to. The zero value is Inconclusive.
type Outcome int

const (
	Inconclusive Outcome = iota
	Pass
	Fail
)

// String implements [fmt.Stringer].
func (o Outcome) String() string {
	switch o {
	case Pass:
		return "pass"
	case Fail:
		return "fail"
	}
	return "inconclusive"
}

// MarshalText implements [encoding.TextMarshaler].
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// Verdict is an outcome with its reason in a sentence, and the interval that it
// rests on: that of the mean, in nats.
type Verdict struct {
	Outcome Outcome
	Reason  string
	Lo, Hi  float64
}

// String implements [fmt.Stringer].
func (v Verdict) String() string { return v.Outcome.String() + ": " + v.Reason }

// MarshalJSON implements [json.Marshaler].
func (v Verdict) MarshalJSON() ([]byte, error) {
	return jsonout.Object{{Name: "outcome", Value: v.Outcome}, {Name: "reason", Value: v.Reason},
		{Name: "lo_nats", Value: v.Lo}, {Name: "hi_nats", Value: v.Hi}}.MarshalJSON()
}
