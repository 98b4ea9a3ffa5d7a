// Command klcheck compares the next-token distributions of two engines and judges
// whether the second matches the first.
//
//	go run ./examples/klcheck
//	go run ./examples/klcheck -ref reference.kld -got engine.npy -tolerance 0.05
package main

import (
	"flag"
	"fmt"
	"io"
	"math"
	"os"

	"example.com/servemath/correctness"
	"example.com/servemath/internal/cli"
)

const help = `
klcheck compares the next-token distributions of two engines, position by
position, and judges whether the second matches the first: KL(ref||got) in nats,
its interval over prompts, percentiles, top-1 agreement, perplexities.

-ref and -got take any two files of a llama.cpp base file, .npy, .npz,
safetensors, raw float32 (with -row) and JSON responses of OpenAI-compatible
servers, vLLM, SGLang, llama-server and MaxText. Without them klcheck runs on an
embedded pair made with llama.cpp. Where the reference is a llama.cpp base file and
the engine's file holds logits, the figures that llama-perplexity prints of them
stand beside those computed here.

Exit status: 0 pass, 1 fail, 3 inconclusive, 2 bad input.`

func main() { cli.Main("klcheck", run) }

// settings are the flags.
type settings struct {
	ref, got  string
	criterion correctness.Criterion
	compare   correctness.Options
	summary   correctness.SummaryOptions
	files     fileFlags
	worst     int
	json      bool
}

func run(args []string, stdout io.Writer) error {
	if err := klcheck(args, stdout); err != nil {
		return flagError{err}
	}
	return nil
}

// klcheck is run, with errors as the library words them.
func klcheck(args []string, stdout io.Writer) error {
	s, err := parse(args, stdout)
	if err != nil {
		return err
	}
	in, err := open(s)
	if err != nil {
		return err
	}
	defer in.close()
	rep, err := compare(in, s)
	if err != nil {
		return err
	}
	if s.json {
		err = cli.WriteJSON(stdout, rep)
	} else {
		err = rep.writeText(stdout)
	}
	if err != nil {
		return err
	}
	switch rep.Verdict.Outcome {
	case correctness.Pass:
		return nil
	case correctness.Fail:
		return cli.Status(cli.Fail)
	}
	return cli.Status(cli.Inconclusive)
}

func parse(args []string, stdout io.Writer) (*settings, error) {
	s := &settings{}
	fs := flag.NewFlagSet("klcheck", flag.ContinueOnError)
	fs.StringVar(&s.ref, "ref", "", "the reference's `file`")
	fs.StringVar(&s.got, "got", "", "the engine's `file`")
	fs.Float64Var(&s.criterion.MaxMeanKL, "tolerance", 0.05, "largest mean KL to pass, in `nats`; 0 does not judge it")
	fs.Float64Var(&s.criterion.MinTopAgreement, "agreement", 0, "least `share` of equal most likely tokens to pass; 0 does not judge it")
	fs.Float64Var(&s.criterion.MaxP99, "p99", 0, "largest 99th percentile of KL to pass, in `nats`; 0 does not judge it")
	fs.IntVar(&s.criterion.MinPrompts, "min-prompts", 10, "fewer `prompts` are inconclusive")
	fs.Float64Var(&s.criterion.NoiseFloor, "noise-floor", 0, "mean KL of the reference with itself run again, in `nats`")
	fs.Float64Var(&s.criterion.StorageFloor, "storage-floor", 0, "mean KL that storing the logits costs, in `nats`")
	fs.Float64Var(&s.summary.Level, "level", 0.90, "confidence `level` of two-sided intervals")
	fs.Uint64Var(&s.summary.Seed, "seed", 0, "`seed` of the bootstrap")
	fs.IntVar(&s.compare.VocabSize, "vocab", 0, "the tokenizer's `number` of tokens: rows padded beyond it are cut")
	fs.Float64Var(&s.compare.TopK.Floor, "floor", 0, "a `probability` that the engine gives any token at least, for top-k lists")
	zero := fs.String("zero", "inf", "a token that the engine rules out makes the position `inf`, or exclude, or error")
	fs.IntVar(&s.worst, "worst", 5, "how many of the worst `positions` to show, up to 32")
	fs.BoolVar(&s.json, "json", false, "print JSON")
	s.files.register(fs)
	if err := cli.Parse(fs, args, stdout, help, false); err != nil {
		return nil, err
	}
	if (s.ref == "") != (s.got == "") {
		return nil, fmt.Errorf("-ref and -got go together")
	}
	if err := s.checkNumbers(); err != nil {
		return nil, err
	}
	kinds := map[string]correctness.ZeroKind{"inf": correctness.ZeroInf, "exclude": correctness.ZeroExclude, "error": correctness.ZeroError}
	if err := cli.OneOf("zero", *zero, []string{"inf", "exclude", "error"}); err != nil {
		return nil, err
	}
	s.compare.ZeroQ.Kind = kinds[*zero]
	return s, s.files.check()
}

// checkNumbers refuses what would only come out as an inconclusive verdict, after
// the whole comparison.
func (s *settings) checkNumbers() error {
	c := &s.criterion
	for _, f := range []struct {
		name    string
		x, most float64
	}{
		{"tolerance", c.MaxMeanKL, math.MaxFloat64}, {"agreement", c.MinTopAgreement, 1}, {"p99", c.MaxP99, math.MaxFloat64},
		{"noise-floor", c.NoiseFloor, math.MaxFloat64}, {"storage-floor", c.StorageFloor, math.MaxFloat64},
		{"floor", s.compare.TopK.Floor, 1},
	} {
		switch {
		case !(f.x >= 0) || math.IsInf(f.x, 1):
			return fmt.Errorf("-%s %g: not 0 or more", f.name, f.x)
		case f.x > f.most:
			return fmt.Errorf("-%s %g: over %g", f.name, f.x, f.most)
		}
	}
	for _, f := range []struct {
		name     string
		n, least int
	}{
		{"min-prompts", c.MinPrompts, 1}, {"worst", s.worst, 0}, {"vocab", s.compare.VocabSize, 0},
		{"row", s.files.VocabSize, 0}, {"rows-per-prompt", s.files.RowsPerPrompt, 0},
	} {
		if f.n < f.least {
			return fmt.Errorf("-%s %d: less than %d", f.name, f.n, f.least)
		}
	}
	return nil
}

// compare runs both sides through and sums up.
func compare(in *inputs, s *settings) (*report, error) {
	ref, got := in.sources(newProgress(in.rows(), os.Stderr))
	a, err := correctness.CompareSources(ref, got, &s.compare)
	if err != nil {
		return nil, err
	}
	sum, err := a.Summary(&s.summary)
	if err != nil {
		return nil, err
	}
	rep := &report{Ref: in.refName, Got: in.gotName, Summary: sum, worst: s.worst, Readers: in.warnings()}
	rep.Verdict = sum.Judge(s.criterion)
	if in.tool != nil && in.tool.count > 0 {
		rep.LlamaCpp, err = in.tool.table(a, &rep.Summary)
	}
	return rep, err
}
