package correctness

import "math"

// exact is a sum to twice the precision of a float64: Hi is the nearest float64
// and Lo what it leaves (Dekker 1971). Whatever the order of the terms, Hi is the
// same but for ties that hardly occur.
type exact struct{ Hi, Lo float64 }

func (e *exact) add(x float64) { e.join(exact{Hi: x}) }

func (e *exact) join(o exact) {
	s, err := twoSum(e.Hi, o.Hi)
	if math.IsInf(s, 0) { // there is nothing to keep of the rest
		*e = exact{Hi: s}
		return
	}
	e.Hi, e.Lo = twoSum(s, err+e.Lo+o.Lo)
}

// twoSum returns the rounded sum of a and b and what rounding took (Knuth 1969).
func twoSum(a, b float64) (s, err float64) {
	s = a + b
	t := s - a
	return s, (a - (s - t)) + (b - t)
}
