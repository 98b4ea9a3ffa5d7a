package capacity_test

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"testing"

	"example.com/servemath/capacity"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// row is one row of testdata/published.tsv by column name.
type row map[string]string

func (r row) number(t *testing.T, column string) int {
	t.Helper()
	n, err := strconv.Atoi(r[column])
	require.NoError(t, err, column)
	return n
}

func publishedRows(t *testing.T) []row {
	t.Helper()
	f, err := os.Open("testdata/published.tsv")
	require.NoError(t, err)
	defer f.Close()
	lines := bufio.NewScanner(f)
	require.True(t, lines.Scan())
	head := strings.Split(lines.Text(), "\t")
	var rows []row
	for lines.Scan() {
		r := row{}
		for i, cell := range strings.Split(lines.Text(), "\t") {
			r[head[i]] = cell
		}
		rows = append(rows, r)
	}
	require.NoError(t, lines.Err())
	return rows
}

// The sweeps behind the published rows are not published, so each row's Max C is
// searched among the levels that the publisher tests: at least one must give
// both figures with their limits and plus signs.
func TestEveryPublishedRowHasAMaxC(t *testing.T) {
	rows := publishedRows(t)
	require.Len(t, rows, 103)
	capacities := 0
	for _, r := range rows {
		if r["chat"] == "-" {
			continue
		}
		capacities++
		fits := 0
		for c := 1; c <= 256; c *= 2 {
			if reproduces(t, r, c) {
				fits++
			}
		}
		assert.NotZero(t, fits, r["id"])
	}
	assert.Equal(t, 89, capacities)
}

func reproduces(t *testing.T, r row, maxC int) bool {
	t.Helper()
	plus := r["chat_at_least"] == "true" || r["agentic_at_least"] == "true"
	for _, u := range usages {
		m := capacity.MemoryLimit{}
		if r["speed_only"] != "true" {
			m = known(r.number(t, u.Name+"_memory"))
		}
		c, err := capacity.EstimateFromMaxC(capacity.MaxC{Concurrency: maxC, AtLeast: plus}, u, m)
		require.NoError(t, err)
		if c.Users != r.number(t, u.Name) || c.Limit.String() != r[u.Name+"_limit"] || c.AtLeast != (r[u.Name+"_at_least"] == "true") {
			return false
		}
	}
	return true
}
