package stat

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// studentTwoSided returns P(|T| >= |t|) with df degrees of freedom. It goes
// through the incomplete beta function, which keeps tiny tails exact where
// 1 - CDF would round them to zero.
func studentTwoSided(t, df float64) float64 {
	switch {
	case math.IsNaN(t) || !(df > 0):
		return math.NaN()
	case math.IsInf(t, 0):
		return 0
	}
	return mathext.RegIncBeta(df/2, 0.5, df/(df+t*t))
}

// studentAbove returns P(T >= t).
func studentAbove(t, df float64) float64 {
	if t < 0 {
		return 1 - studentTwoSided(t, df)/2
	}
	return studentTwoSided(t, df) / 2
}

// studentQuantile returns the t with P(T <= t) = p.
func studentQuantile(p, df float64) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}.Quantile(p)
}

// halfWidth returns the factor of the standard error that gives a two-sided
// interval.
func halfWidth(level, df float64) float64 { return studentQuantile(0.5+level/2, df) }

// statistic returns effect / stdErr. Without variation any effect is infinitely
// many standard errors away, and no effect is none.
func statistic(effect, stdErr float64) float64 {
	if effect == 0 {
		return 0
	}
	return effect / stdErr
}
