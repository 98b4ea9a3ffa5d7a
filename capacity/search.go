package capacity

import "fmt"

// search looks for the largest population up to which every population meets
// the targets.
type search struct {
	station *station
	soft    *SoftMemory
	targets Targets
	think   float64
	prefill float64

	measures []measure // of the last station
	solved   int       // chains, for tests of the effort
}

// population is the chain of n users held against the targets.
type population struct {
	n        int
	law      *law
	measures []measure
	ok       bool
}

// largest doubles until a population fails and then closes in on the first that
// does. It is 0 where a single user misses the targets; above 1e9 it gives up.
func (s *search) largest() (int, error) {
	a := s.population(1)
	if !a.ok {
		return 0, nil
	}
	for a.n < maxUsers {
		b := s.population(min(2*a.n, maxUsers))
		if n, found := s.firstFailure(a, b); found {
			return n - 1, nil
		}
		a = b
	}
	return 0, fmt.Errorf("%w: the answer is above 1e9", ErrUsers)
}

// firstFailure is the smallest failing population above a and up to b; a passes.
func (s *search) firstFailure(a, b *population) (n int, found bool) {
	if b.ok && b.vouchesFrom(a) {
		return 0, false
	}
	if b.n-a.n == 1 {
		return b.n, !b.ok
	}
	mid := s.population(a.n + (b.n-a.n)/2)
	if n, found = s.firstFailure(a, mid); found {
		return n, true
	}
	return s.firstFailure(mid, b)
}

// population solves the chain of n users. Soft memory makes the station, and so
// the figures, depend on n; otherwise they are worked out once.
func (s *search) population(n int) *population {
	s.solved++
	st := s.station.softened(s.soft, n)
	if s.measures == nil || s.soft != nil {
		s.measures = s.targets.measures(st, s.prefill)
	}
	p := &population{n: n, law: st.closed(n, s.think, uncounted), measures: s.measures, ok: true}
	for _, m := range p.measures {
		p.ok = p.ok && atMost(m.value(p.law), m.limit)
	}
	return p
}

// vouchesFrom reports whether b proves that every population between a and b
// meets the targets. More users find stochastically more requests present, so
// the mean over newcomers of anything that only rises with that number rises
// with the users. Written as a rise less its falls, a figure f at N users is at
// most its rise at b less its falls at a.
func (b *population) vouchesFrom(a *population) bool {
	for _, m := range b.measures {
		bound := m.base(b.law)
		if m.falls != nil {
			bound += fallenUnder(m.falls, b.law) - fallenUnder(m.falls, a.law)
		}
		if m.prefill > 0 {
			bound += a.law.collisions(a.law.rateUpTo(b.law), m.prefill)
		}
		if !atMost(bound, m.limit) {
			return false
		}
	}
	return true
}

// rateUpTo bounds the completions a second of every population from l's to b's.
// Soft memory only slows stations, so l's is the fastest of them.
func (l *law) rateUpTo(b *law) float64 {
	rate := b.overTime(l.st.mu)
	if falls := fallen(l.st.mu); falls != nil {
		rate += b.overTime(falls) - l.overTime(falls)
	}
	return rate
}

// overTime is the mean over time of a figure that is ys[n-1] with n in service
// and 0 when idle.
func (l *law) overTime(ys []float64) float64 {
	var s sum
	for i, p := range l.p {
		if n := l.first + i; n > l.st.slots() {
			break
		} else if n > 0 {
			s.add(p * ys[n-1])
		}
	}
	s.add(l.tail * ys[len(ys)-1])
	return s.value()
}
