package capacity_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"example.com/servemath/capacity"
	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/require"
)

// twin solves the closed chain by its textbook formula at 400 bits:
// N!/(N-n)! Z^-n over the product of rates, then the arrival theorem from the
// chain of one user less. It shares nothing with the solver.
type twin struct {
	ttft, tpot, mu []*big.Float // at 1, 2, ... slots
	output         int
}

const twinBits = 400

func num(x float64) *big.Float { return new(big.Float).SetPrec(twinBits).SetFloat64(x) }

func newTwin(levels []capacity.Level, output, slots int) twin {
	w := twin{output: output}
	for n := 1; n <= slots; n++ {
		t, p := linear(levels, n)
		r := num(float64(output - 1))
		r.Add(r.Mul(r, p), t)
		w.ttft, w.tpot, w.mu = append(w.ttft, t), append(w.tpot, p), append(w.mu, r.Quo(num(float64(n)), r))
	}
	return w
}

func linear(levels []capacity.Level, n int) (t, p *big.Float) {
	at := func(l capacity.Level) (t, p *big.Float) {
		return num(l.TTFTSeconds), num(1).Quo(num(1), num(l.TPS))
	}
	if n <= levels[0].Concurrency {
		return at(levels[0])
	}
	i := 1
	for levels[i].Concurrency < n {
		i++
	}
	lo, hi := levels[i-1], levels[i]
	f := num(0).Quo(num(float64(n-lo.Concurrency)), num(float64(hi.Concurrency-lo.Concurrency)))
	mid := func(a, b *big.Float) *big.Float {
		d := num(0).Sub(b, a)
		return d.Add(a, d.Mul(d, f))
	}
	t0, p0 := at(lo)
	t1, p1 := at(hi)
	return mid(t0, t1), mid(p0, p1)
}

func (w twin) at(ys []*big.Float, n int) *big.Float { return ys[min(n, len(ys))-1] }

// probabilities of 0 to users present.
func (w twin) probabilities(users int, think float64) []*big.Float {
	p := []*big.Float{num(1)}
	total := num(1)
	for n := 1; n <= users; n++ {
		x := num(0).Mul(p[n-1], num(float64(users-n+1)))
		x.Quo(x, num(think))
		x.Quo(x, w.at(w.mu, n))
		p, total = append(p, x), total.Add(total, x)
	}
	for _, x := range p {
		x.Quo(x, total)
	}
	return p
}

func (w twin) check(t *testing.T, got capacity.Point, users int, think float64) {
	t.Helper()
	p, seen := w.probabilities(users, think), w.probabilities(users-1, think)
	mean := func(p []*big.Float, f func(n int) *big.Float) float64 {
		s := num(0)
		for n, x := range p {
			s.Add(s, num(0).Mul(x, f(n)))
		}
		v, _ := s.Float64()
		return v
	}
	k := len(w.mu)
	wait := func(j int) *big.Float { return num(0).Quo(num(float64(max(0, j+1-k))), w.mu[k-1]) }
	ttft := func(j int) *big.Float { return num(0).Add(wait(j), w.at(w.ttft, j+1)) }
	response := func(j int) *big.Float {
		r := num(float64(w.output - 1))
		return r.Add(r.Mul(r, w.at(w.tpot, j+1)), ttft(j))
	}
	indicator := func(from int) func(int) *big.Float {
		return func(n int) *big.Float {
			if n >= from {
				return num(1)
			}
			return num(0)
		}
	}
	for _, f := range []struct {
		name      string
		want, got float64
	}{
		{"p0", mean(p[:1], indicator(0)), got.P0},
		{"mean in system", mean(p, func(n int) *big.Float { return num(float64(n)) }), got.MeanInSystem},
		{"mean in service", mean(p, func(n int) *big.Float { return num(float64(min(n, k))) }), got.MeanInService},
		{"throughput", mean(p, func(n int) *big.Float {
			if n == 0 {
				return num(0)
			}
			return w.at(w.mu, n)
		}), got.RequestsPerSecond},
		{"P(full)", mean(p, indicator(k)), got.PFull},
		{"P(queue)", mean(seen, indicator(k)), got.PQueue},
		{"wait", mean(seen, wait), got.QueueWaitSeconds},
		{"TTFT", mean(seen, ttft), got.TTFTSeconds},
		{"TPOT", mean(seen, func(j int) *big.Float { return w.at(w.tpot, j+1) }), got.TPOTSeconds},
		{"response", mean(seen, response), got.ResponseSeconds},
	} {
		testkit.Rel(t, f.want, f.got, goldenTolerance, "%d users, think %v: %s", users, think, f.name)
	}
	for n, x := range p {
		want, _ := x.Float64()
		if want > 1e-290 {
			testkit.Rel(t, want, got.Probability(n), goldenTolerance, "%d users, think %v: p(%d)", users, think, n)
		}
	}
}

func TestClosedAgreesWithTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for i := range 60 {
		var levels []capacity.Level
		for c := 1 + rng.IntN(4); len(levels) < 1+rng.IntN(6); c += 1 + rng.IntN(20) {
			levels = append(levels, capacity.Level{Concurrency: c, TTFTSeconds: rng.Float64(), TPS: 2 + 100*rng.Float64()})
		}
		if len(levels) == 0 {
			continue
		}
		output, slots := 1+rng.IntN(200), 1+rng.IntN(levels[len(levels)-1].Concurrency)
		s := newSweep(t, capacity.Workload{OutputTokens: output}, levels...)
		users, think := 1+rng.IntN(400), []float64{1e-3, 0.3, 5, 80, 2000}[rng.IntN(5)]
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			got, err := s.Closed(users, think, &capacity.Options{Slots: slots})
			require.NoError(t, err)
			newTwin(levels, output, slots).check(t, got, users, think)
		})
	}
}

// A rate that collapses past some number of requests makes the chain either run
// fast or be stuck: two modes with next to nothing in between, of which neither
// may be lost.
func TestClosedWithTwoModes(t *testing.T) {
	levels := []capacity.Level{
		{Concurrency: 1, TTFTSeconds: 0.01, TPS: 1000},
		{Concurrency: 100, TTFTSeconds: 0.01, TPS: 1000},
		{Concurrency: 101, TTFTSeconds: 0.01, TPS: 0.5},
	}
	s := newSweep(t, capacity.Workload{OutputTokens: 51}, levels...)
	w := newTwin(levels, 51, 101)
	both := 0
	for _, users := range []int{120, 300, 500} {
		for _, think := range []float64{0.08, 0.1, 0.12, 0.14, 0.15, 0.16, 0.17, 0.18, 0.2, 0.25, 0.5, 1} {
			got, err := s.Closed(users, think, nil)
			require.NoError(t, err)
			w.check(t, got, users, think)
			if got.PFull > 1e-6 && got.PFull < 1-1e-6 {
				both++
			}
		}
	}
	require.Positive(t, both, "some loads must weigh both modes")
}
