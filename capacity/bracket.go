package capacity

import (
	"errors"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// bracket sets Low and High. Shifting every level the same way and taking the
// worse, or the better, neighbour between levels can only move the answer the
// same way while the figures worsen with load.
func (s *Sweep) bracket(u *Users, o Options) error {
	z := distuv.UnitNormal.Quantile(1 - (1-o.Confidence)/(4*float64(len(s.levels))))
	var err error
	if u.Low, err = s.corner(u, o, StepUp, z); err != nil {
		return err
	}
	if u.High, err = s.corner(u, o, StepDown, -z); err != nil {
		return err
	}
	if u.Low > u.Users || u.High < u.Users {
		u.warn("the bracket [%d, %d] does not hold the figure, as may be where figures fall with load; it is widened", u.Low, u.High)
		u.Low, u.High = min(u.Low, u.Users), max(u.High, u.Users)
	}
	return nil
}

// corner is the answer with every level z standard errors worse.
func (s *Sweep) corner(u *Users, o Options, how Interpolation, z float64) (int, error) {
	shifted, stuck := s.shifted(z)
	if stuck > 0 {
		u.warn("level %d: TPS is not above its error of %.3g standard errors, so the bracket starts at 0", stuck, z)
		return 0, nil
	}
	o.Interpolation = how
	n, err := shifted.station(o).maxUsers(u.ThinkSeconds, u.Targets, o)
	if errors.Is(err, ErrUnbounded) || errors.Is(err, ErrUsers) {
		u.warn("the upper end of the bracket is above 1e9: %w", err)
		return maxUsers, nil
	}
	return n, err
}

// shifted moves TTFT up and TPS down by z standard errors. It names the level
// whose TPS that leaves without a positive value, or 0.
func (s *Sweep) shifted(z float64) (c *Sweep, stuck int) {
	c = &Sweep{work: s.work, levels: slices.Clone(s.levels), projected: s.projected}
	for i := range c.levels {
		l := &c.levels[i]
		if l.TTFTStdErr == 0 && l.TPSStdErr == 0 {
			continue
		}
		l.TTFTSeconds = max(0, l.TTFTSeconds+z*l.TTFTStdErr)
		l.TPS -= z * l.TPSStdErr
		if l.TPS <= 0 {
			return nil, l.Concurrency
		}
		c.keepOrder(l, z)
	}
	return c, 0
}

// keepOrder keeps an end-to-end request at least as long as its first token, on
// the side that z leads to.
func (s *Sweep) keepOrder(l *Level, z float64) {
	o := float64(s.work.OutputTokens)
	if s.work.TPS != EndToEndTPS || l.TTFTSeconds <= o/l.TPS {
		return
	}
	if z > 0 {
		l.TPS = o / l.TTFTSeconds
	} else {
		l.TTFTSeconds = o / l.TPS
	}
}
