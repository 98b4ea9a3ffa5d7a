package hfconfig

import (
	"slices"
	"strings"
)

// family is the registry entry of one architecture: a new architecture is a new
// entry, never a branch in the code that reads them.
type family struct {
	names   []string // values of model_type
	reads   []string // cache-shaping keys that the layout reads
	ignores []string // cache-shaping keys it knows and that leave the cache as it is
	// nested lists, by the path of an object, all keys that may stand in it.
	nested map[string][]string

	aliases  map[string][]string // other names of a key
	defaults defaults            // class defaults
	classes  map[string]defaults // those of one model type alone, which come first
	trues    []string            // booleans that are true by default

	layers func(*config) []string // the kind of each decoder layer
	kinds  map[string]part        // what a layer of a kind keeps; nil: nothing
	mtp    func(*config) []string // the kinds of the layers of the MTP modules
}

// defaults are the values that a class has for keys that a config lacks.
type defaults map[string]int

// Architectures lists the model types that [Read] knows, in alphabetical order.
func Architectures() []string {
	var names []string
	for i := range families {
		names = append(names, families[i].names...)
	}
	slices.Sort(names)
	return names
}

func lookup(modelType string) *family {
	for i := range families {
		if slices.Contains(families[i].names, modelType) {
			return &families[i]
		}
	}
	return nil
}

// nearest is the known model type closest in spelling to the unknown one, or to
// the class names of the config where it has no model type.
func nearest(modelType string, architectures []string) string {
	if modelType != "" {
		return closest(modelType)
	}
	for _, a := range architectures {
		a, _, _ = strings.Cut(a, "For")
		if name := closest(strings.ToLower(a)); name != "" {
			return name
		}
	}
	return ""
}

// closest allows a third of the letters to differ; further off is no help.
func closest(s string) (name string) {
	const longest = 64 // longer ones are nobody's spelling of a known type
	if len(s) > longest {
		return ""
	}
	best := len(s)/3 + 1
	for _, known := range Architectures() {
		if d := distance(s, known); d < best {
			best, name = d, known
		}
	}
	return name
}

// distance is the edit distance of Levenshtein (1966).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			d := diagonal
			if a[i] != b[j] {
				d = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], d
		}
	}
	return row[len(b)]
}

// keys joins lists of keys.
func keys(lists ...[]string) []string { return slices.Concat(lists...) }
