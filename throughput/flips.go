package throughput

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/servemath/internal/jsonout"
)

// Flip says how the order of engines changes on one machine and model from one
// setup to another.
type Flip struct {
	Platform, Machine, Model     string
	Engines                      int    // measured in both setups
	WinnerA, WinnerB             string // the fastest in either; at a tie, the first of the rows
	Concordant, Discordant, Tied int    // pairs of engines in the same order, in opposite order, equal in either
	Flipped                      []EnginePair
}

// EnginePair is two engines, the first of them faster in setup A and slower in B.
type EnginePair struct{ Faster, Slower string }

// Reversed reports whether every pair of engines changed places.
func (f Flip) Reversed() bool { return f.Discordant > 0 && f.Concordant == 0 && f.Tied == 0 }

// RankFlips compares the order of engines in two setups, such as single against
// batched decode, on every machine and model that has two engines or more in both.
// A choice of engine made in one setup is only as good for the other as these
// agree. Places come in their order; [ErrUnpaired] if there is none.
func RankFlips(rows []Row, setupA, setupB string) ([]Flip, error) {
	if setupA == setupB {
		return nil, fmt.Errorf("%w: setup %q against itself", ErrUnpaired, setupA)
	}
	ix, err := newIndex(rows, func(r Row) bool { return r.Setup == setupA || r.Setup == setupB })
	if err != nil {
		return nil, err
	}
	both := ix.bothSetups(setupA, setupB)
	var out []Flip
	for i, j := 0, 0; i < len(both); i = j {
		for j = i + 1; j < len(both) && both[j].place == both[i].place; j++ {
		}
		if j-i > 1 {
			out = append(out, newFlip(both[i:j]))
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%w: no machine and model has two engines in both %q and %q", ErrUnpaired, setupA, setupB)
	}
	return out, nil
}

// twice is one engine's figures in two setups.
type twice struct {
	place  // without setup
	engine string
	a, b   float64
	atA    int // places among the caller's rows
	atB    int
}

// bothSetups joins the rows of two setups, in order of place and engine.
func (ix *index) bothSetups(setupA, setupB string) []twice {
	rows := slices.Clone(ix.rows)
	slices.SortStableFunc(rows, func(x, y indexed) int {
		p, q := x.place(), y.place()
		p.setup, q.setup = "", ""
		return cmp.Or(p.compare(q), cmp.Compare(x.Engine, y.Engine))
	})
	var out []twice
	for i := 1; i < len(rows); i++ {
		a, b := rows[i-1], rows[i]
		p, q := a.place(), b.place()
		p.setup, q.setup = "", ""
		if p != q || a.Engine != b.Engine {
			continue
		}
		if a.Setup != setupA {
			a, b = b, a
		}
		out = append(out, twice{p, a.Engine, a.Value, b.Value, a.at, b.at})
	}
	return out
}

// newFlip counts the pairs of engines of one place.
func newFlip(engines []twice) Flip {
	p := engines[0].place
	f := Flip{Platform: p.platform, Machine: p.machine, Model: p.model, Engines: len(engines), Flipped: []EnginePair{}}
	f.WinnerA = slices.MinFunc(engines, func(x, y twice) int { return cmp.Or(cmp.Compare(y.a, x.a), cmp.Compare(x.atA, y.atA)) }).engine
	f.WinnerB = slices.MinFunc(engines, func(x, y twice) int { return cmp.Or(cmp.Compare(y.b, x.b), cmp.Compare(x.atB, y.atB)) }).engine
	for i, x := range engines {
		for _, y := range engines[i+1:] {
			f.pair(x, y)
		}
	}
	return f
}

func (f *Flip) pair(x, y twice) {
	switch inA, inB := cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b); {
	case inA == 0 || inB == 0:
		f.Tied++
	case inA == inB:
		f.Concordant++
	case inA > 0:
		f.Discordant++
		f.Flipped = append(f.Flipped, EnginePair{x.engine, y.engine})
	default:
		f.Discordant++
		f.Flipped = append(f.Flipped, EnginePair{y.engine, x.engine})
	}
}

// String gives one line.
func (f Flip) String() string {
	return fmt.Sprintf("%s, %s: %s, then %s; %d of %d pairs change places", f.Machine, f.Model, f.WinnerA, f.WinnerB,
		f.Discordant, f.Concordant+f.Discordant+f.Tied)
}

// MarshalJSON gives the figures.
func (f Flip) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "platform", Value: f.Platform}, {Name: "machine", Value: f.Machine}, {Name: "model", Value: f.Model},
		{Name: "engines", Value: f.Engines}, {Name: "winner_a", Value: f.WinnerA}, {Name: "winner_b", Value: f.WinnerB},
		{Name: "concordant", Value: f.Concordant}, {Name: "discordant", Value: f.Discordant}, {Name: "tied", Value: f.Tied},
		{Name: "flipped", Value: f.Flipped}, {Name: "reversed", Value: f.Reversed()},
	}.MarshalJSON()
}

// MarshalJSON names the engines' parts.
func (p EnginePair) MarshalJSON() ([]byte, error) {
	return jsonout.Object{{Name: "faster_in_a", Value: p.Faster}, {Name: "slower_in_a", Value: p.Slower}}.MarshalJSON()
}
