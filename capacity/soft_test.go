package capacity_test

import (
	"testing"

	"example.com/servemath/capacity"
	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSoftMemoryGolden(t *testing.T) {
	g := readGolden(t)
	c := g.Extra2.SoftMemory
	require.Len(t, c.Rows, 4)
	soft := capacity.SoftMemory{Sessions: c.Sessions, SessionTokens: c.Tokens, PrefillSecondsPerToken: c.Prefill}
	for _, row := range c.Rows {
		p, err := g.sweep(t, c.Sweep).Closed(row.Users, c.Think, &capacity.Options{Soft: &soft})
		require.NoError(t, err)
		testkit.Rel(t, row.TTFT, p.TTFTSeconds, goldenTolerance, "TTFT of %d users", row.Users)
		testkit.Rel(t, row.TPS, p.TPS, goldenTolerance, "TPS of %d users", row.Users)
	}
}

// Users in turn evict each session just before it is wanted, so least recently
// used is never better than random replacement, and both leave users alone who
// fit.
func TestSoftMemoryReplacement(t *testing.T) {
	s := readGolden(t).sweep(t, "b300")
	soft := capacity.SoftMemory{Sessions: 46, SessionTokens: 16384, PrefillSecondsPerToken: 2e-5}
	for _, users := range []int{1, 46, 47, 80, 300} {
		hard, err := s.Closed(users, 20, nil)
		require.NoError(t, err)
		soft.LRU = false
		random, err := s.Closed(users, 20, &capacity.Options{Soft: &soft})
		require.NoError(t, err)
		soft.LRU = true
		lru, err := s.Closed(users, 20, &capacity.Options{Soft: &soft})
		require.NoError(t, err)
		if users <= 46 {
			assert.Equal(t, hard.TPS, random.TPS)
			assert.Equal(t, hard.TPS, lru.TPS)
			continue
		}
		assert.Less(t, random.TPS, hard.TPS)
		assert.Less(t, lru.TPS, random.TPS)
		assert.Greater(t, lru.TTFTSeconds, random.TTFTSeconds)
	}
}

func TestSoftMemoryRefused(t *testing.T) {
	s := readGolden(t).sweep(t, "b300")
	good := capacity.SoftMemory{Sessions: 46, SessionTokens: 16384, PrefillSecondsPerToken: 2e-5}
	for field, change := range map[string]func(*capacity.SoftMemory){
		"Sessions":               func(m *capacity.SoftMemory) { m.Sessions = 0 },
		"SessionTokens":          func(m *capacity.SoftMemory) { m.SessionTokens = -1 },
		"PrefillSecondsPerToken": func(m *capacity.SoftMemory) { m.PrefillSecondsPerToken = 0 },
	} {
		bad := good
		change(&bad)
		_, err := s.Closed(10, 20, &capacity.Options{Soft: &bad})
		require.ErrorIs(t, err, capacity.ErrOptions)
		assert.ErrorContains(t, err, "Soft."+field)
	}
	_, err := s.Open(1, &capacity.Options{Soft: &good})
	assert.ErrorIs(t, err, capacity.ErrOptions)
}
