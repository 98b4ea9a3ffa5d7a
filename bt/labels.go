package bt

import (
	"maps"
	"slices"
	"strconv"
)

// labelSets numbers the distinct sets of labels. Number 0 is the empty set.
type labelSets struct {
	sets  []map[string]string
	index map[string]int32
	buf   []byte
}

func (l *labelSets) intern(group map[string]string) int32 {
	if l.sets == nil {
		l.sets, l.index = []map[string]string{nil}, make(map[string]int32)
	}
	if len(group) == 0 {
		return 0
	}
	l.buf = l.buf[:0]
	for _, k := range slices.Sorted(maps.Keys(group)) {
		l.buf = strconv.AppendQuote(strconv.AppendQuote(l.buf, k), group[k])
	}
	id, ok := l.index[string(l.buf)]
	if !ok {
		id = int32(len(l.sets))
		l.sets = append(l.sets, maps.Clone(group))
		l.index[string(l.buf)] = id
	}
	return id
}

// list returns the sets by number. Sets are never changed, only added.
func (l *labelSets) list() []map[string]string { return slices.Clip(l.sets) }
