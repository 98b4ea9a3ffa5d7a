package capacity

import (
	"fmt"
	"slices"

	"example.com/servemath/internal/jsonout"
)

// maxMixed bounds the users of a mix, whose cost grows with their square.
const maxMixed = 10_000

// Class is users of one habit, sending requests of the sweep's shape.
type Class struct {
	Name         string
	Users        int
	ThinkSeconds float64 // above 0
}

// MixPoint is the service as a whole and as each class sees it.
type MixPoint struct {
	Point
	Classes []ClassPoint
}

// ClassPoint is the service as one class sees it: rates and means in the system
// are the class's own, P0, PFull, Load and Probability are of all.
type ClassPoint struct {
	Name string
	Point
}

// Mix answers what classes of users who think for different times see on one
// configuration, any number of them, exactly: with a_r requests of class r
// present, n in all, the probability is proportional to
//
//	n!/(mu(1)...mu(n)) x product over r of C(N_r, a_r)/Z_r^a_r
//
// (Baskett, Chandy, Muntz and Palacios 1975). A queue needs work that is
// exponential and alike for all classes. A class with no users or an unusable
// think time, fewer than 1 or more than 10,000 users in all are [ErrUsers] and
// [ErrThink].
func (s *Sweep) Mix(classes []Class, o *Options) (MixPoint, error) {
	opt, err := s.options(o)
	if err != nil {
		return MixPoint{}, err
	}
	users, err := checkClasses(classes)
	if err != nil {
		return MixPoint{}, err
	}
	st := s.station(opt).softened(opt.Soft, users)
	present := make([][]scaled, len(classes))
	for i, c := range classes {
		present[i] = c.present()
	}
	all := newLaw(st, 0, plain(st.served(convolved(present))), 0)
	m := MixPoint{Point: all.point()}
	m.Users = users
	if err := m.correct(opt.PrefillSeconds); err != nil {
		return MixPoint{}, err
	}
	for i, c := range classes {
		seen := slices.Clone(present)
		seen[i] = c.others()
		p := ClassPoint{Name: c.Name, Point: m.seenBy(c, st.newcomers(plain(st.served(convolved(seen)))))}
		if err := p.correct(opt.PrefillSeconds); err != nil {
			return MixPoint{}, err
		}
		m.Classes = append(m.Classes, p)
	}
	return m, nil
}

func checkClasses(classes []Class) (users int, err error) {
	for _, c := range classes {
		switch {
		case c.Users < 1 || c.Users > maxMixed:
			return 0, fmt.Errorf("%w: class %q: %d is not in 1 to %d", ErrUsers, c.Name, c.Users, maxMixed)
		case !(c.ThinkSeconds >= zeroThink && c.ThinkSeconds <= maxSeconds):
			return 0, fmt.Errorf("%w: class %q: %v s is not above 0 and up to 1e9", ErrThink, c.Name, c.ThinkSeconds)
		}
		users += c.Users
	}
	if users < 1 || users > maxMixed {
		return 0, fmt.Errorf("%w: %d in all classes is not in 1 to %d", ErrUsers, users, maxMixed)
	}
	return users, nil
}

// present are the weights C(N, a)/Z^a of a requests of the class present.
func (c Class) present() []scaled {
	return products(c.Users, func(a int) float64 { return float64(c.Users-a+1) / (float64(a) * c.ThinkSeconds) })
}

// others are the weights that a newcomer of the class sees of its own class: as
// many as if it did not count itself.
func (c Class) others() []scaled {
	c.Users--
	return c.present()
}

// served multiplies by n!/(mu(1)...mu(n)).
func (st *station) served(w []scaled) []scaled {
	g := products(len(w)-1, func(n int) float64 { return float64(n) / st.rate(n) })
	for n := range w {
		w[n] = w[n].by(g[n])
	}
	return w
}

// newcomers is the law whose newcomers find 0, 1, ... present with weights w.
func (st *station) newcomers(w []float64) *law {
	for j := range w {
		w[j] /= st.rate(j + 1)
	}
	return newLaw(st, 1, w, 0)
}

// seenBy is the point of one class, whose newcomers are those of seen.
func (m MixPoint) seenBy(c Class, seen *law) Point {
	p := seen.point()
	p.Users, p.ThinkSeconds = c.Users, c.ThinkSeconds
	ttft := seen.arrivals(seen.st.ttft)
	served := ttft + float64(seen.st.work.OutputTokens-1)*p.TPOTSeconds
	p.ResponseSeconds = p.QueueWaitSeconds + served
	p.RequestsPerSecond = float64(c.Users) / (p.ResponseSeconds + c.ThinkSeconds) // Little
	p.OutputTPS = p.RequestsPerSecond * float64(seen.st.work.OutputTokens)
	p.MeanInSystem, p.MeanInService = p.RequestsPerSecond*p.ResponseSeconds, p.RequestsPerSecond*served
	p.Multiplier = (p.ResponseSeconds + c.ThinkSeconds) / p.ResponseSeconds
	p.P0, p.PFull, p.Load, p.time = m.P0, m.PFull, m.Load, m.time
	return p
}

// products are 1, r(1), r(1)r(2), ... up to n factors.
func products(n int, ratio func(int) float64) []scaled {
	w := make([]scaled, n+1)
	run := scaled{f: 1}
	w[0] = run
	for i := 1; i <= n; i++ {
		run.times(ratio(i))
		w[i] = run
	}
	return w
}

// convolved is the distribution of the sum of independent parts. Weights span
// more orders of magnitude than a float64 can, and which of them count shows only
// once [station.served] has multiplied them, so none is dropped before.
func convolved(parts [][]scaled) []scaled {
	out := []scaled{{f: 1}}
	for _, p := range parts {
		next := make([]scaled, len(out)+len(p)-1)
		for i, x := range out {
			for j, y := range p {
				next[i+j] = next[i+j].plus(x.by(y))
			}
		}
		out = next
	}
	return out
}

// plain divides weights by the largest: what then underflows counts for nothing.
func plain(w []scaled) []float64 {
	top := w[0]
	for _, x := range w {
		if x.above(top) {
			top = x
		}
	}
	out := make([]float64, len(w))
	for i, x := range w {
		out[i] = x.over(top)
	}
	return out
}

// MarshalJSON writes the whole and its classes.
func (m MixPoint) MarshalJSON() ([]byte, error) {
	return append(m.object(), jsonout.Field{Name: "classes", Value: m.Classes}).MarshalJSON()
}

// MarshalJSON writes the class's name and figures.
func (c ClassPoint) MarshalJSON() ([]byte, error) {
	return append(jsonout.Object{{Name: "name", Value: c.Name}}, c.object()...).MarshalJSON()
}
