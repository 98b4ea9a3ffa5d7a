package capacity

import (
	"fmt"
	"math"

	"example.com/servemath/internal/jsonout"
	"gonum.org/v1/gonum/mat"
)

// USL is the universal scalability law, R(C) = (1 + sigma (C-1) + kappa C (C-1))
// / lambda (Gunther 2007), fitted to a sweep. It describes; it does not predict:
// held out, the last level of public sweeps is missed by up to 16 %.
type USL struct {
	Lambda         float64 // requests/s of one request alone
	Sigma          float64 // contention: the share that one request at a time can do
	Kappa          float64 // coherence: the cost each pair of requests adds
	Knee           float64 // requests at once with the highest rate, sqrt((1-sigma)/kappa); +Inf for kappa 0
	WorstDeviation float64 // largest relative miss of a request time, by magnitude
	WorstLevel     int     // its concurrency: an outlier, or a law that does not fit
}

// FitUSL fits the law to the request times of a sweep by least squares of the
// relative misses with no negative parameter. Fewer than three levels are an
// [*InputError].
func (s *Sweep) FitUSL() (USL, error) {
	if err := s.check(); err != nil {
		return USL{}, err
	}
	if len(s.levels) < 3 {
		return USL{}, &InputError{0, "Levels", fmt.Sprintf("three are needed, %d given", len(s.levels))}
	}
	// R = a + b (C-1) + c C (C-1), linear in three parameters that may be 0.
	var best []float64
	miss := math.Inf(1)
	for _, use := range [][]int{{0}, {0, 1}, {0, 2}, {0, 1, 2}} {
		x, m := s.fitTerms(use)
		if x != nil && m < miss {
			best, miss = x, m
		}
	}
	u := USL{Lambda: 1 / best[0], Sigma: best[1] / best[0], Kappa: best[2] / best[0]}
	u.Knee = math.Sqrt(max(0, 1-u.Sigma) / u.Kappa)
	if u.Kappa == 0 {
		u.Knee = math.Inf(1)
	}
	for _, l := range s.levels {
		r := s.work.responseSeconds(l)
		if d := u.responseSeconds(l.Concurrency)/r - 1; u.WorstLevel == 0 || math.Abs(d) > math.Abs(u.WorstDeviation) {
			u.WorstDeviation, u.WorstLevel = d, l.Concurrency
		}
	}
	return u, nil
}

func (u USL) responseSeconds(c int) float64 {
	n := float64(c)
	return (1 + u.Sigma*(n-1) + u.Kappa*n*(n-1)) / u.Lambda
}

// fitTerms fits the terms named and gives nil where one comes out negative or
// the levels do not determine them. The first is 1/lambda and cannot be 0, so
// the sets that hold it are all there are; alone it always fits.
func (s *Sweep) fitTerms(use []int) (x []float64, miss float64) {
	a := mat.NewDense(len(s.levels), len(use), nil)
	ones := mat.NewVecDense(len(s.levels), nil)
	for i, l := range s.levels {
		n, r := float64(l.Concurrency), s.work.responseSeconds(l)
		terms := []float64{1, n - 1, n * (n - 1)}
		for j, t := range use {
			a.Set(i, j, terms[t]/r)
		}
		ones.SetVec(i, 1)
	}
	var fit, rest mat.VecDense
	if err := fit.SolveVec(a, ones); err != nil {
		return nil, 0
	}
	x = make([]float64, 3)
	for j, t := range use {
		if x[t] = fit.AtVec(j); x[t] < 0 || x[0] == 0 {
			return nil, 0
		}
	}
	rest.MulVec(a, &fit)
	rest.SubVec(ones, &rest)
	return x, mat.Dot(&rest, &rest)
}

// String gives the parameters.
func (u USL) String() string {
	return fmt.Sprintf("lambda %.4g/s, sigma %.4g, kappa %.4g, knee at %.4g; worst level %d by %+.1f%%",
		u.Lambda, u.Sigma, u.Kappa, u.Knee, u.WorstLevel, 100*u.WorstDeviation)
}

// MarshalJSON writes the parameters with stable names.
func (u USL) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "lambda_per_second", Value: u.Lambda},
		{Name: "sigma", Value: u.Sigma},
		{Name: "kappa", Value: u.Kappa},
		{Name: "knee_concurrency", Value: u.Knee},
		{Name: "worst_deviation", Value: u.WorstDeviation},
		{Name: "worst_level", Value: u.WorstLevel},
	}.MarshalJSON()
}
