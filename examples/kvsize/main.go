// Command kvsize sizes the KV cache of a model from its config.json: bytes of a
// session, where each byte comes from, what engines make of it, and how many
// sessions a device holds.
//
//	go run ./examples/kvsize
//	go run ./examples/kvsize -context 16384,131072 -format fp8,q8_0 -tp 1,8 config.json
//	go run ./examples/kvsize -device h200 -weights 65.25GB -explain config.json
//	go run ./examples/kvsize -device list
package main

import (
	"errors"
	"flag"
	"io"

	"example.com/servemath/internal/cli"
)

const help = `
kvsize reads a model's config.json (or the folder of a checkpoint, whose tensors
it then sizes from their headers) and prints the bytes that one session keeps,
for each context, cache format and tensor-parallel size; where the bytes of the
largest come from; and what engines make of it. With a device it also counts the
sessions that fit, the longest context, and the engine's own pool.

Without an argument it runs on gpt-oss-120b. A config that it does not know to
the last byte is refused, with the key that it cannot model.

Memory of a device is the data sheet's, in decimal GB; most cards report a little
more. For what a tool shows, say -memory 81559MiB. Sizes need their unit: 96GB
and 96GiB are 7% apart.

Exit status: 0, or 2 for bad input.`

func main() { cli.Main("kvsize", run) }

func run(args []string, stdout io.Writer) error {
	fs := flag.NewFlagSet("kvsize", flag.ContinueOnError)
	f := flags(fs)
	if err := cli.Parse(fs, args, stdout, help, true); err != nil {
		return err
	}
	if f.device == "list" {
		return listDevices(stdout, f.asJSON)
	}
	if fs.NArg() > 1 {
		return errors.New("one config.json at a time, behind the flags (-h shows them)")
	}
	in, err := f.load(fs.Arg(0))
	if err != nil {
		return err
	}
	q, err := f.question(in)
	if err != nil {
		return err
	}
	r, err := q.answer()
	if err != nil {
		return err
	}
	if f.asJSON {
		return cli.WriteJSON(stdout, r)
	}
	return r.writeText(stdout, f.explain)
}
