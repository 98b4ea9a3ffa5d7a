// Package servemath is the map of a library for the statistics of
// LLM-inference benchmarks. It holds no code; its packages turn measured
// numbers into answers that hold up:
//
//   - [example.com/servemath/bt] ranks engines from "who was faster on this
//     machine with this model", says how sure the ranking is, and refuses data
//     that cannot rank them.
//   - [example.com/servemath/kvcache] counts the bytes one session keeps in the
//     KV cache of any attention architecture, and how many sessions fit.
//   - [example.com/servemath/capacity] turns a measured concurrency sweep and a
//     number of sessions into people served, and says which limit decided.
//   - [example.com/servemath/throughput] summarises and compares measured rates
//     and latencies, and reads the files that benchmark tools write.
//   - [example.com/servemath/correctness] measures how far an engine's next-token
//     distribution is from a reference, and judges it.
//
// The five import none of each other: they meet in the caller, as plain numbers
// and strings. Data flows one way, from reader to plain values to statistic to
// result to text.
//
// # Units
//
// Seconds, bytes and tokens per second. GB is 1e9 bytes and GiB is 2^30; neither
// is ever implied. A name carries its unit where its type does not.
//
// # Errors
//
// Bad data never panics and never yields a plausible number: it gives an error
// that names the offender (item, index, key, file and offset). Sentinels start
// with Err, typed errors end in Error and are returned as pointers, and
// [errors.Is] and [errors.As] see through every wrap. What was computed but
// deserves a second look stands in a result's Warnings.
//
// # Determinism
//
// Every random procedure takes a Seed, of which 0 is a fixed one, and gives the
// same result for any GOMAXPROCS.
package servemath
