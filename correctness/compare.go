package correctness

import (
	"math"
	"sync"

	"golang.org/x/exp/constraints"
)

// Compare measures how far the row got is from the row ref. The rows are logits,
// log-probabilities or probabilities, as o.Kind says, of one vocabulary. Every
// term of every divergence is non-negative, so identical rows give exactly 0 and
// near-identical ones keep their digits. It does not allocate.
//
// An [*InputError] names the row and the index of what is refused: ErrVocab,
// ErrNaN, ErrPosInf, ErrNoSupport, ErrNotNormalised, ErrPositiveLogProb,
// ErrNegativeProb and ErrMass are its sentinels. Its Position is -1: a row does
// not know its place.
//
// FlipKL is the exact minimum over all Q that rank another token first: with p1
// and p2 the two largest of P, p1 ln(2 p1/(p1+p2)) + p2 ln(2 p2/(p1+p2)).
func Compare[F constraints.Float](ref, got []F, o *Options) (Position, error) {
	opts, err := o.resolved()
	if err != nil {
		return Position{}, err
	}
	return compareRows(ref, got, opts.Kind, opts.Kind, &opts)
}

// compareRows is Compare of rows that may differ in kind.
func compareRows[F constraints.Float](ref, got []F, refKind, gotKind Kind, o *Options) (pos Position, err error) {
	v, err := o.vocab(len(ref), len(got))
	if err != nil {
		return Position{}, err
	}
	if pos.SumErrorRef, pos.DroppedRef, err = audit(ref, v, refKind, o, "ref"); err != nil {
		return Position{}, err
	}
	if pos.SumErrorGot, pos.DroppedGot, err = audit(got, v, gotKind, o, "got"); err != nil {
		return Position{}, err
	}
	if refKind == Probs || gotKind == Probs {
		buf := logBuffers.Get().(*[2][]float64)
		defer logBuffers.Put(buf)
		buf[0] = appendLogWeights(buf[0][:0], ref[:v], refKind)
		buf[1] = appendLogWeights(buf[1][:0], got[:v], gotKind)
		err = compareLogs(&pos, buf[0], buf[1], o)
	} else {
		err = compareLogs(&pos, ref[:v], got[:v], o)
	}
	if err != nil {
		return Position{}, err
	}
	pos.LooksLikeProbs = refKind == Logits && looksLikeProbs(ref[:v]) || gotKind == Logits && looksLikeProbs(got[:v])
	return pos, nil
}

// logBuffers hold the log-weights of a pair of rows of which one holds
// probabilities.
var logBuffers = sync.Pool{New: func() any { return new([2][]float64) }}

func appendLogWeights[F constraints.Float](dst []float64, row []F, kind Kind) []float64 {
	for _, x := range row {
		w := float64(x)
		if kind == Probs {
			w = math.Log(w)
		}
		dst = append(dst, w)
	}
	return dst
}

// compareLogs fills pos from two rows of log-weights.
func compareLogs[F constraints.Float](pos *Position, ref, got []F, o *Options) error {
	var err error
	if pos.TopRef, err = peak(ref, "ref"); err != nil {
		return err
	}
	if pos.TopGot, err = peak(got, "got"); err != nil {
		return err
	}
	maxRef, maxGot := float64(ref[pos.TopRef]), float64(got[pos.TopGot])
	f := newFrame(maxRef, maxGot)
	s := fuse(ref, got, f)
	if s.zeros > 0 && o.ZeroQ.Kind == ZeroError {
		return zeroError(ref, got, maxRef)
	}
	n := newNormalisers(&s, got, maxGot)
	t := spread(ref, got, f, n)
	t.fill(pos)
	pos.ZeroQ = s.zeros
	pos.KL = s.klUnder(o.ZeroQ, n.logRef)
	pos.Excluded = s.zeros > 0 && o.ZeroQ.Kind == ZeroExclude
	pos.LowerBound = pos.Excluded || s.zeros > 0 && o.ZeroQ.Kind == ZeroFloor
	pos.CrossEntropy = pos.Entropy + pos.KL
	pos.FlipKL = flipKL(0, second(ref, pos.TopRef)-maxRef, n.logRef)
	pos.Agree = pos.TopRef == pos.TopGot
	// The margin covers the rounding of both sides.
	pos.Certified = !pos.LowerBound && pos.KL < pos.FlipKL*(1-1e-9)
	return fillData(pos, ref, got, f, n, o)
}

// fillData fills the figures of the data token.
func fillData[F constraints.Float](pos *Position, ref, got []F, f frame, n normalisers, o *Options) error {
	pos.NLLRef, pos.NLLGot, pos.DeltaP = math.NaN(), math.NaN(), math.NaN()
	if o.DataToken == nil {
		return nil
	}
	i := *o.DataToken
	if i < 0 || i >= len(ref) {
		return inputError(ErrVocab, i, "data token %d in a vocabulary of %d", i, len(ref))
	}
	pos.NLLRef = n.logRef - (float64(ref[i]) - f.maxA)
	pos.NLLGot = n.logGot - (float64(got[i]) - f.maxB)
	if math.IsInf(pos.NLLGot, 1) && o.ZeroQ.Kind == ZeroFloor {
		pos.NLLGot = -math.Log(o.ZeroQ.Eps)
	}
	pos.DeltaP = math.Exp(-pos.NLLGot) - math.Exp(-pos.NLLRef)
	return nil
}

// zeroError names the first token that ref allows and got excludes.
func zeroError[F constraints.Float](ref, got []F, maxRef float64) error {
	for i, x := range got {
		if w := math.Exp(float64(ref[i]) - maxRef); w > 0 && math.IsInf(float64(x), -1) {
			return inputError(ErrNoSupport, i, "no probability in got, and some in ref")
		}
	}
	return nil
}

// second returns the largest entry beside the one at top, -Inf if there is none.
func second[F constraints.Float](row []F, top int) float64 {
	best := F(math.Inf(-1))
	for _, part := range [2][]F{row[:top], row[top+1:]} {
		for _, x := range part {
			if x > best {
				best = x
			}
		}
	}
	return float64(best)
}

// flipKL returns the least divergence that changes the most likely token of a
// row whose two largest log-weights are l1 >= l2, under the normaliser logZ.
func flipKL(l1, l2, logZ float64) float64 {
	half := (math.Exp(l1-logZ) + math.Exp(l2-logZ)) / 2
	return half * balance(math.Tanh((l1-l2)/2))
}

// looksLikeProbs reports whether a row of logits is a distribution as it stands.
func looksLikeProbs[F constraints.Float](row []F) bool {
	if len(row) < 8 {
		return false
	}
	var sum float64
	for _, x := range row {
		if x < 0 || sum > 2 {
			return false
		}
		sum += float64(x)
	}
	return math.Abs(sum-1) <= 1e-3
}
