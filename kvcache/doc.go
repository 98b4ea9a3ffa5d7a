// Package kvcache counts the bytes that one session keeps in the key-value cache
// of any attention architecture, and how many sessions fit in a memory.
//
// A [Model] is data: groups of identical layers, each with the streams it stores
// for every kept token (keys and values, a latent, an index) and the states that
// do not depend on tokens (a convolution, a recurrence). For a session of n
// tokens a group of L layers that keep t(n) of them takes
//
//	L x t(n) x sum of heads x row(dim)  +  L x copies x sum of row(values)
//
// bytes, where row counts whole blocks of the element [Format]. There is no code
// for a particular architecture: sliding windows, chunks, compression and
// encoders are a [TokenRule], and tensor parallelism follows each stream's
// [Shard]: heads are divided and, past their number, copied; latents are copied.
//
//	m := kvcache.Model{Groups: []kvcache.Group{{
//		Layers:  32,
//		Streams: []kvcache.Stream{{Name: "k", Heads: 8, Dim: 128}, {Name: "v", Heads: 8, Dim: 128}},
//	}}}
//	f, err := m.Session(16384, kvcache.Setup{}) // 1 GiB at one byte a value
//
// [Model.Session] sizes a session and attributes each byte; [Model.Sessions]
// counts those that fit in a [Budget], and its result explains itself;
// [Model.MaxTokens] is the longest that fits. Package hfconfig beside this one
// reads a model's config.json.
//
// # Units
//
// [Bytes] are exact integers: nothing is counted in floating point, and a size
// of 2^63 bytes or more is [ErrOverflow]. [GB] is 1e9 and [GiB] is 2^30; sizes are
// read with their unit or refused, and printed with both.
//
// # Refusals
//
// A dimension of zero, or a tensor-parallel size that neither divides the heads
// nor is a multiple of them, is a [ShapeError] that names the group. A session of
// less than one token is [ErrTokens]; one beyond the model's window is sized with
// a warning. Weights that do not fit are a [Status], never a negative number of
// sessions.
package kvcache
