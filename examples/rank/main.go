// Command rank ranks inference engines, platform by platform, from "who was
// faster on this machine with this model", beside the published figures.
//
//	go run ./examples/rank
//	go run ./examples/rank -setup "Batched decode" -tie 0.02
//	go run ./examples/rank -input mine.tsv -json
package main

import (
	"flag"
	"io"

	"example.com/servemath/internal/cli"
	"example.com/servemath/testdata"
)

const help = `
rank ranks engines, platform by platform, by a Bradley-Terry fit to "who was
faster on this machine with this model". Strength is the chance to beat an
engine of average strength; the interval is 95%. A platform whose data cannot
rank its engines is reported as such, with the reason.

Without -input it runs on the figures of a published page and shows the page's
own strengths beside the fitted ones. A file for -input is tab-separated, with a
header that names at least platform, machine, model, setup, engine and tok_per_s.

Exit status: 0, or 2 for bad input.`

func main() { cli.Main("rank", run) }

func run(args []string, stdout io.Writer) error {
	fs := flag.NewFlagSet("rank", flag.ContinueOnError)
	setup := fs.String("setup", "Single decode", "rank by the rows of this `setup`")
	tie := fs.Float64("tie", 0, "count two figures as a tie when they differ by no more than this `share` of the larger")
	input := fs.String("input", "", "a tab-separated `file` of your own figures")
	asJSON := fs.Bool("json", false, "print JSON")
	if err := cli.Parse(fs, args, stdout, help, false); err != nil {
		return err
	}
	src, err := load(*input)
	if err != nil {
		return err
	}
	rep, err := newReport(src, *setup, *tie)
	if err != nil {
		return err
	}
	if *asJSON {
		return cli.WriteJSON(stdout, rep)
	}
	return rep.writeText(stdout)
}

// load reads the user's file, or the published page.
func load(path string) (*source, error) {
	r, name, err := cli.Open(path, testdata.Measurements, "measurements.tsv")
	if err != nil {
		return nil, err
	}
	defer r.Close()
	src, err := readFigures(r, name)
	if err != nil || path != "" {
		return src, err
	}
	src.published, err = readPublished()
	return src, err
}
