package capacity

import "math"

// scaled is a positive number f x 2^(500 e) with f in [2^-250, 2^250), or 0. It
// holds products that a float64 cannot, and rounds no more than one.
type scaled struct {
	f float64
	e int
}

// times multiplies by r, which is within 2^250 of 1 either way.
func (s *scaled) times(r float64) {
	s.f *= r
	switch {
	case s.f >= 0x1p250:
		s.f, s.e = s.f*0x1p-500, s.e+1
	case s.f < 0x1p-250 && s.f > 0:
		s.f, s.e = s.f*0x1p500, s.e-1
	}
}

// float is the number itself, 0 where it is below 2^-1250; it must be below
// 2^250.
func (s scaled) float() float64 {
	switch s.e {
	case 0:
		return s.f
	case -1:
		return s.f * 0x1p-500
	case -2:
		return s.f * 0x1p-500 * 0x1p-500
	}
	return 0
}

// by is the product of both.
func (s scaled) by(t scaled) scaled {
	s.e += t.e
	s.times(t.f)
	return s
}

// plus is the sum of both.
func (s scaled) plus(t scaled) scaled {
	if t.above(s) {
		s, t = t, s
	}
	t.e -= s.e
	s.f += t.float()
	s.times(1)
	return s
}

// over is the ratio of s to a t at least as large.
func (s scaled) over(t scaled) float64 {
	s.e -= t.e
	if s.e < -2 {
		return 0
	}
	return math.Ldexp(s.f/t.f, 500*s.e)
}

// above reports whether s is larger than t.
func (s scaled) above(t scaled) bool {
	return s.f > 0 && (t.f == 0 || s.e > t.e || s.e == t.e && s.f > t.f)
}

func (s scaled) log() float64 { return math.Log(s.f) + float64(s.e)*500*math.Ln2 }
