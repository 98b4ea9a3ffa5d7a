package kvcache

import (
	"fmt"
	"math/bits"
)

// The sizes of one token or one state, on one rank and undivided, with overflow
// kept in a flag until the end.

// sum accumulates checked arithmetic.
type sum struct{ overflow bool }

func (s *sum) add(a, b int64) int64 {
	c := a + b
	if c < a {
		s.overflow = true
	}
	return c
}

// mul takes factors that are not negative.
func (s *sum) mul(a, b int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	s.overflow = s.overflow || hi != 0 || int64(lo) < 0
	return int64(lo)
}

// row is the bytes of dim values of one head and token.
func (s *sum) row(f *Format, dim int64) int64 {
	return s.add(s.mul(ceilDiv(dim, f.BlockValues), f.BlockBytes), f.RowBytes)
}

func ceilDiv(a, b int64) int64 {
	if b == 1 {
		return a // by far the most frequent, and a division is slow
	}
	return a/b + min(a%b, 1)
}

// headsOf is the heads that each of tp ranks holds: fewer heads than ranks are
// copied. Zero means that tp fits neither way.
func headsOf(heads, tp int64) int64 {
	switch {
	case tp == 1:
		return heads
	case heads%tp == 0:
		return heads / tp
	case tp%heads == 0:
		return 1
	}
	return 0
}

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
	copies := tp
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

// bytes is what one token takes undivided and on one rank.
func (st *Stream) bytes(s *sum, f *Format, tp int64) (whole, rank int64) {
	heads, dim := int64(st.Heads), int64(st.Dim)
	row := s.row(f, dim)
	whole = s.mul(heads, row)
	switch st.Shard {
	case ByHead:
		return whole, s.mul(headsOf(heads, tp), row)
	case ByChannel:
		return whole, s.mul(heads, s.row(f, dim/tp))
	}
	return whole, whole
}

func (st *State) check(g *Group, tp int64) error {
	grouped := int64(st.Groups) * int64(st.PerGroup)
	switch {
	case st.Values < 1 || st.Heads < 0:
		return g.shape("state %s has %d values and %d heads", st.Name, st.Values, st.Heads)
	case !st.Format.isZero() && !st.Format.valid():
		return g.shape("state %s: format %+v", st.Name, st.Format)
	case st.Shard < ByHead || st.Shard > Replicated:
		return g.shape("state %s: shard %d", st.Name, st.Shard)
	case st.Groups < 0 || st.PerGroup < 0 || st.Groups > maxGroups || grouped > st.Values:
		return g.shape("state %s: %d groups of %d in %d values", st.Name, st.Groups, st.PerGroup, st.Values)
	}
	return st.checkSplit(g, tp)
}

// maxGroups keeps Groups x PerGroup within 63 bits.
const maxGroups = 1 << 20

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

// parts is how many different shards tp ranks hold.
func (st *State) parts(tp int64) int64 {
	switch {
	case st.Shard == Replicated:
		return 1
	case st.Shard == ByHead && st.Heads > 0:
		return min(tp, int64(st.Heads))
	}
	return tp
}

// extended is the values of all ranks once there are as many groups as ranks.
func (st *State) extended(tp int64) int64 {
	groups := int64(st.Groups)
	if groups == 0 || groups%tp == 0 {
		return st.Values
	}
	return st.Values + (tp-groups)*int64(st.PerGroup)
}

// bytes is what one layer's state takes undivided and on one rank.
func (st *State) bytes(s *sum, f *Format, tp int64) (whole, rank int64) {
	whole = s.row(f, st.Values)
	if st.Shard == Replicated {
		return whole, whole
	}
	return whole, s.row(f, ceilDiv(st.extended(tp), st.parts(tp)))
}

func (g *Group) shape(format string, args ...any) error {
	return &ShapeError{Group: g.Name, Reason: fmt.Sprintf(format, args...)}
}
