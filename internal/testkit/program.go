package testkit

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Outcome is what a program printed and how it ended.
type Outcome struct {
	Stdout, Stderr string
	Status         int
}

// Program builds the main package of the test's folder and returns a function
// that runs it: `go run` hides a program's own exit status.
func Program(tb testing.TB) func(args ...string) Outcome {
	tb.Helper()
	bin := filepath.Join(tb.TempDir(), "program.exe")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		tb.Fatalf("go build: %v\n%s", err, out)
	}
	return func(args ...string) Outcome {
		tb.Helper()
		var stdout, stderr bytes.Buffer
		cmd := exec.Command(bin, args...)
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Run(); err != nil {
			if _, ok := errors.AsType[*exec.ExitError](err); !ok {
				tb.Fatal(err)
			}
		}
		return Outcome{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
	}
}

// File writes text to a file of that name in a fresh folder and returns its
// path.
func File(tb testing.TB, name, text string) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}
