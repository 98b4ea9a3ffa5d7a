// Package correctnesstest requires in a Go test that an engine's next-token
// distribution match a reference's:
//
//	func TestEngine(t *testing.T) {
//		ref, got := ... // two sources: files, responses, rows in memory
//		correctnesstest.Require(t, ref, got, correctness.Criterion{MaxMeanKL: 0.01})
//	}
//
// The test passes when the criterion is met with the certainty that
// [correctness.Summary.Judge] asks for. Otherwise it ends with the verdict's
// reason, a table of the figures and the worst positions. An inconclusive verdict
// is no pass: the test fails unless [Options.AllowInconclusive] is set, and then
// logs the same text.
package correctnesstest
