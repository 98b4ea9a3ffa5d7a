package capacity

import (
	"cmp"
	"errors"
	"fmt"
	"math"
)

// maxUsers bounds every number of people.
const maxUsers = 1_000_000_000

// Estimate is how many people a measured configuration serves within the
// targets: the lower of what speed and memory allow.
//
// With a Multiplier it is the published rule: the highest measured level that
// meets the targets, times the people that one request stands for, rounded
// down, and no more than the sessions that memory holds. With ThinkSeconds or
// an Agent the speed limit is [Sweep.MaxUsers] instead, with its bracket;
// Options.Soft then takes the place of the hard memory limit. With memory
// unknown speed alone decides; a tie drops the plus sign, since memory then
// caps the figure.
//
// Bad input is [ErrUsage], [ErrThink], [ErrTargets], [ErrOptions] or an
// [*InputError] for the memory limit. More than 1e9 people are [ErrUsers] and no
// end of them [ErrUnbounded], by think time only where memory sets no bound
// either.
func Estimate(s *Sweep, t Targets, u Usage, m MemoryLimit, o *Options) (Capacity, error) {
	if err := cmp.Or(u.check(), m.check()); err != nil {
		return Capacity{}, err
	}
	mc, err := s.MaxC(t)
	if err != nil {
		return Capacity{}, err
	}
	if u.basis() != BasisMultiplier {
		return s.estimateByThink(mc, u, m, o)
	}
	if opt, err := s.options(o); err != nil {
		return Capacity{}, err
	} else if opt.Soft != nil {
		return Capacity{}, fmt.Errorf("%w: Soft: a multiplier knows no response time for misses to lengthen; set ThinkSeconds or Agent", ErrOptions)
	}
	c, err := EstimateFromMaxC(mc, u, m)
	if err != nil {
		return Capacity{}, err
	}
	c.reason = s.unmeasured(t)
	c.Warnings = append(s.warnings(mc), c.Warnings...)
	return c, nil
}

// EstimateFromMaxC is the arithmetic of the published rule for a caller that
// knows the highest passing level but not the sweep behind it, so the usage
// must have a Multiplier. AtLeast of mc is taken at the caller's word: set it
// only where mc is known to be the highest level that was measured.
func EstimateFromMaxC(mc MaxC, u Usage, m MemoryLimit) (Capacity, error) {
	if err := cmp.Or(u.check(), m.check()); err != nil {
		return Capacity{}, err
	}
	if u.basis() != BasisMultiplier {
		return Capacity{}, fmt.Errorf("%w: think time needs the sweep; a Max C alone goes with a Multiplier", ErrUsage)
	}
	if mc.Concurrency < 0 || mc.Concurrency > maxConcurrency {
		return Capacity{}, &InputError{mc.Concurrency, "Concurrency", fmt.Sprintf("not in 0 to %d", maxConcurrency)}
	}
	speed := math.Floor(float64(mc.Concurrency)*u.Multiplier + floorGuard)
	if speed > maxUsers {
		return Capacity{}, fmt.Errorf("%w: %d requests x %v is above 1e9", ErrUsers, mc.Concurrency, u.Multiplier)
	}
	c := Capacity{Speed: int(speed), Memory: m.Sessions, MaxC: mc, Usage: u, MemoryLimit: m, ThinkSeconds: mc.impliedThink(u.Multiplier)}
	c.decide(mc.AtLeast)
	c.Low, c.High = c.Users, c.Users
	return c, nil
}

// floorGuard keeps a product that is a whole number on paper, such as 100 x
// 1.15, from falling to the one below.
const floorGuard = 1e-9

// estimateByThink is Estimate with a think time.
func (s *Sweep) estimateByThink(mc MaxC, u Usage, m MemoryLimit, o *Options) (Capacity, error) {
	opt, err := s.options(o.withMemory(u, m))
	if err != nil {
		return Capacity{}, err
	}
	think, customers := u.pace()
	c := Capacity{
		Memory: m.Sessions, MaxC: mc, Usage: u, MemoryLimit: m, Basis: u.basis(),
		ThinkSeconds: think, soft: opt.Soft, corrected: opt.PrefillSeconds > 0, reason: s.unmeasured(mc.Targets),
	}
	if c.reason != "" {
		c.Limit, c.Warnings = LimitNoLevel, s.restsOn(mc.Targets)
		return c, nil
	}
	users, err := s.MaxUsers(think, mc.Targets, &opt)
	switch {
	case (errors.Is(err, ErrUnbounded) || errors.Is(err, ErrUsers)) && m.Status != MemoryUnknown && opt.Soft == nil:
		users = Users{Users: maxUsers, Low: maxUsers, High: maxUsers, Warnings: append(s.restsOn(mc.Targets), err)}
	case err != nil:
		return Capacity{}, err
	}
	c.Speed, c.Warnings = users.Users/customers, users.Warnings
	c.decide(users.AtLeast)
	c.Low, c.High = c.capped(users.Low/customers), c.capped(users.High/customers)
	return c, nil
}

// unmeasured says which target a projected sweep cannot be held against.
func (s *Sweep) unmeasured(t Targets) string {
	if s.projected && t.MaxTTFTSeconds > 0 {
		return "TTFT under load at this prompt length needs a measured sweep"
	}
	return ""
}

// decide sets Users, Limit and AtLeast from the two limits; atLeast is that
// speed was not measured to its end.
func (c *Capacity) decide(atLeast bool) {
	m := c.MemoryLimit
	switch m.Status {
	case ContextTooLong:
		c.Warnings = append(c.Warnings, fmt.Errorf("capacity: the context is longer than the model's window%s", because(m.Reason)))
	case MemoryUnknown:
		c.Warnings = append(c.Warnings, fmt.Errorf("capacity: memory was not calculated%s; the figure is speed alone", because(m.Reason)))
	}
	switch {
	case c.Speed == 0:
		c.Limit = LimitNoLevel
	case m.Status == ContextTooLong:
		c.Limit = LimitContext
	case m.Status == MemoryUnknown || c.soft != nil || c.Speed < c.Memory:
		c.Users, c.Limit = c.Speed, LimitSpeed
	case c.Speed == c.Memory:
		c.Users, c.Limit = c.Speed, LimitTie
	default:
		c.Users, c.Limit = c.Memory, LimitMemory
	}
	c.AtLeast = c.Limit == LimitSpeed && atLeast
}

// capped is an end of the bracket by speed under what else limits the figure.
func (c *Capacity) capped(speed int) int {
	switch {
	case c.MemoryLimit.Status == ContextTooLong:
		return 0
	case c.MemoryLimit.Status == MemoryKnown && c.soft == nil:
		return min(speed, c.Memory)
	}
	return speed
}

// warnings says what a figure read off the levels rests on.
func (s *Sweep) warnings(mc MaxC) []error {
	warns := s.restsOn(mc.Targets)
	switch t := mc.Targets; {
	case t.Attainment > 0:
		warns = append(warns, errors.New("capacity: a multiplier leaves Attainment out: measured levels know the mean request only"))
	case t.Percentile > 0:
		warns = append(warns, errors.New("capacity: a multiplier leaves Percentile out: measured levels know the mean request only"))
	}
	if mc.Contiguous < mc.Concurrency {
		warns = append(warns, fmt.Errorf("capacity: level %d passes although a lower one fails; without a gap the highest passing level is %d", mc.Concurrency, mc.Contiguous))
	}
	return warns
}

// restsOn warns of a single level, of targets that are not set and of figures
// that were not measured.
func (s *Sweep) restsOn(t Targets) []error {
	var warns []error
	if s.projected {
		warns = append(warns, errEstimated)
	}
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
