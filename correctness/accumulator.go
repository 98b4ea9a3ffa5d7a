package correctness

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
)

// DefaultExactCap is how many positions an [Accumulator] keeps one by one.
const DefaultExactCap = 1 << 20

// numWorst is how many of the worst positions are kept.
const numWorst = 32

// Accumulator collects compared positions by prompt. Its zero value is empty and
// ready. Shards of one run are collected apart, prompt by prompt, and merged: in
// whatever order, the result is the same to the last bit. Positions of a prompt
// may come in any order. One goroutine may use an Accumulator at a time.
//
// Memory is 8 bytes a position up to ExactCap positions, and from there on some
// hundred counters a prompt, from which percentiles come with a relative error of
// [SketchError].
//
// A nil Accumulator is empty, and adding to it an error.
type Accumulator struct {
	// ExactCap is how many positions are kept one by one; 0 or less is
	// DefaultExactCap. Of merged accumulators the smaller cap counts.
	ExactCap int

	prompts map[string]*prompt
	kept    int  // values kept one by one
	full    bool // the cap was passed: prompts hold sketches
	worst   []WorstPosition
}

var errNilAccumulator = optionError("nil accumulator")

// WorstPosition is one of the positions of largest divergence.
type WorstPosition struct {
	Prompt         string
	Index          int
	KL             float64 // the lower bound where lists were compared
	TopRef, TopGot int
}

// prompt is what is kept of one prompt. Of values and buckets one is in use.
type prompt struct {
	tally
	seen    spans
	values  []float64 // the finite divergences
	buckets []bucket
}

// Add takes the comparison at one position of a prompt. A position that was added
// before is ErrAlignment, a figure that is negative or NaN and cannot be is ErrNaN;
// nothing is added then.
func (a *Accumulator) Add(prompt string, index int, p Position) error {
	if reason := p.fault(); reason != "" {
		return &InputError{prompt, index, -1, reason, ErrNaN}
	}
	g, err := a.at(prompt, index)
	if err != nil {
		return err
	}
	g.position(&p)
	if !p.Excluded {
		a.keep(g, WorstPosition{prompt, index, p.KL, p.TopRef, p.TopGot})
	}
	return nil
}

// AddBounds is [Accumulator.Add] for a position of which only bounds are known.
// Percentiles and the worst positions then are those of the lower bounds.
func (a *Accumulator) AddBounds(prompt string, index int, b Bounds) error {
	if reason := b.fault(); reason != "" {
		return &InputError{prompt, index, -1, reason, ErrNaN}
	}
	g, err := a.at(prompt, index)
	if err != nil {
		return err
	}
	g.bounds(&b)
	a.keep(g, WorstPosition{prompt, index, b.Lower, b.TopRef, b.TopGot})
	return nil
}

// doubtPerplexity withholds what the data tokens say.
func (a *Accumulator) doubtPerplexity() {
	for _, g := range a.prompts {
		g.counts[countDoubted] = g.counts[countData] + g.counts[countDataInf]
	}
}

// at returns the prompt, having marked the position as seen.
func (a *Accumulator) at(name string, index int) (*prompt, error) {
	switch {
	case a == nil:
		return nil, errNilAccumulator
	case index < 0:
		return nil, &InputError{name, -1, -1, fmt.Sprintf("position %d is negative", index), ErrAlignment}
	}
	if a.prompts == nil {
		a.prompts = map[string]*prompt{}
	}
	g := a.prompts[name]
	if g == nil {
		g = &prompt{}
		a.prompts[name] = g
	}
	if !g.seen.add(index) {
		return nil, &InputError{name, index, -1, "position added twice", ErrAlignment}
	}
	return g, nil
}

// keep records a divergence for percentiles and the list of the worst.
func (a *Accumulator) keep(g *prompt, w WorstPosition) {
	a.rank(w)
	switch {
	case math.IsInf(w.KL, 1):
	case a.full:
		g.buckets = addTo(g.buckets, w.KL)
	default:
		g.values = append(g.values, w.KL)
		a.kept++
		a.overflow()
	}
}

// rank enters a position into the list of the worst, if it belongs there.
func (a *Accumulator) rank(w WorstPosition) {
	at, _ := slices.BinarySearchFunc(a.worst, w, byWorst)
	if at < numWorst {
		a.worst = slices.Insert(a.worst, at, w)
		a.worst = a.worst[:min(len(a.worst), numWorst)]
	}
}

func byWorst(x, y WorstPosition) int {
	return cmp.Or(cmp.Compare(y.KL, x.KL), cmp.Compare(x.Prompt, y.Prompt), cmp.Compare(x.Index, y.Index))
}

// overflow turns the kept values into sketches once they pass the cap.
func (a *Accumulator) overflow() {
	if a.full || a.kept <= a.exactCap() {
		return
	}
	a.full, a.kept = true, 0
	for _, g := range a.prompts {
		g.sketch()
	}
}

func (a *Accumulator) exactCap() int {
	if a.ExactCap <= 0 {
		return DefaultExactCap
	}
	return a.ExactCap
}

func (g *prompt) sketch() {
	if g.buckets == nil {
		g.buckets, g.values = sketched(g.values), nil
	}
}

// Merge adds what another accumulator holds and leaves that one as it is. A
// prompt that both hold is ErrAlignment, since a shard counted twice would look
// like more evidence; nothing is merged then.
func (a *Accumulator) Merge(b *Accumulator) error {
	switch {
	case b == nil:
		return nil
	case a == nil:
		return errNilAccumulator
	}
	for name := range b.prompts {
		if a.prompts[name] != nil {
			return &InputError{name, -1, -1, "prompt is in both accumulators", ErrAlignment}
		}
	}
	if a.prompts == nil {
		a.prompts = map[string]*prompt{}
	}
	a.ExactCap = min(a.exactCap(), b.exactCap())
	for name, g := range b.prompts {
		a.prompts[name] = g.clone()
	}
	for _, w := range b.worst {
		a.rank(w)
	}
	a.kept += b.kept
	if b.full {
		a.kept = a.exactCap() + 1
	}
	if a.full {
		a.full, a.kept = false, a.exactCap()+1
	}
	a.overflow()
	return nil
}

func (g *prompt) clone() *prompt {
	c := *g
	c.seen, c.values, c.buckets = slices.Clone(g.seen), slices.Clone(g.values), slices.Clone(g.buckets)
	return &c
}

func (a *Accumulator) orEmpty() *Accumulator {
	if a == nil {
		return &Accumulator{}
	}
	return a
}

// names returns the prompts in the order in which everything is summed.
func (a *Accumulator) names() []string { return slices.Sorted(maps.Keys(a.prompts)) }
