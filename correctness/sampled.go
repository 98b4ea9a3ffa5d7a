package correctness

import "math"

// SampledKL estimates a divergence from log-probabilities of sampled tokens only:
// those that the engine under test generated, as it and as the reference scored
// them. k1 is the mean of ln q - ln p, which may come out negative; k3 the mean of
// p/q - 1 - ln(p/q), which does not, but has a heavy tail (Schulman 2020). Tokens
// drawn from Q make both estimates of KL(Q||P).
//
// They are estimates. [KL] and [Compare] are not, and the two are not to be mixed
// in one mean.
func SampledKL(refLogProbs, gotLogProbs []float64) (k1, k3 float64, err error) {
	nan := math.NaN()
	switch {
	case len(refLogProbs) != len(gotLogProbs):
		return nan, nan, inputError(ErrAlignment, -1, "%d log-probabilities of ref and %d of got", len(refLogProbs), len(gotLogProbs))
	case len(refLogProbs) == 0:
		return nan, nan, inputError(ErrNoSupport, -1, "no sampled token")
	}
	var s1, s3 exact
	for i, ref := range refLogProbs {
		got := gotLogProbs[i]
		if err := checkSampled(ref, i, "ref"); err != nil {
			return nan, nan, err
		}
		if err := checkSampled(got, i, "got"); err != nil {
			return nan, nan, err
		}
		s1.add(got - ref)
		s3.add(expm1Minus(ref - got))
	}
	n := float64(len(refLogProbs))
	return s1.Hi / n, s3.Hi / n, nil
}

// expm1Minus is e^x - 1 - x, which the table of the kernels gives for moderate x.
func expm1Minus(x float64) float64 {
	if math.Abs(x) < expLimit {
		d, _ := expDefect(x)
		return d
	}
	return math.Expm1(x) - x
}

func checkSampled(x float64, i int, side string) error {
	switch {
	case math.IsNaN(x):
		return inputError(ErrNaN, i, "NaN in %s", side)
	case x > 1e-3:
		return inputError(ErrPositiveLogProb, i, "log-probability %g above 0 in %s", x, side)
	case math.IsInf(x, -1):
		return inputError(ErrNoSupport, i, "sampled token of probability 0 in %s", side)
	}
	return nil
}
