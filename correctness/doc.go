// Package correctness answers whether an inference engine's next-token
// distribution matches a reference's: how far it is off, and how surely.
//
// P is the reference, Q the engine under test, and every divergence is in nats.
// The measure is KL(P||Q), the sum of p ln(p/q). It is computed as the sum of
// p (e^d - 1 - d) with d = ln q - ln p, which is the same number and has no
// negative term: identical rows give exactly 0, and a divergence of 1e-17 keeps
// its digits where p ln(p/q) leaves only rounding, of either sign.
//
//	kl, err := correctness.KL(refLogits, gotLogits)
//
// [KL] takes two rows of logits. [Compare] takes logits, log-probabilities or
// probabilities and returns a [Position]: KL both ways, Jensen-Shannon, total
// variation, Hellinger, entropies, the most likely tokens and whether their
// agreement is certified, and the data token's log-probabilities.
//
// # What is refused
//
// NaN, +Inf, rows without support, rows of different lengths, probabilities that
// do not sum to 1, log-probabilities above 0 and padding that holds probability
// are errors that name the row and the index. Nothing is clamped or dropped in
// silence: what [Options] tolerate is counted in the result.
package correctness
