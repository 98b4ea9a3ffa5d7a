package throughput

import (
	"strings"
	"testing"

	"example.com/servemath/internal/tsv"
	"example.com/servemath/testdata"
	"github.com/stretchr/testify/require"
)

// publishedRows returns the 2,443 figures of the page that ranks engines.
func publishedRows(tb testing.TB) []Row {
	tb.Helper()
	var rows []Row
	for r, err := range tsv.Read(strings.NewReader(testdata.Measurements), "measurements.tsv",
		"platform", "machine", "model", "setup", "engine", "tok_per_s") {
		require.NoError(tb, err)
		v, err := r.Float("tok_per_s")
		require.NoError(tb, err)
		rows = append(rows, Row{r.Text("platform"), r.Text("machine"), r.Text("model"), r.Text("setup"), r.Text("engine"), v})
	}
	require.Len(tb, rows, 2443)
	return rows
}
