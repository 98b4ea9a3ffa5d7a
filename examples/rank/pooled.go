package main

import (
	"errors"
	"fmt"
	"strings"

	"example.com/servemath/bt"
)

// addPooled gives platforms that cannot rank their engines the rankings that
// all platforms together support, each marked with how much of it is borrowed.
func (r *report) addPooled(src *source) error {
	var unranked []*platform
	for i := range r.Platforms {
		if p := &r.Platforms[i]; p.NotRanked != "" {
			unranked = append(unranked, p)
		}
	}
	if len(unranked) == 0 || len(r.Platforms) < 2 {
		return nil
	}
	pooled, err := bt.Pool(r.joined(src), "platform", nil)
	if refused(err) || errors.Is(err, bt.ErrClusters) {
		for _, p := range unranked {
			p.warn("the platforms together do not rank them either: " + reason(err))
		}
		return nil
	}
	if err != nil {
		return err
	}
	for _, p := range unranked {
		for _, g := range pooled.Groups {
			if g.Value == p.Name {
				p.Pooled = g.Standings
			}
		}
		r.warnPooled(p, pooled)
	}
	return nil
}

// warnPooled says what to beware of in a pooled ranking.
func (r *report) warnPooled(p *platform, pooled *bt.Pooled) {
	for _, w := range pooled.Warnings {
		p.warn("pooled: " + reason(w))
	}
	if r.By != "" {
		p.warn("pooled: its intervals take comparisons as independent")
	}
}

// joined holds the contests of all platforms, each with its platform as a label.
func (r *report) joined(src *source) *bt.Data {
	d := new(bt.Data)
	for _, p := range r.Platforms {
		for _, c := range contestsOf(where(where(src.figures, platformOf, p.Name), setupOf, r.Setup)) {
			c.Group["platform"] = p.Name
			d.AddContest(c, &bt.ContestOptions{TieWithin: r.Tie})
		}
	}
	return d
}

// pooledNote is the ranking in one line.
func pooledNote(standings []bt.PooledStanding) string {
	var parts []string
	for _, s := range standings {
		parts = append(parts, fmt.Sprintf("%s %.0f%% (%.0f-%.0f%%, %.0f%% borrowed)",
			s.Item, 100*s.Strength, 100*s.Lo, 100*s.Hi, 100*s.Borrowed))
	}
	return "pooled with the other platforms: " + strings.Join(parts, ", ")
}
