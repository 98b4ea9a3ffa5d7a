// Package throughput answers which engine or build is faster, by how much, and how
// sure that is, from measured rates and latencies.
//
//   - What the number means: [Comparable] refuses to compare GuideLLM's TPOT, which
//     counts the first token, with vLLM's, which does not; [Convert] turns one into
//     the other where algebra allows; [Measure] computes any tool's figure from one
//     trace (TPOT 41.7, 84.4 or 27.8 ms by three tools' definitions).
//   - Whether it fits together: [Audit] checks a run by identities.
//   - How sure it is: [Summarize] describes repeated runs and says what is wrong
//     with them; [Compare] gives Faster, Slower, Equivalent or Inconclusive, and the
//     difference that it could have missed; [History] finds changes of level.
//   - Which engine: [CompareEngines] pairs two over machines and models,
//     [CompareAll] all of them, [RankFlips] shows where a setup reverses the order,
//     [Peak] takes the best of a sweep over the levels that all engines share.
//   - Between packages: [Rows] and [Levels] turn decoded runs into plain numbers.
//
// For engines,
//
//	estimate = exp(mean(ln A/B))   over places: one platform, machine, model and setup each
//	verdict  = Student's t on the machines' mean log ratios, machines - 1 degrees of freedom
//
// since rows of one machine move together: a test over rows calls 39 of 80
// published pairs different where machines support 10. A difference within the
// margin, 3% unless set, is Equivalent however sure it is.
//
//	rows, err := throughput.ReadTable(file)  // "Pie 205 · MLX 185 · llama.cpp 166"
//	c, err := throughput.CompareEngines(rows, "Pie", "MLX", nil)
//	fmt.Println(c)
//
// # Units
//
// Seconds, tokens per second, requests per second; a ratio has none.
//
// # What it refuses
//
// No observations, values that are not finite, ratios of values that are not
// positive, an engine measured twice in one place, engines without a common place,
// figures of different definitions, and tables not in the published form: typed
// errors name the index, the row, the field, or the line and column.
//
// # Speed
//
// All 80 pairs of the published tables' 2,443 figures, with 2,000 cluster bootstraps
// each, take 13 ms of processor time, spread over the cores
// (BenchmarkCompareAllPublished).
package throughput
