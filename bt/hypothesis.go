package bt

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"example.com/servemath/internal/jsonout"
	"gonum.org/v1/gonum/stat/distuv"
)

// Test is the outcome of a statistical test.
type Test struct {
	Statistic  float64
	DF         int     // of its chi-square distribution
	P          float64 // chance of a statistic as large without the effect
	Replicates int     // simulated for P; 0: P is from the chi-square
	Failed     int     // replicates that could not be fitted and are left out
	Warnings   []error
}

// String gives the test as "5.41 on 1 df, p = 0.02".
func (t Test) String() string {
	return fmt.Sprintf("%.4g on %d df, p = %.2g", t.Statistic, t.DF, t.P)
}

// MarshalJSON writes warnings as text.
func (t Test) MarshalJSON() ([]byte, error) {
	o := jsonout.Object{{Name: "statistic", Value: t.Statistic}, {Name: "df", Value: t.DF}, {Name: "p", Value: t.P}}
	if t.Replicates > 0 {
		o = append(o, jsonout.Field{Name: "replicates", Value: t.Replicates}, jsonout.Field{Name: "failed", Value: t.Failed})
	}
	return append(o, jsonout.Field{Name: "warnings", Value: t.Warnings}).MarshalJSON()
}

// LikelihoodRatio tests whether the order effect of the large model is needed,
// against the small one that lacks nothing else. Both must come from the same
// data with the same tie model and no prior, else it fails with [ErrNotNested].
// For equal strengths see [Model.Fitness], for strengths that differ from one
// machine to the next [Model.Heterogeneity].
func LikelihoodRatio(small, large *Model) (Test, error) {
	if reason := notNested(small, large); reason != "" {
		return Test{}, fmt.Errorf("%w: %s", ErrNotNested, reason)
	}
	df := large.p.dim() - small.p.dim()
	lr := max(2*(large.logLikelihood-small.logLikelihood), 0)
	return Test{Statistic: lr, DF: df, P: chiSquareTail(lr, df)}, nil
}

func notNested(small, large *Model) string {
	switch {
	case small == nil || large == nil:
		return "a model is missing"
	case small.options.Prior != nil || large.options.Prior != nil:
		return "a prior makes the likelihood ratio no chi-square"
	case small.options.Ties != large.options.Ties:
		return fmt.Sprintf("ties are %v in one and %v in the other", small.options.Ties, large.options.Ties)
	case small.options.OrderEffect || !large.options.OrderEffect:
		return "the large model must have an order effect, the small one none"
	case !slices.Equal(small.items, large.items) || !maps.Equal(small.counts(), large.counts()):
		return "the models are of different data"
	}
	return ""
}

// counts adds up the cells regardless of their labels.
func (m *Model) counts() map[cellKey]tally {
	out := make(map[cellKey]tally, len(m.cells))
	for _, c := range m.cells {
		c.group = 0
		t := out[c.cellKey]
		t.add(tally{c.win, c.loss, c.tie})
		out[c.cellKey] = t
	}
	return out
}

// chiSquareTail is NaN without degrees of freedom.
func chiSquareTail(x float64, df int) float64 {
	if df <= 0 {
		return math.NaN()
	}
	return distuv.ChiSquared{K: float64(df)}.Survival(x)
}
