package correctness

import "slices"

// spans is a set of indices as sorted disjoint ranges [from, to).
type spans [][2]int

// add reports whether i was not yet in the set.
func (s *spans) add(i int) bool {
	at, found := slices.BinarySearchFunc(*s, i, func(r [2]int, i int) int {
		switch {
		case i < r[0]:
			return 1
		case i >= r[1]:
			return -1
		}
		return 0
	})
	if found {
		return false
	}
	before := at > 0 && (*s)[at-1][1] == i
	after := at < len(*s) && (*s)[at][0] == i+1
	switch {
	case before && after:
		(*s)[at-1][1] = (*s)[at][1]
		*s = slices.Delete(*s, at, at+1)
	case before:
		(*s)[at-1][1]++
	case after:
		(*s)[at][0]--
	default:
		*s = slices.Insert(*s, at, [2]int{i, i + 1})
	}
	return true
}
