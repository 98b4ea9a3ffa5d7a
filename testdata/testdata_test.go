package testdata

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The counts are those README.md states.
func TestCounts(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		rows int
	}{
		"measurements": {Measurements, 2443},
		"head_to_head": {HeadToHead, 18},
		"install_size": {InstallSize, 19},
		"correctness":  {Correctness, 271},
		"rank_flips":   {RankFlips, 5},
	} {
		rows := 0
		for line := range strings.Lines(c.text) {
			if !strings.HasPrefix(line, "#") {
				rows++
			}
		}
		assert.Equal(t, c.rows, rows-1, "%s: rows below the header", name)
		assert.True(t, strings.HasSuffix(c.text, "\n"), "%s ends with a line", name)
	}
}

func TestExplorer(t *testing.T) {
	var rows []struct {
		ID       string `json:"id"`
		ModelKey string `json:"model_key"`
	}
	require.NoError(t, json.Unmarshal([]byte(ExplorerRows), &rows))
	assert.Len(t, rows, 103)
	var models map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(ExplorerModels), &models))
	assert.Len(t, models, 31)
	ids := map[string]bool{}
	for _, r := range rows {
		assert.Contains(t, models, r.ModelKey, r.ID)
		assert.False(t, ids[r.ID], "%s twice", r.ID)
		ids[r.ID] = true
	}
}
