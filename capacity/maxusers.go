package capacity

import (
	"fmt"
	"math"

	"example.com/servemath/internal/jsonout"
)

// Users is how many people may share a configuration at a think time.
type Users struct {
	Users        int  // the largest number up to which every number meets the targets, by Options.Interpolation
	Low, High    int  // bracket: StepUp and StepDown, at the corners of the standard errors where levels carry them
	AtLeast      bool // only the highest measured level bounds the slots, and it meets the targets: more slots may serve more
	Monotone     bool // TTFT and time per token never fall with load; otherwise a larger number may pass again
	Fluid        int  // Max C x (response + think)/response: the figure that leaves collisions out; 0 where no level passes
	Slots        int
	ThinkSeconds float64
	Targets      Targets
	Warnings     []error
}

// MaxUsers finds how many users meet the targets, each thinking thinkSeconds
// between a reply and the next request. Where the figures worsen with load it
// doubles and bisects; where they do not it bisects under a bound that holds
// for every number in between, so no failing number is skipped.
//
// The bracket needs figures that worsen with load, and no more, between levels;
// with standard errors it holds jointly at Options.Confidence (Bonferroni). It
// is deterministic.
//
// [ErrUnbounded] means that neither a TTFT nor an E2E target is set and a
// request meets MinTPS with every slot busy: then any number may queue.
// [ErrTargets] covers bad targets and a TTFT target on a projected sweep,
// [ErrThink] the think time, [ErrUsers] an answer above 1e9.
func (s *Sweep) MaxUsers(thinkSeconds float64, t Targets, o *Options) (Users, error) {
	opt, err := s.checkModel(thinkSeconds, t, o)
	if err != nil {
		return Users{}, err
	}
	mc, err := s.MaxC(t)
	if err != nil {
		return Users{}, err
	}
	st := s.station(opt)
	n, err := st.maxUsers(thinkSeconds, t, opt)
	if err != nil {
		return Users{}, err
	}
	u := Users{
		Users: n, Slots: st.slots(), ThinkSeconds: thinkSeconds, Targets: t,
		AtLeast:  st.slots() == s.top() && mc.AtLeast,
		Monotone: rising(st.ttft) && rising(st.tpot),
		Fluid:    mc.fluid(thinkSeconds),
		Warnings: s.restsOn(t),
	}
	if !u.Monotone {
		u.warn("TTFT or time per token falls somewhere with load; a number above may meet the targets again")
	}
	if err := s.bracket(&u, opt); err != nil {
		return Users{}, err
	}
	return u, nil
}

// checkModel checks what every method of the model takes.
func (s *Sweep) checkModel(think float64, t Targets, o *Options) (Options, error) {
	opt, err := s.options(o)
	if err != nil {
		return opt, err
	}
	if err := checkThink(think); err != nil {
		return opt, err
	}
	if err := t.check(); err != nil {
		return opt, err
	}
	if s.projected && t.MaxTTFTSeconds > 0 {
		return opt, errProjected
	}
	return opt, nil
}

// maxUsers is the search behind one interpolation. It refuses first what would
// never fail: with no time limited a queue of any length passes once a request
// with every slot busy does.
func (st *station) maxUsers(think float64, t Targets, o Options) (int, error) {
	worst := st.softened(o.Soft, maxUsers)
	last := worst.slots() - 1
	if t.MaxTTFTSeconds == 0 && t.MaxE2ESeconds == 0 && atMost(t.MinTPS, worst.work.tps(worst.ttft[last], worst.tpot[last])) {
		return 0, fmt.Errorf("%w: neither TTFT nor E2E is limited, and speed with all %d slots busy is enough", ErrUnbounded, st.slots())
	}
	s := search{station: st, soft: o.Soft, targets: t, think: think, prefill: o.PrefillSeconds}
	return s.largest()
}

// fluid is the number of users that keep Max C requests in flight if nothing
// ever collides.
func (m MaxC) fluid(think float64) int {
	for _, v := range m.Levels {
		if v.Concurrency == m.Concurrency {
			users := float64(v.Concurrency) * (v.E2ESeconds + think) / v.E2ESeconds
			return int(min(maxUsers, math.Floor(users+floorGuard)))
		}
	}
	return 0
}

func (u *Users) warn(format string, args ...any) {
	u.Warnings = append(u.Warnings, fmt.Errorf("capacity: "+format, args...))
}

// String is the figure with its plus sign and bracket: "511 (483 to 539)".
func (u Users) String() string {
	return fmt.Sprintf("%s (%d to %d)", figure(u.Users, u.AtLeast), u.Low, u.High)
}

// MarshalJSON writes the figures with stable names.
func (u Users) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "users", Value: u.Users},
		{Name: "at_least", Value: u.AtLeast},
		{Name: "low_users", Value: u.Low},
		{Name: "high_users", Value: u.High},
		{Name: "monotone", Value: u.Monotone},
		{Name: "fluid_users", Value: u.Fluid},
		{Name: "slots", Value: u.Slots},
		{Name: "think_seconds", Value: u.ThinkSeconds},
		{Name: "targets", Value: u.Targets},
		{Name: "warnings", Value: u.Warnings},
	}.MarshalJSON()
}
