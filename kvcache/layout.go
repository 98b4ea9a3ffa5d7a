package kvcache

// layout is how an engine's blocks and pages fall out for one model and setup.
// Bytes are those of one layer on one rank.
type layout struct {
	unify bool  // every layer has pages of one size
	block int64 // tokens of a block, of the layers with the largest entries
	page  int64 // bytes of a page, when unified
}

// lay decides the layout. Compressed entries keep blocks of their own even where
// kinds are mixed: their page sizes are fixed by the format.
func (z *sizer) lay(s *sum) layout {
	e := z.engine
	l := layout{
		unify: e.UnifyPages && z.has.mixed && !z.has.compressed,
		block: int64(orOne(e.BlockTokens)),
	}
	if z.has.latent && z.has.state && e.HybridBlockTokens > 0 {
		l.block = int64(e.HybridBlockTokens)
	}
	if l.unify {
		z.unifyPages(s, &l)
	}
	return l
}

// traits are what decides a layout.
type traits struct {
	latent, index, state bool
	once                 bool // a state that exists once
	compressed           bool // entries for several tokens
	mixed                bool // layers of several kinds, each with blocks of its own
}

// beside tells whether the model has the stream that a packing asks for.
func (t *traits) beside(stream string) bool {
	switch stream {
	case "":
		return true
	case "latent":
		return t.latent
	case "index":
		return t.index
	}
	return false
}

// traits walks the model once. Kinds are mixed when two token rules differ, or
// when there are states beside streams.
func (m *Model) traits() traits {
	var t traits
	var first *TokenRule
	for i := range m.Groups {
		g := &m.Groups[i]
		for j := range g.States {
			t.state = t.state || !g.States[j].Once
			t.once = t.once || g.States[j].Once
		}
		if len(g.Streams) == 0 {
			continue
		}
		if first == nil {
			first = &g.Tokens
		}
		t.mixed = t.mixed || !first.same(&g.Tokens)
		t.compressed = t.compressed || g.Tokens.Kind == Every
		for j := range g.Streams {
			t.latent = t.latent || g.Streams[j].Name == "latent"
			t.index = t.index || g.Streams[j].Name == "index"
		}
	}
	t.mixed = t.mixed || t.state && first != nil
	return t
}

// same tells whether layers of both rules may share blocks.
func (r *TokenRule) same(o *TokenRule) bool {
	return r.Kind == o.Kind && (r.Kind == All || r.N == o.N)
}

// unifyPages grows the block of the layers with the largest entries until a page
// holds the largest state: by whole blocks, as kernels need them (vLLM,
// platforms/interface.py). The state is then padded to the page, not the reverse,
// since a state cannot be cut.
func (z *sizer) unifyPages(s *sum, l *layout) {
	var token, state int64
	for i := range z.m.Groups {
		g := &z.m.Groups[i]
		token = max(token, z.tokenBytes(s, l, g))
		state = max(state, z.stateBytes(s, g))
	}
	l.block *= max(1, ceilDiv(state, max(1, s.mul(l.block, token))))
	l.page = max(s.mul(l.block, token), state)
}

// tokenBytes is what one token takes in a layer of the group.
func (z *sizer) tokenBytes(s *sum, l *layout, g *Group) (bytes int64) {
	for i := range g.Streams {
		st := &g.Streams[i]
		format, _ := z.packed(l, g, st)
		_, rank := st.bytes(s, format, z.tp)
		bytes = s.add(bytes, rank)
	}
	return bytes
}

// stateBytes is one copy of the states of a layer, but for those that exist once.
func (z *sizer) stateBytes(s *sum, g *Group) (bytes int64) {
	for i := range g.States {
		if st := &g.States[i]; !st.Once {
			_, rank := st.bytes(s, z.stateFormat(st), z.tp)
			bytes = s.add(bytes, rank)
		}
	}
	return bytes
}

// packed is the format of a stream, and its packing if it has one. A format of the
// model's own stands, but the packing's blocks apply all the same.
func (z *sizer) packed(l *layout, g *Group, st *Stream) (*Format, *Packing) {
	var pack *Packing
	format := z.streamFormat(st)
	if z.plain {
		return format, nil
	}
	for i := range z.engine.Packings {
		p := &z.engine.Packings[i]
		if p.Dim != st.Dim || p.Tokens != g.Tokens.Kind || p.Stream != st.Name || !z.has.beside(p.Beside) {
			continue
		}
		if !l.unify { // blocks are the page's, then
			pack = p
		}
		if st.Format.isZero() && !p.Format.isZero() && (p.For.isZero() || p.For == *format) {
			format = &p.Format
		}
		break
	}
	return format, pack
}

// blocks is how many blocks a layer holds of a session of n tokens, and how many
// tokens one has, for layers whose entries take token bytes each. In a unified
// layout smaller entries come in larger blocks where that fills the page exactly;
// elsewhere the page is padded.
func (z *sizer) blocks(l *layout, g *Group, pack *Packing, n, token int64) (blocks, tokens int64) {
	tokens = l.block
	switch {
	case l.unify && l.page%(tokens*token) == 0:
		tokens = l.page / token
	case pack != nil && pack.BlockTokens > 0:
		tokens = int64(pack.BlockTokens)
	}
	return z.reserved(g, n, tokens), tokens
}

// align rounds the bytes of a block up.
func (p *Packing) align(bytes int64) int64 {
	if p == nil || p.PageAlign == 0 {
		return bytes
	}
	return ceilDiv(bytes, p.PageAlign) * p.PageAlign
}

// reserved counts blocks of so many tokens. Layers that forget tokens hold those
// of the batches under way beside their window.
func (z *sizer) reserved(g *Group, n, block int64) int64 {
	switch limit, e := int64(g.Tokens.N), z.engine; g.Tokens.Kind {
	case Window:
		return ceilDiv(within(n, limit, int64(e.WindowSlack)), block) + int64(e.WindowBlocks)
	case Chunk:
		return ceilDiv(within(n, limit, int64(e.ChunkSlack)), block)
	case Encoder:
		return ceilDiv(limit, block)
	}
	return ceilDiv(ceilDiv(n, z.dcp), block)
}

// within is min(n, limit + slack), whose sum may overflow.
func within(n, limit, slack int64) int64 {
	if n-limit <= slack {
		return n
	}
	return limit + slack
}
