// Package cli is what the programs in examples/ share: one line for an error,
// exit statuses that mean something, and a help text on request.
package cli

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// Exit statuses. A program that judges ends with Fail or Inconclusive after it
// has printed its verdict; bad input is always BadInput.
const (
	OK           = 0
	Fail         = 1
	BadInput     = 2
	Inconclusive = 3
)

// Status is an error that only carries an exit status: what there was to say has
// been printed.
type Status int

// Error implements error.
func (s Status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// Main runs a program on the command line and exits.
func Main(name string, run func(args []string, stdout io.Writer) error) {
	os.Exit(Run(name, run, os.Args[1:], os.Stdout, os.Stderr))
}

// Run runs a program and returns its exit status. An error is printed as one
// line that begins with the program's name.
func Run(name string, run func(args []string, stdout io.Writer) error, args []string, stdout, stderr io.Writer) int {
	err := run(args, stdout)
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return OK
	default:
		if s, ok := errors.AsType[Status](err); ok {
			return int(s)
		}
		fmt.Fprintf(stderr, "%s: %s\n", name, oneLine(err))
		return BadInput
	}
}

func oneLine(err error) string {
	return strings.Join(strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
}

// Parse reads the flags; arguments beside them are an error unless the program
// takes some. -h prints the help text on stdout and returns [flag.ErrHelp].
func Parse(fs *flag.FlagSet, args []string, stdout io.Writer, help string, takesArgs bool) error {
	fs.Init(fs.Name(), flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	err := fs.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintln(stdout, strings.TrimSpace(help))
		fmt.Fprintln(stdout, "\nFlags:")
		fs.SetOutput(stdout)
		fs.PrintDefaults()
	case err != nil:
		return fmt.Errorf("%w (-h shows the flags)", err)
	case !takesArgs && fs.NArg() > 0:
		return fmt.Errorf("unexpected argument %q (-h shows the flags)", fs.Arg(0))
	}
	return err
}

// OneOf returns v if it is one of the choices, and an error that lists them
// otherwise.
func OneOf(flagName, v string, choices []string) error {
	if slices.Contains(choices, v) {
		return nil
	}
	return fmt.Errorf("-%s: unknown %q; known: %s", flagName, v, strings.Join(choices, ", "))
}

// Open opens the named file, or the embedded text when there is no name. The
// second result names it in messages.
func Open(path, embedded, embeddedName string) (io.ReadCloser, string, error) {
	if path == "" {
		return io.NopCloser(strings.NewReader(embedded)), embeddedName, nil
	}
	f, err := os.Open(path)
	return f, path, err
}

// WriteJSON prints v, indented, with a line break.
func WriteJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
