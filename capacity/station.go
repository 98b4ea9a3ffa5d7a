package capacity

// station is a sweep as a queueing model sees it: the rate of completions at
// every number of requests in service, up to a cap beyond which requests wait
// first come first served. A sweep without think time measures exactly these
// rates (flow-equivalent server; Chandy, Herzog and Woo 1975).
type station struct {
	work      Workload
	projected bool
	ttft      []float64 // seconds, at 1, 2, ... slots in service
	tpot      []float64 // seconds a token after the first
	resp      []float64 // seconds a request once in service
	mu        []float64 // requests/s
}

// station interpolates TTFT and time per token, in which a step time that grows
// linearly with the batch is a straight line.
func (s *Sweep) station(o Options) *station {
	k := s.top()
	if o.Slots > 0 {
		k = min(k, o.Slots)
	}
	ttft, tpot := make([]float64, len(s.levels)), make([]float64, len(s.levels))
	for i, l := range s.levels {
		ttft[i], tpot[i] = l.TTFTSeconds, s.work.secondsPerToken(l)
	}
	st := &station{
		work: s.work, projected: s.projected,
		ttft: s.interpolated(o.Interpolation, k, ttft),
		tpot: s.interpolated(o.Interpolation, k, tpot),
		resp: make([]float64, k), mu: make([]float64, k),
	}
	st.complete()
	return st
}

// complete derives request times and rates from TTFT and time per token:
// interpolating rates or speeds themselves misses held-out levels by more.
func (st *station) complete() {
	for i := range st.ttft {
		st.resp[i] = st.ttft[i] + float64(st.work.OutputTokens-1)*st.tpot[i]
		st.mu[i] = float64(i+1) / st.resp[i]
	}
}

// capped is the same station with k slots, at most its own.
func (st *station) capped(k int) *station {
	c := *st
	c.ttft, c.tpot, c.resp, c.mu = st.ttft[:k], st.tpot[:k], st.resp[:k], st.mu[:k]
	return &c
}

func (st *station) slots() int { return len(st.mu) }

// topRate is the rate with every slot busy.
func (st *station) topRate() float64 { return st.mu[len(st.mu)-1] }

// rate is the rate with n requests in the system.
func (st *station) rate(n int) float64 { return st.mu[min(n, len(st.mu))-1] }
