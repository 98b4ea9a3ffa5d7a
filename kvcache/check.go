package kvcache

import "fmt"

// What cannot be as described, or cannot be split as asked, is refused here, so
// that the arithmetic need not look back.

// check refuses a model that the setup cannot serve, and counts the parts that a
// session of it has at most: Session then allocates once.
func (z *sizer) check() error {
	switch {
	case len(z.m.Groups) == 0:
		return &ShapeError{Reason: "model has no groups"}
	case z.m.ContextWindow < 0 || z.m.Layers < 0 || z.m.Layers > maxLayers:
		return &ShapeError{Reason: "context window or layers are out of range"}
	}
	rounds := 1 // part a group, for what its blocks add
	if z.plain {
		rounds = 0
	}
	if z.engine.IndexEveryLayer {
		z.parts += 1 + rounds
	}
	for i := range z.m.Groups {
		g := &z.m.Groups[i]
		if err := g.check(z); err != nil {
			return err
		}
		z.parts += len(g.Streams) + len(g.States) + rounds
	}
	return nil
}

// check looks at the group itself, then at what it stores. Encoder tokens may be
// none: a session without an image.
func (g *Group) check(z *sizer) error {
	switch n := g.Tokens.N; {
	case g.Layers < 1 || g.Layers > maxLayers:
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
	if z.pp > 1 { // places matter to stages only
		if err := g.checkPlaces(); err != nil {
			return err
		}
	}
	for i := range g.Streams {
		if err := z.checkStream(g, &g.Streams[i]); err != nil {
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

// maxLayers keeps products of layer counts far from overflow.
const maxLayers = 1 << 20

// checkPlaces refuses layers that no stage or two stages would hold.
func (g *Group) checkPlaces() error {
	seen := make(map[int]bool, len(g.At))
	for _, at := range g.At {
		if at < 0 || at >= maxLayers || seen[at] {
			return g.shape("layer %d stands out of range or twice", at)
		}
		seen[at] = true
	}
	return nil
}

// vectorValues is the least block that is one vector's own layout.
const vectorValues = 128

// checkStream also refuses to put a vector into the layout of another one.
func (z *sizer) checkStream(g *Group, st *Stream) error {
	if err := st.check(g, z.tp, z.dcp); err != nil {
		return err
	}
	if z.streamFormat(st).BlockValues < vectorValues {
		return nil
	}
	if f, _ := z.packed(&layout{}, g, st); int64(st.Dim)%f.BlockValues != 0 {
		return g.shape("stream %s has vectors of %d values, in a format for vectors of %d", st.Name, st.Dim, f.BlockValues)
	}
	return nil
}

// checkState wants a format from somewhere: a state's size is never guessed.
func (z *sizer) checkState(g *Group, st *State) error {
	if z.stateFormat(st).isZero() {
		return g.shape("state %s has no format, nor has the model", st.Name)
	}
	return st.check(g, z.tp)
}

// check refuses a stream that has no values, or that tp ranks cannot share. Heads
// are copied only when every rank then has the same number of them.
func (st *Stream) check(g *Group, tp, dcp int64) error {
	heads, dim := int64(st.Heads), int64(st.Dim)
	switch {
	case heads < 1 || dim < 1:
		return g.shape("stream %s has %d heads of %d values", st.Name, st.Heads, st.Dim)
	case !st.Format.isZero() && !st.Format.valid():
		return g.shape("stream %s: format %+v", st.Name, st.Format)
	case st.Shard == ByHead && headsOf(heads, tp) == 0:
		return g.shape("TP %d neither divides the %d heads of stream %s nor is a multiple", tp, heads, st.Name)
	case st.Shard == ByChannel && dim%tp != 0:
		return g.shape("TP %d does not divide the %d values of stream %s", tp, dim, st.Name)
	case st.Shard < ByHead || st.Shard > Replicated:
		return g.shape("stream %s: shard %d", st.Name, st.Shard)
	}
	return st.checkDCP(g, tp, dcp)
}

// checkDCP allows tokens to be divided only among ranks that would otherwise
// hold the same bytes.
func (st *Stream) checkDCP(g *Group, tp, dcp int64) error {
	if dcp == 1 {
		return nil
	}
	if k := g.Tokens.Kind; k != All && k != Every {
		return g.shape("DCP %d cannot divide a window or an encoder's tokens", dcp)
	}
	copies := tp // ranks with the same bytes; each may hold a share of the tokens instead
	switch st.Shard {
	case ByHead:
		copies = max(1, tp/int64(st.Heads))
	case ByChannel:
		copies = 1
	}
	if copies%dcp != 0 {
		return g.shape("DCP %d does not divide the %d copies of stream %s at TP %d", dcp, copies, st.Name, tp)
	}
	return nil
}

// check refuses a state that has no values, or more of them in groups than in all.
func (st *State) check(g *Group, tp int64) error {
	switch {
	case st.Values < 1 || st.Heads < 0:
		return g.shape("state %s has %d values and %d heads", st.Name, st.Values, st.Heads)
	case !st.Format.isZero() && !st.Format.valid():
		return g.shape("state %s: format %+v", st.Name, st.Format)
	case st.Shard < ByHead || st.Shard > Replicated:
		return g.shape("state %s: shard %d", st.Name, st.Shard)
	case st.Groups < 0 || st.PerGroup < 0 || st.Groups > 0 && int64(st.PerGroup) > st.Values/int64(st.Groups):
		return g.shape("state %s: %d groups of %d in %d values", st.Name, st.Groups, st.PerGroup, st.Values)
	}
	return st.checkSplit(g, tp)
}

// checkSplit refuses shards of unequal size. Groups may be fewer than ranks, and
// are then extended, but ranks between one and the groups must divide them.
func (st *State) checkSplit(g *Group, tp int64) error {
	heads, groups := int64(st.Heads), int64(st.Groups)
	switch {
	case st.Shard == Replicated:
		return nil
	case st.Shard == ByHead && heads > 0 && headsOf(heads, tp) == 0:
		return g.shape("TP %d neither divides the %d heads of state %s nor is a multiple", tp, heads, st.Name)
	case groups > 0 && groups%tp != 0 && tp < groups:
		return g.shape("TP %d neither divides the %d groups of state %s nor exceeds them", tp, groups, st.Name)
	case st.extended(tp)%st.parts(tp) != 0:
		return g.shape("TP %d does not divide the %d values of state %s", tp, st.Values, st.Name)
	}
	return nil
}

// shape is a [ShapeError] of the group.
func (g *Group) shape(format string, args ...any) error {
	return &ShapeError{Group: g.Name, Reason: fmt.Sprintf(format, args...)}
}
