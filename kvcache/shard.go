package kvcache

// row is the bytes of a run of values in whole blocks.
func (s *sum) row(f *Format, values int64) int64 {
	return s.add(s.mul(ceilDiv(values, f.BlockValues), f.BlockBytes), f.RowBytes)
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

// bytes is what one token takes undivided and on one rank. Blocks are whole on
// each: channels divided by eight may need more than an eighth.
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
