package kvcache

// Model is the cache layout of one model as data: what its layers store, not
// how. A new architecture is a new list of groups, never a new branch in the
// arithmetic.
type Model struct {
	Name          string
	ContextWindow int    // tokens; 0 is unknown
	DType         Format // the checkpoint's own element format
	Groups        []Group
	Defaults      []string // every default applied on reading, as "key=value: why"
	Omitted       []string // what is knowingly not counted
}

// Group is a number of identical layers.
type Group struct {
	Name    string
	Key     string // the config key that gave the group
	Layers  int
	At      []int // layer indices, for pipeline stages; nil: spread evenly
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

// Stream is one vector per head, layer and kept token: a key, a value, a latent
// or an index.
type Stream struct {
	Name   string
	Heads  int
	Dim    int    // values per head
	Format Format // zero: the cache's
	Shard  Shard
}

// State is a tensor per layer whose size does not depend on the tokens.
type State struct {
	Name   string
	Values int64  // per layer, before sharding
	Format Format // zero: the model's element format
	Shard  Shard
	Heads  int // for ByHead: how many parts tensor parallelism can make
	// Groups and PerGroup describe a part of Values that belongs to groups, as
	// the convolution of Mamba 2 does: where the tensor-parallel size does not
	// divide Groups, there are as many groups as ranks, of PerGroup values each.
	Groups, PerGroup int
}

// Shard says how tensor parallelism divides a stream or a state.
type Shard int

const (
	ByHead     Shard = iota // heads are divided, and copied once ranks outnumber them
	ByChannel               // values are divided
	Replicated              // every rank keeps all of it
)
