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
