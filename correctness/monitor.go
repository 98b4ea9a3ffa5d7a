package correctness

import (
	"fmt"
	"math"

	"example.com/servemath/internal/jsonout"
)

// Monitor tests prompts as they come whether the mean KL is over a limit, and may
// stop at any of them: while the true mean is within MaxMeanKL, the chance that it
// ever fails is at most Alpha, however heavy the tail and whenever one looks. A
// t test looked at every five prompts is wrong twice as often as it says.
//
// Its wealth is the mean over l = 0.1, ..., 0.9 of the products of
// 1 + l (x/MaxMeanKL - 1), x the mean KL of a prompt: a bet that pays nothing on
// average when the mean is MaxMeanKL (Waudby-Smith and Ramdas 2024). The prompts
// are independent and in an order fixed beforehand: the order is part of the test.
//
// Only Fail holds for any tail. With Bound, which no observation exceeds, the
// reverse bet can pass: JS is at most ln 2, TV and disagreement at most 1.
//
// One goroutine may use a Monitor at a time.
type Monitor struct {
	MaxMeanKL float64 // nats, over 0
	Alpha     float64 // 0 is 0.05
	Bound     float64 // the largest possible observation; 0 is unknown

	over, under bets
	state       State
}

// State is what a [Monitor] knows after a prompt.
type State struct {
	Outcome   Outcome // Fail and Pass stay
	Prompts   int
	Wealth    float64 // against a mean within the limit
	MaxWealth float64 // the largest so far; Fail at 1/Alpha
	Err       error   // an observation or a limit that is none; it stays
}

// String is the one-line form.
func (s State) String() string {
	if s.Err != nil {
		return s.Err.Error()
	}
	return fmt.Sprintf("%v after %s, wealth %.4g, at most %.4g", s.Outcome, count(s.Prompts, "prompt"), s.Wealth, s.MaxWealth)
}

// MarshalJSON implements [json.Marshaler].
func (s State) MarshalJSON() ([]byte, error) {
	return jsonout.Object{{Name: "outcome", Value: s.Outcome}, {Name: "prompts", Value: s.Prompts},
		{Name: "wealth", Value: s.Wealth}, {Name: "max_wealth", Value: s.MaxWealth}, {Name: "error", Value: s.Err}}.MarshalJSON()
}

// Observe takes the mean KL of the next prompt. A value that is no divergence ends
// the test: the state's Err names it from then on.
func (m *Monitor) Observe(promptMeanKL float64) State {
	if m == nil {
		m = &Monitor{}
	}
	if m.state.Err != nil {
		return m.state
	}
	if err := m.check(promptMeanKL); err != nil {
		m.state.Err, m.state.Wealth = err, math.NaN()
		return m.state
	}
	m.state.Prompts++
	excess := promptMeanKL/m.MaxMeanKL - 1
	m.state.Wealth = m.over.bet(excess, 1)
	m.state.MaxWealth = max(m.state.MaxWealth, m.state.Wealth)
	pass := false
	if m.Bound > m.MaxMeanKL {
		// The stake keeps the wealth positive: excess is at most Bound/MaxMeanKL - 1.
		pass = m.under.bet(-excess, 1/(m.Bound/m.MaxMeanKL-1)) >= 1/m.alpha()
	}
	if m.state.Outcome == Inconclusive {
		switch {
		case m.state.Wealth >= 1/m.alpha():
			m.state.Outcome = Fail
		case pass:
			m.state.Outcome = Pass
		}
	}
	return m.state
}

func (m *Monitor) alpha() float64 {
	if m.Alpha == 0 {
		return 0.05
	}
	return m.Alpha
}

func (m *Monitor) check(x float64) error {
	switch {
	case !(m.MaxMeanKL > 0) || math.IsInf(m.MaxMeanKL, 1):
		return optionError("MaxMeanKL %g", m.MaxMeanKL)
	case !(m.alpha() > 0 && m.alpha() < 1):
		return optionError("Alpha %g", m.Alpha)
	case !(m.Bound >= 0):
		return optionError("Bound %g", m.Bound)
	case !(x >= 0):
		return &InputError{"", m.state.Prompts, -1, fmt.Sprintf("mean KL %g of a prompt", x), ErrNaN}
	case m.Bound > 0 && x > m.Bound:
		return &InputError{"", m.state.Prompts, -1, fmt.Sprintf("mean KL %g of a prompt, over the bound of %g", x, m.Bound), ErrMass}
	}
	return nil
}

// bets are the logarithms of the wealth of nine stakes.
type bets [9]float64

// bet multiplies the wealth of each stake, a tenth to nine tenths of scale, and
// returns the mean.
func (b *bets) bet(gain, scale float64) float64 {
	top := math.Inf(-1)
	for i := range b {
		b[i] += math.Log1p(scale * float64(i+1) / 10 * gain)
		top = max(top, b[i])
	}
	if math.IsInf(top, 0) {
		return math.Exp(top)
	}
	var sum float64
	for _, x := range b {
		sum += math.Exp(x - top)
	}
	return math.Exp(top) * sum / float64(len(b))
}
