package stat

import (
	"fmt"

	"example.com/servemath/internal/jsonout"
)

// Interval is an estimate between two limits. Level is the confidence actually
// attained, which exact intervals of small samples put above the one asked for.
type Interval struct {
	Estimate, Lo, Hi float64
	Level            float64
}

// Contains reports whether x lies within the limits, both included.
func (i Interval) Contains(x float64) bool { return i.Lo <= x && x <= i.Hi }

// String gives the form "1.091 (1.047 to 1.118, 95%)".
func (i Interval) String() string {
	return fmt.Sprintf("%.4g (%.4g to %.4g, %.3g%%)", i.Estimate, i.Lo, i.Hi, 100*i.Level)
}

// MarshalJSON writes an unbounded side as "+Inf" or "-Inf" and leaves out what
// is unknown.
func (i Interval) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "estimate", Value: i.Estimate}, {Name: "lo", Value: i.Lo},
		{Name: "hi", Value: i.Hi}, {Name: "level", Value: i.Level},
	}.MarshalJSON()
}
