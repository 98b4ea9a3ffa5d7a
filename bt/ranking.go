package bt

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Standing is an item's place in a ranking. Its Comparisons, Wins and Ties
// count unit comparisons, without their weights.
type Standing struct {
	Item        string  `json:"item"`
	Rank        int     `json:"rank"`         // from 1; equal strengths share a rank
	Tier        int     `json:"tier"`         // from 1; items whose intervals overlap share a tier
	LogStrength float64 `json:"log_strength"` // as in [Model.LogStrengths], or from another origin
	StdErr      float64 `json:"std_err"`      // of LogStrength
	Strength    float64 `json:"strength"`     // chance to beat an item of average log-strength, or the reference; with a tie parameter see [Model.Prob]
	Lo          float64 `json:"lo"`           // interval of Strength
	Hi          float64 `json:"hi"`
	Comparisons float64 `json:"comparisons"`
	Wins        float64 `json:"wins"`
	Ties        float64 `json:"ties"`
}

// String gives the standing as "1. Pie 0.853 [0.807, 0.890]".
func (s Standing) String() string {
	return fmt.Sprintf("%d. %s %.3f [%.3f, %.3f]", s.Rank, s.Item, s.Strength, s.Lo, s.Hi)
}

// Ranking lists the items from strongest to weakest with their intervals. It
// fails with [ErrLevel], [ErrUnknownLabel], [ErrClusters], [ErrUnknownItem] for
// the reference, or [ErrOptions] for two origins. It needs the
// covariance of all items: see [Model.Covariance].
func (m *Model) Ranking(o *IntervalOptions) ([]Standing, error) {
	sp, err := m.spread(o)
	if err != nil {
		return nil, err
	}
	return m.standings(sp), nil
}

func (m *Model) standings(sp *spread) []Standing {
	from := sp.measure(m.x[:m.p.n])
	out := m.records()
	for i := range out {
		s, in := &out[i], sp.sigmoid(from.d[i], from.se[i])
		s.Item, s.LogStrength, s.StdErr = m.items[i], from.d[i], from.se[i]
		s.Strength, s.Lo, s.Hi = in.Estimate, in.Lo, in.Hi
		if sp.origin == nil {
			s.LogStrength, s.StdErr = m.x[i], math.Sqrt(sp.cov.At(i, i))
		}
	}
	out = ranked(out)
	tier(out)
	return out
}

// measured are differences from an origin with their standard errors.
type measured struct{ d, se []float64 }

// measure takes the log-strengths x from the spread's origin.
func (sp *spread) measure(x []float64) measured {
	origin := sp.origin
	if origin == nil {
		origin = slices.Repeat([]float64{1 / float64(len(x))}, len(x))
	}
	return measure(x, sp.covariance(), origin)
}

// measure takes x from the average that origin weighs.
func measure(x []float64, cov mat.Symmetric, origin []float64) measured {
	n := len(x)
	out := measured{make([]float64, n), make([]float64, n)}
	shared, all := make([]float64, n), 0.0 // covariances with the average, and its variance
	for i := range n {
		for j, w := range origin {
			shared[i] += cov.At(i, j) * w
		}
		all += shared[i] * origin[i]
	}
	at := floats.Dot(x, origin)
	for i := range n {
		out.d[i] = x[i] - at
		out.se[i] = math.Sqrt(max(cov.At(i, i)+all-2*shared[i], 0))
	}
	return out
}

// records counts each item's unit comparisons.
func (m *Model) records() []Standing {
	out := make([]Standing, len(m.items))
	for i := range m.cells {
		c := &m.cells[i]
		a, b := &out[c.lo], &out[c.hi]
		a.Wins += c.share*c.win + (1-c.share)*c.loss
		b.Wins += c.share*c.loss + (1-c.share)*c.win
		for _, s := range []*Standing{a, b} {
			s.Ties += c.tie
			s.Comparisons += c.win + c.loss + c.tie
		}
	}
	return out
}

// ranked sorts standings in item order from strongest to weakest.
func ranked(in []Standing) []Standing {
	x := make([]float64, len(in))
	for i := range in {
		x[i] = in[i].LogStrength
	}
	order, rank := byStrength(x)
	out := make([]Standing, len(in))
	for k, i := range order {
		out[k] = in[i]
		out[k].Rank = rank[i]
	}
	return out
}

// tier starts a new tier where all intervals above lie above all below.
func tier(out []Standing) {
	highest := make([]float64, len(out)) // of the intervals from i down
	for i := len(out) - 1; i >= 0; i-- {
		highest[i] = out[i].Hi
		if i+1 < len(out) {
			highest[i] = max(highest[i], highest[i+1])
		}
	}
	lowest, n := math.Inf(1), 1
	for i := range out {
		if i > 0 && highest[i] < lowest {
			n++
		}
		out[i].Tier = n
		lowest = min(lowest, out[i].Lo)
	}
}
