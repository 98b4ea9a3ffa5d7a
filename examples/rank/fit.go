package main

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"example.com/servemath/bt"
)

// labels are what comparisons may share.
var labels = []string{"machine", "model"}

func dataOf(contests []bt.Contest, tie float64) *bt.Data {
	d := new(bt.Data)
	for _, c := range contests {
		d.AddContest(c, &bt.ContestOptions{TieWithin: tie})
	}
	return d
}

// intervals asks for clusters by a label. They are few, so the intervals take
// Student's t.
func intervals(by string) *bt.IntervalOptions {
	if by == "" {
		return nil
	}
	return &bt.IntervalOptions{By: []string{by}, SmallSample: true}
}

// rank fits how often each engine is the faster, and what that owes to one
// machine or model.
func (p *platform) rank(d *bt.Data, by string) error {
	m, err := bt.Fit(d, nil)
	if err != nil {
		return err
	}
	standings, err := m.Ranking(intervals(by))
	if errors.Is(err, bt.ErrClusters) {
		p.warn(reason(err))
		standings, err = m.Ranking(nil)
	}
	if err != nil {
		return err
	}
	for _, s := range standings {
		p.Engines = append(p.Engines, engine{Engine: s.Item, Ranked: &s})
	}
	if err := p.addWarnings(m, by); err != nil {
		return err
	}
	return p.leaveOut(m)
}

// addWarnings passes on what few clusters mean.
func (p *platform) addWarnings(m *bt.Model, by string) error {
	if by == "" || len(p.Warnings) > 0 {
		return nil
	}
	r, err := m.Robust(by)
	if err != nil {
		return err
	}
	for _, w := range r.Warnings {
		p.warn(reason(w))
	}
	return nil
}

func (p *platform) warn(text string) { p.Warnings = append(p.Warnings, "note: "+text) }

// reason is an error's text without the package that found it.
func reason(err error) string { return strings.TrimPrefix(err.Error(), "bt: ") }

// addSpeeds fits by how much each engine is the faster, which also stands where
// nothing ranks them: those engines are listed by speed.
func (p *platform) addSpeeds(d *bt.Data, by string) error {
	m, err := bt.FitRatios(d, nil)
	if refused(err) {
		return nil
	}
	if err != nil {
		return err
	}
	speeds, err := m.Ratios(intervals(by))
	if errors.Is(err, bt.ErrClusters) {
		speeds, err = m.Ratios(nil)
	}
	if err != nil {
		return err
	}
	at := map[string]*bt.Interval{}
	for i, item := range m.Items() {
		at[item] = &speeds[i]
	}
	for i := range p.Engines {
		p.Engines[i].Speed = at[p.Engines[i].Engine]
	}
	if p.NotRanked != "" {
		slices.SortStableFunc(p.Engines, func(a, b engine) int { return cmp.Compare(b.ratio(), a.ratio()) })
	}
	return nil
}

// ratio is an engine's speed, 0 where there is none.
func (e engine) ratio() float64 {
	if e.Speed == nil {
		return 0
	}
	return e.Speed.Estimate
}
