package capacity

import "math"

// law is the distribution of the number of requests present, over time and as a
// newcomer finds it. A newcomer makes the number n with the share
// p(n) mu(n)/X of arrivals: as many arrivals lead up to n as completions lead
// down from it.
type law struct {
	st    *station
	first int
	p     []float64 // of first, first+1, ... present
	rho   float64   // beyond p every probability is rho times the last; 0: nothing is beyond

	x       float64 // completions a second
	serving float64 // mean number in service
	tail    float64 // probability that somebody waits
	excess  float64 // mean number waiting
}

// newLaw normalises the weights w of first, first+1, ... present, followed by a
// geometric tail where rho is above 0, and keeps w.
func newLaw(st *station, first int, w []float64, rho float64) *law {
	l := &law{st: st, first: first, p: w, rho: rho}
	k := st.slots()
	inner := w[:max(0, min(len(w), k+1-first))]
	var total, x, serving, tail, excess sum
	for i, v := range inner {
		total.add(v)
		if n := first + i; n > 0 {
			x.add(v * st.mu[n-1])
			serving.add(v * float64(n))
		}
	}
	for i := len(inner); i < len(w); i++ {
		tail.add(w[i])
		excess.add(w[i] * float64(first+i-k))
	}
	if rho > 0 { // then w ends at k
		last := w[len(w)-1]
		tail.add(last * rho / (1 - rho))
		excess.add(last * rho / (1 - rho) / (1 - rho))
	}
	// Beyond the slots the rate and the number in service stay what they are.
	total.add(tail.value())
	x.add(tail.value() * st.topRate())
	serving.add(tail.value() * float64(k))
	g := 1 / total.value()
	for i := range w {
		w[i] *= g
	}
	l.x, l.serving, l.tail, l.excess = x.value()*g, serving.value()*g, tail.value()*g, excess.value()*g
	return l
}

// inner yields the newcomers that find a free slot: the number present with
// them and their share of all newcomers.
func (l *law) inner(yield func(n int, share float64) bool) {
	for i, p := range l.p {
		n := l.first + i
		if n > l.st.slots() {
			return
		}
		if n > 0 && !yield(n, p*l.st.mu[n-1]/l.x) {
			return
		}
	}
}

// queued is the share of newcomers that find no free slot.
func (l *law) queued() float64 { return l.tail * l.st.topRate() / l.x }

// arrivals is the mean over newcomers of a figure that depends on the number in
// service once they are served themselves; ys[n-1] is the figure at n.
func (l *law) arrivals(ys []float64) float64 {
	var s sum
	for n, share := range l.inner {
		s.add(share * ys[n-1])
	}
	s.add(l.queued() * ys[len(ys)-1])
	return s.value()
}

// prob is the probability of n requests present.
func (l *law) prob(n int) float64 {
	if l == nil || n < l.first {
		return 0
	}
	i := n - l.first
	switch {
	case i < len(l.p):
		return l.p[i]
	case l.rho > 0:
		return l.p[len(l.p)-1] * math.Pow(l.rho, float64(i-len(l.p)+1))
	}
	return 0
}
