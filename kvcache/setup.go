package kvcache

import "fmt"

// Parallel is how a model is spread over devices; 0 means 1. One copy of the
// model takes TP x PP devices.
type Parallel struct {
	TP  int // tensor parallel: heads are divided
	PP  int // pipeline parallel: layers are divided
	DP  int // data parallel: copies of the whole, each with its own sessions
	DCP int // decode-context parallel: tokens are divided among ranks that hold the same heads
}

// orOne fills in the defaults.
func (p Parallel) orOne() Parallel {
	return Parallel{TP: orOne(p.TP), PP: orOne(p.PP), DP: orOne(p.DP), DCP: orOne(p.DCP)}
}

func orOne(n int) int {
	if n == 0 {
		return 1
	}
	return n
}

// maxParallel keeps products of parallel sizes far from overflow.
const maxParallel = 1 << 15

// check refuses negative sizes, and decode-context parallelism over more ranks than
// there are: it divides the tensor-parallel ranks, it adds none.
func (p Parallel) check() error {
	p = p.orOne()
	for i, n := range [...]int{p.TP, p.PP, p.DP, p.DCP} {
		if n < 1 || n > maxParallel {
			name := [...]string{"TP", "PP", "DP", "DCP"}[i]
			return &ShapeError{Reason: fmt.Sprintf("%s is %d: from 1 to %d", name, n, maxParallel)}
		}
	}
	if p.DCP > 1 && p.TP%p.DCP != 0 {
		return &ShapeError{Reason: fmt.Sprintf("DCP %d does not divide TP %d", p.DCP, p.TP)}
	}
	return nil
}

// Setup is how a model is served.
type Setup struct {
	Format      Format // of the cache; zero: the engine's default
	StateFormat Format // of every state; zero: each state's own, else the engine's, else the model's
	Engine      Engine // zero: Logical
	Parallel    Parallel
	StateCopies int // of each state, before slots for drafts; 0: the engine's number
	// SpeculativeTokens are drafted ahead at a time. In engines that hold a state
	// for each they take that many more; in Logical nothing.
	SpeculativeTokens int
}
