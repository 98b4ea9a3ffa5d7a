package kvcache

import "slices"

// StageRule says which pipeline stages take the layers that are left over when
// stages do not divide the layers.
type StageRule int

const (
	Front      StageRule = iota // the first stages, one each
	BeforeLast                  // the stages before the last, one each: vLLM's get_pp_indices
	WithOutput                  // with the output as one more layer, in equal shares: llama.cpp
)

// Stages is how many layers each of pp pipeline stages gets. It is nil when there
// are fewer than one stage or layers are negative.
func Stages(layers, pp int, e Engine) []int {
	if pp < 1 || pp > maxParallel || layers < 0 {
		return nil
	}
	out := make([]int, pp)
	for i := range out {
		out[i] = int(e.Stages.start(int64(layers), int64(pp), int64(i+1)) - e.Stages.start(int64(layers), int64(pp), int64(i)))
	}
	return out
}

// start is the first layer of a stage; that of stage pp is the end.
func (r StageRule) start(layers, pp, stage int64) int64 {
	base, left := layers/pp, layers%pp
	switch r {
	case BeforeLast: // the stages pp-1-left to pp-2 have one more
		return stage*base + min(max(stage-(pp-1-left), 0), left)
	case WithOutput:
		return min(ceilDiv(stage*(layers+1), pp), layers)
	}
	return stage*base + min(stage, left)
}

// depth is the number of layers that stages divide: what the model says, else as
// many as its groups reach.
func (m *Model) depth() int64 {
	if m.Layers > 0 {
		return int64(m.Layers)
	}
	n := 0
	for i := range m.Groups {
		n = max(n, m.Groups[i].Layers)
		if at := m.Groups[i].At; len(at) > 0 {
			n = max(n, slices.Max(at)+1)
		}
	}
	return int64(n)
}

// share is what each of some layers takes on one rank.
type share struct {
	layers int64
	at     []int
	bytes  int64
}

func (g *Group) share(bytes int64) share { return share{int64(g.Layers), g.At, bytes} }

// on is how many of the layers stand among the model's from start to end, of so
// many. Without places they are spread evenly; places behind the last layer, as
// those of drafting modules, are on the last stage.
func (h *share) on(start, end, of int64) int64 {
	if h.at == nil {
		return h.layers*end/of - h.layers*start/of
	}
	n := int64(0)
	for _, at := range h.at {
		if int64(at) >= start && (int64(at) < end || end == of) {
			n++
		}
	}
	return n
}

// fullest is what the device that holds most holds.
func (z *sizer) fullest(s *sum, shares []share) int64 {
	if z.pp == 1 || !z.engine.WholeLayers {
		all := int64(0)
		for _, h := range shares {
			all = s.add(all, s.mul(h.layers, h.bytes))
		}
		return ceilDiv(all, z.pp)
	}
	most, of := int64(0), z.m.depth()
	for stage := range z.pp {
		start, end := z.engine.Stages.start(of, z.pp, stage), z.engine.Stages.start(of, z.pp, stage+1)
		all := int64(0)
		for _, h := range shares {
			all = s.add(all, s.mul(h.on(start, end, of), h.bytes))
		}
		most = max(most, all)
	}
	return most
}
