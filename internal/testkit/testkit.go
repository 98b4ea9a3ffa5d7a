// Package testkit holds what the tests of several packages share.
package testkit

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// SamplesEnv names the folder of third-party sample files, which are never
// committed.
const SamplesEnv = "SERVEMATH_SAMPLES"

// Samples returns a path below the folder of third-party samples. It skips the
// test when the folder is not configured, and fails it when the folder is but
// the path is missing: a mistyped path must not pass for a skip.
func Samples(tb testing.TB, elem ...string) string {
	tb.Helper()
	root := os.Getenv(SamplesEnv)
	if root == "" {
		tb.Skipf("%s is not set: third-party samples are not here", SamplesEnv)
	}
	path := filepath.Join(append([]string{root}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		tb.Fatal(err)
	}
	return path
}

// ReadJSON decodes a JSON file into v.
func ReadJSON(tb testing.TB, path string, v any) {
	tb.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	if err := json.Unmarshal(b, v); err != nil {
		tb.Fatalf("%s: %v", path, err)
	}
}

// Near reports a failure unless got is within tol of want, relative to |want|
// and at least tol absolute where |want| < 1. Two NaNs, and two infinities of
// one sign, are near.
func Near(tb testing.TB, want, got, tol float64, label string, args ...any) bool {
	tb.Helper()
	if want == got || math.IsNaN(want) && math.IsNaN(got) {
		return true
	}
	if diff := math.Abs(got - want); diff <= tol*math.Max(1, math.Abs(want)) {
		return true
	}
	tb.Errorf(label+": got %.17g, want %.17g (tolerance %g)", append(args, got, want, tol)...)
	return false
}

// Rel reports a failure unless got is within tol of want, relative to |want|
// however small.
func Rel(tb testing.TB, want, got, tol float64, label string, args ...any) bool {
	tb.Helper()
	if want == got || math.Abs(got-want) <= tol*math.Abs(want) {
		return true
	}
	tb.Errorf(label+": got %.17g, want %.17g (relative tolerance %g)", append(args, got, want, tol)...)
	return false
}
