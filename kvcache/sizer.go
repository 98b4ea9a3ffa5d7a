package kvcache

// sizer is a model in a setup that was found valid.
type sizer struct {
	m             *Model
	engine        *Engine
	tp, pp, dcp   int64
	format, state Format
	copies        int64
	parts         int // at most so many Parts
}

func (m *Model) sizer(s *Setup) (sizer, error) {
	if err := s.Parallel.check(); err != nil {
		return sizer{}, err
	}
	p := s.Parallel.orOne()
	z := sizer{
		m: m, engine: &s.Engine, state: s.StateFormat,
		tp: int64(p.TP), pp: int64(p.PP), dcp: int64(p.DCP),
	}
	if err := z.formats(s); err != nil {
		return sizer{}, err
	}
	if err := z.stateCopies(s); err != nil {
		return sizer{}, err
	}
	return z, z.check()
}

func (z *sizer) formats(s *Setup) error {
	z.format = s.Format
	if z.format.isZero() {
		z.format = s.Engine.Format
	}
	if z.format.isZero() {
		z.format = FP8
	}
	if !z.format.valid() {
		return &ShapeError{Reason: "cache format " + z.format.Name + " has no block"}
	}
	if !z.state.isZero() && !z.state.valid() {
		return &ShapeError{Reason: "state format " + z.state.Name + " has no block"}
	}
	return nil
}

func (z *sizer) stateCopies(s *Setup) error {
	n := s.StateCopies
	if n == 0 {
		n = orOne(s.Engine.StateCopies)
	}
	if n < 1 || n > maxParallel || s.SpeculativeTokens < 0 || s.SpeculativeTokens > maxParallel {
		return &ShapeError{Reason: "state copies or speculative tokens out of range"}
	}
	z.copies = int64(n)
	return nil
}

func (z *sizer) check() error {
	if len(z.m.Groups) == 0 {
		return &ShapeError{Reason: "model has no groups"}
	}
	if z.m.ContextWindow < 0 {
		return &ShapeError{Reason: "context window is negative"}
	}
	for i := range z.m.Groups {
		g := &z.m.Groups[i]
		if err := g.check(z); err != nil {
			return err
		}
		z.parts += len(g.Streams) + len(g.States)
	}
	return nil
}

func (g *Group) check(z *sizer) error {
	switch n := g.Tokens.N; {
	case g.Layers < 1:
		return g.shape("%d layers", g.Layers)
	case g.At != nil && len(g.At) != g.Layers:
		return g.shape("%d layers at %d places", g.Layers, len(g.At))
	case len(g.Streams) == 0 && len(g.States) == 0:
		return g.shape("keeps nothing")
	case g.Tokens.Kind < All || g.Tokens.Kind > Encoder:
		return g.shape("token rule %d", g.Tokens.Kind)
	case n < 0 || n == 0 && g.Tokens.Kind != All && g.Tokens.Kind != Encoder:
		return g.shape("token rule of %d tokens", n)
	}
	for i := range g.Streams {
		if err := g.Streams[i].check(g, z.tp, z.dcp); err != nil {
			return err
		}
	}
	for i := range g.States {
		if err := z.checkState(g, &g.States[i]); err != nil {
			return err
		}
	}
	return nil
}

func (z *sizer) checkState(g *Group, st *State) error {
	if z.stateFormat(st).isZero() {
		return g.shape("state %s has no format, nor has the model", st.Name)
	}
	return st.check(g, z.tp)
}

// stateFormat is the setup's, else the state's own, else the model's.
func (z *sizer) stateFormat(st *State) *Format {
	switch {
	case !z.state.isZero():
		return &z.state
	case !st.Format.isZero():
		return &st.Format
	}
	return &z.m.DType
}

func (z *sizer) streamFormat(st *Stream) *Format {
	if st.Format.isZero() {
		return &z.format
	}
	return &st.Format
}

// tally is a footprint under way: its exact total on one rank, before pipeline
// stages divide it.
type tally struct {
	sum
	Footprint
	rank int64
}

// size adds up the groups. Parts are filled as far as they have room, so a caller
// that wants none passes nil.
func (z *sizer) size(tokens int, parts []Part) (Footprint, error) {
	if tokens < 1 {
		return Footprint{}, ErrTokens
	}
	t := tally{Footprint: Footprint{Parts: parts}}
	for i := range z.m.Groups {
		z.group(&t, &z.m.Groups[i], int64(tokens))
	}
	t.Session = Bytes(t.add(t.add(int64(t.Growing), int64(t.Window)), t.add(int64(t.State), int64(t.Rounding))))
	t.PerDevice = Bytes(ceilDiv(t.rank, z.pp))
	if t.overflow {
		return Footprint{}, ErrOverflow
	}
	return t.Footprint, nil
}

func (z *sizer) group(t *tally, g *Group, tokens int64) {
	kept := g.Tokens.kept(tokens)
	layers := int64(g.Layers)
	for i := range g.Streams {
		st := &g.Streams[i]
		whole, rank := st.bytes(&t.sum, z.streamFormat(st), z.tp)
		t.count(g, st.Name, g.Tokens.rule(), t.mul(t.mul(layers, whole), kept))
		t.onRank(t.mul(layers, rank), ceilDiv(kept, z.dcp))
	}
	for i := range g.States {
		st := &g.States[i]
		copies, rule := z.copies, "state copies"
		if st.Once {
			copies, rule = 1, "one state"
		}
		whole, rank := st.bytes(&t.sum, z.stateFormat(st), z.tp)
		bytes := t.mul(t.mul(layers, whole), copies)
		t.State = Bytes(t.add(int64(t.State), bytes))
		t.part(g, st.Name, rule, bytes)
		t.onRank(t.mul(layers, rank), copies)
	}
}

// count books a stream's bytes under what its tokens do.
func (t *tally) count(g *Group, stream, rule string, bytes int64) {
	kind := &t.Growing
	if g.Tokens.fixed() {
		kind = &t.Window
	}
	*kind = Bytes(t.add(int64(*kind), bytes))
	t.part(g, stream, rule, bytes)
}

func (t *tally) onRank(bytes, times int64) { t.rank = t.add(t.rank, t.mul(bytes, times)) }

func (t *tally) part(g *Group, stream, rule string, bytes int64) {
	if len(t.Parts) < cap(t.Parts) {
		t.Parts = append(t.Parts, Part{Group: g.Name, Stream: stream, Key: g.Key, Rule: rule, Bytes: Bytes(bytes)})
	}
}
