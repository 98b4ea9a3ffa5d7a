// Package correctness answers whether an inference engine's next-token
// distribution matches a reference's: how far it is off, and how surely.
//
// P is the reference, Q the engine under test, and every divergence is in nats.
// The measure is KL(P||Q), the sum of p ln(p/q). It is computed as the sum of
// p (e^d - 1 - d) with d = ln q - ln p, which is the same number and has no
// negative term: identical rows give exactly 0, and a divergence of 1e-17 keeps
// its digits where p ln(p/q) leaves only rounding, of either sign.
//
//	a, err := correctness.CompareSources(ref, got, nil) // readers are in logits
//	s, err := a.Summary(nil)
//	fmt.Println(s.Judge(correctness.Criterion{MaxMeanKL: 0.01, MinTopAgreement: 0.98}))
//
// [KL] and [Compare] take two rows, [CompareTopK] two lists of the most likely
// tokens, of which it gives proven bounds. An [Accumulator] collects positions by
// prompt, in shards that merge. Its [Summary] has the mean with an interval over
// prompts, since positions of one prompt resemble each other: taking them for
// independent, a 95% bound holds 72% of the time. [Summary.Judge] passes when the
// whole interval is within the limit, fails when it is beyond, and says why it is
// inconclusive otherwise. [Monitor] may be watched while prompts come in;
// [NoiseFloor] asks whether the reference is as far from itself.
//
// # What is refused
//
// NaN, +Inf, rows without support or of different lengths, probabilities that do
// not sum to 1, log-probabilities above 0, padding that holds probability, other
// prompts, positions or tokens on the two sides, and a prompt counted twice are
// errors that name the prompt, position and index. Nothing is clamped or dropped
// in silence: what [Options] tolerate is counted in the result. A tolerance below
// the noise floor, or too few prompts, cannot be passed.
//
// # Speed
//
// On rows of 128,256 float32 streamed from memory, processor time per vocabulary
// entry (AMD EPYC, GOAMD64=v1): KL 6.1 ns, two softmaxes with [math.Exp] and a sum
// 42 ns, Compare with all fields 36 ns, without allocation. Reproduce with
//
//	go test -run xxx -bench 'KL|Naive|Compare$' ./correctness
package correctness
