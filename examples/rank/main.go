// Command rank ranks inference engines, platform by platform, from "who was
// faster on this machine with this model", beside the published figures.
//
//	go run ./examples/rank
//	go run ./examples/rank -setup "Batched decode" -tie 0.02
//	go run ./examples/rank -by model
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
engine of average strength, and engines of one tier are not told apart by their
95% intervals. Speed says by how much: the ratio to the geometric mean of the
platform's engines. A platform whose data cannot rank its engines is reported as
such, with the reason and with what all platforms together say of them.

Comparisons on one machine, or with one model, are not independent: -by machine
and -by model take them as clusters, and the intervals grow to what the number
of machines or models supports. The lines below a ranking say what it owes to a
single machine or model.

Without -input it runs on the figures of a published page and shows the page's
own strengths (Published) and comparisons (Pairs) beside the fitted ones. A file
for -input is tab-separated, with a header that names at least platform, machine,
model, setup, engine and tok_per_s.

Exit status: 0, or 2 for bad input.`

func main() { cli.Main("rank", run) }

func run(args []string, stdout io.Writer) error {
	fs := flag.NewFlagSet("rank", flag.ContinueOnError)
	setup := fs.String("setup", "Single decode", "rank by the rows of this `setup`")
	tie := fs.Float64("tie", 0, "count two figures as a tie when they differ by no more than this `share` of the larger")
	by := fs.String("by", "", "take the comparisons of one `label` as a cluster: machine or model")
	input := fs.String("input", "", "a tab-separated `file` of your own figures")
	asJSON := fs.Bool("json", false, "print JSON")
	if err := cli.Parse(fs, args, stdout, help, false); err != nil {
		return err
	}
	src, err := load(*input)
	if err != nil {
		return err
	}
	rep, err := newReport(src, *setup, *tie, *by)
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
