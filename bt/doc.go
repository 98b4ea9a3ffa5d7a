// Package bt ranks items, such as inference engines, from paired comparisons
// ("which decoded faster on this machine with this model"), says how sure the
// ranking is, and refuses to invent one that the data cannot support.
//
// The model is that of Bradley and Terry (1952),
//
//	P(a beats b) = 1 / (1 + exp(θb - θa)),
//
// with log-strengths θ of mean zero. An item's strength, 1 / (1 + exp(-θ)), is
// its chance to beat an item of average log-strength. A tie is half a win for
// each, or has a parameter of its own ([Davidson], [RaoKupper]).
//
//	var d bt.Data
//	d.AddContest(bt.Contest{Scores: map[string]float64{"Pie": 205, "MLX": 185}}, nil)
//	// ...
//	m, err := bt.Fit(&d, nil)
//	// ...
//	err = m.WriteText(os.Stdout, &bt.IntervalOptions{By: []string{"machine"}})
//
// # What it refuses
//
// Items that no comparisons join give a [*DisconnectedError], items that never
// lose or never win a [*SeparableError] that names them. A tie parameter or an
// order effect can run to infinity where the strengths do not: those cases are
// refused too. A [Prior] or [Pool] gives finite answers, labelled as such. Bad
// input is an [*InputError].
//
// # How sure
//
// Comparisons that share a machine or a model are not independent:
// [IntervalOptions] clusters them, [Model.Bootstrap] resamples them,
// [Model.LeaveOut] drops them, [Model.Heterogeneity] tests whether they agree.
// [Model.ProfileInterval] holds where few wins make a Wald interval lopsided.
// [FitRatios] says by how much where Fit says how often.
//
// # Speed
//
// [Fit] to 1e-9 of every item's comparisons, aggregation and existence check
// included, covariance not; processor time on a shared 2-core machine (the Benchmarks
// of this package generate the inputs):
//
//	50 items, all pairs, 1e6 comparisons             0.25 ms
//	1,000 items, 25,000 pairs, 1e7 comparisons       4.7 ms
//	10,000 items, 1e6 pairs, power-law popularity    0.22 s
//	a chain of 1,000 items, 4 neighbours each        1.0 ms
//	10 items                                         0.01 ms
//	1,000 bootstrap replicates of the first          0.29 s
//
// SciPy's L-BFGS needs 2 ms, 32 ms, 1.9 s and 16 ms for the first four, to
// 1e-5 to 4e-4.
package bt
