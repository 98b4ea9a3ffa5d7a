package bt

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"example.com/servemath/internal/jsonout"
)

// Fitness says how well a model describes its data. Its P takes weights for
// counts: with other weights than 1 it is no chance.
type Fitness struct {
	Deviance          float64   // 2 * sum of observed * log(observed / expected), by pair
	Pearson           float64   // sum of (observed - expected)^2 / expected
	DF                int       // free outcomes less fitted parameters
	P                 float64   // chance of a larger deviance if the model holds; NaN without degrees of freedom
	LogLikelihood     float64   // of the fit
	NullLogLikelihood float64   // of equal strengths, without an order effect
	Worst             []PairFit // the pairs furthest from the fit, up to 5, worst first
	CyclicTriads      int       // a beats b beats c beats a, by majorities
}

// PairFit compares the outcomes of a pair with the fit, seen from A.
type PairFit struct {
	A        string  `json:"a"`
	B        string  `json:"b"`
	Order    int     `json:"order"` // +1: A was placed first, -1: B was, 0: neutral
	Wins     float64 `json:"wins"`
	Losses   float64 `json:"losses"`
	Ties     float64 `json:"ties"` // where a tie parameter is fitted; else part of both
	Expected float64 `json:"expected_wins"`
	Residual float64 `json:"residual"` // root of its part of Pearson's sum, with the sign of Wins - Expected
}

// Fitness compares the observed outcomes of every pair (and order, where its
// effect is fitted) with the expected ones.
func (m *Model) Fitness() Fitness {
	p := m.p
	f := Fitness{LogLikelihood: m.logLikelihood, NullLogLikelihood: p.nullLogLikelihood(), CyclicTriads: p.cyclicTriads()}
	var pairs []PairFit
	for k := range p.tallies {
		fit, deviance := m.pairFit(k)
		f.Deviance += deviance
		f.Pearson += fit.Residual * fit.Residual
		pairs = append(pairs, fit)
	}
	f.DF = len(p.tallies)*p.freeOutcomes() - (p.dim() - 1)
	f.P = chiSquareTail(f.Deviance, f.DF)
	slices.SortStableFunc(pairs, func(a, b PairFit) int {
		return cmp.Compare(math.Abs(b.Residual), math.Abs(a.Residual))
	})
	f.Worst = slices.Clone(pairs[:min(5, len(pairs))])
	return f
}

// freeOutcomes counts what an edge's total leaves free.
func (p *problem) freeOutcomes() int {
	if p.tieAt > 0 {
		return 2
	}
	return 1
}

func (m *Model) pairFit(k int) (fit PairFit, deviance float64) {
	p, t := m.p, m.p.tallies[k]
	win, loss, tie := p.chancesOf(k, m.x)
	n := t.total()
	residual := 0.0 // no square of a weight, which could leave a float64's range
	for _, o := range [][2]float64{{t.win, n * win}, {t.loss, n * loss}, {t.tie, n * tie}} {
		if o[0] > 0 {
			deviance += 2 * o[0] * math.Log(o[0]/o[1])
		}
		if o[1] > 0 {
			residual = math.Hypot(residual, (o[0]-o[1])/math.Sqrt(o[1]))
		}
	}
	e := p.edges[k]
	return PairFit{
		A: m.items[e.i], B: m.items[e.j], Order: int(p.orderOf(k)), Wins: t.win, Losses: t.loss, Ties: t.tie,
		Expected: n * win, Residual: math.Copysign(residual, t.win-n*win),
	}, deviance
}

// nullLogLikelihood is that of equal strengths, with the share of ties that
// fits best.
func (p *problem) nullLogLikelihood() float64 {
	decided := p.total - p.tied
	if p.tied == 0 {
		return -decided * math.Ln2
	}
	return p.tied*math.Log(p.tied/p.total) + decided*math.Log(decided/p.total/2)
}

// cyclicTriads counts triples of items whose majorities form a cycle (Kendall
// and Babington Smith 1940), in sets of items as bits.
func (p *problem) cyclicTriads() int {
	beats, beatenBy := newRelation(p.n), newRelation(p.n)
	lead := make(map[edge]float64, len(p.tallies))
	for k, t := range p.tallies {
		lead[p.edges[k]] += t.win - t.loss
	}
	for e, l := range lead {
		if l < 0 {
			e.i, e.j = e.j, e.i
		}
		if l != 0 {
			beats.add(e.i, e.j)
			beatenBy.add(e.j, e.i)
		}
	}
	n := 0
	for e, l := range lead {
		if l < 0 {
			e.i, e.j = e.j, e.i
		}
		if l != 0 {
			n += common(beats[e.j], beatenBy[e.i])
		}
	}
	return n / 3
}

// relation holds a set of items for each item.
type relation [][]uint64

func newRelation(n int) relation {
	words := (n + 63) / 64
	all := make([]uint64, n*words)
	out := make(relation, n)
	for i := range out {
		out[i] = all[i*words : (i+1)*words]
	}
	return out
}

func (r relation) add(i, j int32) { r[i][j/64] |= 1 << (j % 64) }

func common(a, b []uint64) int {
	n := 0
	for k, w := range a {
		n += bits.OnesCount64(w & b[k])
	}
	return n
}

// String gives the deviance and the worst pair.
func (f Fitness) String() string {
	out := fmt.Sprintf("deviance %.4g on %d df, p = %.2g", f.Deviance, f.DF, f.P)
	if len(f.Worst) > 0 {
		w := f.Worst[0]
		out += fmt.Sprintf("; %s against %s won %.4g, expected %.4g", w.A, w.B, w.Wins, w.Expected)
	}
	return out
}

// MarshalJSON leaves P out where there is none.
func (f Fitness) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "deviance", Value: f.Deviance}, {Name: "pearson", Value: f.Pearson}, {Name: "df", Value: f.DF},
		{Name: "p", Value: f.P}, {Name: "log_likelihood", Value: f.LogLikelihood},
		{Name: "null_log_likelihood", Value: f.NullLogLikelihood}, {Name: "worst_pairs", Value: f.Worst},
		{Name: "cyclic_triads", Value: f.CyclicTriads},
	}.MarshalJSON()
}
