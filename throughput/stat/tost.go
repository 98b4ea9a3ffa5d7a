package stat

import (
	"fmt"
	"math"

	"example.com/servemath/internal/jsonout"
)

// TOSTResult is a test for equivalence. P is the larger of its two.
type TOSTResult struct {
	PLower float64 // of a ratio at or below 1 - margin
	PUpper float64 // of a ratio at or above 1 + margin
	P      float64
}

// TOST tests whether the ratio of geometric means, b over a, lies within
// (1 - margin, 1 + margin): two one-sided Welch tests on logarithms (Schuirmann
// 1987). A P below alpha establishes equivalence at that margin.
func TOST(a, b []float64, margin float64) (TOSTResult, error) {
	if err := checkOpen("margin", margin, 0, 1); err != nil {
		return TOSTResult{}, err
	}
	r, err := LogRatio(a, b)
	if err != nil {
		return TOSTResult{}, err
	}
	return r.Within(margin), nil
}

// Within is [TOST] of a test of log ratios.
func (r TestResult) Within(margin float64) TOSTResult {
	lower, upper := r.Greater(math.Log1p(-margin)), r.Less(math.Log1p(margin))
	return TOSTResult{lower, upper, max(lower, upper)}
}

// String gives the one-line form.
func (r TOSTResult) String() string {
	return fmt.Sprintf("p = %.2g of a ratio outside the margin (%.2g below, %.2g above)", r.P, r.PLower, r.PUpper)
}

// MarshalJSON leaves out what is unknown.
func (r TOSTResult) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "p_lower", Value: r.PLower}, {Name: "p_upper", Value: r.PUpper}, {Name: "p", Value: r.P},
	}.MarshalJSON()
}
