package correctness

import (
	"math"

	"golang.org/x/exp/constraints"
)

// audit checks a whole row, of which the first v entries are compared: every
// entry, the sum where the kind claims one, and the share of the rest. A row of
// logits without a rest has nothing to claim; its entries are checked when their
// maximum is sought.
func audit[F constraints.Float](row []F, v int, kind Kind, o *Options, side string) (sumError, dropped float64, err error) {
	var kept, rest float64
	scale := 1.0 // of both
	switch {
	case kind == Probs:
		kept, rest, err = probMass(row, v, side)
	case kind == LogProbs || v < len(row):
		kept, rest, scale, err = logMass(row, v, kind, o, side)
	default:
		return 0, 0, nil
	}
	if err != nil {
		return 0, 0, err
	}
	if kept == 0 {
		return 0, 0, inputError(ErrNoSupport, -1, "no probability in %s", side)
	}
	if kind != Logits {
		sum := scale * (kept + rest)
		if sumError = sum - 1; math.Abs(sumError) > o.MaxSumError {
			return 0, 0, inputError(ErrNotNormalised, -1, "%s sums to %.6g", side, sum)
		}
	}
	if dropped = rest / (kept + rest); dropped > o.MaxDroppedMass {
		return 0, 0, inputError(ErrMass, -1, "%.3g of %s lies beyond the vocabulary of %d", dropped, side, v)
	}
	return sumError, dropped, nil
}

// probMass sums both parts of a row of probabilities.
func probMass[F constraints.Float](row []F, v int, side string) (kept, rest float64, err error) {
	for i, x := range row {
		switch p := float64(x); {
		case math.IsNaN(p):
			return 0, 0, inputError(ErrNaN, i, "NaN in %s", side)
		case p < 0:
			return 0, 0, inputError(ErrNegativeProb, i, "probability %g below 0 in %s (is it a log-probability?)", p, side)
		case math.IsInf(p, 1):
			return 0, 0, inputError(ErrPosInf, i, "+Inf in %s", side)
		case i < v:
			kept += p
		default:
			rest += p
		}
	}
	return kept, rest, nil
}

// logMass sums both parts of a row of log-weights under their maximum, and returns
// the factor that makes probabilities of log-probabilities.
func logMass[F constraints.Float](row []F, v int, kind Kind, o *Options, side string) (kept, rest, scale float64, err error) {
	i, err := peak(row, side)
	if err != nil {
		return 0, 0, 0, err
	}
	if kind == LogProbs {
		if err := positive(row, o, side); err != nil {
			return 0, 0, 0, err
		}
	}
	top := float64(row[i])
	return weight(row[:v], top), weight(row[v:], top), math.Exp(top), nil
}

// positive refuses log-probabilities that are above 0 by more than a row's sum
// may be above 1.
func positive[F constraints.Float](row []F, o *Options, side string) error {
	limit := 1e-3
	if !math.IsInf(o.MaxSumError, 1) {
		limit = max(limit, o.MaxSumError)
	}
	for i, x := range row {
		if float64(x) > limit {
			return inputError(ErrPositiveLogProb, i,
				"log-probability %g above 0 in %s (looks like logits or probabilities)", x, side)
		}
	}
	return nil
}

// weight returns the sum of e^(x - top).
func weight[F constraints.Float](row []F, top float64) float64 {
	var sum float64
	for _, x := range row {
		if d := float64(x) - top; d > -expLimit {
			sum += exp(d)
		} else {
			sum += math.Exp(d)
		}
	}
	return sum
}
