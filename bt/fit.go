package bt

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Options steers [Fit]. The zero value, like nil, counts ties as half wins and
// maximises the likelihood to a tolerance of 1e-9.
type Options struct {
	Ties          TieModel
	Prior         Prior   // nil: none
	OrderEffect   bool    // fit an advantage of the item placed first
	Tolerance     float64 // of [Model.MaxScore]; 0 means 1e-9
	MaxIterations int     // Newton steps; 0 means 100
	Start         *Model  // where to start; nil: equal strengths
}

// Fit estimates the log-strengths by maximum likelihood (Bradley and Terry
// 1952), penalised by the prior if there is one. It fails with an [*InputError]
// when an adder of d did, [ErrNoData], a [*DisconnectedError], a
// [*SeparableError] when no finite maximum exists, [ErrOptions],
// [ErrUnsupported], or a [*NotConvergedError].
//
// Up to 500 items (100, where less than a tenth of the pairs met) Newton's
// equations are solved by elimination, beyond that by preconditioned conjugate
// gradients.
func Fit(d *Data, o *Options) (*Model, error) {
	opts, err := o.filled()
	if err != nil {
		return nil, err
	}
	if d == nil {
		return nil, ErrNoData
	}
	if d.err != nil {
		return nil, d.err
	}
	return fitCells(slices.Clone(d.items), d.share(), d.labels.list(), opts)
}

// fitCells takes the items over and only reads the cells.
func fitCells(items []string, cells []cell, labels []map[string]string, o Options) (*Model, error) {
	p := newProblem(len(items), cells, o)
	if len(p.edges) == 0 {
		return nil, ErrNoData
	}
	if err := p.exists(items); err != nil {
		return nil, err
	}
	m := &Model{items: items, index: make(map[string]int32, p.n), cells: cells, labels: labels, p: p, options: o}
	for i, name := range items {
		m.index[name] = int32(i)
	}
	if err := m.maximise(); err != nil {
		return nil, err
	}
	return m, nil
}

func (m *Model) maximise() error {
	p, w := m.p, newNewton(m.p, m.options)
	m.begin(w.x)
	score, err := w.run()
	if err != nil && m.options.Start != nil {
		clear(w.x) // far from the maximum Newton's method may find no way
		p.guess(w.x)
		score, err = w.run()
	}
	if err != nil {
		return err
	}
	if _, dense := w.system.base.(*laplacian); dense {
		score = w.polish(score)
	}
	if !p.grounded() {
		centre(w.x[:p.n])
	}
	if floats.HasNaN(w.x) || !p.representable(w.x) {
		return &NotConvergedError{Iterations: w.steps, MaxScore: score}
	}
	m.x, m.at = w.x, w.at
	m.iterations, m.maxScore, m.logLikelihood = w.steps, score, p.logLikelihood(w.x)
	if p.ties.estimated() && p.tieAt == 0 {
		m.warnings = append(m.warnings, fmt.Errorf("bt: no comparison is a tie: the tie parameter is at its boundary, %g", p.ties.boundary()))
	}
	return nil
}

// representable says whether every fitted chance is within a float64's range;
// beyond it chances are cut off and the score means nothing.
func (p *problem) representable(x []float64) bool {
	for k := range p.tallies {
		if math.Abs(p.difference(x, k)) > furthest {
			return false
		}
	}
	return true
}

// begin fills in where the search starts.
func (m *Model) begin(x []float64) {
	p, from := m.p, m.options.Start
	p.guess(x)
	if from == nil {
		return
	}
	for i, name := range m.items {
		if j, ok := from.index[name]; ok {
			x[i] = from.x[j]
		}
	}
	if p.orderAt > 0 && from.p.orderAt > 0 {
		x[p.orderAt] = from.x[from.p.orderAt]
	}
	if p.tieAt > 0 && from.p.tieAt > 0 && p.ties == from.p.ties {
		x[p.tieAt] = from.x[from.p.tieAt]
	}
}

// guess starts from each item's odds of winning: exact for two items, and near
// for many that met each other. A prior may hold the strengths nearer together,
// so that with one the search starts from equal ones.
func (p *problem) guess(x []float64) {
	if p.tieAt > 0 {
		x[p.tieAt] = p.ties.start(min(p.tied/p.total, 0.99))
	}
	if p.grounded() || p.jeffreys || p.extras() > 0 {
		return
	}
	won, lost := make([]float64, p.n), make([]float64, p.n)
	for k, t := range p.tallies {
		e := p.edges[k]
		won[e.i], lost[e.i] = won[e.i]+t.win, lost[e.i]+t.loss
		won[e.j], lost[e.j] = won[e.j]+t.loss, lost[e.j]+t.win
	}
	for i := range p.n {
		x[i] = (math.Log(won[i]) - math.Log(lost[i])) * float64(p.n-1) / float64(p.n)
	}
	centre(x[:p.n])
}

// filled returns the options with their defaults.
func (o *Options) filled() (Options, error) {
	out := Options{}
	if o != nil {
		out = *o
	}
	if out.Tolerance == 0 {
		out.Tolerance = 1e-9
	}
	if out.MaxIterations == 0 {
		out.MaxIterations = 100
	}
	return out, out.check()
}

func (o Options) check() error {
	switch {
	case !(o.Tolerance > 0) || math.IsInf(o.Tolerance, 1):
		return fmt.Errorf("%w: tolerance %v", ErrOptions, o.Tolerance)
	case o.MaxIterations < 0:
		return fmt.Errorf("%w: %d iterations", ErrOptions, o.MaxIterations)
	case o.Ties < HalfWin || o.Ties > DropTies:
		return fmt.Errorf("%w: tie model %d", ErrOptions, int(o.Ties))
	}
	switch prior := o.Prior.(type) {
	case nil:
		return nil
	case Jeffreys:
		if o.Ties.estimated() {
			return fmt.Errorf("%w: a Jeffreys prior with a fitted tie parameter", ErrUnsupported)
		}
		return nil
	case Gaussian, VirtualPlayer, PseudoWins:
		return prior.check()
	}
	return fmt.Errorf("%w: prior %T is not given by value", ErrOptions, o.Prior)
}
