package bt

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestInputErrors(t *testing.T) {
	scores := func(m map[string]float64) func(*Data) {
		return func(d *Data) { d.AddContest(Contest{Scores: m}, nil) }
	}
	tests := []struct {
		name   string
		add    func(*Data)
		reason string
	}{
		{"self", func(d *Data) { d.AddWin("A", "A", 1) }, `"A" is compared with itself`},
		{"self tie", func(d *Data) { d.AddTie("A", "A", 1) }, `"A" is compared with itself`},
		{"no winner", func(d *Data) { d.AddWin("", "B", 1) }, "no name"},
		{"no loser", func(d *Data) { d.AddWin("A", "", 1) }, "no name"},
		{"NaN wins", func(d *Data) { d.AddWin("A", "B", math.NaN()) }, "NaN"},
		{"negative wins", func(d *Data) { d.AddWin("A", "B", -1) }, "-1"},
		{"infinite ties", func(d *Data) { d.AddTie("A", "B", math.Inf(1)) }, "+Inf"},
		{"outcome above 1", func(d *Data) { d.Add(Comparison{A: "A", B: "B", Outcome: 1.5}) }, "outcome 1.5"},
		{"NaN outcome", func(d *Data) { d.Add(Comparison{A: "A", B: "B", Outcome: math.NaN()}) }, "outcome NaN"},
		{"negative weight", func(d *Data) { d.Add(Comparison{A: "A", B: "B", Weight: -2}) }, "weight -2"},
		{"infinite weight", func(d *Data) { d.Add(Comparison{A: "A", B: "B", Weight: math.Inf(1)}) }, "weight +Inf"},
		{"negative count", func(d *Data) { d.Add(Comparison{A: "A", B: "B", Count: -2}) }, "number -2"},
		{"overflow", func(d *Data) { d.Add(Comparison{A: "A", B: "B", Count: 1e200, Weight: 1e200}) }, "beyond a float64"},
		{"underflow", func(d *Data) { d.Add(Comparison{A: "A", B: "B", Count: 1e-200, Weight: 1e-200}) }, "beyond a float64"},
		{"no reciprocal", func(d *Data) { d.AddWin("A", "B", 1e-305) }, "beyond a float64"},
		{"total overflow", func(d *Data) {
			d.AddWin("A", "B", 1.2e308)
			d.adds-- // the second call is the offender
			d.AddWin("B", "A", 1.2e308)
		}, "add up beyond a float64"},
		{"NaN score", scores(map[string]float64{"A": 1, "B": math.NaN()}), `score NaN of "B"`},
		{"infinite score", scores(map[string]float64{"A": math.Inf(-1), "B": 2}), `score -Inf of "A"`},
		{"unnamed score", scores(map[string]float64{"": 1, "B": 2}), "no name"},
		{"contest weight", func(d *Data) { d.AddContest(Contest{Weight: math.NaN()}, nil) }, "weight NaN"},
		{"contest weight without a reciprocal", func(d *Data) {
			d.AddContest(Contest{Scores: map[string]float64{"A": 1, "B": 2}, Weight: 1e-310}, nil)
		}, "weight 1e-310"},
		{"tie threshold", func(d *Data) { d.AddContest(Contest{}, &ContestOptions{TieWithin: 5}) }, "threshold 5"},
		{"NaN threshold", func(d *Data) { d.AddContest(Contest{}, &ContestOptions{TieWithin: math.NaN()}) }, "threshold NaN"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var d Data
			d.AddWin("A", "B", 1)
			d.AddWin("B", "A", 1)
			tt.add(&d)
			d.AddWin("C", "C", 1) // a later error does not hide the first
			var in *InputError
			require.ErrorAs(t, d.Err(), &in)
			assert.Equal(t, 2, in.Index)
			assert.Contains(t, in.Reason, tt.reason)
			_, err := Fit(&d, nil)
			assert.Equal(t, d.Err(), err)
		})
	}
}

func TestItemsInOrderOfAppearance(t *testing.T) {
	var d Data
	d.AddWin("z", "a", 1)
	d.AddContest(Contest{Scores: map[string]float64{"q": 1, "p": 2, "a": 3}}, nil)
	d.AddTie("b", "z", 0)
	assert.Equal(t, []string{"z", "a", "p", "q", "b"}, d.Items())
	assert.NoError(t, d.Err())
}

func TestCellsHoldWhatWasAdded(t *testing.T) {
	var d Data
	d.AddWin("A", "B", 2)
	d.AddWin("B", "A", 3)
	d.AddTie("B", "A", 0.5)
	d.Add(Comparison{A: "B", B: "A", Outcome: 0.25, Neutral: true})
	d.Add(Comparison{A: "A", B: "B", Outcome: 0.75, Neutral: true})
	d.Add(Comparison{A: "B", B: "A", Outcome: 1, Count: 4, Weight: 2, Group: map[string]string{"machine": "m"}})
	plain := cellKey{lo: 0, hi: 1, share: 1, weight: 1}
	fraction, placed := plain, plain
	fraction.share = 0.75
	placed.order, placed.group, placed.weight = -1, 1, 2
	assert.Equal(t, []cell{
		{cellKey: plain, win: 2, loss: 3, tie: 0.5},
		{cellKey: fraction, win: 2},
		{cellKey: placed, loss: 4},
	}, d.cells)
	assert.Equal(t, tally{win: 1.5, loss: 0.5}, d.cells[1].tally(HalfWin))
	assert.Equal(t, tally{win: 2.25, loss: 3.25}, d.cells[0].tally(HalfWin))
}

func TestContestTies(t *testing.T) {
	tests := []struct {
		a, b, within float64
		lower        bool
		want         float64 // a's share
	}{
		{205, 185, 0, false, 1},
		{205, 185, 0, true, 0},
		{185, 205, 0, false, 0},
		{185, 205, 0, true, 1},
		{185, 185, 0, true, 0.5},
		{100, 95, 0.05, false, 0.5},
		{1.9, 2.0, 0.05, false, 0.5}, // 2.0-1.9 rounds to more than 0.1
		{100, 94.9, 0.05, false, 1},
		{-100, -95, 0.05, false, 0.5},
		{-1, 1, 0.5, false, 0},
		{0, 0, 0.5, false, 0.5},
		{math.MaxFloat64, -math.MaxFloat64, 0.5, false, 1},
		{5e-324, 1e-323, 0.1, false, 0},
	}
	for _, tt := range tests {
		o := ContestOptions{LowerIsBetter: tt.lower, TieWithin: tt.within}
		assert.Equal(t, tt.want, o.share(tt.a, tt.b), "%+v", tt)
		assert.Equal(t, 1-tt.want, o.share(tt.b, tt.a), "%+v turned round", tt)
	}
}

func TestContestWeightAndOrder(t *testing.T) {
	var d Data
	d.AddContest(Contest{Scores: map[string]float64{"b": 1, "a": 2, "c": 1}, Weight: 0.5}, nil)
	key := func(lo, hi int32) cellKey { return cellKey{lo: lo, hi: hi, share: 1, weight: 0.5} }
	assert.Equal(t, []string{"a", "b", "c"}, d.Items())
	assert.Equal(t, []cell{
		{cellKey: key(0, 1), win: 1}, {cellKey: key(0, 2), win: 1}, {cellKey: key(1, 2), tie: 1},
	}, d.cells)
}

// A million comparisons of a few pairs take the memory of the pairs.
func TestAddingAllocatesByPair(t *testing.T) {
	var d Data
	names := []string{"a", "b", "c", "d", "e"}
	add := func() {
		for i, a := range names {
			for _, b := range names[i+1:] {
				d.AddWin(a, b, 1)
				d.AddWin(b, a, 1)
				d.AddTie(a, b, 1)
				d.Add(Comparison{A: a, B: b, Outcome: 1})
			}
		}
	}
	add()
	assert.Zero(t, testing.AllocsPerRun(100, add))
	assert.Len(t, d.cells, 20, "ten pairs, neutral and placed")
}
