package main

import (
	"errors"
	"fmt"
	"slices"

	"example.com/servemath/kvcache"
)

// question is a model and all that is asked of it.
type question struct {
	*input
	tokens      []int
	formats     []kvcache.Format
	tps         []int
	setup       kvcache.Setup // without format and TP
	budget      kvcache.Budget
	formatGiven bool
	wantsDevice bool
}

// with is the setup of one cell of the tables.
func (q *question) with(f kvcache.Format, tp int) kvcache.Setup {
	s := q.setup
	s.Format, s.Parallel.TP = f, tp
	return s
}

func (q *question) answer() (*report, error) {
	r := &report{
		Source: q.source, Model: describe(q.model), Weights: q.weights, WeightsFrom: q.weightsFrom,
		Engine: q.setup.Engine.Name,
	}
	r.warn(q.warnings)
	if err := q.fitTPs(r); err != nil {
		return nil, err
	}
	if err := q.addSizes(r); err != nil {
		return nil, err
	}
	if err := q.choose(r); err != nil {
		return nil, err
	}
	r.Engines = q.engines(r.Chosen.Tokens)
	r.Log = q.holdAgainstLog()
	if q.wantsDevice {
		return r, q.addDevice(r)
	}
	return r, nil
}

func (r *report) warn(warnings []error) {
	for _, w := range warnings {
		r.Warnings = append(r.Warnings, w.Error())
	}
}

// fitTPs drops the sizes that the model does not allow, with a warning each. Only
// when none is left is that an error.
func (q *question) fitTPs(r *report) error {
	var wrong []error
	q.tps = slices.DeleteFunc(slices.Clone(q.tps), func(tp int) bool {
		_, err := q.model.Session(1, q.with(q.formats[0], tp))
		if err != nil {
			wrong = append(wrong, err)
			r.Warnings = append(r.Warnings, fmt.Sprintf("TP %d is left out: %v", tp, err))
		}
		return err != nil
	})
	if r.TPs = q.tps; len(q.tps) > 0 {
		return nil
	}
	// What is wrong with every size alike is said once.
	return errors.Join(slices.CompactFunc(wrong, func(a, b error) bool { return a.Error() == b.Error() })...)
}

func (q *question) addSizes(r *report) error {
	for _, f := range q.formats {
		for _, n := range q.tokens {
			s, err := q.size(n, f)
			if err != nil {
				return err
			}
			r.Sizes = append(r.Sizes, s)
		}
	}
	return nil
}

// choose sizes the longest session once more, with its parts.
func (q *question) choose(r *report) error {
	n := slices.Max(q.tokens)
	f, err := q.model.Session(n, q.with(q.formats[0], q.tps[0]))
	r.Chosen = chosen{n, q.formats[0].Name, q.tps[0], f}
	r.warn(f.Warnings)
	return err
}

func (q *question) size(n int, f kvcache.Format) (size, error) {
	s := size{Tokens: n, Format: f.Name, PerDevice: map[int]kvcache.Bytes{}}
	for _, tp := range q.tps {
		p, err := q.model.Session(n, q.with(f, tp))
		if err != nil {
			return s, fmt.Errorf("%d tokens in %s at TP %d: %w", n, f.Name, tp, err)
		}
		s.PerDevice[tp] = p.PerDevice
		if tp == q.tps[0] {
			s.Session = p.Session
		}
	}
	return s, nil
}

// engines sizes the chosen session in every engine, in its own default format
// unless one was asked for.
func (q *question) engines(n int) []engineSize {
	var out []engineSize
	for _, e := range engines {
		s := q.setup
		s.Engine, s.Parallel.TP = e, q.tps[0]
		if q.formatGiven {
			s.Format = q.formats[0]
		}
		out = append(out, q.inEngine(n, s))
	}
	return out
}

func (q *question) inEngine(n int, s kvcache.Setup) engineSize {
	out := engineSize{Engine: s.Engine.Name, AsOf: s.Engine.AsOf, Format: formatName(s, q.model)}
	f, err := q.model.Session(n, s)
	if err != nil {
		out.Error = err.Error()
		return out
	}
	out.Footprint = f
	if !q.wantsDevice {
		return out
	}
	o, err := q.model.Sessions(n, q.budget, s)
	if err != nil || o.Status == kvcache.WeightsDoNotFit {
		return out
	}
	if o.Status == kvcache.OK {
		out.Sessions = &o.Sessions
	}
	p, err := q.model.Pool(o.FreePerDevice, n, s)
	if err != nil {
		out.PoolNote = err.Error()
		return out
	}
	out.Pool = &p
	return out
}

// formatName is the format that the cache ends up in.
func formatName(s kvcache.Setup, m *kvcache.Model) string {
	switch {
	case s.Format.Name != "":
		return s.Format.Name
	case s.Engine.Format.Name != "":
		return s.Engine.Format.Name
	case s.Engine.ModelFormat:
		return m.DType.Name
	}
	return kvcache.FP8.Name
}

func (q *question) addDevice(r *report) error {
	b, f := q.budget, q.formats[0]
	d := &deviceInfo{Name: b.Device.Name, Memory: b.Device.Memory, Format: f.Name, Longest: map[int]longest{}}
	if q.weightsFrom == "" {
		r.Warnings = append(r.Warnings, "the weights are not known and count as nothing: say -weights, -index or -checkpoint")
	}
	for _, n := range q.tokens {
		for _, tp := range q.tps {
			o, err := q.model.Sessions(n, b, q.with(f, tp))
			if err != nil {
				return err
			}
			d.Sessions = append(d.Sessions, o)
		}
	}
	for _, tp := range q.tps {
		free := d.Sessions[slices.Index(q.tps, tp)].FreePerDevice
		n, err := q.model.MaxTokens(free, q.with(f, tp))
		if err != nil {
			return err
		}
		d.Longest[tp] = longest{n, n > 0 && n == q.model.ContextWindow}
	}
	r.Device = d
	return nil
}
