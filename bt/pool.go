package bt

import (
	"fmt"
	"math"

	"example.com/servemath/internal/jsonout"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Pooled is a partial pooling: strengths of their own for every value of a
// label, drawn towards common ones as far as the values agree.
type Pooled struct {
	By            string
	SD            float64 // of the values' log-strengths around the common ones
	LogLikelihood float64 // marginal, at SD
	Common        []PooledStanding
	Groups        []PooledGroup // by sorted value of the label
	Warnings      []error
}

// PooledGroup is the ranking for one value of the label.
type PooledGroup struct {
	Value     string           `json:"value"`
	Standings []PooledStanding `json:"standings"`
}

// PooledStanding is an item's place in a pooled ranking.
type PooledStanding struct {
	Item        string  `json:"item"`
	Rank        int     `json:"rank"`
	LogStrength float64 `json:"log_strength"` // mean zero within the group
	StdErr      float64 `json:"std_err"`
	Strength    float64 `json:"strength"` // chance to beat an average item of the group
	Lo          float64 `json:"lo"`       // 95% interval of Strength
	Hi          float64 `json:"hi"`
	Borrowed    float64 `json:"borrowed"`    // 0: from the group's own comparisons, 1: from the common strengths
	Comparisons float64 `json:"comparisons"` // weight of the group's own
}

// The range of standard deviations that is searched. At its low end the groups
// are alike, at its high end they have nothing in common.
const (
	minSD = 0.01
	maxSD = 10
)

// Pool gives every value of a label, such as each platform, strengths of its
// own with a normal distribution around common ones. Its standard deviation is
// the one that makes the data most likely (empirical Bayes; the marginal
// likelihood is Laplace's approximation at the common strengths' joint mode),
// so that a platform whose one engine never lost gets a finite ranking that
// says how much of it is borrowed. Intervals take that deviation as known.
//
// The data as a whole must have a fit of their own, or a [Gaussian] prior, which
// then holds the common strengths. Other priors, an order effect and fitted tie
// parameters give [ErrUnsupported]. It fails like [Fit], and with
// [ErrUnknownLabel] or [ErrClusters].
func Pool(d *Data, by string, o *Options) (*Pooled, error) {
	opts, err := o.filled()
	if err != nil {
		return nil, err
	}
	_, gaussian := opts.Prior.(Gaussian)
	if opts.Prior != nil && !gaussian || opts.OrderEffect || opts.Ties.estimated() {
		return nil, fmt.Errorf("%w: pooling with an order effect, a tie parameter or a prior that is not Gaussian", ErrUnsupported)
	}
	common, err := Fit(d, o)
	if err != nil {
		return nil, err
	}
	part, err := common.partition(by)
	if err != nil {
		return nil, err
	}
	if err := part.several(by); err != nil {
		return nil, err
	}
	f := newPooledFit(common, part)
	sd, err := f.search()
	if err != nil {
		return nil, err
	}
	return f.result(by, sd)
}

// pooledFit is the joint likelihood: common strengths, joined by springs to the
// strengths of each group.
type pooledFit struct {
	common *Model
	part   *partition
	groups []pooledGroup
	p      *problem
	w      *newton
}

// pooledGroup is a group's items and where they stand in the joint problem.
type pooledGroup struct {
	items []int32 // of the common model
	first int     // place of the first of them
	p     *problem
}

func newPooledFit(common *Model, part *partition) *pooledFit {
	f := &pooledFit{common: common, part: part, groups: make([]pooledGroup, len(part.names))}
	cells := make([][]cell, len(part.names))
	for _, c := range common.cells {
		g := part.of[c.group]
		cells[g] = append(cells[g], c)
	}
	next := common.p.n
	for g := range f.groups {
		f.groups[g] = common.newPooledGroup(cells[g], next)
		next += len(f.groups[g].items)
	}
	f.join(next)
	f.stiffen(1)
	o := common.options
	o.MaxIterations += 100 // steps are short where a spring is stiff
	f.w = newNewton(f.p, o)
	copy(f.w.x, common.x)
	for _, g := range f.groups {
		for k, i := range g.items {
			f.w.x[g.first+k] = common.x[i]
		}
	}
	return f
}

// newPooledGroup renumbers the items that its cells name.
func (m *Model) newPooledGroup(cells []cell, first int) pooledGroup {
	g := pooledGroup{first: first}
	place := make(map[int32]int32)
	for i := range m.p.n {
		for _, c := range cells {
			if c.lo == int32(i) || c.hi == int32(i) {
				place[int32(i)] = int32(len(g.items))
				g.items = append(g.items, int32(i))
				break
			}
		}
	}
	own := make([]cell, len(cells))
	for k, c := range cells {
		c.lo, c.hi = place[c.lo], place[c.hi]
		own[k] = c
	}
	g.p = newProblem(len(g.items), own, Options{Ties: m.options.Ties})
	return g
}

// join lays the groups' comparisons and the springs out as one problem. Common
// strengths come first, so that their rows hold the springs.
func (f *pooledFit) join(n int) {
	base := f.common.p
	f.p = &problem{n: n, ties: base.ties, held: base.held, precision: base.precision, start: make([]int, n+1)}
	for i := range base.n {
		for _, g := range f.groups {
			for k, item := range g.items {
				if int(item) == i {
					f.p.edges = append(f.p.edges, edge{int32(i), int32(g.first + k)})
					f.p.tallies = append(f.p.tallies, tally{})
				}
			}
		}
		f.p.start[i+1] = len(f.p.edges)
	}
	f.p.springs = make([]float64, len(f.p.edges))
	for _, g := range f.groups {
		for i := range g.p.n {
			for k := g.p.start[i]; k < g.p.start[i+1]; k++ {
				e := g.p.edges[k]
				f.p.edges = append(f.p.edges, edge{int32(g.first) + e.i, int32(g.first) + e.j})
				f.p.tallies = append(f.p.tallies, g.p.tallies[k])
			}
			f.p.start[g.first+i+1] = len(f.p.edges)
		}
	}
}

// fit finds the joint mode at a standard deviation and returns the logarithm of
// the marginal likelihood there.
func (f *pooledFit) fit(sd float64) (float64, error) {
	stiff := 1 / (sd * sd)
	f.stiffen(stiff)
	if _, err := f.w.run(); err != nil {
		return 0, err
	}
	sum := f.w.objective(f.w.x, f.w.at)
	for _, g := range f.groups {
		for _, pivot := range f.inner(g, stiff).pivot {
			sum -= math.Log(pivot/stiff) / 2
		}
	}
	return sum, nil
}

// stiffen sets all springs; they weigh like comparisons.
func (f *pooledFit) stiffen(stiff float64) {
	f.p.weigh()
	for k := range f.p.springs {
		f.p.springs[k] = stiff
		f.p.weight[f.p.edges[k].i] += stiff
		f.p.weight[f.p.edges[k].j] += stiff
	}
}

// inner factors what a group's comparisons and springs say of its strengths
// when the common ones are known.
func (f *pooledFit) inner(g pooledGroup, stiff float64) *laplacian {
	n := len(g.items)
	ground := make([]float64, n)
	for i := range ground {
		ground[i] = stiff
	}
	own := newSlope(g.p)
	g.p.derive(f.w.x[g.first:g.first+n], own)
	own.ground = ground
	l := newLaplacian(g.p.edges, n, g.p.weight)
	l.factor(own)
	return l
}

// search maximises the marginal likelihood over the logarithm of the standard
// deviation: on a grid, since it may have two peaks, then by golden section.
func (f *pooledFit) search() (float64, error) {
	const points = 16
	lo, hi := math.Log(minSD), math.Log(maxSD)
	step := (hi - lo) / points
	best, at := math.Inf(-1), 0
	for k := range points + 1 {
		l, err := f.fit(math.Exp(hi - step*float64(k)))
		if err != nil {
			return 0, err
		}
		if l > best {
			best, at = l, k
		}
	}
	centre := hi - step*float64(at)
	return f.golden(max(centre-step, lo), min(centre+step, hi))
}

func (f *pooledFit) golden(a, b float64) (float64, error) {
	ratio := (math.Sqrt(5) - 1) / 2
	c, d := b-ratio*(b-a), a+ratio*(b-a)
	fc, err := f.fit(math.Exp(c))
	if err != nil {
		return 0, err
	}
	fd, err := f.fit(math.Exp(d))
	for err == nil && b-a > 1e-4 {
		if fc > fd {
			b, d, fd = d, c, fc
			c = b - ratio*(b-a)
			fc, err = f.fit(math.Exp(c))
		} else {
			a, c, fc = c, d, fd
			d = a + ratio*(b-a)
			fd, err = f.fit(math.Exp(d))
		}
	}
	return math.Exp((a + b) / 2), err
}

func (f *pooledFit) result(by string, sd float64) (*Pooled, error) {
	l, err := f.fit(sd)
	if err != nil {
		return nil, err
	}
	out := &Pooled{By: by, SD: sd, LogLikelihood: l}
	a := newArrow(f.p)
	a.factor(f.w.at)
	cov := a.inverse()
	n := f.common.p.n
	out.Common = f.standings(cov, 0, f.common.items, f.common.p.weight, make([]float64, n))
	for g, group := range f.groups {
		names := make([]string, len(group.items))
		for k, i := range group.items {
			names[k] = f.common.items[i]
		}
		out.Groups = append(out.Groups, PooledGroup{
			Value:     f.part.names[g],
			Standings: f.standings(cov, group.first, names, group.p.weight, f.borrowed(group, 1/(sd*sd))),
		})
	}
	switch {
	case sd < minSD*1.01:
		out.Warnings = append(out.Warnings, fmt.Errorf("bt: the groups of %q do not differ: their strengths are the common ones", by))
	case sd > maxSD/1.01:
		out.Warnings = append(out.Warnings, fmt.Errorf("bt: the groups of %q have nothing in common: nothing is borrowed", by))
	}
	if len(f.groups) < 5 {
		out.Warnings = append(out.Warnings, fmt.Errorf("bt: %d groups say little about how much groups differ", len(f.groups)))
	}
	return out, nil
}

// borrowed is the weight of the common strengths in each of a group's: with
// nothing of its own the whole, in differences between the group's items.
func (f *pooledFit) borrowed(g pooledGroup, stiff float64) []float64 {
	n := len(g.items)
	l, b, x := f.inner(g, stiff), make([]float64, n), make([]float64, n)
	out := make([]float64, n)
	for i := range out {
		clear(b)
		b[i] = stiff
		l.solve(x, b)
		out[i] = (x[i] - 1/float64(n)) / (1 - 1/float64(n))
	}
	return out
}

// standings ranks the items at places from first on among themselves.
func (f *pooledFit) standings(cov *mat.SymDense, first int, names []string, weight, borrowed []float64) []PooledStanding {
	n := len(names)
	own := cov.SliceSym(first, first+n)
	shared := averages(own)
	x := f.w.x[first : first+n]
	mean := average(x)
	order, rank := byStrength(x)
	z := distuv.UnitNormal.Quantile(0.975)
	out := make([]PooledStanding, n)
	for k, i := range order {
		se := math.Sqrt(max(own.At(i, i)+shared.all-2*shared.of[i], 0))
		d := x[i] - mean
		out[k] = PooledStanding{
			Item: names[i], Rank: rank[i], LogStrength: d, StdErr: se, Strength: sigmoid(d),
			Lo: sigmoid(d - z*se), Hi: sigmoid(d + z*se), Borrowed: borrowed[i], Comparisons: weight[i],
		}
	}
	return out
}

// String gives the standard deviation and the groups.
func (p *Pooled) String() string {
	return fmt.Sprintf("log-strengths differ by %.3g (standard deviation) between %d groups of %s", p.SD, len(p.Groups), p.By)
}

// MarshalJSON writes warnings as text.
func (p *Pooled) MarshalJSON() ([]byte, error) {
	return jsonout.Object{
		{Name: "by", Value: p.By}, {Name: "sd", Value: p.SD}, {Name: "log_likelihood", Value: p.LogLikelihood},
		{Name: "common", Value: p.Common}, {Name: "groups", Value: p.Groups}, {Name: "warnings", Value: p.Warnings},
	}.MarshalJSON()
}
