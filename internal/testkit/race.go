//go:build race

package testkit

// RaceEnabled reports the race detector, under which a sync.Pool forgets at
// random: counts of allocations mean nothing then.
const RaceEnabled = true
