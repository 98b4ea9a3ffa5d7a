package kvcache

import (
	"fmt"
	"math"
	"math/big"
)

// Range is every number of bytes from Lo to Hi, both included. Hi is the largest
// [Bytes] where nothing bounds it.
type Range struct {
	Lo Bytes `json:"lo_bytes"`
	Hi Bytes `json:"hi_bytes"`
}

// String is the one-line form.
func (r Range) String() string { return fmt.Sprintf("%v to %v", r.Lo, r.Hi) }

// Capacity is a published or observed answer: so many sessions of so many tokens
// fit, and not one more.
type Capacity struct{ Tokens, Sessions int }

// InferWeights is the inverse of [Model.Sessions]: the sizes of a checkpoint for
// which every capacity comes out as observed, whatever Weights b names. With d =
// TP x PP devices and k sessions of s bytes on each copy,
//
//	d x (usable - (k+1) x s)  <  weights  <=  d x (usable - k x s)
//
// [ErrInconsistent] says that the model, the setup or the budget is not the one
// behind the observations: so a wrong number of state copies shows.
func (m *Model) InferWeights(b Budget, s Setup, observed ...Capacity) (Range, error) {
	b.Weights = 0
	b, err := b.resolved()
	if err != nil {
		return Range{}, err
	}
	p := s.Parallel.orOne()
	devices := new(big.Rat).SetInt64(int64(p.TP * p.PP))
	r := Range{Lo: 0, Hi: math.MaxInt64}
	for _, c := range observed {
		f, err := m.Session(c.Tokens, s)
		if err != nil {
			return Range{}, err
		}
		k, err := c.perCopy(p.DP)
		if err != nil {
			return Range{}, err
		}
		left := func(sessions int64) *big.Rat {
			taken := new(big.Rat).SetInt(new(big.Int).Mul(big.NewInt(sessions), big.NewInt(int64(f.PerDevice))))
			return new(big.Rat).Mul(devices, taken.Sub(b.usable(), taken))
		}
		r.Lo = max(r.Lo, whole(left(k+1))+1)
		if k > 0 { // no session at all is any weight from there on
			r.Hi = min(r.Hi, whole(left(k)))
		}
	}
	if r.Lo > r.Hi {
		return Range{}, fmt.Errorf("%w: weights of %v", ErrInconsistent, r)
	}
	return r, nil
}

// perCopy is the sessions of one copy of the model.
func (c Capacity) perCopy(dp int) (int64, error) {
	if c.Sessions < 0 || c.Sessions%dp != 0 {
		return 0, fmt.Errorf("%w: %d sessions on %d copies of the model", ErrInconsistent, c.Sessions, dp)
	}
	return int64(c.Sessions / dp), nil
}

var bigOne = big.NewInt(1)

// InferFree is the inverse of [Model.Pool]: the memory a device has for the pool,
// from the tokens that the engine logs for sessions of at most maxTokens.
// [ErrInconsistent] says that no number of blocks gives those tokens, so that the
// engine's blocks are not the ones predicted.
func (m *Model) InferFree(tokens, maxTokens int, s Setup) (Range, error) {
	p, err := m.Pool(0, maxTokens, s)
	if err != nil {
		return Range{}, err
	}
	if tokens < 0 {
		return Range{}, fmt.Errorf("%w: %d tokens", ErrInconsistent, tokens)
	}
	// tokens = floor(blocks x maxTokens / perSession)
	perSession, longest := big.NewInt(int64(p.BlocksPerSession)), big.NewInt(int64(maxTokens))
	fewest := func(tokens *big.Int) *big.Int { // blocks with so many tokens
		x := new(big.Int).Mul(tokens, perSession)
		return x.Add(x, longest).Sub(x, bigOne).Div(x, longest)
	}
	least := fewest(big.NewInt(int64(tokens)))
	above := fewest(new(big.Int).Add(big.NewInt(int64(tokens)), bigOne))
	if least.Cmp(above) >= 0 {
		return Range{}, fmt.Errorf("%w: no number of blocks makes %d tokens", ErrInconsistent, tokens)
	}
	block := big.NewInt(int64(p.BlockBytes))
	least.Mul(least, block)
	above.Mul(above, block).Sub(above, bigOne)
	if !above.IsInt64() {
		return Range{}, ErrOverflow
	}
	return Range{Lo: Bytes(least.Int64()), Hi: Bytes(above.Int64())}, nil
}
