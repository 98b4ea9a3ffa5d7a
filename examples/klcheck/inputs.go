package main

import (
	"bytes"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"example.com/servemath/correctness"
	"example.com/servemath/correctness/logits"
	"example.com/servemath/internal/cli"
)

// The embedded pair; testdata/README.md says where it is from.
var (
	//go:embed testdata/mild_A.kld
	embeddedBase []byte
	//go:embed testdata/mild_B.f32
	embeddedLogits []byte
)

// fileFlags say what files do not.
type fileFlags struct {
	logits.Options
	kind, sentinels, gaps string
}

func (f *fileFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.kind, "kind", "logits", "what the numbers of an array are: `logits`, logprobs or probs")
	fs.IntVar(&f.VocabSize, "row", 0, "the `length` of a row of raw float32")
	fs.IntVar(&f.RowsPerPrompt, "rows-per-prompt", 0, "cut an array into prompts of this `number` of rows")
	fs.StringVar(&f.Name, "name", "", "which `array` of an .npz or safetensors file, of both files")
	fs.BoolVar(&f.BFloat16, "bfloat16", false, "16-bit words of an .npy are bfloat16")
	fs.BoolVar(&f.ChosenAlone, "chosen-alone", false, "take responses that tell the chosen token and no list: lower bounds only")
	fs.BoolVar(&f.PostSampling, "post-sampling", false, "take probabilities after temperature and samplers, which are not the model's")
	fs.StringVar(&f.sentinels, "sentinels", "refuse", "what null, -Infinity and -9999 mean in place of a log-probability: `refuse`, unknown or masked")
	fs.StringVar(&f.gaps, "gaps", "refuse", "positions that a response counts and does not list: `refuse` or skip")
}

// flagError is an error that names flags where the library names its options.
type flagError struct{ error }

var flagNames = strings.NewReplacer("Options.VocabSize", "-row", "Options.Name", "-name", "Options.BFloat16", "-bfloat16",
	"Options.Sentinels", "-sentinels", "Options.ChosenAlone", "-chosen-alone", "Options.PostSampling", "-post-sampling")

func (e flagError) Error() string { return flagNames.Replace(e.error.Error()) }

func (e flagError) Unwrap() error { return e.error }

// check turns the names into the options' values.
func (f *fileFlags) check() error {
	kinds, sentinels, gaps := []string{"logits", "logprobs", "probs"}, []string{"refuse", "unknown", "masked"}, []string{"refuse", "skip"}
	for _, c := range []struct {
		name, value string
		choices     []string
		set         func(i int)
	}{
		{"kind", f.kind, kinds, func(i int) { f.Kind = correctness.Kind(i) }},
		{"sentinels", f.sentinels, sentinels, func(i int) { f.Sentinels = logits.SentinelPolicy(i) }},
		{"gaps", f.gaps, gaps, func(i int) { f.Gaps = logits.GapPolicy(i) }},
	} {
		if err := cli.OneOf(c.name, c.value, c.choices); err != nil {
			return err
		}
		for i, choice := range c.choices {
			if choice == c.value {
				c.set(i)
			}
		}
	}
	return nil
}

// inputs are the two sides, opened.
type inputs struct {
	ref, got         logits.Reader
	refName, gotName string
	tool             *tool // when llama-perplexity would compare these two
}

func open(s *settings) (*inputs, error) {
	in := &inputs{refName: s.ref, gotName: s.got}
	var err error
	if s.ref == "" {
		in.refName, in.gotName = "embedded mild_A.kld", "embedded mild_B.f32"
		in.ref, in.got, err = openEmbedded()
	} else {
		in.ref, in.got, err = logits.OpenPair(s.ref, s.got, &s.files.Options)
	}
	if err != nil {
		return nil, err
	}
	if _, ok := in.ref.(*logits.Base); ok {
		in.tool = &tool{}
	}
	return in, nil
}

func openEmbedded() (ref, got logits.Reader, err error) {
	base, err := logits.LlamaCppBase(bytes.NewReader(embeddedBase), int64(len(embeddedBase)), nil)
	if err != nil {
		return nil, nil, err
	}
	h, err := base.Header()
	if err != nil {
		return nil, nil, err
	}
	o := &logits.Options{VocabSize: h.Vocab, RowsPerPrompt: h.Context - 1 - h.Context/2}
	got, err = logits.RawFloat32(bytes.NewReader(embeddedLogits), int64(len(embeddedLogits)), o)
	return base, got, err
}

func (in *inputs) close() error { return errors.Join(in.ref.Close(), in.got.Close()) }

func (in *inputs) warnings() []error {
	return append(append([]error(nil), in.ref.Warnings()...), in.got.Warnings()...)
}

// rows is how many rows there are, 0 where that is not known beforehand.
func (in *inputs) rows() int64 {
	for _, r := range []logits.Reader{in.got, in.ref} {
		if n, ok := r.(interface{ Rows() int64 }); ok {
			return n.Rows()
		}
	}
	return 0
}

// sources lets the progress, and the tool's statistics where it would compare
// these two, follow the rows.
func (in *inputs) sources(p *progress) (ref, got correctness.Source) {
	r, g := &tap{in.ref, func(*correctness.Row) {}}, &tap{in.got, func(*correctness.Row) { p.step() }}
	if in.tool != nil {
		r.see = func(row *correctness.Row) { in.tool.ref = row }
		g.see = func(row *correctness.Row) { p.step(); in.tool.observe(row) }
	}
	return r, g
}

// tap shows every row that passes; in all else it is the reader.
type tap struct {
	logits.Reader
	see func(*correctness.Row)
}

func (t *tap) Next(row *correctness.Row) error {
	err := t.Reader.Next(row)
	if err == nil {
		t.see(row)
	}
	return err
}

// PerplexityError passes on what the comparison asks of a base file.
func (t *tap) PerplexityError() error {
	if r, ok := t.Reader.(interface{ PerplexityError() error }); ok {
		return r.PerplexityError()
	}
	return nil
}

// progress reports long work on standard error, every two seconds.
type progress struct {
	rows, done  int64
	start, last time.Time
	out         io.Writer
}

func newProgress(rows int64, out io.Writer) *progress {
	now := time.Now()
	return &progress{rows: rows, start: now, last: now, out: out}
}

func (p *progress) step() {
	p.done++
	if now := time.Now(); now.Sub(p.last) >= 2*time.Second {
		p.last = now
		p.report(now.Sub(p.start))
	}
}

func (p *progress) report(spent time.Duration) {
	if p.rows > 0 {
		left := time.Duration(float64(spent) * float64(p.rows-p.done) / float64(max(1, p.done)))
		fmt.Fprintf(p.out, "klcheck: %d of %d rows, %.0f s, about %.0f s to go\n", p.done, p.rows, spent.Seconds(), left.Seconds())
		return
	}
	fmt.Fprintf(p.out, "klcheck: %d rows, %.0f s\n", p.done, spent.Seconds())
}
