package capacity

import (
	"errors"
	"fmt"
	"math"
)

// maxUsers bounds every number of people.
const maxUsers = 1_000_000_000

// Estimate is the published rule: the highest measured level that meets the
// targets, times the people that one request stands for, rounded down, and no
// more than the sessions that memory holds. With memory unknown speed alone
// decides; a tie drops the plus sign, since memory then caps the figure.
//
// The multiplier is [ErrUsage] outside 1 to 1e6, a bad target is [ErrTargets],
// more than 1e9 people is [ErrUsers], a bad memory limit an [*InputError].
func Estimate(s *Sweep, t Targets, u Usage, m MemoryLimit, o *Options) (Capacity, error) {
	mc, err := s.MaxC(t)
	if err != nil {
		return Capacity{}, err
	}
	c, err := EstimateFromMaxC(mc, u, m)
	if err != nil {
		return Capacity{}, err
	}
	c.Warnings = append(s.warnings(mc), c.Warnings...)
	return c, nil
}

// EstimateFromMaxC is the arithmetic of the published rule for a caller that
// knows the highest passing level but not the sweep behind it. AtLeast of mc is
// taken at the caller's word: set it only where mc is known to be the highest
// level that was measured.
func EstimateFromMaxC(mc MaxC, u Usage, m MemoryLimit) (Capacity, error) {
	if err := checkRule(mc, u, m); err != nil {
		return Capacity{}, err
	}
	speed := math.Floor(float64(mc.Concurrency)*u.Multiplier + floorGuard)
	if speed > maxUsers {
		return Capacity{}, fmt.Errorf("%w: %d requests x %v is above 1e9", ErrUsers, mc.Concurrency, u.Multiplier)
	}
	c := Capacity{Speed: int(speed), Memory: m.Sessions, MaxC: mc, Usage: u, MemoryLimit: m}
	c.decide()
	c.AtLeast = c.Limit == LimitSpeed && mc.AtLeast
	c.Low, c.High = c.Users, c.Users
	return c, nil
}

// floorGuard keeps a product that is a whole number on paper, such as 10 x 1.1,
// from falling to the one below.
const floorGuard = 1e-9

// decide sets Users and Limit from the two limits.
func (c *Capacity) decide() {
	m := c.MemoryLimit
	switch {
	case m.Status == ContextTooLong:
		c.Warnings = append(c.Warnings, fmt.Errorf("capacity: the context is longer than the model's window%s", because(m.Reason)))
	case m.Status == MemoryUnknown:
		c.Warnings = append(c.Warnings, fmt.Errorf("capacity: memory was not calculated%s; the figure is speed alone", because(m.Reason)))
	}
	switch {
	case c.MaxC.Concurrency == 0:
		c.Limit = LimitNoLevel
	case m.Status == ContextTooLong:
		c.Limit = LimitContext
	case m.Status == MemoryUnknown || c.Speed < c.Memory:
		c.Users, c.Limit = c.Speed, LimitSpeed
	case c.Speed == c.Memory:
		c.Users, c.Limit = c.Speed, LimitTie
	default:
		c.Users, c.Limit = c.Memory, LimitMemory
	}
}

func checkRule(mc MaxC, u Usage, m MemoryLimit) error {
	if err := u.check(); err != nil {
		return err
	}
	if err := m.check(); err != nil {
		return err
	}
	if mc.Concurrency < 0 || mc.Concurrency > maxConcurrency {
		return &InputError{mc.Concurrency, "Concurrency", fmt.Sprintf("not in 0 to %d", maxConcurrency)}
	}
	return nil
}

// warnings says what a figure read off the levels rests on.
func (s *Sweep) warnings(mc MaxC) []error {
	warns := s.restsOn(mc.Targets)
	if mc.Contiguous < mc.Concurrency {
		warns = append(warns, fmt.Errorf("capacity: level %d passes although a lower one fails; without a gap the highest passing level is %d", mc.Concurrency, mc.Contiguous))
	}
	return warns
}

// restsOn warns of a single level and of targets that are not set.
func (s *Sweep) restsOn(t Targets) []error {
	var warns []error
	if len(s.levels) == 1 {
		warns = append(warns, fmt.Errorf("capacity: the sweep has a single level, %d at once: the figure rests on one measurement", s.top()))
	}
	if t.MaxTTFTSeconds == 0 && t.MaxE2ESeconds == 0 {
		warns = append(warns, errors.New("capacity: no latency target is set"))
	}
	if t.MinTPS == 0 {
		warns = append(warns, errors.New("capacity: no speed target is set"))
	}
	return warns
}
