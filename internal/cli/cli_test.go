package cli

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRun(t *testing.T) {
	for name, c := range map[string]struct {
		err    error
		status int
		stderr string
	}{
		"fine":         {nil, OK, ""},
		"help":         {flag.ErrHelp, OK, ""},
		"bad input":    {errors.Join(errors.New("a"), errors.New("b")), BadInput, "prog: a; b\n"},
		"verdict":      {Status(Fail), Fail, ""},
		"inconclusive": {Status(Inconclusive), Inconclusive, ""},
	} {
		var stderr bytes.Buffer
		got := Run("prog", func([]string, io.Writer) error { return c.err }, nil, io.Discard, &stderr)
		assert.Equal(t, c.status, got, name)
		assert.Equal(t, c.stderr, stderr.String(), name)
	}
}

func TestParse(t *testing.T) {
	parse := func(takesArgs bool, args ...string) (string, error) {
		fs := flag.NewFlagSet("prog", flag.ContinueOnError)
		fs.Int("n", 3, "how `many`")
		var out bytes.Buffer
		err := Parse(fs, args, &out, "\nWhat it does.\n", takesArgs)
		return out.String(), err
	}
	out, err := parse(false, "-h")
	assert.ErrorIs(t, err, flag.ErrHelp)
	assert.Equal(t, "What it does.\n\nFlags:\n  -n many\n    \thow many (default 3)\n", out)
	for _, bad := range [][]string{{"-x"}, {"-n", "a"}, {"stray"}} {
		out, err = parse(false, bad...)
		assert.Error(t, err)
		assert.Empty(t, out)
	}
	_, err = parse(true, "file")
	assert.NoError(t, err)
}

func TestOneOf(t *testing.T) {
	assert.NoError(t, OneOf("for", "chat", []string{"chat", "agentic"}))
	assert.EqualError(t, OneOf("for", "x", []string{"chat", "agentic"}), `-for: unknown "x"; known: chat, agentic`)
}

func TestOpen(t *testing.T) {
	r, name, err := Open("", "text", "embedded")
	require.NoError(t, err)
	b, _ := io.ReadAll(r)
	assert.Equal(t, "text", string(b))
	assert.Equal(t, "embedded", name)
	_, _, err = Open("no such file", "", "")
	assert.Error(t, err)
}
