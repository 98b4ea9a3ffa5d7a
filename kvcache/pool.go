package kvcache

import (
	"fmt"

	"example.com/servemath/internal/jsonout"
)

// Pool is the engine's own account of its memory: what vLLM logs as "GPU KV cache
// size" and "maximum concurrency". It is not what a session keeps. A pool deals in
// blocks that every group of layers takes alike, so that a window layer is billed
// like a full one, and its tokens are a concurrency in other words: memory divided
// by them is no cost of a token. [Model.Session] gives that.
type Pool struct {
	BlockTokens    int     // tokens in the smallest block of an attention layer
	PageBytes      Bytes   // a block of one layer on one device; of the largest, where layers differ
	BlockBytes     Bytes   // a block of all the layers that share it
	PaddingPercent float64 // what padding to a page adds to the largest state
	Groups         int     // of layers, each taking blocks of its own
	LayersPerGroup int
	Blocks         int

	MaxTokens        int     // in each session, as asked
	BlocksPerSession int     // of MaxTokens
	Concurrency      float64 // Blocks / BlocksPerSession
	Tokens           int     // Concurrency x MaxTokens, rounded down
	Warnings         []error
}

// Pool predicts the engine's pool from the memory left for it on each device and
// the longest session it is to admit. For layers of one kind a block spans all of
// them. Where kinds are mixed, an engine that unifies pages makes every page as
// large as the largest, sorts layers of a kind into groups as large as the
// smallest kind has layers (or the largest, if that is less than half again as
// many), and each group takes blocks of its own (vLLM, kv_cache_utils.py).
//
// Errors are those of [Model.Session], [ErrBudget] for memory below 0, and
// [ErrPool]: for mixed kinds in other engines or over pipeline stages, and for
// compressed entries among others.
func (m *Model) Pool(freePerDevice Bytes, maxTokens int, s Setup) (Pool, error) {
	z, err := m.sizer(&s)
	switch {
	case err != nil:
		return Pool{}, err
	case maxTokens < 1:
		return Pool{}, ErrTokens
	case freePerDevice < 0:
		return Pool{}, fmt.Errorf("%w: %d bytes are free", ErrBudget, int64(freePerDevice))
	}
	p := pooler{sizer: z, Pool: Pool{MaxTokens: maxTokens}}
	if err := p.plan(); err != nil {
		return Pool{}, err
	}
	if m.beyond(maxTokens) {
		p.Warnings = []error{fmt.Errorf("%w: %d tokens, %d in the window", ErrBeyondWindow, maxTokens, m.ContextWindow)}
	}
	return p.divide(freePerDevice)
}

// String is the one-line form.
func (p Pool) String() string {
	return fmt.Sprintf("%d tokens in %d blocks; %.2f sessions of %d tokens at once", p.Tokens, p.Blocks, p.Concurrency, p.MaxTokens)
}

// MarshalJSON writes stable names with units.
func (p Pool) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "block_tokens", Value: p.BlockTokens},
		{Name: "page_bytes", Value: p.PageBytes},
		{Name: "block_bytes", Value: p.BlockBytes},
		{Name: "padding_percent", Value: p.PaddingPercent},
		{Name: "groups", Value: p.Groups},
		{Name: "layers_per_group", Value: p.LayersPerGroup},
		{Name: "blocks", Value: p.Blocks},
		{Name: "max_tokens", Value: p.MaxTokens},
		{Name: "blocks_per_session", Value: p.BlocksPerSession},
		{Name: "concurrency", Value: p.Concurrency},
		{Name: "tokens", Value: p.Tokens},
		{Name: "warnings", Value: p.Warnings},
	}.MarshalJSON()
}
