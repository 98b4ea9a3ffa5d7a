// Package capacity answers how many people one measured configuration serves,
// and which limit said so.
//
// A [Sweep] holds mean time to first token (TTFT) and tokens per second of one
// request (TPS) at several numbers of requests in flight. [Estimate] turns it
// into people on one of two bases:
//
//   - the rule that the benchmark explorer publishes,
//     min(floor(Max C x multiplier), sessions that fit), with 4 people for each
//     request in flight for [Chat] and 1.5 for [Agentic];
//   - measured latency, think time and Little's law. With n requests present the
//     sweep finishes mu(n) = n/(TTFT(n) + (output-1) TPOT(n)) a second, and N
//     users who think Z seconds leave it with n present for the share of time
//     p(n) = p(0) N!/(N-n)! Z^-n / (mu(1)...mu(n)), requests beyond the slots
//     waiting in turn. [Sweep.MaxUsers] finds the largest N within the targets.
//
// A multiplier m is the second without queueing for Z = (m-1) x response.
//
//	sweep, err := capacity.NewSweep(capacity.Workload{OutputTokens: 128}, levels)
//	memory := capacity.MemoryLimit{Status: capacity.MemoryKnown, Sessions: 46}
//	c, err := capacity.Estimate(sweep, capacity.DefaultTargets(), capacity.Chat(), memory, nil)
//	fmt.Println(c, c.Explain())
//
// Units are seconds, tokens and output tokens per second of one request;
// [TPSKind] says whether the wait for the first token counts.
//
// Figures that cannot be are refused by level and field. Nothing is extrapolated
// above the highest measured level and no TTFT is projected to longer prompts.
// What rests on one level, on no target or on figures that fall with load says
// so in Warnings.
//
// # The explorer's features
//
//	row, its settings, differs in one      Row, Setup.Differs
//	parameters as printed, nominal bits    ParseParams, NominalBits
//	filters hide, and combine              Filter.Apply
//	targets recalculate, never hide        Targets, EvaluateRows
//	concurrency selection                  Filter.Concurrency, Evaluated.At
//	sort, missing figures last             SortRows
//	Max C, plus, contiguous, PASS or FAIL  Sweep.MaxC, LevelVerdict
//	aggregate TPS, series for a chart      LevelVerdict, Sweep.Pareto
//	capacity, limit, reason, plus, tie     Estimate, Capacity.Explain
//	speed-only, context too long           MemoryLimit
//	single level, notes, no capacity       Evaluated.Explain
//	scores of one index version            Score.Compare
//	think time and Little's law            Sweep.Closed, Sweep.MaxUsers
//	longer prompts                         Sweep.Project
//
// # Speed
//
// On one core of an EPYC (Turin): 1,000 users over 64 levels in 13 us, MaxUsers
// near 10,000 users with its bracket in 1.3 ms, monotone or not; the package's
// benchmarks repeat it.
package capacity
