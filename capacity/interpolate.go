package capacity

import "gonum.org/v1/gonum/interp"

// interpolated returns y at 1, 2, ... k from its values ys at the levels, which
// must reach k.
func (s *Sweep) interpolated(how Interpolation, k int, ys []float64) []float64 {
	if how == Monotone && len(ys) > 1 {
		return s.cubic(k, ys)
	}
	out := make([]float64, k)
	i := 0 // the lowest level of at least n
	for n := 1; n <= k; n++ {
		for s.levels[i].Concurrency < n {
			i++
		}
		out[n-1] = s.between(how, n, i, ys)
	}
	return out
}

// between is y at n, for which i is the lowest level of at least n. A measured
// level keeps its value to the last bit: a target may stand on it.
func (s *Sweep) between(how Interpolation, n, i int, ys []float64) float64 {
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

// cubic holds the first level's value below it, as the others do.
func (s *Sweep) cubic(k int, ys []float64) []float64 {
	xs := make([]float64, len(s.levels))
	for i, l := range s.levels {
		xs[i] = float64(l.Concurrency)
	}
	var fb interp.FritschButland
	_ = fb.Fit(xs, ys) // panics on fewer than two or unsorted xs, never returns an error
	out := make([]float64, k)
	for i := range out {
		out[i] = fb.Predict(float64(i + 1))
	}
	return out
}
