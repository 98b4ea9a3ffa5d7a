package kvcache

import "math/bits"

// sum is checked arithmetic on sizes that are not negative. Overflow is kept in a
// flag until the end, so that no step has to return an error.
type sum struct{ overflow bool }

func (s *sum) add(a, b int64) int64 {
	c := a + b
	if c < a {
		s.overflow = true
	}
	return c
}

func (s *sum) mul(a, b int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	s.overflow = s.overflow || hi != 0 || int64(lo) < 0
	return int64(lo)
}

func ceilDiv(a, b int64) int64 {
	if b == 1 {
		return a // by far the most frequent, and a division is slow
	}
	return a/b + min(a%b, 1)
}
