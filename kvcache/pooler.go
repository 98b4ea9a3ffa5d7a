package kvcache

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// pooler is a pool under way.
type pooler struct {
	sizer
	sum
	layout
	Pool
}

// cache is tensors of a group's layers that share a page: keys and values, a
// latent, an index, or states.
type cache struct {
	group   *Group
	layers  int
	streams []Stream // nil: the states
	states  []State
	token   int64 // bytes of a token on one rank; of the states, where there are no streams
	tokens  int64 // in a block
	blocks  int64 // of a session
	page    int64 // bytes of a block in one layer
}

// plan finds the blocks of the pool, or that they are not known. The smallest
// block is the one that logs name.
func (p *pooler) plan() error {
	p.layout = p.lay(&p.sum)
	if p.overflow {
		return ErrOverflow
	}
	switch has := p.m.traits(); {
	case has.compressed && has.mixed || has.once:
		return fmt.Errorf("%w: %s: compressed entries among others", ErrPool, p.engine.Name)
	case has.mixed && !p.unify:
		return fmt.Errorf("%w: %s keeps layers of several kinds apart", ErrPool, p.engine.Name)
	case p.unify && p.pp > 1:
		return fmt.Errorf("%w: layers of several kinds over %d pipeline stages", ErrPool, p.pp)
	}
	caches := p.caches()
	for _, c := range caches {
		p.PageBytes = max(p.PageBytes, Bytes(c.page))
		if p.BlockTokens == 0 || c.streams != nil && c.tokens < int64(p.BlockTokens) {
			p.BlockTokens = int(c.tokens)
		}
	}
	if p.unify {
		return p.mixed(caches)
	}
	return p.alike(caches)
}

// caches splits the groups into what shares pages. An index has pages of its own,
// beside the latent's or the pair's.
func (p *pooler) caches() []cache {
	var out []cache
	groups := p.m.Groups
	if spare := p.spareIndex(); spare.Layers > 0 {
		groups = append(slices.Clip(groups), spare)
	}
	for i := range groups {
		g := &groups[i]
		for from := 0; from < len(g.Streams); {
			to := from + 1
			for g.Streams[from].Name != "index" && to < len(g.Streams) && g.Streams[to].Name != "index" {
				to++
			}
			out = append(out, p.entries(g, g.Streams[from:to]))
			from = to
		}
		if len(g.States) > 0 {
			one := p.stateBytes(&p.sum, g)
			number, _ := p.copiesOf(&p.layout, &g.States[0], int64(p.MaxTokens))
			out = append(out, cache{
				group: g, layers: g.Layers, states: g.States,
				token: one, tokens: p.block, blocks: number, page: max(one, p.page),
			})
		}
	}
	return out
}

// entries is the cache of streams that share a page, of one layer.
func (p *pooler) entries(g *Group, streams []Stream) cache {
	c := cache{group: g, layers: g.Layers, streams: streams}
	var pack *Packing
	for i := range streams {
		format, packing := p.packed(&p.layout, g, &streams[i])
		_, one := streams[i].bytes(&p.sum, format, p.tp)
		c.token, pack = p.add(c.token, one), packing
	}
	c.blocks, c.tokens = p.blocks(&p.layout, g, pack, int64(p.MaxTokens), c.token)
	c.page = max(pack.align(p.mul(g.Tokens.entries(c.tokens), c.token)), p.page)
	return c
}

// alike is a block of all layers, which are of one kind. Their pages may differ in
// size: the block is then their sum, and one table of blocks serves all.
func (p *pooler) alike(caches []cache) error {
	var bytes, layers []share
	for _, c := range caches {
		if c.page == 0 {
			return fmt.Errorf("%w: entries larger than a block of %d tokens", ErrPool, c.tokens)
		}
		if c.tokens != caches[0].tokens {
			return fmt.Errorf("%w: blocks of %d and of %d tokens", ErrPool, caches[0].tokens, c.tokens)
		}
		bytes, layers = append(bytes, c.group.share(c.page)), append(layers, c.group.share(1))
		p.BlocksPerSession = max(p.BlocksPerSession, int(c.blocks))
	}
	p.Groups = 1
	p.BlockBytes = Bytes(p.fullest(&p.sum, bytes))
	p.LayersPerGroup = int(p.fullest(&p.sum, layers))
	return nil
}

// mixed sorts layers of several kinds into groups of one size. Each group has a
// table of blocks of its own, so a session takes blocks from the pool once for
// each; a group with fewer layers than the others wastes the rest of its blocks.
func (p *pooler) mixed(caches []cache) error {
	kinds, err := p.kinds(caches)
	if err != nil {
		return err
	}
	p.LayersPerGroup = groupSize(kinds)
	state := int64(0)
	for _, c := range kinds {
		groups := int(ceilDiv(int64(c.layers), int64(p.LayersPerGroup)))
		p.Groups += groups
		p.BlocksPerSession = int(p.add(int64(p.BlocksPerSession), p.mul(int64(groups), c.blocks)))
		if c.streams == nil {
			state = max(state, c.token)
		}
	}
	if state > 0 {
		p.PaddingPercent = 100 * float64(p.page-state) / float64(state)
	}
	p.BlockBytes = Bytes(p.mul(p.page, int64(p.LayersPerGroup)))
	return nil
}

// kinds merges what is laid out alike, however many groups of the model it comes
// from: the engine compares layouts, not the keys that gave them.
func (p *pooler) kinds(caches []cache) ([]cache, error) {
	var out []cache
	for i, c := range caches {
		if i > 0 && c.streams != nil && c.group == caches[i-1].group {
			return nil, fmt.Errorf("%w: group %s: several caches in a layer of a mixed model", ErrPool, c.group.Name)
		}
		at := slices.IndexFunc(out, func(o cache) bool {
			return slices.Equal(o.streams, c.streams) && slices.Equal(o.states, c.states) &&
				(c.streams == nil || o.group.Tokens.same(&c.group.Tokens))
		})
		if at < 0 {
			out = append(out, c)
			continue
		}
		out[at].layers += c.layers
	}
	return out, nil
}

// groupSize is the layers of the smallest kind; of the largest, where that has
// less than half again as many.
func groupSize(kinds []cache) int {
	least, most := math.MaxInt, 0
	for _, c := range kinds {
		least, most = min(least, c.layers), max(most, c.layers)
	}
	if 2*most < 3*least {
		return most
	}
	return least
}

// divide fills the pool's memory with blocks, and the blocks with sessions. The
// tokens are exact, in 128 bits on the way: the engine's own figure comes from a
// float and may be off by one.
func (p *pooler) divide(free Bytes) (Pool, error) {
	if p.overflow || p.BlocksPerSession <= 0 || p.BlockBytes <= 0 {
		return Pool{}, ErrOverflow
	}
	p.Blocks = int(free / p.BlockBytes)
	p.Concurrency = float64(p.Blocks) / float64(p.BlocksPerSession)
	hi, lo := bits.Mul64(uint64(p.Blocks), uint64(p.MaxTokens))
	if hi >= uint64(p.BlocksPerSession) {
		return Pool{}, ErrOverflow
	}
	tokens, _ := bits.Div64(hi, lo, uint64(p.BlocksPerSession))
	p.Tokens = int(min(tokens, math.MaxInt))
	return p.Pool, nil
}
