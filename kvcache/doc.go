// Package kvcache counts the bytes that one session keeps in the key-value cache
// of any attention architecture, and how many sessions fit in a memory.
//
// A [Model] is data: groups of identical layers, with the streams that each stores
// for every kept token (keys and values, a latent, an index) and the states that
// do not depend on tokens. For a session of n tokens a group of L layers that keep
// t(n) of them takes
//
//	L x t(n) x sum of heads x row(dim)  +  L x copies x sum of row(values)
//
// bytes, where row counts whole blocks of the element [Format]. Windows, chunks,
// compression and encoders are a [TokenRule]; tensor parallelism follows each
// [Shard]: heads are divided and, past their number, copied; latents are copied.
//
//	m, err := hfconfig.Read(file) // or a literal Model
//	f, err := m.Session(16384, kvcache.Setup{Format: kvcache.FP8})
//	o, err := m.Sessions(16384, kvcache.Budget{Device: d, Weights: w}, kvcache.Setup{})
//	fmt.Print(o.Explain())
//
// [Model.Session] attributes each byte to a group, a config key and a rule;
// [Model.Sessions] counts what fits in a [Budget]; [Model.MaxTokens] is the longest
// that fits. An [Engine] is data too: [Logical] has no effects of its own, [VLLM],
// [SGLang] and [LlamaCpp] have theirs. [Model.Pool] predicts what an engine logs as
// its cache size, which is not what a session keeps. [Model.InferWeights],
// [InferCost] and [Model.InferFree] go back from published capacities and logs.
// [IndexWeights] and [FolderWeights] size a checkpoint from its headers.
//
// # Units
//
// [Bytes] are exact integers; 2^63 bytes or more is [ErrOverflow]. [GB] is 1e9 and
// [GiB] is 2^30; sizes are read with their unit or refused, and printed with both.
//
// # Refusals
//
// A dimension of zero, or a tensor-parallel size that neither divides the heads
// nor is a multiple of them, is a [ShapeError]; less than one token is [ErrTokens];
// beyond the model's window a session is sized with a warning. Weights that do not
// fit are a [Status]. A pool that is not known well enough is [ErrPool].
//
// # Speed
//
// A session of DeepSeek-V4-Pro takes 0.3 microseconds in Logical and up to 0.4 in
// the engines, with one allocation, its Parts; MaxTokens takes 5 with none (go test
// -bench . on a 3.5 GHz core with nothing beside it; on one that it shares, twice
// that).
package kvcache
