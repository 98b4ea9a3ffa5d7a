package correctness

import "sync"

// TokenTable gives ids to tokens by their bytes, for responses that name tokens by
// text. Bytes, since tokens that are not UTF-8 by themselves look alike once they
// are replaced. Two sources are comparable by such ids only if they share one
// table. The zero value is ready, and a table is safe for concurrent use.
type TokenTable struct {
	mu     sync.RWMutex
	ids    map[string]int32
	tokens []string
}

// ID returns the id of a token's bytes. Ids count up from 0 in the order of first
// appearance.
func (t *TokenTable) ID(token string) int32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	id, ok := t.ids[token]
	if !ok {
		if t.ids == nil {
			t.ids = map[string]int32{}
		}
		id = int32(len(t.tokens))
		t.ids[token] = id
		t.tokens = append(t.tokens, token)
	}
	return id
}

// Token returns the bytes behind an id, and whether it was given out.
func (t *TokenTable) Token(id int32) (token string, ok bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if id < 0 || int(id) >= len(t.tokens) {
		return "", false
	}
	return t.tokens[id], true
}
