package correctness

import "math"

// The exponential of the kernels: e^x = s e^r with s from a table of 512 steps
// an octave, so that |r| <= ln2/1024 and three or four terms of the series do.
// It has no branch, which is what lets the processor overlap the entries of a
// row. Valid for |x| < 2 expLimit.
const (
	expSteps = 512
	expStep  = math.Ln2 / expSteps
	expLimit = 345 // log-weights this far below the maximum take the slow path

	// Adding roundMagic to a small number leaves its nearest integer in the low
	// bits of the sum.
	roundMagic = 3 << 51
)

// expEntry is one step: the bits of s, and what s lost to rounding. The loss
// counts near x = 0, where s - 1 is what matters; there s is T[j] for x > 0 and
// T[j]/2 for x < 0, so the upper half holds the loss of T[j]/2.
type expEntry struct {
	bits uint64
	lost float64
}

var expTable = makeExpTable()

func makeExpTable() (t [expSteps]expEntry) {
	for j := range t {
		k := float64(j)
		if j >= expSteps/2 {
			k -= expSteps
		}
		m := math.Expm1(k * expStep)
		s := 1 + m
		lost := m - (s - 1)
		if j >= expSteps/2 {
			s *= 2
		}
		t[j] = expEntry{math.Float64bits(s), lost}
	}
	return t
}

// exp returns e^x to a relative 1e-14.
func exp(x float64) float64 {
	t := x*(1/expStep) + roundMagic
	n := math.Float64bits(t)
	r := x - (t-roundMagic)*expStep
	s := math.Float64frombits(expTable[n%expSteps].bits + (n&^(expSteps-1))<<43)
	return s + s*r*(1+r*(0.5+r*(1.0/6)))
}

// expDefect returns e^x - 1 - x, which is never negative, to a relative 1e-11
// however small, and e^x.
func expDefect(x float64) (defect, e float64) {
	t := x*(1/expStep) + roundMagic
	n := math.Float64bits(t)
	h := (t - roundMagic) * expStep
	r := x - h
	entry := &expTable[n%expSteps]
	s := math.Float64frombits(entry.bits + (n&^(expSteps-1))<<43)
	m := (s - 1) + entry.lost // e^h - 1
	q := r * r * (0.5 + r*(1.0/6+r*(1.0/24)))
	return (m - h) + (m*r + s*q), s + s*(r+q)
}

// logDefect returns x - ln(1+x), which is never negative, for x > -1.
func logDefect(x float64) float64 {
	if math.Abs(x) > 0.1 {
		return x - math.Log1p(x)
	}
	// ln(1+x) = 2 atanh(y) with y = x/(2+x), and x - 2y = xy.
	y := x / (2 + x)
	z := y * y
	return x*y - 2*y*z*(1.0/3+z*(1.0/5+z*(1.0/7+z*(1.0/9+z*(1.0/11)))))
}

// smallTilt bounds the x*x for which balance is a short series.
const smallTilt = 1.0 / 16

// balance returns (1+x)ln(1+x) + (1-x)ln(1-x) for |x| <= 1: twice the divergence
// of the pair (1+x, 1-x)/2 from an even one.
func balance(x float64) float64 {
	z := x * x
	if z <= smallTilt {
		return z * (1 + z*(1.0/6+z*(1.0/15+z*(1.0/28+z*(1.0/45+z*(1.0/66+z*(1.0/91+z*(1.0/120+z*(1.0/153+z/190)))))))))
	}
	if z >= 1 {
		return 2 * math.Ln2
	}
	return (1+x)*math.Log1p(x) + (1-x)*math.Log1p(-x)
}
