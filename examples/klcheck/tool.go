package main

import (
	"fmt"
	"math"
	"slices"

	"example.com/servemath/correctness"
)

// tool computes the statistics that llama-perplexity prints with --kl-divergence,
// in its arithmetic: terms in float32, sums in float64, the base as it was stored,
// not renormalised, and tokens at or below a log-probability of -16 left out.
// That is why its divergences may be negative.
type tool struct {
	ref   *correctness.Row
	count int

	nllQ, nllBase, nllBoth, kld sums
	deltaP, deltaP2             sums
	klds, deltas                []float32
	sameTop                     int
}

// sums are of a quantity and its square.
type sums struct{ x, x2 float64 }

func (s *sums) add(x float64) { s.x += x; s.x2 += x * x }

// mean returns the mean and its error, positions taken for independent.
func (s *sums) mean(n int) (mean, err float64) {
	mean = s.x / float64(n)
	return mean, math.Sqrt((s.x2/float64(n) - mean*mean) / float64(n-1))
}

// observe takes the engine's row that belongs to the last row of the base. Rows
// that the tool would not compare are left to the comparison to refuse.
func (t *tool) observe(got *correctness.Row) {
	token := t.ref.DataToken
	if got.Kind != correctness.Logits || len(got.Values) != len(t.ref.Values) || token < 0 || token >= len(got.Values) {
		return
	}
	top := float32(math.Inf(-1))
	imax, ibase := 0, 0
	for i, x := range got.Values {
		if x > top {
			top, imax = x, i
		}
		if t.ref.Values[i] > t.ref.Values[ibase] {
			ibase = i
		}
	}
	var z float64
	for _, x := range got.Values {
		z += float64(expf(x - top))
	}
	norm := float32(math.Log(z))
	nll, nllBase := top+norm-got.Values[token], -t.ref.Values[token]
	norm += top
	var kld float64
	for i, lp := range t.ref.Values {
		if lp > -16 {
			kld += float64(expf(lp) * (lp - got.Values[i] + norm))
		}
	}
	delta := expf(-nll) - expf(-nllBase)
	t.count++
	t.nllQ.add(float64(nll))
	t.nllBase.add(float64(nllBase))
	t.nllBoth.add(float64(nll * nllBase))
	t.kld.add(kld)
	t.deltaP.add(float64(delta))
	t.deltaP2.add(float64(delta) * float64(delta))
	t.klds = append(t.klds, float32(kld))
	t.deltas = append(t.deltas, delta)
	if imax == ibase {
		t.sameTop++
	}
}

func expf(x float32) float32 { return float32(math.Exp(float64(x))) }

// toolRow is a figure as the tool computes it and as it comes out here; NaN is
// not computed.
type toolRow struct {
	Name      string
	Tool, Err float64
	Here      float64
	HereErr   float64
	percent   bool
}

// table sets the tool's figures beside those of the comparison.
func (t *tool) table(a *correctness.Accumulator, s *correctness.Summary) ([]toolRow, error) {
	nan, n := math.NaN(), t.count
	lnQ, lnQErr := t.nllQ.mean(n)
	lnBase, lnBaseErr := t.nllBase.mean(n)
	cov := (t.nllBoth.x/float64(n) - lnQ*lnBase) / float64(n-1)
	ratioErr := math.Sqrt(lnQErr*lnQErr + lnBaseErr*lnBaseErr - 2*cov)
	pplQ, pplBase := math.Exp(lnQ), math.Exp(lnBase)
	diffErr := math.Sqrt(square(pplQ*lnQErr) + square(pplBase*lnBaseErr) - 2*pplQ*pplBase*cov)
	ratio, hereRatio := math.Exp(lnQ-lnBase), math.Exp(s.LogPPLRatio)
	hereQErr, hereBaseErr := s.PPLGot*s.LogPPLGotStdErr, s.PPLRef*s.LogPPLRefStdErr
	hereDiffErr := math.Sqrt(square(hereQErr) + square(hereBaseErr) - 2*hereQErr*hereBaseErr*s.LogPPLCorrelation)
	kld, kldErr := t.kld.mean(n)
	rows := []toolRow{
		{"Mean PPL(Q)", pplQ, pplQ * lnQErr, s.PPLGot, hereQErr, false},
		{"Mean PPL(base)", pplBase, pplBase * lnBaseErr, s.PPLRef, hereBaseErr, false},
		{"Cor(ln(PPL(Q)), ln(PPL(base)))", cov / (lnQErr * lnBaseErr), nan, s.LogPPLCorrelation, nan, true},
		{"Mean ln(PPL(Q)/PPL(base))", lnQ - lnBase, ratioErr, s.LogPPLRatio, s.LogPPLRatioStdErr, false},
		{"Mean PPL(Q)/PPL(base)", ratio, ratio * ratioErr, hereRatio, hereRatio * s.LogPPLRatioStdErr, false},
		{"Mean PPL(Q)-PPL(base)", pplQ - pplBase, diffErr, s.PPLGot - s.PPLRef, hereDiffErr, false},
		{"Mean KLD", kld, kldErr, s.MeanKL, s.StdErr, false},
	}
	slices.Sort(t.klds)
	slices.Sort(t.deltas)
	for _, p := range []float64{100, 99.9, 99, 95, 90, 50, 10, 5, 1, 0.1, 0} {
		here, err := a.Quantile(p / 100)
		if err != nil {
			return nil, err
		}
		rows = append(rows, toolRow{percentileName(p) + " KLD", percentile(t.klds, p), nan, here, nan, false})
	}
	delta, deltaErr := t.deltaP.mean(n)
	rows = append(rows, toolRow{"Mean Δp", delta, deltaErr, s.MeanDeltaP, nan, true})
	for _, p := range []float64{100, 99.9, 99, 95, 90, 75, 50, 25, 10, 5, 1, 0.1, 0} {
		rows = append(rows, toolRow{percentileName(p) + " Δp", percentile(t.deltas, p), nan, nan, nan, true})
	}
	ms, msErr := t.deltaP2.mean(n)
	same := float64(t.sameTop) / float64(n)
	return append(rows,
		toolRow{"RMS Δp", math.Sqrt(ms), msErr / (2 * math.Sqrt(ms)), s.RMSDeltaP, nan, true},
		toolRow{"Same top p", same, math.Sqrt(same * (1 - same) / float64(n-1)), s.TopAgreement, nan, true}), nil
}

func square(x float64) float64 { return x * x }

func percentileName(p float64) string {
	switch p {
	case 100:
		return "Maximum"
	case 50:
		return "Median"
	case 0:
		return "Minimum"
	}
	return fmt.Sprintf("%.1f%%", p)
}

// percentile is linear between order statistics, in float32 as the tool has it.
func percentile(sorted []float32, p float64) float64 {
	at := float32(p/100) * float32(len(sorted)-1)
	i := min(int(at), len(sorted)-1)
	frac := at - float32(i)
	return float64((1-frac)*sorted[i] + frac*sorted[min(i+1, len(sorted)-1)])
}
