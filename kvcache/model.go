package kvcache

// Model is the cache layout of one model as data: what its layers store, not
// how. A new architecture is a new list of groups, never a new branch in the
// arithmetic.
type Model struct {
	Name          string
	ContextWindow int    // tokens; 0 is unknown
	DType         Format // the checkpoint's own element format
	Layers        int    // of the whole model, for pipeline stages; 0: as many as the groups reach
	Groups        []Group
	Defaults      []string // every default applied on reading, as "key=value: why"
	Omitted       []string // what is knowingly not counted
}

// Group is a number of identical layers. One layer may stand in several groups:
// a latent in one and, where only some layers own an indexer, an index in
// another.
type Group struct {
	Name    string
	Key     string // the config key that gave the group
	Layers  int
	At      []int // layer indices from 0, for pipeline stages; nil: spread evenly
	Tokens  TokenRule
	Streams []Stream
	States  []State
}

// TokenRule says which tokens of a session the streams of a group keep.
type TokenRule struct {
	Kind TokenKind
	N    int // the window, the chunk, the ratio or the encoder's tokens; unused for All
}

// TokenKind is the kind of a [TokenRule]. For a session of n tokens:
type TokenKind int

const (
	All     TokenKind = iota // n
	Window                   // min(N, n): a sliding window
	Chunk                    // min(N, n): the fullest a chunk gets
	Every                    // n / N, rounded down: one entry for N tokens
	Encoder                  // N, whatever n
)

// Stream is one vector per head, layer and kept token. Engines have rules for
// particular streams and know them by name: "k" and "v"; "latent", the one
// vector of latent attention with its rotary part; "index", the key of a sparse
// attention's indexer. An index keeps the zero Format, for the engine to choose.
type Stream struct {
	Name   string
	Heads  int
	Dim    int    // values per head
	Format Format // zero: the cache's
	Shard  Shard
}

// State is a tensor per layer whose size does not depend on the tokens. Engines
// know them by name: "conv", "recurrent", "compressor".
type State struct {
	Name   string
	Values int64  // per layer, before sharding
	Format Format // zero: the engine's default, else the model's element format
	Shard  Shard
	Heads  int // for ByHead: how many parts tensor parallelism can make; 0: as ByChannel
	// Groups and PerGroup describe a part of Values that belongs to groups, as
	// the convolution of Mamba 2 does: where the tensor-parallel size does not
	// divide Groups, there are as many groups as ranks, of PerGroup values each.
	Groups, PerGroup int
	// Once marks a state that exists once, whatever the number of state copies:
	// DeepSeek V4's compressor.
	Once bool
}

// Shard says how tensor parallelism divides a stream or a state.
type Shard int

const (
	ByHead     Shard = iota // heads are divided, and copied once ranks outnumber them
	ByChannel               // values are divided
	Replicated              // every rank keeps all of it
)
