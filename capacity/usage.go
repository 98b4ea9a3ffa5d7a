package capacity

import "fmt"

// Usage is how people use the service. The first of Agent, ThinkSeconds and
// Multiplier that is set turns requests at once into people.
type Usage struct {
	Name          string
	Multiplier    float64 // people served for each request in flight, 1 to 1e6: the published rule
	ThinkSeconds  float64 // mean time between a reply and the next request; 0: not set (people who never pause are Multiplier 1)
	Agent         *Agent
	ContextTokens int // tokens that one session keeps; 0: not said
}

// Agent is work in tasks: calls one after the other with a tool run between
// them, then a pause until the next task.
type Agent struct {
	Calls        int     // of a task, at least 1
	ToolSeconds  float64 // between two calls
	PauseSeconds float64 // between two tasks
	Parallel     int     // sub-agents at work at once, each counted as one more user (an upper bound); 0: 1
}

// Chat is the published reader of answers: 4 people for each request in flight,
// sessions of 16,384 tokens.
func Chat() Usage { return Usage{Name: "chat", Multiplier: 4, ContextTokens: 16_384} }

// Agentic is the published agent: 1.5 people for each request in flight,
// sessions of 65,536 tokens.
func Agentic() Usage { return Usage{Name: "agentic", Multiplier: 1.5, ContextTokens: 65_536} }

// ThinkSeconds is the mean time between a reply and the next call:
// (pause + (calls-1) tool)/calls.
func (a Agent) ThinkSeconds() float64 {
	return (a.PauseSeconds + float64(a.Calls-1)*a.ToolSeconds) / float64(a.Calls)
}

// TaskSeconds is the time of one task whose calls take responseSeconds each.
func (a Agent) TaskSeconds(responseSeconds float64) float64 {
	return float64(a.Calls)*responseSeconds + float64(a.Calls-1)*a.ToolSeconds
}

// Basis says what turns requests at once into people.
type Basis int

const (
	BasisMultiplier Basis = iota // a fixed number of people for each request in flight
	BasisThink                   // measured latency, think time and Little's law
	BasisAgent                   // the same with the think time of an agent's calls
)

// String names the basis.
func (b Basis) String() string { return name(int(b), "multiplier", "think time", "agent") }

// MarshalText writes the basis as its name.
func (b Basis) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// basis prefers what says more: an agent's day over a think time over a constant.
func (u Usage) basis() Basis {
	switch {
	case u.Agent != nil:
		return BasisAgent
	case u.ThinkSeconds != 0:
		return BasisThink
	}
	return BasisMultiplier
}

// pace is the think time of one customer of the model and the customers that
// one person is.
func (u Usage) pace() (think float64, customers int) {
	if u.Agent == nil {
		return u.ThinkSeconds, 1
	}
	return u.Agent.ThinkSeconds(), max(1, u.Agent.Parallel)
}

func (u Usage) check() error {
	if u.ContextTokens < 0 {
		return fmt.Errorf("%w: ContextTokens: %d is negative", ErrUsage, u.ContextTokens)
	}
	switch u.basis() {
	case BasisAgent:
		return u.Agent.check()
	case BasisThink:
		return checkThink(u.ThinkSeconds)
	}
	switch {
	case u.Multiplier == 0:
		return fmt.Errorf("%w: none of Agent, ThinkSeconds and Multiplier is set", ErrUsage)
	case !(u.Multiplier >= 1 && u.Multiplier <= 1e6):
		return fmt.Errorf("%w: Multiplier: %v is not in 1 to 1e6", ErrUsage, u.Multiplier)
	}
	return nil
}

func (a Agent) check() error {
	switch {
	case a.Calls < 1:
		return fmt.Errorf("%w: Agent.Calls: %d; at least 1 is needed", ErrUsage, a.Calls)
	case a.Parallel < 0 || a.Parallel > maxUsers:
		return fmt.Errorf("%w: Agent.Parallel: %d is not in 0 to 1e9", ErrUsage, a.Parallel)
	case !seconds(a.ToolSeconds):
		return fmt.Errorf("%w: Agent.ToolSeconds: %v s is not in 0 to 1e9", ErrThink, a.ToolSeconds)
	case !seconds(a.PauseSeconds):
		return fmt.Errorf("%w: Agent.PauseSeconds: %v s is not in 0 to 1e9", ErrThink, a.PauseSeconds)
	}
	return nil
}
