package correctness

import (
	"math"

	"golang.org/x/exp/constraints"
)

// sums is what one pass over two rows of log-weights a and b leaves. With
// w = e^(a - max a) and u = (b - max b) - (a - max a), over the tokens to which
// b gives any probability:
//
//	z = sum w    m = sum w u    g = sum w (e^u - 1 - u)
//
// Every term of g is non-negative, which is why the divergence of near-identical
// rows keeps its digits. The sum of w e^u is the normaliser of b; ratio is the
// logarithm of its quotient by z.
type sums struct {
	z, m, g, ratio float64
	zeros          int     // tokens that a allows and b gives no probability
	zeroW          float64 // sum of their w
	zeroWA         float64 // sum of their w (a - max a)
}

// blockLen entries are summed before they join the totals: two short sums lose
// less than one long one.
const blockLen = 256

// frame is where the log-weights of a pair of rows are measured from.
type frame struct {
	maxA, maxB float64
	shift, low float64 // maxB - maxA, and what rounding took of it
	far        bool    // rounding of b - a would count: shift is not small
}

func newFrame(maxA, maxB float64) frame {
	f := frame{maxA: maxA, maxB: maxB}
	f.shift, f.low = twoSum(maxB, -maxA)
	f.far = math.Abs(f.shift) > 1
	return f
}

// between returns (y - x) - (maxB - maxA) with the digits that y - x loses.
func (f *frame) between(x, y float64) float64 {
	s := y - x
	t := s - y
	return (s - f.shift) + (((y - (s - t)) - (x + t)) - f.low)
}

// fuse sums two checked rows of one length.
func fuse[F constraints.Float](a, b []F, f frame) sums {
	var s sums
	for x, y := a, b; len(x) > 0; {
		n := min(blockLen, len(x))
		k := fuseRun(&s, x[:n], y, &f)
		if k < n {
			s.wide(float64(x[k])-f.maxA, float64(y[k])-f.maxB)
			k++
		}
		x, y = x[k:], y[k:]
	}
	if d, ok := s.excess(); ok {
		s.ratio = math.Log1p(d)
	} else {
		s.ratio = math.Log(weight(b, f.maxB) / s.z)
	}
	return s
}

// fuseRun adds entries up to the first whose weights the table does not reach,
// at most blockLen, and returns their number. This is the hot loop. It is split
// so that each half keeps its values in registers, it writes out expDefect, which
// is too long to be inlined, and it leaves wide to its caller: a call inside would
// spill every sum at every entry.
func fuseRun[F constraints.Float](s *sums, a, b []F, f *frame) int {
	var ws, us [blockLen]float64
	maxA, shift := f.maxA, f.shift
	b = b[:len(a)]
	n := 0
	for i, y := range a {
		x := float64(y)
		d := x - maxA
		u := (float64(b[i]) - x) - shift
		if f.far {
			u = f.between(x, float64(b[i]))
		}
		if !(d > -expLimit && u > -expLimit) {
			break
		}
		ws[i%blockLen], us[i%blockLen] = exp(d), u
		n++
	}
	var z, m, g float64
	for i, u := range us[:n] {
		t := u*(1/expStep) + roundMagic
		k := math.Float64bits(t)
		h := (t - roundMagic) * expStep
		r := u - h
		entry := &expTable[k%expSteps]
		e := math.Float64frombits(entry.bits + (k&^(expSteps-1))<<43)
		q := r * r * (0.5 + r*(1.0/6+r*(1.0/24)))
		c := (e - 1) + entry.lost
		w := ws[i]
		z += w
		m += w * u
		g += w * ((c - h) + (c*r + e*q))
	}
	s.z += z
	s.m += m
	s.g += g
	return n
}

// wide adds a token whose weights the table does not reach, or that a row
// excludes: d and f are its log-weights under the maxima, -Inf included.
func (s *sums) wide(d, f float64) {
	w, v := math.Exp(d), math.Exp(f)
	switch u := f - d; {
	case w == 0:
		s.g += v
	case math.IsInf(f, -1):
		s.zeros++
		s.zeroW += w
		s.zeroWA += w * d
	case math.Abs(u) < expLimit:
		defect, _ := expDefect(u)
		s.z += w
		s.m += w * u
		s.g += w * defect
	default:
		s.z += w
		s.m += w * u
		s.g += v - w - w*u
	}
}

// kl returns the divergence over the tokens that b allows, a renormalised over
// them.
func (s *sums) kl() float64 {
	if d, ok := s.excess(); ok {
		return max(0, s.g/s.z-logDefect(d))
	}
	return max(0, s.ratio-s.m/s.z)
}

// excess returns the quotient of the normalisers minus 1 with the digits that
// dividing them would lose, and whether g and m are small enough for that.
func (s *sums) excess() (d float64, ok bool) {
	d = (s.g + s.m) / s.z
	return d, math.Abs(d) <= 0.5 && math.Abs(s.m) <= s.z
}
