package correctness

import (
	"encoding/binary"
	"math"
	"slices"
)

type binaryWriter []byte

func (w *binaryWriter) uint(x uint64) { *w = binary.AppendUvarint(*w, x) }
func (w *binaryWriter) int(x int64)   { *w = binary.AppendVarint(*w, x) }
func (w *binaryWriter) float(x float64) {
	*w = binary.LittleEndian.AppendUint64(*w, math.Float64bits(x))
}

func (w *binaryWriter) bool(x bool) {
	if x {
		*w = append(*w, 1)
	} else {
		*w = append(*w, 0)
	}
}

func (w *binaryWriter) text(s string) {
	w.uint(uint64(len(s)))
	*w = append(*w, s...)
}

func (w *binaryWriter) prompt(g *prompt) {
	for _, s := range g.sums {
		w.float(s.Hi)
		w.float(s.Lo)
	}
	for _, n := range g.counts {
		w.uint(uint64(n))
	}
	for _, x := range g.peaks {
		w.float(x)
	}
	w.uint(uint64(len(g.seen)))
	for _, r := range g.seen {
		w.uint(uint64(r[0]))
		w.uint(uint64(r[1]))
	}
	w.uint(uint64(len(g.values)))
	for _, x := range g.sorted() {
		w.float(x)
	}
	w.uint(uint64(len(g.buckets)))
	for _, b := range g.buckets {
		w.int(int64(b.At))
		w.uint(uint64(b.Count))
	}
}

// sorted returns the kept values in ascending order.
func (g *prompt) sorted() []float64 {
	s := slices.Clone(g.values)
	slices.Sort(s)
	return s
}
