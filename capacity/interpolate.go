package capacity

import (
	"sort"

	"gonum.org/v1/gonum/interp"
)

// interpolated returns y at 1, 2, ... k from its values ys at the levels, which
// must reach k.
func (s *Sweep) interpolated(how Interpolation, k int, ys []float64) []float64 {
	at := s.interpolator(how, ys)
	out := make([]float64, k)
	for i := range out {
		out[i] = at(i + 1)
	}
	return out
}

// interpolator returns y as a function of n up to the highest level.
func (s *Sweep) interpolator(how Interpolation, ys []float64) func(n int) float64 {
	if how == Monotone && len(ys) > 1 {
		return s.cubic(ys)
	}
	return func(n int) float64 {
		i := s.levelAtOrAbove(n)
		c := s.levels[i].Concurrency
		switch {
		case i == 0 || c == n || how == StepUp:
			return ys[i]
		case how == StepDown:
			return ys[i-1]
		}
		below := s.levels[i-1].Concurrency
		return ys[i-1] + (ys[i]-ys[i-1])*float64(n-below)/float64(c-below)
	}
}

func (s *Sweep) cubic(ys []float64) func(n int) float64 {
	xs := make([]float64, len(s.levels))
	for i, l := range s.levels {
		xs[i] = float64(l.Concurrency)
	}
	var fb interp.FritschButland
	_ = fb.Fit(xs, ys) // panics on fewer than two or unsorted xs, never returns an error
	return func(n int) float64 { return fb.Predict(float64(n)) }
}

// levelAtOrAbove is the index of the lowest level of at least n.
func (s *Sweep) levelAtOrAbove(n int) int {
	return sort.Search(len(s.levels), func(i int) bool { return s.levels[i].Concurrency >= n })
}
