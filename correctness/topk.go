package correctness

import (
	"fmt"
	"math"

	"example.com/servemath/internal/jsonout"
)

// Bounds are what two top-k lists prove about KL(P||Q) in nats: no completion of
// the lists to whole distributions has less than Lower or more than Upper.
type Bounds struct {
	Lower       float64 // attained by a completion: the tightest
	LowerBucket float64 // with all tokens that are not on both lists as one
	Upper       float64 // +Inf without a floor, unless the lists are complete

	ResidualRef, ResidualGot float64 // probability that the lists leave out

	// Of the data token where both lists hold it, else NaN: -ln p, -ln q, q - p.
	NLLRef, NLLGot, DeltaP float64

	FlipKL         float64 // the least KL at which the most likely token can change
	TopRef, TopGot int     // most likely tokens; the lowest of equals
	Agree          bool    // TopRef == TopGot
	Certified      bool    // Upper < FlipKL: agreement is implied
	Precision      float64 // by how much a log-probability may be off; the bounds allow for it
	Warnings       []error
}

// TopKOptions are what is known beside the lists. The zero value knows nothing.
type TopKOptions struct {
	// Floor is a probability that the engine gives every token at least; it makes
	// Upper finite. 0 is none.
	Floor float64

	// Precision is how far a listed log-probability may be from the true one: half
	// its last printed digit. 0 takes them as exact, unless the engine's list
	// reaches a mass of 1 while tokens are missing, which only rounding does: then
	// the grid that the numbers lie on is taken, with a warning.
	Precision float64

	// DataToken is the token that followed in the text; nil is unknown.
	DataToken *int
}

// minResidual stands in for a residual that rounding has swallowed.
const minResidual = 1e-6

// CompareTopK bounds the divergence between two next-token distributions of which
// only the most likely tokens are known. A sum over the tokens that both lists
// hold, or lists renormalised to 1, are not divergences of anything and are not
// offered: the first may be negative, the second is 0 for k = 1.
//
// Lower is the minimum over all completions in which no unlisted token exceeds
// the least listed one. With S, A and B the tokens on both lists, on the
// reference's and on the engine's only, and rho the ratio of the remaining
// masses, it gives q_i = min(q_k, p_i/rho) on A and p_j = min(p_k, rho q_j) on B.
// LowerBucket is the data processing inequality. Upper needs a floor eps:
// the sum over S of p ln(p/q), over A of p ln(p/eps), and r_p ln(p_k/eps).
//
// An [*InputError] names the list and the index of what is refused; ErrMass is a
// list whose mass exceeds 1 or cannot be completed, ErrDuplicateToken a token
// listed twice.
func CompareTopK(ref, got TopK, o *TopKOptions) (Bounds, error) {
	if o == nil {
		o = &TopKOptions{}
	}
	if !(o.Floor >= 0 && o.Floor < 1) || !(o.Precision >= 0 && o.Precision < 1) {
		return Bounds{}, optionError("Floor %g, Precision %g", o.Floor, o.Precision)
	}
	if ref.VocabSize > 0 && got.VocabSize > 0 && ref.VocabSize != got.VocabSize {
		return Bounds{}, lengthError(ref.VocabSize, got.VocabSize)
	}
	vocab := max(ref.VocabSize, got.VocabSize)
	p, err := newList(ref, vocab, o.Precision, "ref")
	if err != nil {
		return Bounds{}, err
	}
	q, err := newList(got, vocab, o.Precision, "got")
	if err != nil {
		return Bounds{}, err
	}
	if o.Floor > q.least*math.Exp(q.precision) {
		return Bounds{}, optionError("Floor %g above the least listed probability %g of got", o.Floor, q.least)
	}
	return bound(p, q, o), nil
}

// bound fills the result from two checked lists.
func bound(p, q *list, o *TopKOptions) Bounds {
	l := takeApart(p, q)
	b := Bounds{ResidualRef: p.rest, ResidualGot: q.rest, Precision: max(p.precision, q.precision)}
	bucket, closest := l.bucket(), l.closest()
	b.LowerBucket = bucket.lower(p, q)
	b.Lower = max(b.LowerBucket, closest.lower(p, q))
	b.Upper = max(b.Lower, l.upper(o.Floor))
	b.TopRef, b.TopGot = p.top(), q.top()
	b.Agree = b.TopRef == b.TopGot
	b.FlipKL = p.flipKL()
	b.Certified = b.Upper < b.FlipKL*(1-1e-9)
	b.NLLRef, b.NLLGot, b.DeltaP = math.NaN(), math.NaN(), math.NaN()
	if o.DataToken != nil {
		b.data(p, q, *o.DataToken)
	}
	for _, side := range []struct {
		*list
		name string
	}{{p, "ref"}, {q, "got"}} {
		if side.rounded {
			b.Warnings = append(b.Warnings, side.warning(side.name))
		}
	}
	return b
}

func (b *Bounds) data(p, q *list, token int) {
	x, y := p.find(token), q.find(token)
	if x != nil && y != nil {
		b.NLLRef, b.NLLGot, b.DeltaP = -x.log, -y.log, math.Exp(y.log)-math.Exp(x.log)
	}
}

// String is the one-line form.
func (b Bounds) String() string {
	return fmt.Sprintf("KL between %.6g and %.6g nats, with %.3g and %.3g of the probability left out", b.Lower, b.Upper, b.ResidualRef, b.ResidualGot)
}

// MarshalJSON implements [json.Marshaler].
func (b Bounds) MarshalJSON() ([]byte, error) {
	return jsonout.Object{{Name: "lower_nats", Value: b.Lower}, {Name: "lower_bucket_nats", Value: b.LowerBucket},
		{Name: "upper_nats", Value: b.Upper}, {Name: "residual_ref", Value: b.ResidualRef}, {Name: "residual_got", Value: b.ResidualGot},
		{Name: "nll_ref_nats", Value: b.NLLRef}, {Name: "nll_got_nats", Value: b.NLLGot}, {Name: "delta_p", Value: b.DeltaP},
		{Name: "top_ref", Value: b.TopRef}, {Name: "top_got", Value: b.TopGot}, {Name: "agree", Value: b.Agree}, {Name: "flip_kl_nats", Value: b.FlipKL}, {Name: "certified", Value: b.Certified},
		{Name: "precision_nats", Value: b.Precision}, {Name: "warnings", Value: b.Warnings}}.MarshalJSON()
}
