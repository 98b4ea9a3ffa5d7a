package capacity

// BestCap finds the number of slots that serves the most users within the
// targets, the smallest among equals, and the users it serves. Fewer slots make
// more requests wait but every request in service faster. Options.Slots bounds
// the search, which tries every number and so takes the square of its time: 10
// ms for 128 slots, seconds for 4,096. The errors are those of [Sweep.MaxUsers].
func (s *Sweep) BestCap(thinkSeconds float64, t Targets, o *Options) (slots int, u Users, err error) {
	opt, err := s.checkModel(thinkSeconds, t, o)
	if err != nil {
		return 0, Users{}, err
	}
	all := s.station(opt)
	best := -1
	for k := 1; k <= all.slots(); k++ {
		st := all.capped(k)
		if best >= 0 && !st.serves(best+1, thinkSeconds, t, opt) {
			continue // a cheap look at one number spares the search
		}
		n, err := st.maxUsers(thinkSeconds, t, opt)
		if err != nil {
			return 0, Users{}, err
		}
		if n > best {
			best, slots = n, k
		}
	}
	opt.Slots = slots
	u, err = s.MaxUsers(thinkSeconds, t, &opt)
	return slots, u, err
}

// serves reports whether exactly n users meet the targets.
func (st *station) serves(n int, think float64, t Targets, o Options) bool {
	s := search{station: st, soft: o.Soft, targets: t, think: think, prefill: o.PrefillSeconds}
	return s.population(n).ok
}
