package correctness

import (
	"math"

	"golang.org/x/exp/constraints"
)

// KL returns the Kullback-Leibler divergence KL(ref||got) in nats of two rows of
// logits. Both rows are read twice, got once more where it is much flatter or more
// peaked than ref, and nothing is allocated. The result is never negative; its
// relative error is at most 1e-10 from 1e-11 to 1, and above that its absolute
// error is.
//
// A token with -Inf on both sides adds nothing. One that ref allows and got gives
// -Inf makes the divergence +Inf; [Compare] offers other policies. An
// [*InputError] names the row and index of a NaN, a +Inf, and rows that are
// empty, without any finite entry or of different lengths.
func KL[F constraints.Float](ref, got []F) (float64, error) {
	if len(ref) != len(got) {
		return math.NaN(), lengthError(len(ref), len(got))
	}
	i, err := peak(ref, "ref")
	if err != nil {
		return math.NaN(), err
	}
	j, err := peak(got, "got")
	if err != nil {
		return math.NaN(), err
	}
	s := fuse(ref, got, newFrame(float64(ref[i]), float64(got[j])))
	if s.zeros > 0 {
		return math.Inf(1), nil
	}
	return s.kl(), nil
}

// peak returns the index of the largest entry of a row of log-weights, the lowest
// of equals, and refuses what is not such a row. The comparison that finds a new
// maximum also catches NaN, so sound entries pay nothing for the check.
func peak[F constraints.Float](row []F, side string) (int, error) {
	top, at := F(math.Inf(-1)), -1
	for i := 0; i < len(row); {
		if rest := row[i:]; len(rest) >= 4 && rest[0] <= top && rest[1] <= top && rest[2] <= top && rest[3] <= top {
			i += 4
			continue
		}
		if x := row[i]; !(x <= top) {
			if x != x {
				return 0, inputError(ErrNaN, i, "NaN in %s", side)
			}
			if math.IsInf(float64(x), 1) {
				return 0, inputError(ErrPosInf, i, "+Inf in %s", side)
			}
			top, at = x, i
		}
		i++
	}
	switch {
	case len(row) == 0:
		return 0, inputError(ErrNoSupport, -1, "%s is empty", side)
	case at < 0:
		return 0, inputError(ErrNoSupport, -1, "no finite entry in %s", side)
	}
	return at, nil
}

func lengthError(ref, got int) error {
	return inputError(ErrVocab, -1, "vocabulary size %d of ref and %d of got", ref, got)
}
