package correctness

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTokenTable(t *testing.T) {
	var table TokenTable
	assert.Equal(t, int32(0), table.ID("\xc9"))
	assert.Equal(t, int32(1), table.ID("\xff"), "bytes that are no text differ")
	assert.Equal(t, int32(0), table.ID("\xc9"))
	assert.Equal(t, int32(2), table.ID(""))
	token, ok := table.Token(1)
	assert.Equal(t, "\xff", token)
	assert.True(t, ok)
	for _, id := range []int32{-1, 3} {
		_, ok = table.Token(id)
		assert.False(t, ok)
	}
}

func TestNewTokenTable(t *testing.T) {
	vocabulary := []string{"a", "b", "a", "c"}
	table := NewTokenTable(vocabulary)
	vocabulary[1] = "changed"
	for token, want := range map[string]int32{"a": 0, "b": 1, "c": 3} {
		assert.Equal(t, want, table.ID(token), token)
	}
	token, ok := table.Token(2)
	assert.True(t, ok)
	assert.Equal(t, "a", token, "an equal token keeps its place")
	assert.Equal(t, int32(4), table.ID("new"), "beyond the vocabulary")
}

func TestTokenTableIsSafeForConcurrentUse(t *testing.T) {
	var table TokenTable
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 1000 {
				token := string(rune('a' + i%50))
				got, ok := table.Token(table.ID(token))
				assert.True(t, ok)
				assert.Equal(t, token, got)
			}
		})
	}
	wg.Wait()
	assert.Equal(t, int32(50), table.ID("new"))
}
