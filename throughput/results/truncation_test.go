package results

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/servemath/internal/jsontree"
	"example.com/servemath/throughput"
)

// TestEveryCut cuts every fixture at every length. A cut that cannot be seen, at
// the boundary of a record or the end of a line, must give runs of the whole file
// or an error; any other cut is ErrTruncated, or an unknown format while nothing
// has named it yet.
func TestEveryCut(t *testing.T) {
	for _, path := range fixtureFiles(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			b, err := os.ReadFile(path)
			require.NoError(t, err)
			whole, wholeErr := Decode(bytes.NewReader(b), "f")
			if wholeErr != nil {
				return
			}
			for n := range b {
				cut := b[:n]
				runs, err := Decode(bytes.NewReader(cut), "f")
				switch {
				case err == nil:
					require.True(t, unseen(b, n), "no error at %d of %d: ...%q", n, len(b), ending(cut))
					requirePart(t, whole, runs, n)
				case errors.Is(err, ErrTruncated):
				case errors.Is(err, ErrUnknownFormat):
				default:
					require.True(t, unseen(b, n), "at %d of %d: %v: ...%q", n, len(b), err, ending(cut))
				}
				if err != nil {
					_, ok := errors.AsType[*DecodeError](err)
					require.True(t, ok, "%T", err)
					require.Nil(t, runs)
				}
			}
		})
	}
}

// unseen reports whether a cut after n bytes lies at the boundary of a record:
// after a whole JSON value, at a line end of text, or behind the closing pipe of
// a row.
func unseen(b []byte, n int) bool {
	if looksJSON(b) {
		d := jsontree.NewDecoder(bytes.NewReader(b[:n]))
		for {
			if _, err := d.Next(); err != nil {
				return err.Error() == "EOF"
			}
		}
	}
	cut := strings.TrimRight(string(b[:n]), " ")
	return b[n] == '\n' || strings.HasSuffix(cut, "\n") || strings.HasSuffix(cut, "|") && len(strings.Trim(cut[strings.LastIndex(cut, "\n")+1:], " |")) > 0
}

// requirePart requires that every run of a cut file has figures of the whole one.
func requirePart(t *testing.T, whole, part []throughput.Run, n int) {
	t.Helper()
	require.LessOrEqual(t, len(part), len(whole))
	if len(part) == 1 && len(whole) == 1 {
		return // one run over all records: fewer records, other means
	}
	for i, r := range part {
		for _, v := range r.Metrics {
			w, ok := whole[i].Get(v.Metric, v.Stat)
			require.True(t, ok, "cut at %d", n)
			require.Equal(t, w.Value, v.Value, "cut at %d", n)
		}
	}
}

func ending(b []byte) []byte { return b[max(0, len(b)-30):] }

func fixtureFiles(tb testing.TB) []string {
	paths, err := filepath.Glob("testdata/*")
	require.NoError(tb, err)
	var files []string
	for _, p := range paths {
		if info, err := os.Stat(p); err == nil && info.Mode().IsRegular() && filepath.Base(p) != "README.md" {
			files = append(files, p)
		}
	}
	require.Greater(tb, len(files), 40)
	return files
}

func TestCutsThatNeedTheirEnd(t *testing.T) {
	for _, c := range []struct {
		file, from string // cut where from begins
	}{
		{"mlperf_server.txt", "\nNo errors encountered"},       // at a line end, yet seen
		{"mlx_table.md", "\n</details>\n"},                     // a section without its end
		{"mlx_trials.txt", "Averages:"},                        // trials without averages
		{"ollama_verbose.txt", "eval rate:            119.20"}, // no second file either
		{"llama_bench.sql", "\nINSERT"},                        // a table without rows
		{"llama_bench.csv", "\n\"0123abcd\""},                  // a header without rows
		{"batched_bench.md", "|   128 |"},
		{"ollama.csv", "gemma3,prefill"},
		{"ollama_api.jsonl", `{"model":"gemma3","created_at":"2026-01-01T00:00:02Z"`}, // a stream without its last answer
	} {
		b, err := os.ReadFile(filepath.Join("testdata", c.file))
		require.NoError(t, err)
		i := bytes.Index(b, []byte(c.from))
		require.Positive(t, i, c.file)
		_, err = Decode(bytes.NewReader(b[:i]), c.file)
		assert.ErrorIs(t, err, ErrTruncated, c.file)
	}
}
