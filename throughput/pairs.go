package throughput

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// index holds rows in order of place, so that no result depends on theirs.
type index struct{ rows []indexed }

type indexed struct {
	Row
	at int // in the caller's rows
}

// largest bounds a value, and 1 / largest does from below: no ratio overflows.
const largest = 1e150

// newIndex takes the rows that keep admits. It refuses values without a
// logarithm and an engine measured twice in one place.
func newIndex(rows []Row, keep func(Row) bool) (*index, error) {
	var order []int // sorting numbers moves less than sorting rows
	for i, r := range rows {
		if !keep(r) {
			continue
		}
		switch {
		case !(math.Abs(r.Value) <= largest):
			return nil, &RowError{i, r, ErrNonFinite}
		case r.Value < 1/largest:
			return nil, &RowError{i, r, ErrNonPositive}
		}
		order = append(order, i)
	}
	if len(order) == 0 {
		return nil, fmt.Errorf("%w: no rows of these engines, platform and setup among %d", ErrEmpty, len(rows))
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := &rows[i], &rows[j]
		return cmp.Or(a.place().compare(b.place()), cmp.Compare(a.Engine, b.Engine), cmp.Compare(i, j))
	})
	ix := &index{rows: make([]indexed, len(order))}
	for k, i := range order {
		ix.rows[k] = indexed{rows[i], i}
	}
	for i := 1; i < len(ix.rows); i++ {
		if r := ix.rows[i]; r.place() == ix.rows[i-1].place() && r.Engine == ix.rows[i-1].Engine {
			return nil, &RowError{r.at, r.Row, ErrDuplicate}
		}
	}
	return ix, nil
}

// count returns how many places an engine was measured in.
func (ix *index) count(engine string) int {
	n := 0
	for _, r := range ix.rows {
		if r.Engine == engine {
			n++
		}
	}
	return n
}

// pair is what two engines reached in one place.
type pair struct {
	place
	a, b float64
}

// pairs returns the places that have both engines, in order.
func (ix *index) pairs(a, b string) []pair {
	var out []pair
	var p pair
	for _, r := range ix.rows {
		if r.place() != p.place {
			p = pair{place: r.place()}
		}
		switch r.Engine {
		case a:
			p.a = r.Value
		case b:
			p.b = r.Value
		}
		if p.a > 0 && p.b > 0 && (r.Engine == a || r.Engine == b) {
			out = append(out, p)
		}
	}
	return out
}

// group is the log ratios of one machine.
type group struct {
	sum float64
	n   int
}

// machines groups log ratios, given in order of place.
func machines(pairs []pair, logs []float64) []group {
	var out []group
	for i, p := range pairs {
		if i == 0 || p.platform != pairs[i-1].platform || p.machine != pairs[i-1].machine {
			out = append(out, group{})
		}
		g := &out[len(out)-1]
		g.sum += logs[i]
		g.n++
	}
	return out
}

func sum(xs []float64) float64 {
	var s float64
	for _, x := range xs {
		s += x
	}
	return s
}
