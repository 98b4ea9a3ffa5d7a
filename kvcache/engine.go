package kvcache

// Engine is how an engine lays a cache out, as data. The zero Engine is
// [Logical].
type Engine struct {
	Name   string
	AsOf   string // the version whose behaviour this is
	Format Format // the cache's when none is asked for; zero: one byte a value
	// StateCopies is how many copies of each state a session holds; 0 means 1.
	StateCopies int
}

// Logical has no engine's effects: what a session needs, at one byte a value
// unless told otherwise, with one copy of each state, split exactly.
func Logical() Engine {
	return Engine{Name: "logical", Format: FP8, StateCopies: 1}
}
