package kvcache

import (
	"errors"
	"math"
)

// MaxTokens is the longest session, in tokens, whose bytes on the fullest device
// are within the budget. It stops at the model's window, where that is known,
// and is 0 where not even one token fits. A model that stops growing and whose
// window is unknown has no longest session: the answer is then math.MaxInt.
func (m *Model) MaxTokens(budgetPerDevice Bytes, s Setup) (int, error) {
	z, err := m.sizer(&s)
	if err != nil {
		return 0, err
	}
	limit := m.ContextWindow
	if limit == 0 {
		limit = math.MaxInt
	}
	return z.longest(budgetPerDevice, limit)
}

// longest searches for the last n in 1..limit that fits, which is sound since a
// session never shrinks with n. A session too large to count does not fit.
func (z *sizer) longest(budget Bytes, limit int) (int, error) {
	lo, hi := 0, limit // lo fits, everything above hi does not
	for step := 1; lo < hi; step = grow(step) {
		n := lo + min(step, hi-lo)
		fits, err := z.fits(n, budget)
		if err != nil {
			return 0, err
		}
		if !fits {
			return z.bisect(budget, lo, n)
		}
		lo = n
	}
	return lo, nil
}

// grow doubles and stays positive.
func grow(step int) int { return min(step, math.MaxInt/2) * 2 }

// bisect narrows down a lo that fits and a hi that does not.
func (z *sizer) bisect(budget Bytes, lo, hi int) (int, error) {
	for hi-lo > 1 {
		mid := lo + (hi-lo)/2
		fits, err := z.fits(mid, budget)
		switch {
		case err != nil:
			return 0, err
		case fits:
			lo = mid
		default:
			hi = mid
		}
	}
	return lo, nil
}

// fits tells whether a session of n tokens is within the budget.
func (z *sizer) fits(n int, budget Bytes) (bool, error) {
	f, err := z.size(n, nil)
	if errors.Is(err, ErrOverflow) {
		return false, nil
	}
	return err == nil && f.PerDevice <= budget, err
}
