package capacity

import (
	"fmt"
	"math"
)

// minRate keeps the weights of open arrivals within float64.
const minRate = 1e-18

// Open answers what independent arrivals at a steady mean rate see (Poisson, so
// more users than can be counted, each asking rarely): the limit of
// [Sweep.Closed] for ever more users that think ever longer. Arrivals see time
// averages. A rate of at least that with every slot busy is [ErrUnstable]; one
// below 1e-18 or not finite is an [*InputError].
func (s *Sweep) Open(requestsPerSecond float64, o *Options) (Point, error) {
	opt, err := s.options(o)
	if err != nil {
		return Point{}, err
	}
	if opt.Soft != nil {
		return Point{}, fmt.Errorf("%w: Soft: open arrivals have no number of users", ErrOptions)
	}
	if !(requestsPerSecond >= minRate) || math.IsInf(requestsPerSecond, 1) {
		return Point{}, &InputError{0, "requestsPerSecond", fmt.Sprintf("%v is not a rate", requestsPerSecond)}
	}
	st := s.station(opt)
	rho := requestsPerSecond / st.topRate()
	if rho >= 1 {
		return Point{}, fmt.Errorf("%w: %.4g requests/s at %d slots that finish %.4g", ErrUnstable, requestsPerSecond, st.slots(), st.topRate())
	}
	first, w := st.poisson(requestsPerSecond).outward()
	p := newLaw(st, first, w, rho).point()
	if err := p.correct(opt.PrefillSeconds); err != nil {
		return Point{}, err
	}
	return p, nil
}

// poisson is the chain of steady arrivals, up to the slots.
func (st *station) poisson(rate float64) chain {
	c := chain{top: st.slots(), hi: st.slots(), cut: negligible}
	c.ratio = func(n int) float64 { return rate / st.mu[n-1] }
	c.mode, _, _ = c.scan(c.top)
	return c
}
