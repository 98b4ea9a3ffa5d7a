package bt

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// partition numbers the values of labels.
type partition struct {
	of    []int    // by set of labels: the number of its values
	names []string // of the values, sorted
}

// partition splits the comparisons by one label, or by the combinations of
// several. Every comparison must carry each of them.
func (m *Model) partition(by ...string) (*partition, error) {
	return partitionCells(m.cells, m.labels, m.items, by...)
}

// clusters splits the comparisons by a label of at least two values.
func (m *Model) clusters(label string) (*partition, error) {
	p, err := m.partition(label)
	if err != nil {
		return nil, err
	}
	return p, p.several(label)
}

func partitionCells(cells []cell, labels []map[string]string, items []string, by ...string) (*partition, error) {
	value := make(map[int32]string)
	for i := range cells {
		c := &cells[i]
		if _, ok := value[c.group]; ok {
			continue
		}
		v, ok := combination(labels[c.group], by)
		if !ok {
			return nil, fmt.Errorf("%w %q: a comparison of %q and %q has none", ErrUnknownLabel, strings.Join(by, " and "), items[c.lo], items[c.hi])
		}
		value[c.group] = v
	}
	p := &partition{of: make([]int, len(labels))}
	p.names = slices.Compact(slices.Sorted(maps.Values(value)))
	for group, v := range value {
		p.of[group], _ = slices.BinarySearch(p.names, v)
	}
	return p, nil
}

// combination joins the values of several labels so that no two differ only in
// where one ends.
func combination(labels map[string]string, by []string) (string, bool) {
	var out strings.Builder
	for _, label := range by {
		v, ok := labels[label]
		if !ok {
			return "", false
		}
		if len(by) == 1 {
			return v, true
		}
		fmt.Fprintf(&out, "%d:%s ", len(v), v)
	}
	return out.String(), true
}

// several fails for fewer than two values.
func (p *partition) several(label string) error {
	if len(p.names) < 2 {
		return fmt.Errorf("%w: all comparisons have one value of %q", ErrClusters, label)
	}
	return nil
}
