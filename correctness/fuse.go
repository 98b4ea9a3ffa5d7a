package correctness

import (
	"math"

	"golang.org/x/exp/constraints"
)

// sums is what one pass over two rows of log-weights a and b leaves. With
// w = e^(a - max a) and u = (b - a) - (max b - max a), over the tokens that both
// rows allow or only b does:
//
//	z = sum w    m = sum w u    e = sum w e^u    g = sum w (e^u - 1 - u)
//
// Every term of g is non-negative, which is why the divergence of near-identical
// rows keeps its digits. w e^u is e^(b - max b), so e is the normaliser of b.
type sums struct {
	z, m, e, g float64
	zeros      int     // tokens that a allows and b gives no probability
	zeroW      float64 // sum of their w
	zeroWA     float64 // sum of their w (a - max a)
}

// blockLen entries are summed before they join the totals: two short sums lose
// less than one long one.
const blockLen = 512

// frame is where the log-weights of a pair of rows are measured from.
type frame struct {
	maxA, maxB float64
	base       float64 // taken from b first, when its offset to a is large
	shift      float64 // (maxB - base) - maxA
}

// newFrame keeps the digits of u: b - a is exact where the rows are close and
// share their offset, and b - base is where they do not.
func newFrame(maxA, maxB float64) frame {
	f := frame{maxA: maxA, maxB: maxB}
	if math.Abs(maxB-maxA) > 32 {
		f.base = maxB - maxA
	}
	f.shift = (maxB - f.base) - maxA
	return f
}

// fuse sums two checked rows of one length.
func fuse[F constraints.Float](a, b []F, f frame) sums {
	var s sums
	for len(a) > 0 {
		n := min(blockLen, len(a))
		fuseBlock(&s, a[:n], b[:n], f)
		a, b = a[n:], b[n:]
	}
	return s
}

func fuseBlock[F constraints.Float](s *sums, a, b []F, f frame) {
	var z, m, e, g float64
	b = b[:len(a)]
	for i, x := range a {
		d := float64(x) - f.maxA
		u := ((float64(b[i]) - f.base) - float64(x)) - f.shift
		if !(d > -expLimit && u > -expLimit && u < expLimit) {
			s.wide(d, float64(b[i])-f.maxB)
			continue
		}
		w := exp(d)
		defect, eu := expDefect(u)
		z += w
		m += w * u
		e += w * eu
		g += w * defect
	}
	s.z += z
	s.m += m
	s.e += e
	s.g += g
}

// wide adds a token whose weights the table does not reach, or that a row
// excludes: d and f are its log-weights under the maxima, -Inf included.
func (s *sums) wide(d, f float64) {
	w, v := math.Exp(d), math.Exp(f)
	switch u := f - d; {
	case w == 0:
		s.e += v
		s.g += v
	case math.IsInf(f, -1):
		s.zeros++
		s.zeroW += w
		s.zeroWA += w * d
	default:
		s.z += w
		s.m += w * u
		s.e += v
		s.g += v - w - w*u
	}
}

// kl returns the divergence over the tokens that b allows, a renormalised over
// them.
func (s *sums) kl() float64 {
	if d, ok := s.excess(); ok {
		return max(0, s.g/s.z-logDefect(d))
	}
	return max(0, math.Log(s.e/s.z)-s.m/s.z)
}

// logRatio returns ln(e/z), the log-ratio of the normalisers.
func (s *sums) logRatio() float64 {
	if d, ok := s.excess(); ok {
		return math.Log1p(d)
	}
	return math.Log(s.e / s.z)
}

// excess returns e/z - 1 with the digits that the division loses near 0, and
// whether g and m are small enough for that.
func (s *sums) excess() (d float64, ok bool) {
	d = (s.g + s.m) / s.z
	return d, math.Abs(d) <= 0.5 && math.Abs(s.m) <= s.z
}
