package kvcache

import (
	"fmt"
	"math"
	"math/big"

	"example.com/servemath/internal/jsonout"
)

// Cost is what a session takes on one device, as far as observations tell: Fixed
// bytes and PerToken bytes for each token. Each span holds for some value of the
// other; an upper end that nothing bounds is +Inf.
type Cost struct {
	PerToken Span `json:"per_token_bytes"`
	Fixed    Span `json:"fixed_bytes"`
}

// Span is the closed interval of real numbers from Lo to Hi.
type Span struct{ Lo, Hi float64 }

// MarshalJSON writes an end that nothing bounds as "+Inf".
func (s Span) MarshalJSON() ([]byte, error) {
	return jsonout.Object{{Name: "lo", Value: s.Lo}, {Name: "hi", Value: s.Hi}}.MarshalJSON()
}

// InferCost finds the costs of a session that lead to the observed capacities in
// a memory of free bytes a device, with dp copies of the model: for k sessions of
// n tokens on each copy,
//
//	free / (k+1)  <  fixed + n x token  <=  free / k
//
// One capacity leaves a trade between the two costs; two of different lengths
// bound both. The ends are the extremes of that polygon, so a half-open side
// is closed.
func InferCost(freePerDevice Bytes, dp int, observed ...Capacity) (Cost, error) {
	if freePerDevice <= 0 || dp < 1 || len(observed) == 0 {
		return Cost{}, fmt.Errorf("%w: %d bytes free, %d copies, %d capacities", ErrBudget, int64(freePerDevice), dp, len(observed))
	}
	p := polygon{{rat(-1), rat(0), rat(0), false}, {rat(0), rat(-1), rat(0), false}} // no cost is negative
	bounded := false
	for _, c := range observed {
		if c.Tokens < 1 {
			return Cost{}, ErrTokens
		}
		k, err := c.perCopy(dp)
		if err != nil {
			return Cost{}, err
		}
		n := int64(c.Tokens)
		p = append(p, side{rat(-1), rat(-n), new(big.Rat).Neg(big.NewRat(int64(freePerDevice), k+1)), true})
		if k > 0 {
			p = append(p, side{rat(1), rat(n), big.NewRat(int64(freePerDevice), k), false})
			bounded = true
		}
	}
	return p.cost(bounded)
}

func rat(x int64) *big.Rat { return new(big.Rat).SetInt64(x) }

// side is a x fixed + b x token <= c, or < c where it is strict.
type side struct {
	a, b, c *big.Rat
	strict  bool
}

// slack is c - a x fixed - b x token.
func (s side) slack(fixed, token *big.Rat) *big.Rat {
	x := new(big.Rat).Mul(s.a, fixed)
	x.Add(x, new(big.Rat).Mul(s.b, token))
	return x.Sub(s.c, x)
}

// meet is where two sides cross; nil where they are parallel.
func (s side) meet(o side) (fixed, token *big.Rat) {
	mul := func(x, y *big.Rat) *big.Rat { return new(big.Rat).Mul(x, y) }
	det := new(big.Rat).Sub(mul(s.a, o.b), mul(o.a, s.b))
	if det.Sign() == 0 {
		return nil, nil
	}
	fixed = new(big.Rat).Sub(mul(s.c, o.b), mul(o.c, s.b))
	token = new(big.Rat).Sub(mul(s.a, o.c), mul(o.a, s.c))
	return fixed.Quo(fixed, det), token.Quo(token, det)
}

// polygon is the costs that all sides allow. With two costs and a handful of
// observations its corners are few, so each crossing is tried.
type polygon []side

// cost is the extremes of the polygon.
func (p polygon) cost(bounded bool) (Cost, error) {
	none := Span{Lo: math.Inf(1), Hi: math.Inf(-1)}
	out := Cost{PerToken: none, Fixed: none}
	fixedSum, tokenSum, corners := new(big.Rat), new(big.Rat), int64(0)
	for i, s := range p {
		for _, o := range p[i+1:] {
			fixed, token := s.meet(o)
			if fixed == nil || !p.has(fixed, token, false) {
				continue
			}
			out.Fixed.include(fixed)
			out.PerToken.include(token)
			fixedSum.Add(fixedSum, fixed)
			tokenSum.Add(tokenSum, token)
			corners++
		}
	}
	if !bounded {
		out.Fixed.Hi, out.PerToken.Hi = math.Inf(1), math.Inf(1)
		return out, nil
	}
	// The middle of the corners lies on a strict side only if all of the polygon
	// does, and then nothing is left.
	middle := big.NewRat(1, max(corners, 1))
	if corners == 0 || !p.has(fixedSum.Mul(fixedSum, middle), tokenSum.Mul(tokenSum, middle), true) {
		return Cost{}, fmt.Errorf("%w: no cost of a token and of a session", ErrInconsistent)
	}
	return out, nil
}

// has tells whether a point is inside; on a strict side it counts unless strictly.
func (p polygon) has(fixed, token *big.Rat, strictly bool) bool {
	for _, s := range p {
		if sign := s.slack(fixed, token).Sign(); sign < 0 || sign == 0 && s.strict && strictly {
			return false
		}
	}
	return true
}

func (i *Span) include(x *big.Rat) {
	f, _ := x.Float64()
	i.Lo, i.Hi = min(i.Lo, f), max(i.Hi, f)
}
