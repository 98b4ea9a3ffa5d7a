package capacity

import (
	"fmt"
	"math"
	"strconv"
)

// Explain says in one sentence where the figure comes from.
func (c Capacity) Explain() string {
	prefix := ""
	if c.Usage.Name != "" {
		prefix = c.Usage.Name + ": "
	}
	return prefix + c.sentence() + "."
}

// sentence puts the limit that decided first and the other one after it, so that
// a reader sees at once what to change.
func (c Capacity) sentence() string {
	switch c.Limit {
	case LimitNoLevel:
		return "no figure: " + c.whyNone()
	case LimitContext:
		return fmt.Sprintf("no figure: a session%s is longer than the model's window%s", c.tokens(), because(c.MemoryLimit.Reason))
	case LimitMemory:
		return fmt.Sprintf("%s, set by memory: %s fit; speed would allow %s (%s)", c.people(), c.sessions(), group(c.Speed), c.speed())
	case LimitTie:
		return fmt.Sprintf("%s by either limit: %s fit, and speed allows as many (%s)", c.people(), c.sessions(), c.speed())
	}
	return fmt.Sprintf("%s, set by speed: %s; %s", c.people(), c.speed(), c.memory())
}

// people is the figure with its bracket where it has one.
func (c Capacity) people() string {
	s := people(c.Users)
	if c.AtLeast {
		s = "at least " + s
	}
	if c.Low != c.Users || c.High != c.Users {
		s += fmt.Sprintf(" (%s to %s)", group(c.Low), group(c.High))
	}
	return s
}

// whyNone names what failed: a level by the rule, but one user alone in the
// model, where a figure is searched from one user upwards.
func (c Capacity) whyNone() string {
	switch {
	case c.reason != "":
		return c.reason
	case c.Basis == BasisMultiplier:
		return "no measured level meets " + c.targets()
	case c.Usage.Agent != nil:
		return "a single agent does not meet " + c.targets()
	}
	return "a single user does not meet " + c.targets()
}

// speed is what the speed limit rests on.
func (c Capacity) speed() string {
	if c.Basis != BasisMultiplier {
		return c.speedByThink()
	}
	s := plural(c.MaxC.Concurrency, "request") + " at once"
	if c.MaxC.AtLeast {
		s += ", the highest level measured,"
	}
	s += fmt.Sprintf(" within %s and %v people for each", c.targets(), c.Usage.Multiplier)
	if x := float64(c.MaxC.Concurrency) * c.Usage.Multiplier; math.Abs(x-float64(c.Speed)) > floorGuard {
		s += ", rounded down"
	}
	if !math.IsNaN(c.ThinkSeconds) {
		s += fmt.Sprintf(", which fits a think time of %.3g s", c.ThinkSeconds)
	}
	return s
}

// speedByThink says how the people behave, and what the sweep cannot have seen of
// it.
func (c Capacity) speedByThink() string {
	s := fmt.Sprintf("%s is met up to there with %.3g s between a reply and the next request", c.targets(), c.ThinkSeconds)
	if c.Usage.Agent != nil {
		s += fmt.Sprintf(" of %s a task", plural(c.Usage.Agent.Calls, "call"))
		if n := c.Usage.Agent.Parallel; n > 1 {
			s += fmt.Sprintf(" and %d sub-agents at once", n)
		}
	}
	if c.AtLeast {
		s += ", with as many slots as were measured"
	}
	t := c.MaxC.Targets
	if t.MaxTTFTSeconds > 0 && (!c.corrected || t.Attainment > 0 || t.Percentile > 0) {
		s += ", TTFT being optimistic because collisions of random arrivals are not in a sweep"
	}
	return s
}

func (c Capacity) memory() string {
	switch {
	case c.MemoryLimit.Status == MemoryUnknown:
		return "memory was not calculated" + because(c.MemoryLimit.Reason)
	case c.soft != nil:
		return "memory holds " + c.sessions() + ", and users beyond pay for reading theirs again (an approximation)"
	}
	return "memory holds " + c.sessions()
}

// targets reads "the targets" where only the level is known, not what it met.
func (c Capacity) targets() string {
	switch {
	case c.MaxC.Targets == (Targets{}) && c.MaxC.Levels == nil:
		return "the targets"
	case c.Basis == BasisMultiplier:
		return c.MaxC.Targets.ofMeans().String()
	}
	return c.MaxC.Targets.String()
}

func (c Capacity) sessions() string { return plural(c.Memory, "session") + c.tokens() }

func (c Capacity) tokens() string {
	if c.Usage.ContextTokens == 0 {
		return ""
	}
	return " of " + group(c.Usage.ContextTokens) + " tokens"
}

func people(n int) string {
	if n == 1 {
		return "1 person"
	}
	return group(n) + " people"
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return group(n) + " " + noun + "s"
}

// because puts a reason in brackets, or nothing where none is given.
func because(reason string) string {
	if reason == "" {
		return ""
	}
	return " (" + reason + ")"
}

// group writes n with a comma every three digits.
func group(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
