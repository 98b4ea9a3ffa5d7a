package capacity_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"example.com/servemath/capacity"
	"example.com/servemath/internal/resample"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// simulation plays users one by one: each thinks, asks, waits for a slot in
// order of arrival, shares the machine with those in service and thinks again.
// It knows the levels, not the solver.
type simulation struct {
	levels       []capacity.Level
	output       int
	slots, users int
	think        func(*rand.Rand) float64 // seconds
	work         func(*rand.Rand) float64 // of one request, mean 1
}

// figures are means over requests, but for the last.
type figures struct{ response, wait, ttft, queued, throughput float64 }

func (s simulation) ttftAndRate(n int) (ttft, each float64) {
	t, p := linear(s.levels, n)
	ttft, _ = t.Float64()
	tpot, _ := p.Float64()
	return ttft, 1 / (ttft + float64(s.output-1)*tpot)
}

// run measures requests of them after as many to settle.
func (s simulation) run(rng *rand.Rand, requests int) figures {
	ttft, each := make([]float64, s.slots+1), make([]float64, s.slots+1)
	for n := 1; n <= s.slots; n++ {
		ttft[n], each[n] = s.ttftAndRate(n)
	}
	type request struct{ arrived, work float64 }
	var serving, waiting []request
	wake := make([]float64, s.users)
	for i := range wake {
		wake[i] = s.think(rng)
	}
	now, started, done := 0.0, 0.0, 0
	var f figures
	for done < 2*requests {
		next := 0 // index of the next to wake
		for i := range wake {
			if wake[i] < wake[next] {
				next = i
			}
		}
		first, finish := -1, math.Inf(1)
		for i, r := range serving {
			if t := now + r.work/each[len(serving)]; t < finish {
				first, finish = i, t
			}
		}
		arrives := len(wake) > 0 && wake[next] < finish
		until := finish
		if arrives {
			until = wake[next]
		}
		for i := range serving {
			serving[i].work -= (until - now) * each[len(serving)]
		}
		now = until
		counts := done >= requests
		if arrives {
			wake = append(wake[:next], wake[next+1:]...)
			r := request{now, s.work(rng)}
			found := len(serving) + len(waiting)
			if found < s.slots {
				serving = append(serving, r)
			} else {
				waiting = append(waiting, r)
			}
			if counts {
				f.ttft += ttft[min(found+1, s.slots)]
				if found >= s.slots {
					f.queued++
				}
			}
			continue
		}
		if counts {
			f.response += now - serving[first].arrived
		}
		serving = append(serving[:first], serving[first+1:]...)
		if len(waiting) > 0 {
			if counts {
				f.wait += now - waiting[0].arrived
			}
			serving, waiting = append(serving, waiting[0]), waiting[1:]
		}
		wake = append(wake, now+s.think(rng))
		if done++; done == requests {
			started = now
		}
	}
	n := float64(requests)
	return figures{f.response / n, f.wait / n, (f.ttft + f.wait) / n, f.queued / n, n / (now - started)}
}

func exponential(mean float64) func(*rand.Rand) float64 {
	return func(r *rand.Rand) float64 { return mean * r.ExpFloat64() }
}

// lognormal has a coefficient of variation of 1.5.
func lognormal(mean float64) func(*rand.Rand) float64 {
	sigma := math.Sqrt(math.Log(1 + 1.5*1.5))
	return func(r *rand.Rand) float64 { return mean * math.Exp(sigma*r.NormFloat64()-sigma*sigma/2) }
}

// Three loads, each played 24 times: the solver lies within the 99 % interval of
// every mean. Without a queue the distributions of think time and work play no
// part.
func TestClosedAgreesWithSimulation(t *testing.T) {
	g := readGolden(t)
	for _, c := range []struct {
		name, sweep  string
		slots, users int
		think        float64
		draw         func(mean float64) func(*rand.Rand) float64
	}{
		{"queue at a cap", "spark", 8, 30, 15, exponential},
		{"single slot", "single", 1, 4, 12, exponential},
		{"no queue, skewed think time and work", "spark", 64, 40, 20, lognormal},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, levels := g.levels(t, c.sweep)
			s := simulation{levels, w.OutputTokens, c.slots, c.users, c.draw(c.think), c.draw(1)}
			const runs = 24
			results := make([]figures, runs)
			resample.Each(runs, func() struct{} { return struct{}{} }, func(i int, _ struct{}) {
				results[i] = s.run(resample.Rand(7, i), 4000)
			})
			p, err := g.sweep(t, c.sweep).Closed(c.users, c.think, &capacity.Options{Slots: c.slots})
			require.NoError(t, err)
			for name, f := range map[string]struct {
				got  float64
				want func(figures) float64
			}{
				"response":   {p.ResponseSeconds, func(f figures) float64 { return f.response }},
				"wait":       {p.QueueWaitSeconds, func(f figures) float64 { return f.wait }},
				"TTFT":       {p.TTFTSeconds, func(f figures) float64 { return f.ttft }},
				"P(queue)":   {p.PQueue, func(f figures) float64 { return f.queued }},
				"throughput": {p.RequestsPerSecond, func(f figures) float64 { return f.throughput }},
			} {
				xs := make([]float64, runs)
				for i, r := range results {
					xs[i] = f.want(r)
				}
				mean, sd := stat.MeanStdDev(xs, nil)
				half := distuv.StudentsT{Sigma: 1, Nu: runs - 1}.Quantile(0.995) * sd / math.Sqrt(runs)
				assert.InDelta(t, mean, f.got, half+1e-12, "%s: simulated %v +- %v, solved %v", name, mean, half, f.got)
			}
		})
	}
}
