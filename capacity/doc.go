// Package capacity answers how many people one measured configuration serves,
// and which limit said so.
//
// A [Sweep] holds one configuration measured at several numbers of requests in
// flight: mean time to first token (TTFT) and tokens per second of one request
// (TPS) at each. [Sweep.MaxC] is the highest measured level that meets the
// [Targets]; both targets are inclusive and nothing is interpolated. [Estimate]
// turns it into people by the rule that the benchmark explorer publishes:
//
//	people = min(floor(Max C x multiplier), sessions that fit in memory)
//
// with 4 people for each request in flight for [Chat] and 1.5 for [Agentic].
// The sessions come from the caller as a plain number in a [MemoryLimit]. The
// result says which limit set it, keeps the plus sign ("256+") only where speed
// set it and the highest level measured still passes, and explains itself in a
// sentence. Where the sweep is not at hand but its Max C is,
// [EstimateFromMaxC] does the same arithmetic.
//
//	sweep, err := capacity.NewSweep(capacity.Workload{OutputTokens: 128}, levels)
//	c, err := capacity.Estimate(sweep, capacity.DefaultTargets(), capacity.Chat(),
//		capacity.MemoryLimit{Status: capacity.MemoryKnown, Sessions: 46}, nil)
//	fmt.Println(c, c.Explain())
//
// # Units
//
// Seconds, output tokens per second, tokens. The TPS of a sweep is of one
// request, not of the machine; [TPSKind] says whether the wait for the first
// token counts. The multiplier is people for each request in flight.
//
// # What it refuses
//
// A figure that cannot be is an [*InputError] that names the level and the
// field; a bad target, usage or number of people is a sentinel. Unsorted levels
// are sorted. That no level passes, or that the context is longer than the
// model's window, is a result and not an error. A figure that rests on one
// level, on a level beyond a failing one, or on no target says so in its
// Warnings.
package capacity
