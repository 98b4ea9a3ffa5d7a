package correctness

import (
	"cmp"
	"math"
	"slices"
)

// share is a token, or a bucket of tokens, with its probability under both.
type share struct{ p, q float64 }

// bregman is p ln(p/q) - p + q, which is never negative. Summed over
// distributions it is the divergence.
func (s share) bregman() float64 {
	switch {
	case s.p == 0:
		return s.q
	case s.q == 0:
		return math.Inf(1)
	}
	return s.p * logDefect((s.q-s.p)/s.p)
}

// lists are two lists taken apart: the tokens on both, and those on one only.
type lists struct {
	p, q         *list
	both         []share
	onlyP, onlyQ []float64
}

func takeApart(p, q *list) lists {
	l := lists{p: p, q: q}
	a, b := p.entries, q.entries
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].id < b[0].id:
			l.onlyP, a = append(l.onlyP, a[0].pr), a[1:]
		case len(a) == 0 || b[0].id < a[0].id:
			l.onlyQ, b = append(l.onlyQ, b[0].pr), b[1:]
		default:
			l.both, a, b = append(l.both, share{a[0].pr, b[0].pr}), a[1:], b[1:]
		}
	}
	// A token that one list rules out costs least where the other does too.
	l.onlyP, l.onlyQ = slices.DeleteFunc(l.onlyP, isZero), slices.DeleteFunc(l.onlyQ, isZero)
	return l
}

func isZero(x float64) bool { return x == 0 }

// completion is a pair of whole distributions that agree with two lists. alpha
// and beta are the ratios p/q at which more mass for P's and for Q's unlisted
// tokens would go; they are equal while a bucket of unlisted tokens is left.
type completion struct {
	shares      []share
	alpha, beta float64
}

// bucket puts everything that is not on both lists into one bucket.
func (l *lists) bucket() completion {
	rest := share{l.p.rest + total(l.onlyP), l.q.rest + total(l.onlyQ)}
	ratio := 1.0
	if rest.q > 0 {
		ratio = rest.p / rest.q
	} else if least, _ := l.p.restWithin(); least < minResidual {
		rest.p = total(l.onlyP) // rounding alone proves nothing infinite
	}
	return completion{append(slices.Clone(l.both), rest), ratio, ratio}
}

// closest is the completion of least divergence in which no unlisted token
// exceeds the least listed one. alpha exhausts P's remaining mass on the engine's
// own tokens and beta Q's on the reference's; between the two lies the ratio that
// leaves both a bucket, and if beta exceeds alpha there is no such ratio: the
// masses are spent separately.
func (l *lists) closest() completion {
	alpha := fill(l.onlyQ, l.p.kth, l.p.rest)
	beta := 1 / fill(l.onlyP, l.q.kth, l.q.rest)
	if beta <= alpha {
		alpha = l.balance(beta, alpha)
		beta = alpha
	}
	c := completion{slices.Clone(l.both), alpha, beta}
	rest := share{l.p.rest, l.q.rest}
	for _, q := range l.onlyQ {
		p := min(l.p.kth, alpha*q)
		c.shares = append(c.shares, share{p, q})
		rest.p -= p
	}
	for _, p := range l.onlyP {
		q := min(l.q.kth, p/beta)
		c.shares = append(c.shares, share{p, q})
		rest.q -= q
	}
	if rest.q > 0 && l.q.rest > 0 {
		c.shares = append(c.shares, share{max(0, rest.p), rest.q})
	}
	return c
}

// balance finds the ratio of the masses that it leaves, by bisection of the
// logarithm: with a larger ratio P is left less and Q more.
func (l *lists) balance(lo, hi float64) float64 {
	lo, hi = math.Log(max(lo, 1e-300)), math.Log(min(hi, 1e300))
	for range 100 {
		mid := (lo + hi) / 2
		if mid <= lo || mid >= hi {
			break
		}
		if l.excess(math.Exp(mid)) > 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return math.Exp((lo + hi) / 2)
}

// excess is what a ratio leaves to P beyond ratio times what it leaves to Q.
func (l *lists) excess(ratio float64) float64 {
	p, q := l.p.rest, l.q.rest
	for _, x := range l.onlyQ {
		p -= min(l.p.kth, ratio*x)
	}
	for _, x := range l.onlyP {
		q -= min(l.q.kth, x/ratio)
	}
	return p - ratio*q
}

// fill returns the t at which the sum of min(limit, t x) over xs reaches target,
// +Inf if it never exceeds it. It sorts xs.
func fill(xs []float64, limit, target float64) float64 {
	slices.SortFunc(xs, func(a, b float64) int { return cmp.Compare(b, a) })
	open := total(xs)
	for i, x := range xs {
		// With i of them at the limit, the others share what is left.
		left := target - float64(i)*limit
		if t := left / open; open > 0 && t*x <= limit {
			return max(0, t)
		}
		open -= x
	}
	return math.Inf(1)
}

func total(xs []float64) (sum float64) {
	for _, x := range xs {
		sum += x
	}
	return sum
}

// lower returns the divergence of a completion, less what the precision of the
// lists may have added. The least divergence is convex in the listed
// probabilities, so its tangent bounds it from below over their whole range; the
// tangent's slopes are ln(p/q) - ln alpha and beta - p/q.
func (c *completion) lower(p, q *list) float64 {
	var kl, slack float64
	alpha, beta := c.alpha, c.beta
	if p.rest == 0 {
		alpha = 1
	}
	if q.rest == 0 {
		beta = 1
	}
	for _, s := range c.shares {
		kl += s.bregman()
		if p.precision > 0 && s.p > 0 {
			slack += math.Expm1(p.precision) * s.p * math.Abs(math.Log(s.p/(alpha*s.q)))
		}
		if q.precision > 0 {
			slack += math.Expm1(q.precision) * math.Abs(beta*s.q-s.p)
		}
	}
	if math.IsInf(kl, 1) {
		return kl
	}
	return max(0, kl-slack)
}

// upper returns the largest divergence when the engine gives every token at
// least floor, with every listed figure at the worse end of its precision.
func (l *lists) upper(floor float64) float64 {
	hp, hq := l.p.precision, l.q.precision
	if l.q.rest == 0 {
		floor = l.q.least * math.Exp(-hq)
	}
	worst := func(p, ratio, h float64) float64 {
		if p == 0 {
			return 0
		}
		t := math.Log(ratio) + h
		return p * t * math.Exp(math.Copysign(hp, t))
	}
	var kl float64
	for _, s := range l.both {
		kl += worst(s.p, s.p/s.q, hp+hq)
	}
	for _, p := range l.onlyP {
		kl += worst(p, p/floor, hp)
	}
	least, most := l.p.restWithin()
	if most == 0 {
		return kl
	}
	t := math.Log(l.p.kth/floor) + hp
	if t < 0 {
		most = least
	}
	return kl + most*t
}
