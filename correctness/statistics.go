package correctness

import "math"

// divergence fills the means of KL and their errors.
func (s *Summary) divergence(all *tally, prompts []*prompt, o *SummaryOptions) {
	s.MeanKL, s.MeanUpperKL, s.Lo, s.Hi = math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1)
	s.MeanOfPrompts, s.SD, s.StdErr, s.StdErrClustered, s.DesignEffect = math.Inf(1), math.NaN(), math.NaN(), math.NaN(), math.NaN()
	if s.Infinite > 0 {
		return
	}
	lower, upper := gather(prompts, sumKL), gather(prompts, sumUpper)
	n := float64(s.N)
	s.MeanKL, s.StdErrClustered = lower.mean()
	s.SD = deviation(all.sums[sumKL2].Hi, all.sums[sumKL].Hi, n)
	s.StdErr = s.SD / math.Sqrt(n)
	s.DesignEffect = s.StdErrClustered * s.StdErrClustered / (s.StdErr * s.StdErr)
	s.MeanOfPrompts = meanOfMeans(&lower)
	lo, hi := lower.interval(o)
	s.Lo, s.Hi = max(0, lo), hi
	switch {
	case s.Bounded == 0:
		s.MeanUpperKL = s.MeanKL
	case all.counts[countUpper] == all.counted():
		s.MeanUpperKL, _ = upper.mean()
		_, s.Hi = upper.interval(o)
	default:
		s.Hi = math.Inf(1)
	}
}

// gather returns a sum of every prompt, over its counted positions.
func gather(prompts []*prompt, sum int) (c clusters) {
	for _, g := range prompts {
		c.add(g.sums[sum].Hi, float64(g.counted()))
	}
	return c
}

func meanOfMeans(c *clusters) float64 {
	var sum exact
	for i, x := range c.sum {
		sum.add(x / c.n[i])
	}
	return sum.Hi / float64(len(c.sum))
}

// deviation is the sample standard deviation from a sum of squares and a sum.
func deviation(squares, sum, n float64) float64 {
	return math.Sqrt(max(0, squares-sum*sum/n) / (n - 1))
}

func (s *Summary) percentiles(l *ladder, o *SummaryOptions) {
	s.Min, s.Max = l.rungs[0].value, s.Worst[0].KL // the latter exact in any case
	s.Median, s.P90, s.P95 = l.quantile(0.5), l.quantile(0.9), l.quantile(0.95)
	s.P99, s.P999 = l.quantile(0.99), l.quantile(0.999)
	s.P99Lo, s.P99Hi = l.interval(0.99, o)
	s.TopShare = math.NaN()
	if s.Infinite == 0 {
		s.TopShare = l.topShare()
	}
}

func (s *Summary) agreement(prompts []*prompt, o *SummaryOptions) {
	var c clusters
	for _, g := range prompts {
		c.add(float64(g.counts[countAgree]), float64(g.counted()))
	}
	s.TopAgreement, s.TopAgreementLo, s.TopAgreementHi = c.share(o.Level)
}
