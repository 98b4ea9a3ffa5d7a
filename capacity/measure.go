package capacity

// measure is a target as the model holds it: a figure of each newcomer's state
// whose mean over newcomers must not be above limit.
type measure struct {
	limit float64

	// For a mean: the figure at 1, 2, ... slots in service, and for a newcomer
	// that waits, the figure without the wait and whether the wait adds to it.
	inner    []float64
	waiting  float64
	addsWait bool
	prefill  float64 // collisions of random arrivals add to it; 0: they do not

	// For a share: minus the share of newcomers that meet these targets.
	share *Targets

	falls []float64 // how much the figure has fallen on the way to 1, 2, ... slots and to waiting; nil: it only rises
}

// measures are the targets that are set, on a station.
func (t Targets) measures(st *station, prefill float64) []measure {
	var ms []measure
	switch {
	case t.Attainment > 0:
		ms = append(ms, st.shareMeasure(t, t.Attainment))
	case t.Percentile > 0:
		for _, one := range []Targets{{MaxTTFTSeconds: t.MaxTTFTSeconds}, {MinTPS: t.MinTPS}, {MaxE2ESeconds: t.MaxE2ESeconds}} {
			if one != (Targets{}) {
				ms = append(ms, st.shareMeasure(one, t.Percentile))
			}
		}
	default:
		ms = t.meanMeasures(st, prefill)
	}
	for i := range ms {
		ms[i].falls = ms[i].fallen(st)
	}
	return ms
}

// meanMeasures hold the mean request against each target. A speed is held as the
// time it leaves a token or a reply: tokens by time is what tools report as mean
// speed, and times add up where speeds do not.
func (t Targets) meanMeasures(st *station, prefill float64) []measure {
	var ms []measure
	last := st.slots() - 1
	if t.MaxTTFTSeconds > 0 {
		m := measure{limit: t.MaxTTFTSeconds, inner: st.ttft, waiting: st.ttft[last], addsWait: true, prefill: prefill}
		if prefill > 0 {
			m.inner = make([]float64, st.slots())
			for i := range m.inner {
				m.inner[i] = st.ttft[i] + st.tpot[i]/2
			}
		}
		ms = append(ms, m)
	}
	if t.MinTPS > 0 { // tokens by time, so the mean is of the time
		m := measure{limit: 1 / t.MinTPS, inner: st.tpot, waiting: st.tpot[last]}
		if st.work.TPS == EndToEndTPS {
			m = measure{limit: float64(st.work.OutputTokens) / t.MinTPS, inner: st.resp, waiting: st.resp[last]}
		}
		ms = append(ms, m)
	}
	if t.MaxE2ESeconds > 0 {
		ms = append(ms, measure{limit: t.MaxE2ESeconds, inner: st.resp, waiting: st.resp[last], addsWait: true})
	}
	return ms
}

// shareMeasure is that the share q of newcomers meets t.
func (st *station) shareMeasure(t Targets, q float64) measure {
	m := measure{limit: -q, share: &t, inner: make([]float64, st.slots()), waiting: 0}
	for n := 1; n <= st.slots(); n++ {
		if st.meets(n, t) {
			m.inner[n-1] = -1
		}
	}
	return m
}

// fallen accumulates the falls of the figure; from the last slot on to a queue
// a mean may fall by the half step that only a free slot costs.
func (m measure) fallen(st *station) []float64 {
	first := m.waiting
	if m.addsWait {
		first += 1 / st.topRate()
	}
	return fallen(append(m.inner[:len(m.inner):len(m.inner)], first))
}

// fallen accumulates how much ys has fallen up to each entry; nil for never.
func fallen(ys []float64) []float64 {
	var out []float64
	for i := 1; i < len(ys); i++ {
		if ys[i] < ys[i-1] && out == nil {
			out = make([]float64, len(ys))
		}
		if out != nil {
			out[i] = out[i-1] + max(0, ys[i-1]-ys[i])
		}
	}
	return out
}

// rising reports that ys never falls, but for rounding.
func rising(ys []float64) bool {
	for i := 1; i < len(ys); i++ {
		if !atMost(ys[i-1], ys[i]) {
			return false
		}
	}
	return true
}

// base is the figure under l but for what collisions add.
func (m measure) base(l *law) float64 {
	if m.share != nil {
		return -l.attainment(*m.share)
	}
	var s sum
	for n, share := range l.inner {
		s.add(share * m.inner[n-1])
	}
	s.add(l.queued() * m.waiting)
	if m.addsWait {
		s.add(l.excess / l.x)
	}
	return s.value()
}

// value is the figure under l.
func (m measure) value(l *law) float64 { return m.base(l) + l.collisions(l.x, m.prefill) }

// fallenUnder is the mean of falls over the newcomers of l.
func fallenUnder(falls []float64, l *law) float64 {
	var s sum
	for n, share := range l.inner {
		s.add(share * falls[n-1])
	}
	s.add(l.queued() * falls[len(falls)-1])
	return s.value()
}
