package capacity

import (
	"fmt"
	"math"
)

// zeroThink is a think time so short that nobody is ever found thinking.
const zeroThink = 1e-30

// Closed answers what users people see who each send a request, wait for the
// whole reply, think for thinkSeconds on average and ask again. It solves the
// machine-repairman chain of the sweep exactly: with n requests present the
// next thinker arrives at rate (users-n)/think and a reply is finished at the
// rate that the sweep measured at n, or at its cap beyond which requests queue
// first come first served. Without a queue the answer holds for any
// distribution of think time; the queue assumes exponential work.
//
// users is in 1 to 1e9 ([ErrUsers]), thinkSeconds in 0 to 1e9 ([ErrThink]).
func (s *Sweep) Closed(users int, thinkSeconds float64, o *Options) (Point, error) {
	opt, err := s.options(o)
	if err != nil {
		return Point{}, err
	}
	if users < 1 || users > maxUsers {
		return Point{}, fmt.Errorf("%w: %d is not in 1 to 1e9", ErrUsers, users)
	}
	if err := checkThink(thinkSeconds); err != nil {
		return Point{}, err
	}
	st := s.station(opt).softened(opt.Soft, users)
	l := st.closed(users, thinkSeconds, negligible)
	p := l.point()
	p.Users, p.ThinkSeconds = users, thinkSeconds
	p.Multiplier = (p.ResponseSeconds + thinkSeconds) / p.ResponseSeconds
	if err := p.correct(opt.PrefillSeconds); err != nil {
		return Point{}, err
	}
	return p, nil
}

func checkThink(z float64) error {
	if !seconds(z) {
		return fmt.Errorf("%w: %v s is not in 0 to 1e9", ErrThink, z)
	}
	return nil
}

// closed solves the chain for users of think seconds down to the share cut of
// its largest probability.
func (st *station) closed(users int, think, cut float64) *law {
	if think < zeroThink {
		return newLaw(st, users, []float64{1}, 0)
	}
	first, w := st.repairman(users, think, cut).outward()
	return newLaw(st, first, w, 0)
}

// repairman is the chain of users who think: arrivals at (users-n)/think,
// completions at the station's rate.
func (st *station) repairman(users int, think, cut float64) chain {
	c := chain{top: users, cut: cut}
	c.ratio = func(n int) float64 { return float64(users-n+1) / (think * st.rate(n)) }
	k := min(st.slots(), users)
	var best, run scaled
	c.mode, best, run = c.scan(k)
	c.hi = k
	outer := float64(users+1) - think*st.topRate() // the last n beyond k with a ratio of 1 or more
	if users == k || outer < float64(k+1) {
		return c
	}
	c.hi = min(int(outer), users) // a tiny think time rounds away
	// The weights rise again from k to the outer mode: start from the higher of
	// both, and stop before the lower one where it does not count.
	inner, rise := best.log()-run.log(), lfallRatio(users, k, c.hi)-float64(c.hi-k)*math.Log(think*st.topRate())
	switch {
	case rise >= inner:
		c.mode = c.hi
		if inner-rise < math.Log(cut) {
			c.lo = c.mode
		}
	case rise-inner < math.Log(cut):
		c.hi = k
	}
	return c
}

// lfallRatio is log[(users-a)!/(users-b)!].
func lfallRatio(users, a, b int) float64 {
	x, _ := math.Lgamma(float64(users-a) + 1)
	y, _ := math.Lgamma(float64(users-b) + 1)
	return x - y
}
