package capacity

import "fmt"

// MemoryStatus says what is known of the memory left for sessions.
type MemoryStatus int

const (
	MemoryUnknown  MemoryStatus = iota // not calculated: speed alone decides
	MemoryKnown                        // Sessions fit at once
	ContextTooLong                     // a session is longer than the model's window: nobody can be served so
)

// MemoryLimit is how many sessions fit in memory at once. Reason says why it is
// unknown (weights exceed the assumed memory, unsupported cache layout) or what
// the window is; [Capacity.Explain] repeats it.
type MemoryLimit struct {
	Status   MemoryStatus
	Sessions int // with MemoryKnown
	Reason   string
}

// withMemory fills what Options.Soft leaves open from the usage and the limit.
func (o *Options) withMemory(u Usage, m MemoryLimit) *Options {
	if o == nil || o.Soft == nil {
		return o
	}
	filled, soft := *o, *o.Soft
	if soft.Sessions == 0 {
		soft.Sessions = m.Sessions
	}
	if soft.SessionTokens == 0 {
		soft.SessionTokens = u.ContextTokens
	}
	filled.Soft = &soft
	return &filled
}

func (m MemoryLimit) check() error {
	switch {
	case m.Status < MemoryUnknown || m.Status > ContextTooLong:
		return &InputError{0, "Status", fmt.Sprintf("%d is no memory status", m.Status)}
	case m.Sessions < 0:
		return &InputError{0, "Sessions", fmt.Sprintf("%d is negative", m.Sessions)}
	case m.Status != MemoryKnown && m.Sessions != 0:
		return &InputError{0, "Sessions", fmt.Sprintf("%d sessions are given but not as MemoryKnown", m.Sessions)}
	}
	return nil
}
