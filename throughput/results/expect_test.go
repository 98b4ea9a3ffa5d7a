package results

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/servemath/internal/testkit"
	"example.com/servemath/throughput"
)

// figure is one value a run must have, typed from the file by hand in seconds or
// per second.
type figure struct {
	metric throughput.Metric
	stat   throughput.Stat
	want   float64
}

// expect is what a file says in one of its runs.
type expect struct {
	file    string
	runs    int // in the file
	run     int // the one described, from 0
	key     throughput.Key
	load    throughput.Load
	work    throughput.Workload
	figures []figure
	absent  []throughput.Metric
	warning string // a part of one; empty: there is none
}

const (
	mean, median, total = throughput.Mean, throughput.Median, throughput.Total
	p99                 = throughput.Stat("p99")
	p999                = throughput.Stat("p99.9")
)

func decodePath(tb testing.TB, path string) ([]throughput.Run, error) {
	f, err := os.Open(path)
	require.NoError(tb, err)
	defer f.Close()
	return Decode(f, filepath.Base(path))
}

func (e expect) check(t *testing.T, path string) {
	runs, err := decodePath(t, path)
	require.NoError(t, err)
	require.Len(t, runs, e.runs)
	r := runs[e.run]
	assert.Equal(t, e.key, r.Key)
	assert.Equal(t, e.load, r.Load)
	work := r.Workload
	testkit.Near(t, e.work.DurationSeconds, work.DurationSeconds, 1e-12, "duration")
	work.DurationSeconds = e.work.DurationSeconds
	assert.Equal(t, e.work, work)
	for _, f := range e.figures {
		v, ok := r.Get(f.metric, f.stat)
		if assert.True(t, ok, "%s %s is missing", f.metric, f.stat) {
			testkit.Rel(t, f.want, v.Value, 1e-12, "%s %s", f.metric, f.stat)
			assert.NotEmpty(t, v.Def.Tool)
		}
	}
	for _, v := range r.Metrics {
		assert.NotContains(t, e.absent, v.Metric)
	}
	if e.warning == "" {
		assert.Empty(t, r.Warnings)
		return
	}
	require.NotEmpty(t, r.Warnings)
	assert.Contains(t, errorTexts(r.Warnings), e.warning)
}

func errorTexts(errs []error) (all string) {
	for _, err := range errs {
		all += err.Error() + "\n"
	}
	return all
}

// openPath names the format of a file.
func openPath(path string) (*source, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return open(f, path)
}
