// Command charts draws the answers of the library as pictures. It is a module
// of its own, so that the library does not depend on a plotting package.
//
//	cd examples/charts && go run . -out DIR
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"example.com/servemath/internal/cli"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

const help = `
charts draws, from the embedded published figures:

  ranking.png   engines ranked platform by platform, with 95% intervals, and the
                published strengths
  ratios.png    engines against the fastest, paired over machines and models, with
                95% intervals over machines

Exit status: 0, or 2 for bad input.`

func main() { cli.Main("charts", run) }

// charts are the pictures by file name.
var charts = []struct {
	name string
	draw func() (*plot.Plot, error)
}{
	{"ranking.png", ranking},
	{"ratios.png", ratios},
}

func run(args []string, stdout io.Writer) error {
	fs := flag.NewFlagSet("charts", flag.ContinueOnError)
	out := fs.String("out", ".", "`folder` to write to; it is made if needed")
	if err := cli.Parse(fs, args, stdout, help, false); err != nil {
		return err
	}
	if err := os.MkdirAll(*out, 0o777); err != nil {
		return err
	}
	for _, c := range charts {
		p, err := c.draw()
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		path := filepath.Join(*out, c.name)
		if err := p.Save(22*vg.Centimeter, 15*vg.Centimeter, path); err != nil {
			return err
		}
		fmt.Fprintln(stdout, path)
	}
	return nil
}
