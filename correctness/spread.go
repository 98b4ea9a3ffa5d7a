package correctness

import (
	"math"

	"golang.org/x/exp/constraints"
)

// normalisers are the logarithms of the sums of e^(a - max a) and e^(b - max b),
// and their difference got - ref to more digits than subtracting them leaves.
type normalisers struct{ logRef, logGot, ratio float64 }

// newNormalisers completes the sums of a pair of rows, of which b is the second.
func newNormalisers[F constraints.Float](s *sums, b []F, maxB float64) normalisers {
	n := normalisers{logRef: math.Log(s.z + s.zeroW)}
	if s.z > 0 {
		n.ratio = s.ratio - math.Log1p(s.zeroW/s.z)
	} else {
		n.ratio = math.Log(weight(b, maxB)) - n.logRef
	}
	n.logGot = n.logRef + n.ratio
	return n
}

// klUnder returns the divergence under a policy for the tokens that b excludes.
func (s *sums) klUnder(z ZeroPolicy, logRef float64) float64 {
	switch {
	case s.zeros == 0:
		return s.kl()
	case z.Kind == ZeroExclude && s.z > 0:
		return s.kl()
	case z.Kind != ZeroFloor:
		return math.Inf(1)
	}
	all := s.z + s.zeroW
	var kl float64
	if share := s.z / all; share > 0 {
		kl = share * (s.kl() + math.Log(share))
	}
	kl += s.zeroWA/all - s.zeroW/all*(logRef+math.Log(z.Eps))
	return max(0, kl)
}

// terms are the sums of the divergences that need both distributions normalised.
type terms struct{ reverse, js, tv, hellinger, entropy, maxDiff float64 }

func (t *terms) fill(pos *Position) {
	pos.ReverseKL = max(0, t.reverse)
	pos.JS = t.js / 2
	pos.TV = t.tv / 2
	pos.Hellinger = math.Sqrt(t.hellinger / 2)
	pos.Entropy = t.entropy
	pos.MaxProbDiff = t.maxDiff
}

// spread sums the terms of two rows of log-weights with these normalisers.
func spread[F constraints.Float](a, b []F, f frame, n normalisers) terms {
	var t terms
	for len(a) > 0 {
		k := min(blockLen, len(a))
		var part terms
		spreadBlock(&part, a[:k], b[:k], f, n)
		t.add(&part)
		a, b = a[k:], b[k:]
	}
	return t
}

// spreadBlock works with d = ln q - ln p. With e = e^d - 1 and x = e/(2+e), the
// terms per unit of p are
//
//	reverse KL     d e^d - e         = d e - (e - d)
//	Jensen-Shannon (2+e)/4 times balance(x)
//	Hellinger      (e^(d/2) - 1)^2   = (e/(1 + sqrt(e^d)))^2
func spreadBlock[F constraints.Float](t *terms, a, b []F, f frame, n normalisers) {
	scale := math.Exp(-n.logRef)
	b = b[:len(a)]
	for i, x := range a {
		below := float64(x) - f.maxA
		d := f.between(float64(x), float64(b[i])) - n.ratio
		if !(below > -expLimit && d > -expLimit && d < expLimit) {
			t.wide(below, float64(b[i])-f.maxB, n)
			continue
		}
		p := scale * exp(below)
		defect, e1 := expDefect(d)
		e := d + defect
		root := e / (1 + math.Sqrt(e1))
		diff := p * math.Abs(e)
		t.reverse += p * (d*e - defect)
		t.js += p / 2 * (2 + e) * tilt(e/(2+e), d, e)
		t.tv += diff
		t.hellinger += p * root * root
		t.entropy += p * (n.logRef - below)
		t.maxDiff = max(t.maxDiff, diff)
	}
}

// tilt is balance(x) where d and e are at hand: ln(1+x) is d + ln(1-x), and
// ln(1-x) is -ln(1 + e/2), so that one logarithm does.
func tilt(x, d, e float64) float64 {
	if x*x <= smallTilt {
		return balance(x)
	}
	return (1+x)*d - 2*math.Log1p(e/2)
}

// wide adds a token whose weights the table does not reach, or that a row
// excludes; below and belowGot are its log-weights under the maxima.
func (t *terms) wide(below, belowGot float64, n normalisers) {
	p, q := math.Exp(below-n.logRef), math.Exp(belowGot-n.logGot)
	if p == 0 && q == 0 {
		return
	}
	switch {
	case math.IsInf(below, -1):
		t.reverse = math.Inf(1)
	case q > 0:
		t.reverse += q*((belowGot-n.logGot)-(below-n.logRef)) - q + p
	default:
		t.reverse += p
	}
	if p > 0 {
		t.entropy += p * (n.logRef - below)
	}
	root := math.Sqrt(q) - math.Sqrt(p)
	diff := math.Abs(q - p)
	t.js += (p + q) / 2 * balance((q-p)/(q+p))
	t.tv += diff
	t.hellinger += root * root
	t.maxDiff = max(t.maxDiff, diff)
}

func (t *terms) add(part *terms) {
	t.reverse += part.reverse
	t.js += part.js
	t.tv += part.tv
	t.hellinger += part.hellinger
	t.entropy += part.entropy
	t.maxDiff = max(t.maxDiff, part.maxDiff)
}
