package kvcache

import "fmt"

// Engine is how an engine lays a cache out, as data: change a field to model
// another version or another flag. The zero Engine is [Logical].
type Engine struct {
	Name string
	AsOf string // the version whose behaviour this is
	// Format is the cache's when none is asked for. Zero: one byte a value, or
	// with ModelFormat the model's own element format.
	Format      Format
	ModelFormat bool

	// BlockTokens is the tokens of a block; 0 means 1.
	BlockTokens int
	// HybridBlockTokens replaces BlockTokens in models that have both latents and
	// states; 0 does not.
	HybridBlockTokens int
	// UnifyPages gives all layers of a model with several kinds of layer one page
	// size: blocks grow until a page holds a state, states are padded to the page,
	// and layers with smaller entries take more tokens in a block.
	UnifyPages bool
	// WindowSlack and ChunkSlack are tokens that a window or chunk layer holds
	// beside its window, and WindowBlocks are blocks beside those.
	WindowSlack, ChunkSlack, WindowBlocks int

	// StateCopies is how many copies of each state a session holds; 0 means 1.
	// StatePerDraft adds one for every speculative token, and StatePerBlock holds
	// one for every block of the session instead.
	StateCopies                  int
	StatePerDraft, StatePerBlock bool
	// DraftRing multiplies the states that exist once when tokens are drafted; 0
	// means 1.
	DraftRing int
	// StateFormats are the formats of states by name.
	StateFormats []StateFormat

	// Packings are the layouts of particular streams.
	Packings []Packing
	// IndexEveryLayer gives an index to each layer that has a latent, whether the
	// layer uses one or not.
	IndexEveryLayer bool

	// WholeLayers puts whole layers on pipeline stages, by the rule Stages.
	WholeLayers bool
	Stages      StageRule
}

// StateFormat is an engine's format for states of that name, or of any name
// where Name is empty.
type StateFormat struct {
	Name   string
	Format Format
	Always bool // even where the state has a format of its own
}

// Packing is an engine's layout of one kind of stream.
type Packing struct {
	Stream      string
	Beside      string // only in models that have this stream too; empty: in any
	Tokens      TokenKind
	Dim         int
	Format      Format // of the stream; zero: as it would be
	For         Format // only where the cache has this format; zero: any
	BlockTokens int    // tokens of the session in a block; 0: the engine's
	PageAlign   int64  // bytes that a block is rounded up to; 0 does not
}

// rounds tells whether blocks, pages or packings can change a session.
func (e *Engine) rounds() bool {
	return e.IndexEveryLayer || e.BlockTokens > 1 || e.HybridBlockTokens > 1 || e.UnifyPages || len(e.Packings) > 0 ||
		e.WindowSlack > 0 || e.ChunkSlack > 0 || e.WindowBlocks > 0
}

// maxSlack keeps sums with token counts within 63 bits.
const maxSlack = 1 << 30

// check refuses rules that mean nothing: an engine is data that a caller may edit.
func (e *Engine) check() error {
	for _, n := range [...]int{
		e.BlockTokens, e.HybridBlockTokens, e.WindowSlack, e.ChunkSlack, e.WindowBlocks, e.StateCopies, e.DraftRing,
	} {
		if n < 0 || n > maxSlack {
			return e.wrong("a rule of %d", n)
		}
	}
	for i := range e.StateFormats {
		if !e.StateFormats[i].Format.valid() {
			return e.wrong("state format %q", e.StateFormats[i].Format.Name)
		}
	}
	for i := range e.Packings {
		p := &e.Packings[i]
		if known := p.Beside == "" || p.Beside == "latent" || p.Beside == "index"; !known {
			return e.wrong("packing beside stream %q", p.Beside)
		}
		if p.BlockTokens < 0 || p.BlockTokens > maxSlack || p.PageAlign < 0 || !p.Format.isZero() && !p.Format.valid() {
			return e.wrong("packing of stream %q", p.Stream)
		}
	}
	return nil
}

// wrong names the engine in a [ShapeError].
func (e *Engine) wrong(format string, args ...any) error {
	return &ShapeError{Reason: "engine " + e.Name + ": " + fmt.Sprintf(format, args...)}
}
