// Package bt ranks items, such as inference engines, from paired comparisons
// ("which decoded faster on this machine with this model"), says how sure the
// ranking is, and refuses to invent one that the data cannot support.
//
// The model is that of Bradley and Terry (1952):
//
//	P(a beats b) = 1 / (1 + exp(θb - θa))
//
// with log-strengths θ of mean zero. The strength of an item, 1 / (1 + exp(-θ)),
// is its chance to beat an item of average log-strength. A tie counts as half a
// win for each side.
//
//	var d bt.Data
//	d.AddContest(bt.Contest{Scores: map[string]float64{"Pie": 205, "MLX": 185}}, nil)
//	...
//	m, err := bt.Fit(&d, nil)
//	...
//	standings, err := m.Ranking(nil)
//
// # What it refuses
//
// A finite fit exists only if every item can be reached from every other along
// wins (Ford 1957). [Fit] checks that before it fits: items that no comparisons
// join give a [*DisconnectedError] with the groups, items that never lose or
// never win a [*SeparableError] that names them. Bad input is an [*InputError].
//
// # Accuracy
//
// Newton's method stops when every item's expected share of wins is within 1e-9
// of the observed one, and then takes one more step. Newman's iteration (2023),
// which shares no code with it, agrees in the tests.
package bt
