package bt

import (
	"fmt"
	"math"
	"slices"
	"sync/atomic"
)

// Data accumulates paired comparisons. The zero value is ready. Comparisons
// that agree in all but their number share one cell, so memory grows with the
// distinct pairs, not with the comparisons. The adders keep the first error;
// [Data.Err] and [Fit] return it. A Data belongs to one goroutine while it
// grows.
type Data struct {
	items  []string
	index  map[string]int32
	cells  []cell
	lookup map[cellKey]int32
	ratios ratioCells // of contests
	labels labelSets
	adds   int     // calls of an adder so far
	total  float64 // weight of all comparisons
	err    error
	shared atomic.Bool // a model reads the cells: copy them before the next change
}

// Comparison is the outcome of one or more equal comparisons of A with B.
type Comparison struct {
	A, B    string            // A was placed first
	Outcome float64           // A's share: 1 win, 0 loss, 0.5 tie; another fraction f is f of a win and 1-f of a loss
	Count   float64           // identical unit comparisons; 0 means 1
	Weight  float64           // weight of each; 0 means 1
	Neutral bool              // the order effect does not apply
	Group   map[string]string // labels, such as machine and model
}

// cellKey is what comparisons must agree in to be counted together.
type cellKey struct {
	lo, hi int32   // lo < hi
	order  int32   // +1: lo was placed first, -1: hi was, 0: neutral
	group  int32   // set of labels
	share  float64 // the better side's share of an outcome that is no tie: 1, or a fraction above 0.5
	weight float64 // of each unit comparison
}

// cell counts unit comparisons by outcome, seen from the lower item.
type cell struct {
	cellKey
	win, loss, tie float64
}

// AddWin adds n unit comparisons that winner won; n may be a fraction, and 0
// only registers the items. An order effect does not apply to them.
func (d *Data) AddWin(winner, loser string, n float64) {
	d.add(outcome{a: winner, b: loser, share: 1, count: n, weight: 1}, nil)
}

// AddTie adds n unit comparisons that ended level, as [Data.AddWin] adds wins.
func (d *Data) AddTie(a, b string, n float64) {
	d.add(outcome{a: a, b: b, share: 0.5, count: n, weight: 1}, nil)
}

// Add adds one comparison, or Count equal ones.
func (d *Data) Add(c Comparison) {
	o := outcome{a: c.A, b: c.B, share: c.Outcome, count: c.Count, weight: c.Weight}
	if !c.Neutral {
		o.order = 1
	}
	if o.count == 0 {
		o.count = 1
	}
	if o.weight == 0 {
		o.weight = 1
	}
	d.add(o, c.Group)
}

// Items returns the items in the order of their first appearance.
func (d *Data) Items() []string { return slices.Clone(d.items) }

// Err returns the first error of an adder, an [*InputError], or nil.
func (d *Data) Err() error { return d.err }

// outcome is a comparison with its defaults filled in.
type outcome struct {
	a, b          string
	share         float64 // of a
	count, weight float64
	order         int32 // +1: a was placed first, 0: neutral
}

func (d *Data) add(o outcome, group map[string]string) {
	defer func() { d.adds++ }()
	if reason := o.invalid(); reason != "" {
		d.fail(reason)
		return
	}
	d.record(o, d.labels.intern(group))
}

// fail keeps the first error.
func (d *Data) fail(reason string) {
	if d.err == nil {
		d.err = &InputError{Index: d.adds, Reason: reason}
	}
}

// invalid says why o cannot be used, or nothing.
func (o outcome) invalid() string {
	mass := o.count * o.weight
	switch {
	case o.a == "" || o.b == "":
		return "an item has no name"
	case o.a == o.b:
		return fmt.Sprintf("%q is compared with itself", o.a)
	case !(o.share >= 0 && o.share <= 1):
		return fmt.Sprintf("outcome %v of %q against %q is outside [0, 1]", o.share, o.a, o.b)
	case !usable(o.count):
		return fmt.Sprintf("number %v of comparisons of %q and %q is not a finite number >= 0", o.count, o.a, o.b)
	case !usable(o.weight):
		return fmt.Sprintf("weight %v of %q against %q is not a finite number >= 0", o.weight, o.a, o.b)
	case o.count > 0 && (mass < lightest || math.IsInf(mass, 1)):
		return fmt.Sprintf("%v comparisons of weight %v of %q and %q are beyond a float64", o.count, o.weight, o.a, o.b)
	}
	return ""
}

// lightest is a weight whose reciprocal, a variance, is still a float64.
const lightest = 1e-303

func usable(x float64) bool { return x >= 0 && !math.IsInf(x, 1) }

// record counts a valid outcome.
func (d *Data) record(o outcome, group int32) {
	total := d.total + o.count*o.weight
	if math.IsInf(total, 1) {
		d.fail(fmt.Sprintf("with %q against %q the weights add up beyond a float64", o.a, o.b))
		return
	}
	d.total = total
	lo, hi := d.item(o.a), d.item(o.b)
	if lo > hi {
		lo, hi, o.order, o.share = hi, lo, -o.order, 1-o.share
	}
	if o.count == 0 {
		return
	}
	key := cellKey{lo: lo, hi: hi, order: o.order, group: group, share: max(o.share, 1-o.share), weight: o.weight}
	if o.share == 0.5 {
		key.share = 1 // ties share the cell of the plain wins
	}
	c := d.cell(key)
	switch {
	case o.share > 0.5:
		c.win += o.count
	case o.share < 0.5:
		c.loss += o.count
	default:
		c.tie += o.count
	}
}

// item returns the number of a name, a new one at its first appearance.
func (d *Data) item(name string) int32 {
	if i, ok := d.index[name]; ok {
		return i
	}
	if d.index == nil {
		d.index = make(map[string]int32)
	}
	i := int32(len(d.items))
	d.items = append(d.items, name)
	d.index[name] = i
	return i
}

func (d *Data) cell(key cellKey) *cell {
	if d.shared.Load() {
		d.cells = slices.Clone(d.cells)
		d.shared.Store(false)
	}
	k, ok := d.lookup[key]
	if !ok {
		if d.lookup == nil {
			d.lookup = make(map[cellKey]int32)
		}
		k = int32(len(d.cells))
		d.cells = append(d.cells, cell{cellKey: key})
		d.lookup[key] = k
	}
	return &d.cells[k]
}

// share lends the cells to a model.
func (d *Data) share() []cell {
	d.shared.Store(true)
	return d.cells
}
