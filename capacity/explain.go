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

func (c Capacity) sentence() string {
	switch c.Limit {
	case LimitNoLevel:
		return "no figure: no measured level meets " + c.targets()
	case LimitContext:
		return fmt.Sprintf("no figure: a session%s is longer than the model's window%s", c.tokens(), because(c.MemoryLimit.Reason))
	case LimitMemory:
		return fmt.Sprintf("%s, set by memory: %s fit; speed would allow %s (%s)", people(c.Users), c.sessions(), group(c.Speed), c.speed())
	case LimitTie:
		return fmt.Sprintf("%s by either limit: %s fit, and speed allows as many (%s)", people(c.Users), c.sessions(), c.speed())
	}
	atLeast := ""
	if c.AtLeast {
		atLeast = "at least "
	}
	return fmt.Sprintf("%s%s, set by speed: %s; %s", atLeast, people(c.Users), c.speed(), c.memory())
}

// speed is the arithmetic of the speed limit.
func (c Capacity) speed() string {
	top, rounded := "", ""
	if c.MaxC.AtLeast {
		top = ", the highest level measured,"
	}
	if x := float64(c.MaxC.Concurrency) * c.Usage.Multiplier; math.Abs(x-float64(c.Speed)) > floorGuard {
		rounded = ", rounded down"
	}
	return fmt.Sprintf("%s at once%s within %s and %v people for each%s",
		plural(c.MaxC.Concurrency, "request"), top, c.targets(), c.Usage.Multiplier, rounded)
}

func (c Capacity) memory() string {
	if c.MemoryLimit.Status == MemoryUnknown {
		return "memory was not calculated" + because(c.MemoryLimit.Reason)
	}
	return "memory holds " + c.sessions()
}

// targets reads "the targets" where only the level is known, not what it met.
func (c Capacity) targets() string {
	if c.MaxC.Targets == (Targets{}) && c.MaxC.Levels == nil {
		return "the targets"
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
