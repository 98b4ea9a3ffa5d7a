package correctness

import (
	"slices"
	"sync"
)

// TokenTable gives ids to tokens by their bytes, for responses that name tokens by
// text. Bytes, since tokens that are not UTF-8 by themselves look alike once they
// are replaced. The zero value is ready, and a table is safe for concurrent use.
type TokenTable struct {
	mu         sync.RWMutex
	ids        map[string]int32
	tokens     []string
	vocabulary bool
}

// NewTokenTable returns a table that holds a vocabulary in order, so that its ids
// are the model's own. Of equal tokens the first has the id.
func NewTokenTable(vocabulary []string) *TokenTable {
	t := &TokenTable{ids: make(map[string]int32, len(vocabulary)), tokens: slices.Clone(vocabulary), vocabulary: true}
	for i, token := range vocabulary {
		if _, ok := t.ids[token]; !ok {
			t.ids[token] = int32(i)
		}
	}
	return t
}

// ID returns the id of a token's bytes. New ids count up in the order of first
// appearance, from 0 or from the end of the vocabulary.
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

// tableOf is the table that gave a source's ids; nil where they are the model's.
func tableOf(s Source) *TokenTable {
	if t, ok := s.(interface{ Tokens() *TokenTable }); ok {
		return t.Tokens()
	}
	return nil
}

// isModels reports whether the ids are the model's own: of no table, or of one that
// holds its vocabulary.
func (t *TokenTable) isModels() bool { return t == nil || t.vocabulary }

// translate turns the ids of one table into those of another, in which the same id
// may mean another token.
func (r *Row) translate(from, to *TokenTable) error {
	switch {
	case from == to:
		return nil
	case from == nil || to == nil:
		if from.isModels() && to.isModels() {
			return nil
		}
		return r.errorf(ErrTokenMismatch, "one side knows tokens by the model's ids, the other by their bytes: a table made of the vocabulary would join them")
	}
	if r.DataToken >= 0 {
		id, err := r.translated(int32(r.DataToken), from, to)
		if err != nil {
			return err
		}
		r.DataToken = int(id)
	}
	if r.TopK == nil {
		return nil
	}
	list := *r.TopK // the source may keep its own
	list.IDs = make([]int32, len(r.TopK.IDs))
	for i, id := range r.TopK.IDs {
		var err error
		if list.IDs[i], err = r.translated(id, from, to); err != nil {
			return err
		}
	}
	r.TopK = &list
	return nil
}

func (r *Row) translated(id int32, from, to *TokenTable) (int32, error) {
	token, ok := from.Token(id)
	if !ok {
		return 0, r.errorf(ErrTokenMismatch, "token %d is not in the table of its source", id)
	}
	return to.ID(token), nil
}
