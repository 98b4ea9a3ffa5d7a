package stat

import (
	"fmt"
	"math"
	"slices"
)

// DefaultSketchError is the relative error of a zero [Sketch].
const DefaultSketchError = 0.01

// Sketch holds the distribution of any number of observations, zero or positive,
// in bounded memory. A quantile is within the sketch's relative error of the
// observation that has that rank, whatever the distribution, and merging sketches
// is exact: the merged one is what all observations would have made. This is
// DDSketch (Masson, Rim and Lee 2019), with buckets that never collapse: 9 orders
// of magnitude at 1% take 1,036 of them, 8 bytes each.
//
// The zero value is ready, with an error of 1%. A sketch is for one goroutine.
type Sketch struct {
	relErr   float64 // 0: DefaultSketchError
	perLog   float64 // buckets per unit of ln x; 0: not yet computed
	counts   []uint64
	first    int // the bucket counts[0] stands for
	zeros    uint64
	n        uint64
	sum      float64
	min, max float64
}

// NewSketch returns a sketch of that relative error, from 1e-4 to below 1: finer
// ones could take gigabytes.
func NewSketch(relErr float64) (*Sketch, error) {
	if !(relErr >= 1e-4 && relErr < 1) {
		return nil, fmt.Errorf("%w: relative error %g, want 1e-4 to 1", ErrParameter, relErr)
	}
	return &Sketch{relErr: relErr}, nil
}

// RelativeError returns the error that quantiles may have.
func (s *Sketch) RelativeError() float64 {
	if s.relErr == 0 {
		return DefaultSketchError
	}
	return s.relErr
}

// Add takes one observation. It allocates only where the range grows.
func (s *Sketch) Add(x float64) error {
	if !(x >= 0 && x <= limit) {
		err := ErrNonFinite
		if x < 0 {
			err = ErrNonPositive
		}
		return &InputError{"x", int(s.n), x, err}
	}
	if s.n == 0 {
		s.min, s.max = x, x
	}
	s.n++
	s.sum += x
	s.min, s.max = min(s.min, x), max(s.max, x)
	if x < smallest {
		s.zeros++
		return nil
	}
	k := s.bucket(x)
	s.cover(k, k)
	s.counts[k-s.first]++
	return nil
}

// smallest is the least observation that is not taken for zero: below it floats
// lose precision.
const smallest = 0x1p-1022

// bucket returns the k with gamma^(k-1) < x <= gamma^k, gamma being the ratio of
// neighbouring bounds, (1 + e) / (1 - e).
func (s *Sketch) bucket(x float64) int { return int(math.Ceil(math.Log(x) * s.scale())) }

// value is the point of a bucket that is within the relative error of all of it.
func (s *Sketch) value(k int) float64 {
	return math.Exp(float64(k)/s.scale()) * (1 - s.RelativeError())
}

// scale returns 1 / ln gamma.
func (s *Sketch) scale() float64 {
	if s.perLog == 0 {
		s.perLog = 1 / (2 * math.Atanh(s.RelativeError()))
	}
	return s.perLog
}

// cover makes room for buckets lo to hi.
func (s *Sketch) cover(lo, hi int) {
	if len(s.counts) == 0 {
		s.first = lo
	}
	if lo < s.first {
		s.counts = slices.Insert(s.counts, 0, make([]uint64, s.first-lo)...)
		s.first = lo
	}
	if need := hi - s.first + 1; need > len(s.counts) {
		s.counts = append(s.counts, make([]uint64, need-len(s.counts))...)
	}
}

// Merge adds another sketch's observations. Both must have the same relative
// error.
func (s *Sketch) Merge(o *Sketch) error {
	if s.RelativeError() != o.RelativeError() {
		return fmt.Errorf("%w: a sketch of relative error %g does not merge into one of %g", ErrParameter, o.RelativeError(), s.RelativeError())
	}
	if o.n == 0 {
		return nil
	}
	if s.n == 0 {
		s.min, s.max = o.min, o.max
	}
	s.n, s.zeros, s.sum = s.n+o.n, s.zeros+o.zeros, s.sum+o.sum
	s.min, s.max = min(s.min, o.min), max(s.max, o.max)
	if len(o.counts) > 0 {
		s.cover(o.first, o.first+len(o.counts)-1)
		for i, c := range o.counts {
			s.counts[o.first-s.first+i] += c
		}
	}
	return nil
}

// Count returns how many observations were added.
func (s *Sketch) Count() uint64 { return s.n }

// Mean returns their mean, which is exact; NaN of none.
func (s *Sketch) Mean() float64 { return s.sum / float64(s.n) }

// Quantile returns the q-quantile: within the relative error of the observation
// of rank floor(q (n - 1)), from 0. The extremes are exact.
func (s *Sketch) Quantile(q float64) (float64, error) {
	if s.n == 0 {
		return 0, fmt.Errorf("%w: the sketch is empty", ErrEmpty)
	}
	if !(q >= 0 && q <= 1) {
		return 0, fmt.Errorf("%w: q = %g, want 0 to 1", ErrParameter, q)
	}
	rank := uint64(q * float64(s.n-1))
	switch {
	case rank == 0:
		return s.min, nil
	case rank >= s.n-1:
		return s.max, nil
	case rank < s.zeros:
		return 0, nil
	}
	seen := s.zeros
	for i, c := range s.counts {
		if seen += c; rank < seen {
			return min(max(s.value(s.first+i), s.min), s.max), nil
		}
	}
	return s.max, nil
}

// Min returns the smallest observation; NaN of none.
func (s *Sketch) Min() float64 { return s.orNaN(s.min) }

// Max returns the largest observation; NaN of none.
func (s *Sketch) Max() float64 { return s.orNaN(s.max) }

func (s *Sketch) orNaN(x float64) float64 {
	if s.n == 0 {
		return math.NaN()
	}
	return x
}

// String gives the form "5000 observations, median 0.0421, p99 0.113 (±1%)".
func (s *Sketch) String() string {
	if s.n == 0 {
		return "no observations"
	}
	p50, _ := s.Quantile(0.5)
	p99, _ := s.Quantile(0.99)
	return fmt.Sprintf("%d observations, median %.3g, p99 %.3g (±%g%%)", s.n, p50, p99, 100*s.RelativeError())
}
