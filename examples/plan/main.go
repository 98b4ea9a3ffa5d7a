// Command plan shows how many people each published configuration serves, which
// limit said so, and the arithmetic behind it.
//
//	go run ./examples/plan
//	go run ./examples/plan -users 20 -for agentic
//	go run ./examples/plan -explain minimax-m3_b300_mxfp8_vllm
//	go run ./examples/plan -input rows.json -models models.json -json
package main

import (
	"flag"
	"fmt"
	"io"

	"example.com/servemath/internal/cli"
	"example.com/servemath/testdata"
)

const help = `
plan shows, for each row (a model on a machine with an engine), how many people
it serves: min(speed, memory), for chat and for agentic use, with the limit that
set each figure and the published figure beside it.

Without -input it runs on the published rows of the benchmark explorer. A file
for -input is a JSON list of rows in the same form; each names a model_key of the
embedded models or of -models. A row of your own may carry max_c (the highest
measured number of requests at once that meets your targets) and max_c_at_least;
without max_c only its memory capacity is known.

Exit status: 0, or 2 for bad input.`

func main() { cli.Main("plan", run) }

func run(args []string, stdout io.Writer) error {
	fs := flag.NewFlagSet("plan", flag.ContinueOnError)
	input := fs.String("input", "", "a JSON `file` of your own rows")
	modelsPath := fs.String("models", "", "a JSON `file` of models, beside the embedded ones")
	users := fs.Int("users", 0, "list the rows that serve this `number` of people")
	use := fs.String("for", "chat", "what -users counts: `chat or agentic`")
	explain := fs.String("explain", "", "print the arithmetic of one `row`, by id or by its place in the list")
	asJSON := fs.Bool("json", false, "print JSON")
	if err := cli.Parse(fs, args, stdout, help, false); err != nil {
		return err
	}
	if err := cli.OneOf("for", *use, usageNames()); err != nil {
		return err
	}
	if *users < 0 {
		return fmt.Errorf("-users: %d is not a number of people", *users)
	}
	plan, err := load(*input, *modelsPath)
	if err != nil {
		return err
	}
	return show(stdout, plan, *explain, *users, *use, *asJSON)
}

// show prints the one thing that was asked for.
func show(w io.Writer, p *plan, explain string, users int, use string, asJSON bool) error {
	switch {
	case explain != "":
		return p.explain(w, explain, asJSON)
	case users > 0:
		return p.serving(w, users, use, asJSON)
	case asJSON:
		return cli.WriteJSON(w, p)
	}
	return p.writeText(w)
}

// load reads rows and models and works out every row.
func load(input, modelsPath string) (*plan, error) {
	models, err := readModels(testdata.ExplorerModels, modelsPath)
	if err != nil {
		return nil, err
	}
	r, name, err := cli.Open(input, testdata.ExplorerRows, "explorer_rows.json")
	if err != nil {
		return nil, err
	}
	defer r.Close()
	rows, err := readRows(r, name)
	if err != nil {
		return nil, err
	}
	return newPlan(rows, models, input == "")
}
