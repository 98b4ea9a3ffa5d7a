// Command audit checks benchmark results against themselves: do the figures of a
// file fit together?
//
//	go run ./examples/audit
//	go run ./examples/audit result.json more/
package main

import (
	"embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"example.com/servemath/internal/cli"
	"example.com/servemath/internal/texttable"
	"example.com/servemath/throughput"
	"example.com/servemath/throughput/results"
)

const help = `
audit FILE... reads result files, and folders of them, of any tool that the library
knows, and checks each run by identities: rates against counts over time, times per
token against request times, Little's law, percentiles in order, tokens asked and
served. Contradictions mean that one of the figures is wrong; notes, that a figure
is to be read with care.

Without arguments it runs on two embedded files, of which one reports a time per
output token half its size.

Exit status: 0 without contradictions, 1 with one or more, 2 for bad input, 3 where
a file of a folder could not be read and the others hold no contradiction.`

// The fixtures are made for this program: a sweep in the form that vllm bench serve
// writes, and a stage in that of inference-perf.
//
//go:embed fixtures
var fixtures embed.FS

func main() { cli.Main("audit", run) }

func run(args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("audit", flag.ContinueOnError)
	asJSON := flags.Bool("json", false, "print JSON")
	if err := cli.Parse(flags, args, stdout, help, true); err != nil {
		return err
	}
	a, err := load(flags.Args())
	if err != nil {
		return err
	}
	a.findings = append(throughput.AuditAll(a.runs), a.warnings()...)
	if *asJSON {
		err = cli.WriteJSON(stdout, a.json())
	} else {
		err = a.write(stdout)
	}
	if err != nil {
		return err
	}
	return a.status()
}

// audit is what was read and found.
type audit struct {
	runs     []throughput.Run
	findings []throughput.Finding
	broken   []error // files of a folder that should have been readable
	skipped  int     // files of no known format
}

// load reads all paths; none are the embedded files.
func load(paths []string) (*audit, error) {
	a := &audit{}
	if len(paths) == 0 {
		sub, err := fs.Sub(fixtures, "fixtures")
		if err != nil {
			return nil, err
		}
		a.folder("", sub)
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return nil, err
		case info.IsDir():
			a.folder(path, os.DirFS(path))
			continue
		}
		if err := a.file(path); err != nil {
			return nil, err
		}
	}
	if len(a.runs) == 0 {
		return nil, errors.Join(append([]error{errors.New("there is no run to audit")}, a.broken...)...)
	}
	return a, nil
}

func (a *audit) file(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	runs, err := results.Decode(f, path)
	a.runs = append(a.runs, runs...)
	return err
}

// folder reads what it can; what it cannot read is reported beside the findings.
// Files are named by their whole path, since folders may hold files of one name.
func (a *audit) folder(path string, fsys fs.FS) {
	runs, errs := results.DecodeFS(fsys)
	for _, r := range runs {
		r.Source = filepath.Join(path, r.Source)
		a.runs = append(a.runs, r)
	}
	for _, err := range errs {
		if e, ok := errors.AsType[*results.DecodeError](err); ok {
			e.File = filepath.Join(path, e.File)
		}
		if errors.Is(err, results.ErrUnknownFormat) {
			a.skipped++
		} else {
			a.broken = append(a.broken, err)
		}
	}
}

// warnings are what the readers found worth a word, such as a result that its tool
// calls invalid.
func (a *audit) warnings() []throughput.Finding {
	var out []throughput.Finding
	for _, r := range a.runs {
		for _, w := range r.Warnings {
			out = append(out, throughput.Finding{Kind: "reader", Source: r.Source, Reported: math.NaN(), Derived: math.NaN(), Text: w.Error()})
		}
	}
	return out
}

func (a *audit) contradictions() int {
	n := 0
	for _, f := range a.findings {
		if f.Severe {
			n++
		}
	}
	return n
}

func (a *audit) status() error {
	switch {
	case a.contradictions() > 0:
		return cli.Status(cli.Fail)
	case len(a.broken) > 0:
		return cli.Status(cli.Inconclusive)
	}
	return nil
}

// write prints a table of findings and a line that sums up.
func (a *audit) write(w io.Writer) error {
	t := texttable.New(texttable.Column{Title: "source"}, texttable.Column{Title: "finding"}, texttable.Column{Title: "what"})
	for _, f := range a.findings {
		level := "note"
		if f.Severe {
			level = "CONTRADICTION"
		}
		t.Row(f.Source, level, f.Text)
	}
	if len(a.findings) > 0 {
		if err := t.Write(w, ""); err != nil {
			return err
		}
	}
	for _, err := range a.broken {
		fmt.Fprintf(w, "not read: %v\n", err)
	}
	if a.skipped > 0 {
		fmt.Fprintf(w, "%d files of no known format were passed over\n", a.skipped)
	}
	n := a.contradictions()
	_, err := fmt.Fprintf(w, "%d runs audited: %d contradictions, %d notes\n", len(a.runs), n, len(a.findings)-n)
	return err
}

// json is what -json prints.
func (a *audit) json() any {
	broken := []string{}
	for _, err := range a.broken {
		broken = append(broken, err.Error())
	}
	findings := a.findings
	if findings == nil {
		findings = []throughput.Finding{}
	}
	return map[string]any{"runs": len(a.runs), "contradictions": a.contradictions(), "findings": findings, "not_read": broken, "passed_over": a.skipped}
}
