// Command regress says whether a new build serves slower than the old one.
//
//	go run ./examples/regress
//	go run ./examples/regress -base results/old -new results/new
//	go run ./examples/regress -base old.json -new new.json -format markdown
package main

import (
	"embed"
	"errors"
	"flag"
	"fmt"
	"io"

	"example.com/servemath/internal/cli"
	"example.com/servemath/throughput/gate"
)

const help = `
regress compares the benchmark runs of a new build with those of an old one, line
by line (a metric of a model on a machine under a load), and fails where a loss is
established over the whole suite and exceeds -max-loss. Files and folders may hold
the results of any tool that the library reads; each run is one repetition.

Without -base and -new it runs on embedded runs, of which one model became slower.

Exit status: 0 pass, 1 a line failed, 3 inconclusive (something could not be
judged, or a file could not be read), 2 bad input.`

// The fixtures are made for this program, in the form that vllm bench serve writes:
// drawn with a coefficient of variation of 1%, one model 8% slower in the new ones.
//
//go:embed fixtures/base.json fixtures/new.json
var fixtures embed.FS

func main() { cli.Main("regress", run) }

func run(args []string, stdout io.Writer) error {
	fs := flag.NewFlagSet("regress", flag.ContinueOnError)
	base := fs.String("base", "", "`file or folder` of the old build's runs")
	next := fs.String("new", "", "`file or folder` of the new build's runs")
	var p gate.Policy
	fs.Float64Var(&p.MaxLoss, "max-loss", 0.03, "relative `loss` that may pass however sure it is")
	fs.Float64Var(&p.Alpha, "alpha", 0.05, "`chance` of any false failure in the whole suite")
	fs.IntVar(&p.MinRuns, "min-runs", 3, "runs a side that a line needs")
	strict := fs.Bool("strict", false, "a line with neither a loss nor the absence of one established is no pass")
	format := fs.String("format", "text", "`text, markdown, benchfmt or json`; benchfmt is for benchstat -col side")
	asJSON := fs.Bool("json", false, "the same as -format json")
	if err := cli.Parse(fs, args, stdout, help, false); err != nil {
		return err
	}
	if *asJSON {
		*format = "json"
	}
	if err := cli.OneOf("format", *format, formatNames()); err != nil {
		return err
	}
	// The library takes a zero for its default; a user who types one does not.
	for _, f := range []struct {
		name string
		zero bool
	}{{"max-loss", p.MaxLoss == 0}, {"alpha", p.Alpha == 0}, {"min-runs", p.MinRuns == 0}} {
		if f.zero {
			return fmt.Errorf("-%s: want more than 0", f.name)
		}
	}
	if (*base == "") != (*next == "") {
		return errors.New("-base and -new go together (-h shows the flags)")
	}
	if *strict {
		p.Inconclusive = gate.Hold
	}
	return compare(stdout, *base, *next, p, *format)
}

// compare judges and prints; its error carries the exit status.
func compare(w io.Writer, base, next string, p gate.Policy, format string) error {
	old, err := load(base, "base.json")
	if err != nil {
		return err
	}
	latest, err := load(next, "new.json")
	if err != nil {
		return err
	}
	report, err := gate.Check(old.runs, latest.runs, p)
	if err != nil {
		return err
	}
	broken := append(old.broken, latest.broken...)
	for _, err := range broken {
		report.Warnings = append(report.Warnings, fmt.Errorf("not read: %w", err))
	}
	if len(broken) > 0 && report.Outcome == gate.Pass {
		report.Outcome = gate.Inconclusive // what could not be read may be what was lost
	}
	if err := formats[format](report, w); err != nil {
		return err
	}
	if code := report.ExitCode(); code != cli.OK {
		return cli.Status(code)
	}
	return nil
}

// formats write a report.
var formats = map[string]func(*gate.Report, io.Writer) error{
	"text":     (*gate.Report).WriteText,
	"markdown": (*gate.Report).WriteMarkdown,
	"benchfmt": (*gate.Report).WriteBenchmark,
	"json":     func(r *gate.Report, w io.Writer) error { return cli.WriteJSON(w, r) },
}

func formatNames() []string { return []string{"text", "markdown", "benchfmt", "json"} }
