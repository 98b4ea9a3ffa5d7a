package bt

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"example.com/servemath/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// play is a random set of placed comparisons with ties.
func play(rng *rand.Rand, n, games int) *Data {
	d := new(Data)
	names := []string{"a", "b", "c", "d"}[:n]
	for _, name := range names {
		d.item(name)
	}
	for range games {
		a := rng.IntN(n)
		b := (a + 1 + rng.IntN(n-1)) % n
		d.Add(Comparison{
			A: names[a], B: names[b], Neutral: rng.IntN(4) == 0,
			Outcome: []float64{0, 0, 0, 1, 1, 1, 0.5, 0.5, 0.3}[rng.IntN(9)],
		})
	}
	return d
}

// drifts looks for a direction along which the likelihood never falls, by trying
// small whole numbers. It works on the cells, outcome by outcome.
func drifts(d *Data, o Options) bool {
	n := len(d.items)
	estimated := o.Ties.estimated() && anyTie(d)
	_, fixed := o.Prior.(Gaussian)
	x := make([]int, n)
	var try func(i int) bool
	test := func() bool {
		for t := range 5 {
			if !estimated && t > 0 {
				break
			}
			for c := -6; c <= 6; c++ {
				if !o.OrderEffect && c != 0 || t == 0 && c == 0 && level(x) {
					continue
				}
				if allows(d, o, estimated, x, c, t) {
					return true
				}
			}
		}
		return false
	}
	try = func(i int) bool {
		if i == n || fixed {
			return test()
		}
		for x[i] = -6; x[i] <= 6; x[i]++ {
			if try(i + 1) {
				return true
			}
		}
		x[i] = 0
		return false
	}
	return try(1)
}

func level(x []int) bool {
	for _, xi := range x {
		if xi != x[0] {
			return false
		}
	}
	return true
}

func anyTie(d *Data) bool {
	for _, c := range d.cells {
		if c.tie > 0 {
			return true
		}
	}
	return false
}

// allows says whether no outcome loses likelihood along (x, c, t).
func allows(d *Data, o Options, estimated bool, x []int, c, t int) bool {
	for _, cell := range d.cells {
		gap := x[cell.lo] - x[cell.hi]
		if o.OrderEffect {
			gap += int(cell.order) * c
		}
		partial := cell.share < 1 && cell.win+cell.loss > 0
		half := cell.tie > 0 && o.Ties == HalfWin
		if (cell.win > 0 || partial || half) && gap < t {
			return false
		}
		if (cell.loss > 0 || partial || half) && -gap < t {
			return false
		}
		if cell.tie > 0 && estimated && max(gap, -gap) > t {
			return false
		}
	}
	return true
}

// definition is the log-likelihood written down from the models' papers.
func definition(d *Data, o Options, x []float64, order, tie float64) float64 {
	sum := 0.0
	for i := range d.cells {
		c := &d.cells[i]
		a, b := math.Exp(x[c.lo]), math.Exp(x[c.hi])
		if c.order > 0 {
			a *= math.Exp(order)
		} else if c.order < 0 {
			b *= math.Exp(order)
		}
		win, loss := a/(a+b), b/(a+b)
		level := math.Sqrt(win * loss) // half a win each
		switch o.Ties {
		case Davidson:
			all := a + b + tie*math.Sqrt(a*b)
			win, loss, level = a/all, b/all, tie*math.Sqrt(a*b)/all
		case RaoKupper:
			win, loss = a/(a+tie*b), b/(b+tie*a)
			level = (tie*tie - 1) * a * b / ((a + tie*b) * (b + tie*a))
		case DropTies:
			level = 1
		}
		wins := c.share*c.win + (1-c.share)*c.loss
		losses := c.share*c.loss + (1-c.share)*c.win
		for _, term := range [][2]float64{{wins, win}, {losses, loss}, {c.tie, level}} {
			if term[0] > 0 {
				sum += c.weight * term[0] * math.Log(term[1])
			}
		}
	}
	return sum
}

// checkAnyFit holds an outcome of Fit against brute force, and a fit against
// the definition: its value, and no gain from moving any parameter.
func checkAnyFit(t *testing.T, d *Data, o Options) bool {
	m, err := Fit(d, &o)
	var sep *SeparableError
	var dis *DisconnectedError
	switch {
	case errors.Is(err, ErrNoData):
		return false
	case errors.As(err, &dis):
		return false // FuzzFit holds this one against brute force
	case errors.As(err, &sep):
		require.True(t, drifts(d, o), "refused %+v with a maximum: %v\n%+v", o, err, d.cells)
		return false
	}
	require.NoError(t, err, "%+v", d.cells)
	require.False(t, drifts(d, o), "fitted without a maximum: %+v\n%+v", o, d.cells)
	order, _ := m.Order()
	if !o.OrderEffect {
		order = 0
	}
	at := func(x []float64, order, tie float64) float64 {
		sum := definition(d, o, x, order, tie)
		if g, ok := o.Prior.(Gaussian); ok {
			for _, xi := range x {
				sum -= xi * xi / 2 / g.SD / g.SD
			}
		}
		return sum
	}
	x, tie := m.LogStrengths(), m.TieParameter()
	testkit.Near(t, m.LogLikelihood(), definition(d, o, x, order, tie), 1e-10, "log-likelihood")
	best := at(x, order, tie)
	for _, h := range []float64{-1e-4, 1e-4} {
		for i := range x {
			x[i] += h
			require.Less(t, at(x, order, tie), best+1e-11, "item %d, %+v", i, o)
			x[i] -= h
		}
		if o.OrderEffect {
			require.Less(t, at(x, order+h, tie), best+1e-11, "order")
		}
		if o.Ties.estimated() && anyTie(d) {
			require.Less(t, at(x, order, tie*(1+h)), best+1e-11, "tie")
		}
	}
	return true
}

func anyOptions(rng *rand.Rand) Options {
	o := Options{Ties: TieModel(rng.IntN(4)), OrderEffect: rng.IntN(2) == 0}
	if rng.IntN(4) == 0 {
		o.Prior = Gaussian{SD: 1 + rng.Float64()}
	}
	return o
}

func TestAnyFitAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	fits := 0
	for range 3000 {
		if checkAnyFit(t, play(rng, 2+rng.IntN(2), 1+rng.IntN(14)), anyOptions(rng)) {
			fits++
		}
	}
	assert.Greater(t, fits, 600)
}

func FuzzAnyFit(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, uint8(seed%3), uint8(3*seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, n, games uint8) {
		rng := rand.New(rand.NewPCG(seed, 1))
		checkAnyFit(t, play(rng, 2+int(n%3), int(games%24)), anyOptions(rng))
	})
}

func TestConditionsOfExistence(t *testing.T) {
	tests := []struct {
		name    string
		add     func(*Data)
		options Options
		reason  string
	}{
		{"wins and ties without a loss", func(d *Data) {
			d.AddWin("A", "B", 3)
			d.AddTie("A", "B", 2)
		}, Options{Ties: Davidson}, "every win is a gap beyond all ties"},
		{"the same under Rao-Kupper", func(d *Data) {
			d.AddWin("A", "B", 3)
			d.AddTie("A", "B", 2)
		}, Options{Ties: RaoKupper}, "every win is a gap beyond all ties"},
		{"all ties", func(d *Data) { d.AddTie("A", "B", 2) }, Options{Ties: Davidson}, "every comparison is a tie"},
		{"all ties with a prior", func(d *Data) { d.AddTie("A", "B", 2) }, Options{Ties: Davidson, Prior: Gaussian{SD: 1}}, "every comparison is a tie"},
		{"the home side always wins", func(d *Data) {
			d.Add(Comparison{A: "A", B: "B", Outcome: 1, Count: 5})
			d.Add(Comparison{A: "B", B: "A", Outcome: 1, Count: 5})
		}, Options{OrderEffect: true}, "an ever larger order effect"},
		{"the home side always loses, with a prior", func(d *Data) {
			d.Add(Comparison{A: "A", B: "B", Outcome: 0, Count: 5})
			d.Add(Comparison{A: "B", B: "A", Outcome: 0, Count: 5})
		}, Options{OrderEffect: true, Prior: VirtualPlayer{Wins: 1}}, "an ever larger order effect"},
		{"one item is always at home", func(d *Data) {
			d.Add(Comparison{A: "A", B: "B", Outcome: 1, Count: 5})
			d.Add(Comparison{A: "A", B: "B", Outcome: 0, Count: 5})
		}, Options{OrderEffect: true, Prior: Jeffreys{}}, "an ever larger order effect"},
		{"nobody is at home", func(d *Data) {
			d.AddWin("A", "B", 1)
			d.AddWin("B", "A", 1)
		}, Options{OrderEffect: true}, "placed first"},
		{"home wins beyond all ties", func(d *Data) {
			d.Add(Comparison{A: "A", B: "B", Outcome: 1})
			d.Add(Comparison{A: "B", B: "A", Outcome: 1})
			d.Add(Comparison{A: "B", B: "A", Outcome: 0.5, Neutral: true})
		}, Options{Ties: RaoKupper, OrderEffect: true}, "suitable order effect"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var d Data
			tt.add(&d)
			_, err := Fit(&d, &tt.options)
			var sep *SeparableError
			require.ErrorAs(t, err, &sep)
			assert.Contains(t, sep.Reason, tt.reason)
			assert.NotEmpty(t, sep.Groups)
		})
	}
}

// The slope of the order effect against the tie parameter that is needed here
// is 1/2: neither drift alone explains the outcomes.
func TestDriftFindsAFraction(t *testing.T) {
	// x = (0, 0), c = 1/2 in units of t = 1 would need a gap of 1 from one home
	// win; two home wins round a cycle share it.
	bounds := []bound{{0, 1, 1, -1}, {1, 0, 1, 0}}
	x, ok := drift(2, bounds, true, true)
	require.True(t, ok)
	assert.Len(t, x, 2)
	_, ok = drift(2, bounds, true, false)
	assert.False(t, ok)
	// The opposite cycle as well: 1/2 <= c <= 1/3 has no solution.
	_, ok = drift(2, append(bounds, bound{0, 1, -1, 0}, bound{1, 0, -2, 1}), true, true)
	assert.False(t, ok)
}
