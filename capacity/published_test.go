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

// What the published figures alone say of their limits: a level whose rule gives
// both, or one while the other is no higher, and how the plus signs fall.
func TestPublishedRowsByClass(t *testing.T) {
	want := readGolden(t).Extra2.SeedRows
	got, with := map[string]int{}, 0
	for _, r := range publishedRows(t) {
		if r["chat"] == "-" {
			continue
		}
		with++
		got[class(t, r)]++
		switch chat, agentic := r["chat_at_least"], r["agentic_at_least"]; {
		case chat != agentic:
			got["plus differs chat/agent"]++
		case chat == "true":
			got["plus both"]++
		}
	}
	assert.Equal(t, want.Classes, got)
	assert.Equal(t, want.With, with)
	assert.Equal(t, want.Without, 103-with)
}

func class(t *testing.T, r row) string {
	t.Helper()
	chat, agentic, found := r.number(t, "chat"), r.number(t, "agentic"), "other"
	for c := 1; c <= 64; c *= 2 {
		var rule [2]int
		for i, u := range usages {
			e, err := capacity.EstimateFromMaxC(capacity.MaxC{Concurrency: c}, u, capacity.MemoryLimit{})
			require.NoError(t, err)
			rule[i] = e.Users
		}
		switch {
		case chat == rule[0] && agentic == rule[1]:
			return "both speed"
		case chat == rule[0] && agentic < rule[1]:
			found = "chat speed only"
		case agentic == rule[1] && chat < rule[0]:
			found = "agent speed only"
		}
	}
	return found
}
