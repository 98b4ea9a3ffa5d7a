package capacity

import "fmt"

// Usage is how people use the service.
type Usage struct {
	Name          string
	Multiplier    float64 // people served for each request in flight, 1 to 1e6
	ContextTokens int     // tokens that one session keeps; for the wording, 0: not said
}

// Chat is the published reader of answers: 4 people for each request in flight,
// sessions of 16,384 tokens.
func Chat() Usage { return Usage{Name: "chat", Multiplier: 4, ContextTokens: 16_384} }

// Agentic is the published agent: 1.5 people for each request in flight,
// sessions of 65,536 tokens.
func Agentic() Usage { return Usage{Name: "agentic", Multiplier: 1.5, ContextTokens: 65_536} }

func (u Usage) check() error {
	switch {
	case u.Multiplier == 0:
		return fmt.Errorf("%w: no multiplier is set", ErrUsage)
	case !(u.Multiplier >= 1 && u.Multiplier <= 1e6):
		return fmt.Errorf("%w: multiplier %v is not in 1 to 1e6", ErrUsage, u.Multiplier)
	case u.ContextTokens < 0:
		return fmt.Errorf("%w: %d context tokens", ErrUsage, u.ContextTokens)
	}
	return nil
}
