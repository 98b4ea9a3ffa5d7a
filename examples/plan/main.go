// Command plan shows how many people each published configuration serves, which
// limit said so, and the arithmetic behind it.
//
//	go run ./examples/plan
//	go run ./examples/plan -users 20 -for agentic
//	go run ./examples/plan -explain minimax-m3_b300_mxfp8_vllm
//	go run ./examples/plan -input rows.json -models models.json -json
//	go run ./examples/plan -sweep sweep.tsv -sessions 46,11 -users 100
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"example.com/servemath/capacity"
	"example.com/servemath/internal/cli"
	"example.com/servemath/testdata"
)

const help = `
plan shows, for each row (a model on a machine with an engine), how many people
it serves: min(speed, memory), for chat and for agentic use, with the limit that
set each figure and the published figure beside it.

Without -input it runs on the published rows of the benchmark explorer. A file
for -input is a JSON list of rows in the same form:

    [{"id": "mine", "model_key": "gpt-oss-120b", "hardware": "DGX Spark",
      "tp": 2, "weights_gb": 65.25, "max_c": 16, "max_c_at_least": true}]

model_key is one of the embedded models or of -models; a wrong one lists them.
hardware is DGX B300, RTX PRO 6000, DGX Spark or Thor, or any name beside
memory_gb, the decimal GB of one device, and unified where the host shares them.
weights_gb is the size of the checkpoint; without it params ("120B") and
quantization ("MXFP4") make an estimate.
max_c is the highest measured number of requests at once that meets your targets,
max_c_at_least says that no higher one was measured; without max_c only the
memory capacity is known.

With -sweep it answers for a sweep of your own instead, on both bases side by
side: the published multiplier, and measured latency with think time. The file is
tab-separated with the columns

    concurrency  ttft_seconds  tps

(requests in flight, mean seconds to the first token, mean tokens per second of
one request) and optionally ttft_stderr_seconds, tps_stderr (standard errors) and
output_tps (tokens per second of all requests, as the tool reported it); lines
that begin with # are passed over. Or it is a file that a benchmark tool wrote, or
a folder of them: one configuration, several concurrencies. -output-tokens,
-tps-kind, -ttft, -tps, -attainment, -think, -slots, -prefill and -sessions go
with it, and -users and -for as above.

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
	own := sweepFlags(fs)
	if err := cli.Parse(fs, args, stdout, help, false); err != nil {
		return err
	}
	if err := together(fs); err != nil {
		return err
	}
	if err := cli.OneOf("for", *use, usageNames()); err != nil {
		return err
	}
	if *users < 0 {
		return fmt.Errorf("-users: %d is not a number of people", *users)
	}
	if own.path != "" {
		own.users, own.use = *users, *use
		return sweep(stdout, *own, *asJSON)
	}
	plan, err := load(*input, *modelsPath)
	if err != nil {
		return err
	}
	return show(stdout, plan, *explain, *users, *use, *asJSON)
}

// ofRows and ofSweep are the flags that go with one kind of input only.
var (
	ofRows  = []string{"input", "models", "explain"}
	ofSweep = []string{"output-tokens", "tps-kind", "ttft", "tps", "attainment", "think", "slots", "prefill", "sessions"}
)

func sweepFlags(fs *flag.FlagSet) *sweepOptions {
	o := &sweepOptions{targets: capacity.DefaultTargets()}
	fs.StringVar(&o.path, "sweep", "", "a `file` with a sweep of your own")
	fs.IntVar(&o.outputTokens, "output-tokens", 0, "`tokens` of one reply (default: what a tool's file says, 128 for a table)")
	fs.StringVar(&o.kind, "tps-kind", "", "what a table's tps is: `decode`, after the first token, or e2e, of the whole request (default decode)")
	fs.Float64Var(&o.targets.MaxTTFTSeconds, "ttft", o.targets.MaxTTFTSeconds, "target: `seconds` to the first token at most; 0 for none")
	fs.Float64Var(&o.targets.MinTPS, "tps", o.targets.MinTPS, "target: `tokens` per second of one request at least; 0 for none")
	fs.Float64Var(&o.targets.Attainment, "attainment", 0, "`share` of requests that must meet the targets, such as 0.95 (default: the mean one)")
	fs.Float64Var(&o.think, "think", 0, "mean `seconds` between a reply and the next request (default: what the multiplier implies)")
	fs.IntVar(&o.slots, "slots", 0, "`requests` that the engine serves at once (default: the highest measured level)")
	fs.Float64Var(&o.prefill, "prefill", 0, "`seconds` of machine time that one prefill takes, to count collisions in")
	fs.StringVar(&o.sessions, "sessions", "", "sessions that fit in memory, `chat,agentic` (default: not known)")
	return o
}

// together refuses flags that say nothing or have no effect beside the others.
func together(fs *flag.FlagSet) error {
	set, empty := map[string]bool{}, ""
	fs.Visit(func(f *flag.Flag) {
		set[f.Name] = true
		if f.Value.String() == "" {
			empty = f.Name
		}
	})
	switch {
	case empty != "":
		return fmt.Errorf("-%s: nothing is given", empty)
	case set["explain"] && set["users"]:
		return errors.New("-users does not go with -explain")
	}
	stray := ofSweep
	if set["sweep"] {
		stray = ofRows
	}
	for _, name := range stray {
		switch {
		case set[name] && set["sweep"]:
			return fmt.Errorf("-%s does not go with -sweep", name)
		case set[name]:
			return fmt.Errorf("-%s goes with -sweep only", name)
		}
	}
	return nil
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
