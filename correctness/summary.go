package correctness

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// Summary is what the positions of an [Accumulator] say of the engine. Positions
// of one prompt resemble each other, so intervals are over prompts; means are over
// positions. Divergences and logarithms are in nats. A figure that the data do not
// give is NaN.
type Summary struct {
	N, Prompts int // positions in the mean, and their prompts

	MeanKL      float64 // of lower bounds where lists were compared
	MeanUpperKL float64 // of upper bounds; MeanKL where whole rows were compared
	// Lo and Hi are the bootstrap-t interval: Lo that of MeanKL, Hi that of
	// MeanUpperKL. Hi is +Inf with one prompt.
	Lo, Hi, Level   float64
	MeanOfPrompts   float64 // every prompt alike, however long
	SD              float64 // of positions
	StdErr          float64 // if positions were independent
	StdErrClustered float64 // by prompt
	DesignEffect    float64 // the square of their quotient

	Min, Median, P90, P95, P99, P999, Max float64 // of positions, linear between order statistics
	QuantileError                         float64 // relative; 0 is exact
	P99Lo, P99Hi                          float64 // bootstrap interval of P99
	TopShare                              float64 // of the sum, carried by the largest hundredth of positions

	TopAgreement, TopAgreementLo, TopAgreementHi float64
	Certified                                    float64 // share whose agreement the divergence alone implies

	MeanReverseKL, MeanJS, MeanTV, MeanHellinger, MeanEntropy float64 // over whole rows

	// Of data tokens, DataTokens of them. LogPPLRatio is ln PPL(Q) - ln PPL(P); its
	// errors are of the paired differences, as if positions were independent and by
	// prompt.
	DataTokens                                                 int
	LogPPLRatio, LogPPLRatioStdErr, LogPPLRatioStdErrClustered float64
	PPLRef, PPLGot                                             float64
	LogPPLRefStdErr, LogPPLGotStdErr                           float64
	LogPPLCorrelation                                          float64
	MeanDeltaP, RMSDeltaP                                      float64

	Infinite    int // positions of infinite divergence
	Excluded    int // positions left out of everything above by ZeroExclude
	LowerBounds int // positions whose KL is a lower bound by ZeroFloor
	Bounded     int // positions compared by top-k lists

	MaxSumError, MaxDroppedMass    float64
	MaxResidualRef, MaxResidualGot float64 // probability that lists leave out

	Worst    []WorstPosition // at most 32, by falling divergence
	Warnings []error
}

// Summary computes the statistics of everything added. An accumulator without a
// position that counts is ErrNoSupport.
func (a *Accumulator) Summary(o *SummaryOptions) (Summary, error) {
	opts, err := o.resolved()
	if err != nil {
		return Summary{}, err
	}
	a = a.orEmpty()
	var all tally
	var prompts []*prompt
	for _, name := range a.names() {
		g := a.prompts[name]
		all.merge(&g.tally)
		if g.counted() > 0 {
			prompts = append(prompts, g)
		}
	}
	if len(prompts) == 0 {
		return Summary{}, fmt.Errorf("%w: no position to sum up, %d excluded", ErrNoSupport, all.counts[countExcluded])
	}
	s := Summary{N: int(all.counted()), Prompts: len(prompts), Level: opts.Level, Worst: append([]WorstPosition(nil), a.worst...)}
	s.tallies(&all)
	s.divergence(&all, prompts, &opts)
	s.percentiles(newLadder(prompts), &opts)
	s.agreement(prompts, &opts)
	s.perplexity(&all, prompts)
	if a.full {
		s.QuantileError = SketchError
	}
	s.warn(&all)
	return s, nil
}

// counted is the number of positions that are not excluded.
func (t *tally) counted() int64 { return t.counts[countPositions] - t.counts[countExcluded] }

// tallies copies what needs no statistics.
func (s *Summary) tallies(t *tally) {
	whole := float64(t.counts[countWhole])
	s.MeanReverseKL = t.sums[sumReverse].Hi / whole
	if t.counts[countReverse] < t.counts[countWhole] {
		s.MeanReverseKL = math.Inf(1)
	}
	s.MeanJS = t.sums[sumJS].Hi / whole
	s.MeanTV = t.sums[sumTV].Hi / whole
	s.MeanHellinger = t.sums[sumHellinger].Hi / whole
	s.MeanEntropy = t.sums[sumEntropy].Hi / whole
	s.Certified = float64(t.counts[countCertified]) / float64(t.counted())
	s.Infinite = int(t.counts[countInfinite])
	s.Excluded = int(t.counts[countExcluded])
	s.LowerBounds = int(t.counts[countLowerBound])
	s.Bounded = int(t.counted() - t.counts[countWhole])
	s.MaxSumError, s.MaxDroppedMass = t.peaks[peakSumError], t.peaks[peakDropped]
	s.MaxResidualRef, s.MaxResidualGot = t.peaks[peakResidualRef], t.peaks[peakResidualGot]
}

// Quantile returns a linear quantile (type 7) of the positions' divergence, within
// [SketchError] once more than ExactCap positions were added. q is 0 to 1.
func (a *Accumulator) Quantile(q float64) (float64, error) {
	if !(q >= 0 && q <= 1) {
		return math.NaN(), optionError("quantile %g", q)
	}
	a = a.orEmpty()
	l := newLadder(slices.Collect(maps.Values(a.prompts)))
	if l.n == 0 {
		return math.NaN(), fmt.Errorf("%w: no position to take a quantile of", ErrNoSupport)
	}
	return l.quantile(q), nil
}

// String is the one-line form.
func (s Summary) String() string {
	return fmt.Sprintf("mean KL %.6g [%.6g, %.6g] nats (%g%%, %s in %s), median %.6g, p99 %.6g, max %.6g, top-1 agreement %.4g%%",
		s.MeanKL, s.Lo, s.Hi, 100*s.Level, count(s.N, "position"), count(s.Prompts, "prompt"), s.Median, s.P99, s.Max, 100*s.TopAgreement)
}
