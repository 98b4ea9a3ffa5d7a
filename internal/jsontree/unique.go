package jsontree

import (
	"fmt"
	"hash/maphash"
)

// unique refuses an object that names a member twice: most decoders would keep
// the last and hide the first.
func (p *parser) unique(members []Node) error {
	const few = 8 // up to here comparing all pairs beats hashing
	if len(members) > few {
		return p.keys.unique(members)
	}
	for i := range members {
		for j := range i {
			if members[j].key == members[i].key {
				return duplicate(&members[i])
			}
		}
	}
	return nil
}

func duplicate(n *Node) error {
	return &SyntaxError{Offset: n.Offset, Reason: fmt.Sprintf("duplicate key %q", n.key), Key: n.key, Err: ErrDuplicateKey}
}

// keySet is an open-addressing table of member ordinals, kept between objects.
type keySet struct {
	seed  maphash.Seed
	slots []int32 // ordinal + 1; 0 is free
}

func (s *keySet) unique(members []Node) error {
	mask := s.reset(len(members))
	for i := range members {
		key := members[i].key
		at := maphash.String(s.seed, key) & mask
		for ; s.slots[at] != 0; at = (at + 1) & mask {
			if members[s.slots[at]-1].key == key {
				return duplicate(&members[i])
			}
		}
		s.slots[at] = int32(i + 1)
	}
	return nil
}

// reset empties a table at most half full with n members.
func (s *keySet) reset(n int) (mask uint64) {
	size := 32
	for size < 2*n {
		size *= 2
	}
	if len(s.slots) == 0 {
		s.seed = maphash.MakeSeed()
	}
	if cap(s.slots) < size {
		s.slots = make([]int32, size)
	}
	s.slots = s.slots[:size]
	clear(s.slots)
	return uint64(size - 1)
}
