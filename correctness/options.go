package correctness

import (
	"fmt"
	"math"
)

// Options says what rows hold and which blemishes are tolerated. The zero value,
// and nil, mean whole rows of logits under the defaults named here.
type Options struct {
	Kind Kind

	// VocabSize is the tokenizer's number of tokens. What rows hold beyond it is
	// dropped and the rest renormalised, so rows padded to different lengths can
	// be compared; 0 takes rows whole and requires equal lengths.
	VocabSize int

	// ZeroQ is what to do about a token that the reference allows and the engine
	// gives probability 0.
	ZeroQ ZeroPolicy

	// MaxSumError is how far the probabilities of a row of LogProbs or Probs may
	// sum from 1 before it is refused with ErrNotNormalised; rows are renormalised
	// in any case. 0 means 1e-3, a negative value accepts any sum.
	MaxSumError float64

	// MaxDroppedMass is the probability that may lie beyond VocabSize before the
	// row is refused with ErrMass. 0 means 1e-6, a negative value accepts any.
	MaxDroppedMass float64

	// DataToken is the token that followed in the text, for NLLRef, NLLGot and
	// DeltaP; nil is unknown.
	DataToken *int

	// TopK is what is known beside lists; [CompareSources] uses it for rows that
	// are lists.
	TopK TopKOptions
}

// ZeroPolicy is one of the four ways to treat a token with p > 0 and q = 0.
type ZeroPolicy struct {
	Kind ZeroKind
	Eps  float64 // the floor of ZeroFloor, between 0 and 1
}

// ZeroKind names a [ZeroPolicy]. The zero value is ZeroInf.
type ZeroKind int

const (
	// ZeroInf lets the position's KL be +Inf, which is what it is.
	ZeroInf ZeroKind = iota
	// ZeroExclude marks the position Excluded, which keeps it out of every mean.
	// Its KL is that of the tokens the engine allows, the reference renormalised
	// over them: a lower bound.
	ZeroExclude
	// ZeroFloor puts Eps in the place of 0: a lower bound for any smaller q.
	ZeroFloor
	// ZeroError refuses the row with ErrNoSupport.
	ZeroError
)

// resolved returns the options with defaults in place of zeros.
func (o *Options) resolved() (Options, error) {
	if o == nil {
		o = &Options{}
	}
	r := *o
	r.MaxSumError = limitOr(r.MaxSumError, 1e-3)
	r.MaxDroppedMass = limitOr(r.MaxDroppedMass, 1e-6)
	return r, r.check()
}

// limitOr replaces 0 by a default and a negative limit by none.
func limitOr(limit, otherwise float64) float64 {
	switch {
	case limit == 0:
		return otherwise
	case limit < 0:
		return math.Inf(1)
	}
	return limit
}

func (o *Options) check() error {
	switch {
	case !o.Kind.known():
		return optionError("Kind %d", o.Kind)
	case o.VocabSize < 0:
		return optionError("VocabSize %d", o.VocabSize)
	case o.ZeroQ.Kind < ZeroInf || o.ZeroQ.Kind > ZeroError:
		return optionError("ZeroQ.Kind %d", o.ZeroQ.Kind)
	case o.ZeroQ.Kind == ZeroFloor && !(o.ZeroQ.Eps > 0 && o.ZeroQ.Eps < 1):
		return optionError("ZeroQ.Eps %g", o.ZeroQ.Eps)
	case math.IsNaN(o.MaxSumError):
		return optionError("MaxSumError NaN")
	case math.IsNaN(o.MaxDroppedMass):
		return optionError("MaxDroppedMass NaN")
	}
	return nil
}

func optionError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrOptions, fmt.Sprintf(format, args...))
}

// vocab returns how many entries of rows of these lengths are compared.
func (o *Options) vocab(ref, got int) (int, error) {
	switch v := o.VocabSize; {
	case v == 0 && ref != got:
		return 0, lengthError(ref, got)
	case v == 0:
		return ref, nil
	case ref < v:
		return 0, inputError(ErrVocab, -1, "ref has %d entries, under the vocabulary of %d", ref, v)
	case got < v:
		return 0, inputError(ErrVocab, -1, "got has %d entries, under the vocabulary of %d", got, v)
	default:
		return v, nil
	}
}
