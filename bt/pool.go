package bt

import (
	"fmt"
	"slices"

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
	part, err := common.clusters(by)
	if err != nil {
		return nil, err
	}
	f := newPooledFit(common, part)
	sd, err := f.search()
	if err != nil {
		return nil, err
	}
	return f.result(by, sd)
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
	x := f.w.x[first : first+n]
	from := measure(x, cov.SliceSym(first, first+n), slices.Repeat([]float64{1 / float64(n)}, n))
	order, rank := byStrength(x)
	z := distuv.UnitNormal.Quantile(0.975)
	out := make([]PooledStanding, n)
	for k, i := range order {
		d, half := from.d[i], z*from.se[i]
		out[k] = PooledStanding{
			Item: names[i], Rank: rank[i], LogStrength: d, StdErr: from.se[i], Strength: sigmoid(d),
			Lo: sigmoid(d - half), Hi: sigmoid(d + half), Borrowed: borrowed[i], Comparisons: weight[i],
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
