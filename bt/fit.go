package bt

import (
	"fmt"
	"math"
	"slices"
)

// Options steers [Fit]. The zero value, like nil, fits ties as half wins to a
// tolerance of 1e-9.
type Options struct {
	Tolerance     float64 // of [Model.MaxScore]; 0 means 1e-9
	MaxIterations int     // Newton steps; 0 means 100
}

// Fit estimates the log-strengths by maximum likelihood (Bradley and Terry
// 1952; ties count as half a win each). It fails with an [*InputError] when an
// adder of d did, [ErrNoData], a [*DisconnectedError], a [*SeparableError] when
// no finite maximum exists, [ErrOptions], or a [*NotConvergedError].
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
	p := newProblem(len(d.items), d.cells)
	if len(p.edges) == 0 {
		return nil, ErrNoData
	}
	if err := p.exists(d.items); err != nil {
		return nil, err
	}
	return fit(p, d, opts)
}

func fit(p *problem, d *Data, o Options) (*Model, error) {
	w := newNewton(p, o.Tolerance, o.MaxIterations)
	score, err := w.run()
	if err != nil {
		return nil, err
	}
	centre(w.x)
	m := &Model{
		items: slices.Clone(d.items), index: make(map[string]int32, p.n),
		cells: slices.Clone(d.cells), p: p, x: w.x, at: w.at,
		iterations: w.steps, maxScore: score, logLikelihood: p.logLikelihood(w.x),
	}
	for i, name := range m.items {
		m.index[name] = int32(i)
	}
	return m, nil
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
	if !(out.Tolerance > 0) || math.IsInf(out.Tolerance, 1) {
		return out, fmt.Errorf("%w: tolerance %v", ErrOptions, out.Tolerance)
	}
	if out.MaxIterations < 0 {
		return out, fmt.Errorf("%w: %d iterations", ErrOptions, out.MaxIterations)
	}
	return out, nil
}
