package kvcache

// sizer is a model in a setup that was found valid.
type sizer struct {
	m             *Model
	plain         bool   // the engine has no blocks, pages or packings
	has           traits // of the model, unless plain
	engine        *Engine
	tp, pp, dcp   int64
	format, state Format
	copies        int64 // of each state
	slots, drafts int64 // states for drafted tokens, and drafted tokens
	parts         int   // at most so many Parts
}

// sizer resolves every default of the setup and checks the model against it. It
// keeps s, and never stores through a pointer into itself: so s stays on the
// stack, and a session costs one allocation.
func (m *Model) sizer(s *Setup) (sizer, error) {
	if err := s.Parallel.check(); err != nil {
		return sizer{}, err
	}
	if err := s.Engine.check(); err != nil {
		return sizer{}, err
	}
	format, err := s.cacheFormat(m)
	if err != nil {
		return sizer{}, err
	}
	p := s.Parallel.orOne()
	z := sizer{
		m: m, engine: &s.Engine, plain: !s.Engine.rounds(), format: format, state: s.StateFormat,
		tp: int64(p.TP), pp: int64(p.PP), dcp: int64(p.DCP),
	}
	if !z.plain { // what decides a layout is not worth a walk where there is none
		z.has = m.traits()
	}
	if err := z.stateCopies(s); err != nil {
		return sizer{}, err
	}
	return z, z.check()
}

// cacheFormat is the setup's, else the engine's, else the model's where the
// engine follows that. It also vouches for the state format.
func (s *Setup) cacheFormat(m *Model) (Format, error) {
	f := FP8
	switch {
	case !s.Format.isZero():
		f = s.Format
	case !s.Engine.Format.isZero():
		f = s.Engine.Format
	case s.Engine.ModelFormat:
		f = m.DType
	}
	switch {
	case f.isZero():
		return f, &ShapeError{Reason: "engine " + s.Engine.Name + " stores the model's element format, and the model names none"}
	case !f.valid():
		return f, &ShapeError{Reason: "cache format " + f.Name + " has no block"}
	case !s.StateFormat.isZero() && !s.StateFormat.valid():
		return f, &ShapeError{Reason: "state format " + s.StateFormat.Name + " has no block"}
	}
	return f, nil
}

// stateCopies settles how many copies of a state a session holds, and how many
// slots for drafted tokens.
func (z *sizer) stateCopies(s *Setup) error {
	n := s.StateCopies
	if n == 0 {
		n = orOne(s.Engine.StateCopies)
	}
	if n < 1 || n > maxParallel || s.SpeculativeTokens < 0 || s.SpeculativeTokens > maxParallel {
		return &ShapeError{Reason: "state copies or speculative tokens out of range"}
	}
	z.copies, z.drafts = int64(n), int64(s.SpeculativeTokens)
	if s.Engine.StatePerDraft {
		z.slots = z.drafts
	}
	return nil
}

// stateFormat is the setup's, else the state's own unless the engine insists,
// else the engine's, else the model's.
func (z *sizer) stateFormat(st *State) *Format {
	if !z.state.isZero() {
		return &z.state
	}
	for i := range z.engine.StateFormats {
		f := &z.engine.StateFormats[i]
		if (f.Name == "" || f.Name == st.Name) && (f.Always || st.Format.isZero()) {
			return &f.Format
		}
	}
	if !st.Format.isZero() {
		return &st.Format
	}
	return &z.m.DType
}

// streamFormat is the stream's own, else the cache's.
func (z *sizer) streamFormat(st *Stream) *Format {
	if st.Format.isZero() {
		return &z.format
	}
	return &st.Format
}

// copiesOf is how many copies of a state a session of n tokens holds, and why.
func (z *sizer) copiesOf(l *layout, st *State, n int64) (int64, string) {
	switch e := z.engine; {
	case st.Once && z.drafts > 0 && e.DraftRing > 1:
		return int64(e.DraftRing), "one state, longer while drafting"
	case st.Once:
		return 1, "one state"
	case e.StatePerBlock:
		return ceilDiv(n, l.block) + z.slots, "a state for every block"
	}
	return z.copies + z.slots, "state copies"
}
