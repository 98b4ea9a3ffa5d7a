package correctness

import (
	"fmt"

	"example.com/servemath/internal/jsonout"
)

// Position is the comparison of one next-token distribution: P the reference's,
// Q the engine's. Divergences and entropies are in nats.
type Position struct {
	KL           float64 // KL(P||Q)
	ReverseKL    float64 // KL(Q||P)
	JS           float64 // Jensen-Shannon divergence, at most ln 2
	TV           float64 // total variation: half the sum of |p - q|
	Hellinger    float64 // sqrt of half the sum of (sqrt p - sqrt q)^2
	Entropy      float64 // of P
	CrossEntropy float64 // Entropy + KL
	FlipKL       float64 // the least KL at which the most likely token can change
	MaxProbDiff  float64 // largest |p - q| of a token

	// Of the data token, NaN when it is unknown: -ln p, -ln q and q - p.
	NLLRef, NLLGot, DeltaP float64

	TopRef, TopGot int  // most likely tokens; the lowest of equals
	Agree          bool // TopRef == TopGot
	Certified      bool // KL < FlipKL: agreement is implied, not found

	SumErrorRef, SumErrorGot float64 // sum of the row's probabilities minus 1; 0 for logits
	DroppedRef, DroppedGot   float64 // share of probability beyond VocabSize

	ZeroQ          int  // tokens with p > 0 and q = 0
	Excluded       bool // left out of means by ZeroExclude
	LowerBound     bool // KL is one, by ZeroExclude or ZeroFloor
	LooksLikeProbs bool // a row of logits, of 8 or more, that is a distribution as it stands
}

// String is the one-line form.
func (p Position) String() string {
	return fmt.Sprintf("KL %.6g nats, top token %d in ref and %d in got", p.KL, p.TopRef, p.TopGot)
}

// MarshalJSON implements [json.Marshaler].
func (p Position) MarshalJSON() ([]byte, error) {
	return jsonout.Object{{Name: "kl_nats", Value: p.KL}, {Name: "reverse_kl_nats", Value: p.ReverseKL}, {Name: "js_nats", Value: p.JS},
		{Name: "tv", Value: p.TV}, {Name: "hellinger", Value: p.Hellinger}, {Name: "entropy_nats", Value: p.Entropy},
		{Name: "cross_entropy_nats", Value: p.CrossEntropy}, {Name: "flip_kl_nats", Value: p.FlipKL},
		{Name: "max_prob_diff", Value: p.MaxProbDiff}, {Name: "nll_ref_nats", Value: p.NLLRef},
		{Name: "nll_got_nats", Value: p.NLLGot}, {Name: "delta_p", Value: p.DeltaP}, {Name: "top_ref", Value: p.TopRef},
		{Name: "top_got", Value: p.TopGot}, {Name: "agree", Value: p.Agree}, {Name: "certified", Value: p.Certified},
		{Name: "sum_error_ref", Value: p.SumErrorRef}, {Name: "sum_error_got", Value: p.SumErrorGot},
		{Name: "dropped_ref", Value: p.DroppedRef}, {Name: "dropped_got", Value: p.DroppedGot},
		{Name: "zero_q_tokens", Value: p.ZeroQ}, {Name: "excluded", Value: p.Excluded}, {Name: "lower_bound", Value: p.LowerBound},
		{Name: "looks_like_probs", Value: p.LooksLikeProbs}}.MarshalJSON()
}
