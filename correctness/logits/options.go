package logits

import (
	"example.com/servemath/correctness"
)

// Options say what a file does not. Nil and the zero value are the defaults;
// each format reads only the fields that it lacks.
type Options struct {
	// Kind is what the values of an array are: .npy, .npz, safetensors and raw
	// float32 do not say.
	Kind correctness.Kind
	// Name picks one array of an .npz or safetensors file. Empty: the one called
	// "logits", else the only one there is.
	Name string
	// VocabSize is the row length of raw float32, which must be given, and the
	// vocabulary of top-k lists; elsewhere it is held against the file. 0 is
	// unknown.
	VocabSize int
	// HeaderBytes are skipped at the start of raw float32.
	HeaderBytes int64
	// RowsPerPrompt cuts a two-dimensional array or raw float32 into prompts of
	// that many rows. 0: one prompt, whose positions then count as one cluster.
	RowsPerPrompt int
	// BFloat16 reads the 16-bit words of an .npy or .npz file ('|V2', '<u2') as
	// bfloat16, for which numpy has no type. Otherwise they are refused.
	BFloat16 bool
	// Sentinels says what a stand-in for a log-probability means.
	Sentinels SentinelPolicy
	// Gaps says what to do with tokens that a response counts but does not list.
	Gaps GapPolicy
	// ChosenAlone accepts positions of which the response tells the chosen token
	// and no list. They give lower bounds of a divergence, and perplexities.
	// Otherwise they are refused, and only [Sampled] reads them.
	ChosenAlone bool
	// PostSampling accepts probabilities taken after temperature and top-k, which
	// are those of the sampler, not of the model. Otherwise they are refused.
	PostSampling bool
	// Tokens gives ids to tokens by their bytes. Set on both sides it makes
	// responses of different servers comparable; made of a vocabulary by
	// [correctness.NewTokenTable] it gives the model's ids, and responses compare
	// with arrays. Nil: the ids in the file, or where it has none a table of this
	// reader alone.
	Tokens *correctness.TokenTable
	// MaxBytes bounds one JSON response; 0 is 256 MiB.
	MaxBytes int
}

// SentinelPolicy says what null, NaN, -Infinity, -1e16 and anything below it, and
// exactly -9999, -1000 or -100 mean where a log-probability belongs.
// Servers write them for a token that was masked, and for one whose value they
// did not have; the file does not say which.
type SentinelPolicy int

const (
	// SentinelRefuse makes a sentinel an error that names it.
	SentinelRefuse SentinelPolicy = iota
	// SentinelUnknown leaves the token out of its list.
	SentinelUnknown
	// SentinelMasked gives the token probability 0. NaN stays an error.
	SentinelMasked
)

// GapPolicy says what becomes of a response that lists fewer positions than it
// counts tokens, or of a position without a whole list.
type GapPolicy int

const (
	// GapRefuse makes a gap an error: a shifted list compares the wrong
	// positions.
	GapRefuse GapPolicy = iota
	// GapSkip leaves out the positions without a list and warns.
	GapSkip
)

// orDefault returns the options with nil resolved.
func (o *Options) orDefault() Options {
	if o == nil {
		return Options{}
	}
	return *o
}

// check refuses options that mean nothing.
func (o *Options) check(h *handle) error {
	switch {
	case o.VocabSize < 0 || o.RowsPerPrompt < 0 || o.HeaderBytes < 0 || o.MaxBytes < 0:
		return h.errorf(correctness.ErrFormat, at(-1), "negative sizes in Options: %+v", *o)
	case o.Kind < correctness.Logits || o.Kind > correctness.Probs:
		return h.errorf(correctness.ErrFormat, at(-1), "unknown Options.Kind %d", o.Kind)
	case o.Sentinels < SentinelRefuse || o.Sentinels > SentinelMasked:
		return h.errorf(correctness.ErrFormat, at(-1), "unknown Options.Sentinels %d", o.Sentinels)
	case o.Gaps < GapRefuse || o.Gaps > GapSkip:
		return h.errorf(correctness.ErrFormat, at(-1), "unknown Options.Gaps %d", o.Gaps)
	}
	return nil
}
