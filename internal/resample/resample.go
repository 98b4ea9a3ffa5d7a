// Package resample gives random procedures one seeded stream a replicate and
// spreads the replicates over the processors without changing the result.
package resample

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
)

// DefaultSeed stands in for a Seed of 0.
const DefaultSeed uint64 = 0x5e7e_0a7b_0000_0001

// Rand returns the generator of one replicate. Streams of one seed are
// independent PCG sequences, so a replicate's draws do not depend on which
// goroutine runs it or on how many replicates there are.
func Rand(seed uint64, replicate int) *rand.Rand {
	return rand.New(Source(seed, replicate))
}

// Source returns the PCG behind [Rand], for callers that reseed one generator
// instead of allocating one a replicate.
func Source(seed uint64, replicate int) *rand.PCG {
	return rand.NewPCG(Streams(seed, replicate))
}

// Streams returns the two words that seed the PCG of one replicate.
func Streams(seed uint64, replicate int) (hi, lo uint64) {
	if seed == 0 {
		seed = DefaultSeed
	}
	return seed, mix(uint64(replicate))
}

// mix is the finaliser of SplitMix64 (Steele, Lea and Flood 2014): it keeps
// neighbouring replicates from sharing low bits.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Each calls f once for every i in [0, n), on as many goroutines as GOMAXPROCS
// allows. Every goroutine has one scratch value, made by scratch and handed to
// each of its calls. f must write only to its scratch and to places that belong
// to i.
func Each[S any](n int, scratch func() S, f func(i int, s S)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			s := scratch()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i, s)
			}
		})
	}
	wg.Wait()
}
