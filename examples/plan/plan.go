package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"example.com/servemath/capacity"
	"example.com/servemath/kvcache"
)

// plan is every row worked out.
type plan struct {
	Rows       []result `json:"rows"`
	Footnote   []string `json:"footnote"`
	Reproduced int      `json:"memory_figures_reproduced"`
	Memory     int      `json:"memory_figures"`
}

// result is one row worked out for both usages.
type result struct {
	row     row
	ID      string         `json:"id"`
	Setup   string         `json:"setup"`
	Weights kvcache.Bytes  `json:"weights_bytes"`
	From    string         `json:"weights_from"`
	MaxC    string         `json:"max_c,omitempty"` // "64", "16+", or ">= 16" where several levels give the published figures
	Uses    map[string]use `json:"uses"`
}

// use is one usage of a row: both limits, the figure and the published one.
type use struct {
	Memory     kvcache.Occupancy  `json:"memory"`
	Capacity   *capacity.Capacity `json:"capacity,omitempty"` // at Max C, or the smallest that it can be; nil: not known
	Users      string             `json:"users"`              // "256+", or a dash
	Limit      string             `json:"limit,omitempty"`
	Published  string             `json:"published,omitempty"`
	Reproduced bool               `json:"reproduced,omitempty"` // set by memory, and the computed sessions are the published figure
}

// usages are the two ways of use, in the order they are printed.
func usages() []capacity.Usage { return []capacity.Usage{capacity.Chat(), capacity.Agentic()} }

func usageNames() []string {
	var names []string
	for _, u := range usages() {
		names = append(names, u.Name)
	}
	return names
}

func newPlan(rows []row, models map[string]*kvcache.Model, embedded bool) (*plan, error) {
	p := &plan{Footnote: footnote(embedded)}
	for _, r := range rows {
		res, err := work(r, models)
		if err != nil {
			return nil, fmt.Errorf("row %s: %w", r.id, err)
		}
		for _, name := range usageNames() {
			u := res.Uses[name]
			if u.Limit == "memory" && u.Published != "" {
				p.Memory++
			}
			if u.Reproduced {
				p.Reproduced++
			}
		}
		p.Rows = append(p.Rows, res)
	}
	return p, nil
}

// work computes both memory limits of a row and puts the speed limit beside
// them: from the row's own Max C, or from what its published figures allow.
func work(r row, models map[string]*kvcache.Model) (result, error) {
	m, ok := models[r.modelKey]
	if !ok {
		return result{}, fmt.Errorf("unknown model_key %q; known: %s", r.modelKey, strings.Join(slices.Sorted(maps.Keys(models)), ", "))
	}
	res := result{row: r, ID: r.id, Setup: r.setup(), Uses: map[string]use{}}
	var err error
	if res.Weights, res.From, err = r.checkpoint(); err != nil {
		return res, err
	}
	for _, u := range usages() {
		o, err := r.sessions(m, u, res.Weights)
		if err != nil {
			return res, err
		}
		res.Uses[u.Name] = use{Memory: o, Users: noFigure}
	}
	return res, res.addSpeed()
}

// sessions is how many fit in memory, by the explorer's accounting: one byte a
// value, two copies of a recurrent state.
func (r row) sessions(m *kvcache.Model, u capacity.Usage, weights kvcache.Bytes) (kvcache.Occupancy, error) {
	d, err := r.device()
	if err != nil {
		return kvcache.Occupancy{}, err
	}
	return m.Sessions(u.ContextTokens, kvcache.Budget{Device: d, Weights: weights}, kvcache.Setup{
		Format: kvcache.FP8, StateCopies: 2, Parallel: kvcache.Parallel{TP: r.tp, PP: r.pp, DP: r.dp},
	})
}

// limitOf turns sessions into the memory limit of an estimate.
func limitOf(o kvcache.Occupancy) capacity.MemoryLimit {
	switch o.Status {
	case kvcache.OK:
		return capacity.MemoryLimit{Status: capacity.MemoryKnown, Sessions: o.Sessions}
	case kvcache.ContextTooLong:
		return capacity.MemoryLimit{Status: capacity.ContextTooLong, Reason: fmt.Sprintf("window of %d tokens", o.ContextWindow)}
	}
	return capacity.MemoryLimit{Reason: "the weights exceed the assumed memory"}
}

// find returns the row with that id, or at that place in the list.
func (p *plan) find(name string) (*result, error) {
	if i := slices.IndexFunc(p.Rows, func(r result) bool { return r.ID == name }); i >= 0 {
		return &p.Rows[i], nil
	}
	place, err := strconv.Atoi(name)
	if err != nil || place < 1 || place > len(p.Rows) {
		return nil, fmt.Errorf("-explain: no row %q; rows have an id, or a place from 1 to %d", name, len(p.Rows))
	}
	return &p.Rows[place-1], nil
}

// setup is the row in a few words.
func (r row) setup() string {
	var s strings.Builder
	s.WriteString(fmt.Sprintf("%s %s %s, %s", orID(r.model, r.id), r.quantization, r.engine, r.hardware))
	for _, d := range []struct {
		name string
		n    int
	}{{"TP", r.tp}, {"PP", r.pp}, {"DP", r.dp}} {
		if d.n > 1 {
			s.WriteString(fmt.Sprintf(" %s=%d", d.name, d.n))
		}
	}
	if r.speculative {
		s.WriteString(", speculative")
	}
	return s.String()
}

func orID(model, id string) string {
	if model == "" {
		return id
	}
	return model
}
