package hfconfig

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"example.com/servemath/internal/jsontree"
	"example.com/servemath/kvcache"
)

// DefaultMaxBytes bounds the input where [Options].MaxBytes is 0. The largest
// published config, which lists the quantisation of every expert, has 3.1 MB.
const DefaultMaxBytes = 16_000_000

// Options change how a config is read. The zero value, like nil, sizes what a
// session of text keeps, with the class defaults applied.
type Options struct {
	NoDefaults    bool  // a default that would be applied is a [MissingFieldError]
	MTP           bool  // count the layers of multi-token prediction modules
	Images        int   // images of a session, for models that attend to them across
	EncoderTokens int   // tokens of the encoder, for cross attention; 0: as many as the config allows
	MaxBytes      int64 // of the input; 0: [DefaultMaxBytes]
}

// Read reads the config.json of a checkpoint as published for the transformers
// library. It refuses, with one of the typed errors of this package, whatever it
// would have to guess.
func Read(r io.Reader) (*kvcache.Model, error) { return ReadWith(r, nil) }

// ReadWith is [Read] with options.
func ReadWith(r io.Reader, o *Options) (*kvcache.Model, error) {
	var opts Options
	if o != nil {
		opts = *o
	}
	if err := opts.check(); err != nil {
		return nil, err
	}
	root, err := parse(r, opts.MaxBytes)
	if err != nil {
		return nil, err
	}
	c, err := unwrap(root)
	if err != nil {
		return nil, err
	}
	c.opts = opts
	return c.model()
}

func (o *Options) check() error {
	for _, f := range []struct {
		key         string
		value, most int64
	}{{"Images", int64(o.Images), maxTokens}, {"EncoderTokens", int64(o.EncoderTokens), maxTokens}, {"MaxBytes", o.MaxBytes, math.MaxInt64}} {
		if f.value < 0 || f.value > f.most {
			return &InconsistentError{Key: f.key, Path: "Options." + f.key, Reason: fmt.Sprintf("%d is out of range", f.value)}
		}
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	o.MaxBytes = min(o.MaxBytes, math.MaxInt64-1) // parse asks for one more
	return nil
}

// parse parses an input of limited length, whose memory it bounds too.
func parse(r io.Reader, limit int64) (*jsontree.Node, error) {
	text, err := read(r, limit)
	if err != nil {
		return nil, err
	}
	if most := countValues(text); most > maxValues {
		return nil, &SyntaxError{Reason: fmt.Sprintf("up to %d values, more than %d", most, maxValues), Err: jsontree.ErrTooLarge}
	}
	root, err := jsontree.ParseString(text)
	if err != nil {
		e := &SyntaxError{Reason: err.Error(), Err: err}
		if se, ok := errors.AsType[*jsontree.SyntaxError](err); ok {
			e.Offset, e.Reason = se.Offset, se.Reason
		}
		return nil, e
	}
	if root.Kind != jsontree.Object {
		return nil, &SyntaxError{Offset: root.Offset, Reason: root.Kind.String() + " where an object belongs"}
	}
	return root, nil
}

// read reads one byte more than allowed, never all of a larger input.
func read(r io.Reader, limit int64) (string, error) {
	var text strings.Builder
	if sized, ok := r.(interface{ Len() int }); ok {
		text.Grow(int(min(int64(sized.Len()), limit+1)))
	}
	const chunk = 4 << 10 // io.Copy's own buffer would cost more than most configs
	if _, err := io.CopyBuffer(&text, io.LimitReader(r, limit+1), make([]byte, chunk)); err != nil {
		return "", fmt.Errorf("hfconfig: reading: %w", err)
	}
	if int64(text.Len()) > limit {
		return "", &SyntaxError{Offset: limit, Reason: fmt.Sprintf("more than %d bytes", limit), Err: jsontree.ErrTooLarge}
	}
	return text.String(), nil
}

// maxValues bounds the memory of a parsed config, some 100 bytes a value.
const maxValues = 1 << 20

// countValues is at least the number of values in a text that is long enough for
// too many: each value follows a bracket, a brace or a comma, or is the first.
func countValues(text string) int {
	if len(text) < maxValues {
		return 0
	}
	return 1 + strings.Count(text, ",") + strings.Count(text, "[") + strings.Count(text, "{")
}
