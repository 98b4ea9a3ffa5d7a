package correctness

import (
	"math"
)

// The sums and counts of one prompt, by index. Their names are those of the JSON
// form; the order is that of the binary form, so new ones go to the end of a new
// version of it.
const (
	sumKL = iota // of lower bounds where lists were compared
	sumUpper
	sumReverse
	sumJS
	sumTV
	sumHellinger
	sumEntropy
	sumNLLRef
	sumNLLGot
	sumNLLRef2
	sumNLLGot2
	sumNLLDiff2
	sumDelta
	sumDelta2
	sumKL2
	numSums
)

const (
	countPositions = iota
	countExcluded
	countKL       // with a finite KL
	countInfinite // with an infinite one
	countUpper    // with a finite upper bound
	countWhole    // compared over whole rows
	countReverse  // of those, with a finite reverse KL
	countAgree
	countCertified
	countLowerBound
	countData     // with a data token that both sides allow
	countDataInf  // with one that either rules out
	countRounded  // from lists that rounding filled
	countUnlikely // that look like another kind of input
	countDoubted  // with a data token from a source that doubts its perplexity
	numCounts
)

const (
	peakSumError = iota
	peakDropped
	peakResidualRef
	peakResidualGot
	numPeaks
)

var (
	sumNames = [numSums]string{"kl", "upper", "reverse_kl", "js", "tv", "hellinger", "entropy", "nll_ref", "nll_got",
		"nll_ref_squared", "nll_got_squared", "nll_difference_squared", "delta_p", "delta_p_squared", "kl_squared"}
	countNames = [numCounts]string{"positions", "excluded", "kl", "infinite_kl", "upper", "whole", "reverse_kl", "agree",
		"certified", "lower_bound", "data", "infinite_data", "rounded", "unlikely", "doubted_data"}
	peakNames = [numPeaks]string{"sum_error", "dropped_mass", "residual_ref", "residual_got"}
)

// tally is what is kept of one prompt, or of all.
type tally struct {
	sums   [numSums]exact
	counts [numCounts]int64
	peaks  [numPeaks]float64
}

// position adds a comparison of whole rows.
func (t *tally) position(p *Position) {
	t.counts[countPositions]++
	if p.Excluded {
		t.counts[countExcluded]++
		return
	}
	t.divergence(p.KL, p.KL)
	t.counts[countWhole]++
	if !math.IsInf(p.ReverseKL, 1) {
		t.counts[countReverse]++
		t.sums[sumReverse].add(p.ReverseKL)
	}
	for i, x := range [...]float64{p.JS, p.TV, p.Hellinger, p.Entropy} {
		t.sums[sumJS+i].add(x)
	}
	t.data(p.NLLRef, p.NLLGot, p.DeltaP)
	t.count(countAgree, p.Agree)
	t.count(countCertified, p.Certified)
	t.count(countLowerBound, p.LowerBound)
	t.count(countUnlikely, p.LooksLikeProbs)
	t.peak(peakSumError, max(math.Abs(p.SumErrorRef), math.Abs(p.SumErrorGot)))
	t.peak(peakDropped, max(p.DroppedRef, p.DroppedGot))
}

// bounds adds a comparison of lists.
func (t *tally) bounds(b *Bounds) {
	t.counts[countPositions]++
	t.divergence(b.Lower, b.Upper)
	t.data(b.NLLRef, b.NLLGot, b.DeltaP)
	t.count(countAgree, b.Agree)
	t.count(countCertified, b.Certified)
	t.count(countRounded, len(b.Warnings) > 0)
	t.peak(peakResidualRef, b.ResidualRef)
	t.peak(peakResidualGot, b.ResidualGot)
}

func (t *tally) divergence(lower, upper float64) {
	if math.IsInf(lower, 1) {
		t.counts[countInfinite]++
	} else {
		t.counts[countKL]++
		t.sums[sumKL].add(lower)
		t.sums[sumKL2].add(lower * lower)
	}
	if !math.IsInf(upper, 1) {
		t.counts[countUpper]++
		t.sums[sumUpper].add(upper)
	}
}

func (t *tally) data(ref, got, delta float64) {
	if math.IsNaN(ref) {
		return
	}
	t.sums[sumDelta].add(delta)
	t.sums[sumDelta2].add(delta * delta)
	if math.IsInf(ref, 0) || math.IsInf(got, 0) {
		t.counts[countDataInf]++
		return
	}
	t.counts[countData]++
	for i, x := range [...]float64{ref, got, ref * ref, got * got, (got - ref) * (got - ref)} {
		t.sums[sumNLLRef+i].add(x)
	}
}

func (t *tally) count(i int, yes bool) {
	if yes {
		t.counts[i]++
	}
}

func (t *tally) peak(i int, x float64) { t.peaks[i] = max(t.peaks[i], x) }

// merge adds another tally.
func (t *tally) merge(o *tally) {
	for i := range t.sums {
		t.sums[i].join(o.sums[i])
	}
	for i, n := range o.counts {
		t.counts[i] += n
	}
	for i, x := range o.peaks {
		t.peak(i, x)
	}
}
