package bt

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Fit estimates the log-strengths by maximum likelihood (Bradley and Terry
// 1952), penalised by the prior if there is one. It fails with an [*InputError]
// when an adder of d did, [ErrNoData], a [*DisconnectedError], a
// [*SeparableError] when no finite maximum exists, [ErrOptions],
// [ErrUnsupported], or a [*NotConvergedError].
//
// Newton's equations are solved by elimination up to 100 items, up to 500 of
// which a tenth of the pairs met, and where the pairs form a narrow band; beyond
// that by preconditioned conjugate gradients. Eliminating fits take one more
// step than the tolerance asks for.
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
	_, dense := w.system.base.(*laplacian)
	if dense {
		score = w.polish(score)
	}
	if !p.grounded() {
		centre(w.x[:p.n])
	}
	if floats.HasNaN(w.x) || dense && !w.rests() {
		return &NotConvergedError{Iterations: w.steps, MaxScore: score}
	}
	m.x, m.at, m.options.Start = w.x, w.at, nil // a chain of warm starts must not keep its models alive
	m.iterations, m.maxScore, m.logLikelihood = w.steps, score, p.logLikelihood(w.x)
	if p.ties.estimated() && p.tieAt == 0 {
		m.warnings = append(m.warnings, fmt.Errorf("bt: no comparison is a tie: the tie parameter is at its boundary, %g", p.ties.boundary()))
	}
	return nil
}
