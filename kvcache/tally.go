package kvcache

// tally is a footprint under way. Session counts each byte once, undivided; what a
// rank holds is added up apart, since heads that are copied and blocks that are not
// full make it more than a share of the session.
type tally struct {
	sum
	Footprint
	layout
}

// size adds up the groups. Parts are filled as far as they have room, so a caller
// that wants none passes nil.
func (z *sizer) size(tokens int, parts []Part) (Footprint, error) {
	if tokens < 1 {
		return Footprint{}, ErrTokens
	}
	t := tally{Footprint: Footprint{Parts: parts}}
	t.layout = z.lay(&t.sum)
	if t.overflow {
		return Footprint{}, ErrOverflow
	}
	var room [8]share // enough for any model so far, without allocating
	layers := room[:0]
	for i := range z.m.Groups {
		g := &z.m.Groups[i]
		layers = append(layers, g.share(z.group(&t, g, int64(tokens))))
	}
	spare := z.spareIndex()
	if spare.Layers > 0 {
		layers = append(layers, spare.share(z.group(&t, &spare, int64(tokens))))
	}
	t.PerDevice = Bytes(z.fullest(&t.sum, layers))
	t.Session = Bytes(t.add(t.add(int64(t.Growing), int64(t.Window)), t.add(int64(t.State), int64(t.Rounding))))
	if t.overflow {
		return Footprint{}, ErrOverflow
	}
	return t.Footprint, nil
}

// group books what all layers of the group keep and returns what one of them
// takes on one rank.
func (z *sizer) group(t *tally, g *Group, n int64) (rank int64) {
	entries, extra := z.streams(t, g, n)
	states, padding := z.states(t, g, n)
	if extra = t.add(extra, padding); extra != 0 {
		bytes := t.mul(int64(g.Layers), extra)
		t.Rounding = Bytes(t.add(int64(t.Rounding), bytes))
		t.part(g, "", "blocks, pages and tokens under way", bytes)
	}
	return t.add(entries, states)
}

// streams books the entries that streams keep. It returns what one layer holds on
// one rank, and what blocks and pages add to one layer on all of them.
func (z *sizer) streams(t *tally, g *Group, n int64) (rank, extra int64) {
	token := int64(0)
	if t.unify {
		token = z.tokenBytes(&t.sum, &t.layout, g)
	}
	for i := range g.Streams {
		held, round := z.stream(t, g, &g.Streams[i], n, token)
		rank, extra = t.add(rank, held), t.add(extra, round)
	}
	if t.unify && token > 0 { // a page may be larger than its entries
		blocks, tokens := z.blocks(&t.layout, g, nil, n, token)
		pad := t.mul(blocks, t.page-t.mul(tokens, token))
		rank, extra = t.add(rank, pad), t.add(extra, t.mul(pad, z.tp))
	}
	return rank, extra
}

// stream books one of the streams, whose tokens take token bytes together.
func (z *sizer) stream(t *tally, g *Group, st *Stream, n, token int64) (rank, extra int64) {
	format, pack := z.packed(&t.layout, g, st)
	whole, one := st.bytes(&t.sum, format, z.tp)
	kept := g.Tokens.kept(n)
	t.count(g, st.Name, t.mul(t.mul(int64(g.Layers), whole), kept))
	if z.plain {
		return t.mul(one, ceilDiv(kept, z.dcp)), 0
	}
	blocks, tokens := z.blocks(&t.layout, g, pack, n, token)
	entries := g.Tokens.entries(tokens)
	if entries == 0 || tokens == 1 && !g.Tokens.fixed() { // nothing to round
		return t.mul(one, ceilDiv(kept, z.dcp)), 0
	}
	held := t.mul(t.mul(blocks, z.dcp), pack.align(t.mul(entries, whole)))
	return t.mul(blocks, pack.align(t.mul(entries, one))), held - t.mul(whole, kept)
}

// states books the states, and returns the same as streams. In a unified layout
// the states of a layer share a page, and each copy of them is padded to one.
func (z *sizer) states(t *tally, g *Group, n int64) (rank, extra int64) {
	var one, copies int64 // of those that share a page
	for i := range g.States {
		st := &g.States[i]
		number, rule := z.copiesOf(&t.layout, st, n)
		whole, r := st.bytes(&t.sum, z.stateFormat(st), z.tp)
		bytes := t.mul(t.mul(int64(g.Layers), whole), number)
		t.State = Bytes(t.add(int64(t.State), bytes))
		t.part(g, st.Name, rule, bytes)
		rank = t.add(rank, t.mul(r, number))
		if !st.Once {
			one, copies = t.add(one, r), number
		}
	}
	if t.unify && copies > 0 {
		pad := t.mul(copies, t.page-one)
		rank, extra = t.add(rank, pad), t.mul(pad, z.tp)
	}
	return rank, extra
}

// spareIndex is the index that an engine gives to layers which use none; it has no
// layers where there is none.
func (z *sizer) spareIndex() Group {
	var spare Group
	if !z.engine.IndexEveryLayer {
		return spare
	}
	latents, indexes := 0, 0
	for i := range z.m.Groups {
		g := &z.m.Groups[i]
		for j := range g.Streams {
			switch name := g.Streams[j].Name; {
			case g.Tokens.Kind != All:
			case name == "latent":
				latents += g.Layers
			case name == "index":
				indexes += g.Layers
				spare = Group{Name: g.Name, Key: g.Key, Streams: g.Streams[j : j+1]}
			}
		}
	}
	if spare.Streams != nil {
		spare.Layers = max(latents-indexes, 0)
	}
	return spare
}

// count books a stream's bytes under what its tokens do.
func (t *tally) count(g *Group, stream string, bytes int64) {
	kind := &t.Growing
	if g.Tokens.fixed() {
		kind = &t.Window
	}
	*kind = Bytes(t.add(int64(*kind), bytes))
	t.part(g, stream, g.Tokens.rule(), bytes)
}

// part appends while there is room: a caller that asked for no parts gave none.
func (t *tally) part(g *Group, stream, rule string, bytes int64) {
	if len(t.Parts) < cap(t.Parts) {
		t.Parts = append(t.Parts, Part{Group: g.Name, Stream: stream, Key: g.Key, Rule: rule, Bytes: Bytes(bytes)})
	}
}
