package capacity

import "fmt"

// SoftMemory is the memory limit as a slope instead of a cliff: users whose
// session was pushed out of the cache pay for reading it again. It is an
// approximation. With N users and room for S sessions a request misses with
// probability 1 - S/N (0 while N <= S) where a random session makes room; every
// miss adds the prefill of one session to its own TTFT, and every output token
// of n requests in service waits for n misses' share of it. Random and LRU bound
// what engines do.
type SoftMemory struct {
	Sessions               int // that fit; 0 in Estimate: those of the MemoryLimit
	SessionTokens          int // of one session; 0 in Estimate: Usage.ContextTokens
	PrefillSecondsPerToken float64
	LRU                    bool // the longest unused session makes room: with users who return in turn every request misses once one does not fit
}

func (m SoftMemory) check() error {
	switch {
	case m.Sessions < 1:
		return fmt.Errorf("%w: Soft.Sessions: %d; at least 1 is needed", ErrOptions, m.Sessions)
	case m.SessionTokens < 1:
		return fmt.Errorf("%w: Soft.SessionTokens: %d; at least 1 is needed", ErrOptions, m.SessionTokens)
	case !seconds(m.PrefillSecondsPerToken) || m.PrefillSecondsPerToken == 0:
		return fmt.Errorf("%w: Soft.PrefillSecondsPerToken: %v is not a time above 0", ErrOptions, m.PrefillSecondsPerToken)
	}
	return nil
}

// missRate is the share of requests that find their session gone.
func (m SoftMemory) missRate(users int) float64 {
	switch {
	case users <= m.Sessions:
		return 0
	case m.LRU:
		return 1
	}
	return 1 - float64(m.Sessions)/float64(users)
}

// softened is the station as users beyond the cache slow it down.
func (st *station) softened(m *SoftMemory, users int) *station {
	if m == nil || m.missRate(users) == 0 {
		return st
	}
	c := &station{
		work: st.work, projected: st.projected,
		ttft: make([]float64, st.slots()), tpot: make([]float64, st.slots()),
		resp: make([]float64, st.slots()), mu: make([]float64, st.slots()),
	}
	again := m.missRate(users) * float64(m.SessionTokens) * m.PrefillSecondsPerToken
	for i := range c.ttft {
		c.ttft[i] = st.ttft[i] + again
		c.tpot[i] = st.tpot[i] + float64(i+1)*again/float64(st.work.OutputTokens)
	}
	c.complete()
	return c
}
