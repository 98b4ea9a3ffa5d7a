package correctness

import "math"

// perplexity fills what the data tokens say. It is withheld where a side rules
// out a token that the text has: the perplexity then is infinite, whatever else
// the side does well. It is also withheld where a source cannot tell how unlikely
// a token of the text is, since a floor in its file hides it.
func (s *Summary) perplexity(t *tally, prompts []*prompt) {
	nan := math.NaN()
	s.LogPPLRatio, s.LogPPLRatioStdErr, s.LogPPLRatioStdErrClustered = nan, nan, nan
	s.PPLRef, s.PPLGot, s.LogPPLRefStdErr, s.LogPPLGotStdErr, s.LogPPLCorrelation = nan, nan, nan, nan, nan
	s.DataTokens = int(t.counts[countData] + t.counts[countDataInf])
	all := float64(s.DataTokens)
	s.MeanDeltaP = t.sums[sumDelta].Hi / all
	s.RMSDeltaP = math.Sqrt(t.sums[sumDelta2].Hi / all)
	if s.DataTokens == 0 || t.counts[countDataInf] > 0 || t.counts[countDoubted] > 0 {
		return
	}
	ref, got := t.sums[sumNLLRef], t.sums[sumNLLGot]
	diff := difference(got, ref)
	s.PPLRef, s.PPLGot = math.Exp(ref.Hi/all), math.Exp(got.Hi/all)
	s.LogPPLRatio = diff / all
	sdRef := deviation(t.sums[sumNLLRef2].Hi, ref.Hi, all)
	sdGot := deviation(t.sums[sumNLLGot2].Hi, got.Hi, all)
	sdDiff := deviation(t.sums[sumNLLDiff2].Hi, diff, all)
	s.LogPPLRefStdErr, s.LogPPLGotStdErr = sdRef/math.Sqrt(all), sdGot/math.Sqrt(all)
	s.LogPPLRatioStdErr = sdDiff / math.Sqrt(all)
	s.LogPPLCorrelation = (sdRef*sdRef + sdGot*sdGot - sdDiff*sdDiff) / (2 * sdRef * sdGot)
	var c clusters
	for _, g := range prompts {
		if n := g.counts[countData]; n > 0 {
			c.add(difference(g.sums[sumNLLGot], g.sums[sumNLLRef]), float64(n))
		}
	}
	_, s.LogPPLRatioStdErrClustered = c.mean()
}

// difference of two exact sums, rounded once.
func difference(a, b exact) float64 {
	a.join(exact{-b.Hi, -b.Lo})
	return a.Hi
}
