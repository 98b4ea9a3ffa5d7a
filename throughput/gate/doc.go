// Package gate answers whether a new build serves slower than the old one, for go
// test and for CI, at error rates that are stated and tested.
//
//	report, err := gate.Check(base, candidate, gate.Policy{})
//	report.WriteText(os.Stdout)
//	os.Exit(report.ExitCode()) // 0 pass, 1 fail, 3 inconclusive
//
// or, in a test, gate.Require(t, base, candidate, gate.Policy{}).
//
// A line is one metric of one benchmark; its observations are runs, since the
// requests of one run share that run's noise. It fails where Welch's one-sided test
// on logarithms establishes a loss,
//
//	P(ratio >= 1) after Holm over all lines < Alpha (0.05)
//
// and the loss exceeds MaxLoss (3%) and the metric's Floor. It passes where a larger
// loss is excluded at Alpha; else it is inconclusive. A line that one side
// lacks, or has too few runs of, is untested, and holds the report: a gate that
// tested nothing has not passed. Requests that fail more often than before, and
// what readers warned of, are warnings of the report.
//
// # Error rates
//
// Simulated with 48 benchmarks, 5 runs a side and a coefficient of variation of 2%
// (a test with fixed seeds reproduces them):
//
//   - Of unchanged suites 3% establish a loss somewhere, and 2% one above 3%, which
//     fails. A fixed threshold of 5% on single runs fails 82% of them.
//   - A true drop of 5% in one benchmark is caught in a third of the suites.
//   - The loss that a line says it would see, 7.4% here, is caught in 79%.
//
// With that few runs a pass is weak news; each line says what it would have seen,
// and more runs are the remedy. Ranks cannot replace Welch here: 5 runs against 5
// give no P below 0.004, and Holm over 48 lines asks for 0.001. The report warns of
// that.
//
// # What it refuses
//
// No runs, and a policy out of range. Figures that do not compare by definition,
// or that are not positive, leave their line untested, with the reason.
package gate
