package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"example.com/servemath/bt"
)

// leftOut is what a ranking owes to single values of a label.
type leftOut struct {
	Label    string   `json:"label"`
	Values   int      `json:"values"`
	Carrying int      `json:"carrying"` // values without which the order changes
	Turns    []turn   `json:"turns"`
	Unranked []string `json:"unranked,omitempty"`     // values without which nothing ranks the engines
	Engine   string   `json:"engine,omitempty"`       // whose strength moves most
	Without  string   `json:"without,omitempty"`      // the value it moves without
	Shift    float64  `json:"shift_points,omitempty"` // percentage points
}

// turn is a pair of engines that stands the other way round without certain values.
type turn struct {
	Ahead   string   `json:"ahead"` // with all data
	Behind  string   `json:"behind"`
	Without []string `json:"without"`
}

// leaveOut refits without each machine and each model.
func (p *platform) leaveOut(m *bt.Model) error {
	for _, label := range labels {
		influences, err := m.LeaveOut(label)
		if errors.Is(err, bt.ErrClusters) {
			continue // a single value cannot be left out
		}
		if err != nil {
			return err
		}
		p.LeftOut = append(p.LeftOut, newLeftOut(label, influences))
	}
	return nil
}

func newLeftOut(label string, influences []bt.Influence) leftOut {
	out := leftOut{Label: label, Values: len(influences), Turns: []turn{}}
	for _, in := range influences {
		if in.Err != nil {
			out.Unranked = append(out.Unranked, in.Value)
			continue
		}
		if len(in.Swaps) > 0 {
			out.Carrying++
		}
		for _, s := range in.Swaps {
			out.addTurn(s, in.Value)
		}
		if points := 100 * in.Shift; math.Abs(points) > math.Abs(out.Shift) {
			out.Engine, out.Without, out.Shift = in.Item, in.Value, points
		}
	}
	return out
}

func (l *leftOut) addTurn(swap [2]string, without string) {
	k := slices.IndexFunc(l.Turns, func(t turn) bool { return t.Ahead == swap[0] && t.Behind == swap[1] })
	if k < 0 {
		k = len(l.Turns)
		l.Turns = append(l.Turns, turn{Ahead: swap[0], Behind: swap[1]})
	}
	l.Turns[k].Without = append(l.Turns[k].Without, without)
}

// String is the finding in one line.
func (l leftOut) String() string {
	var parts []string
	if len(l.Unranked) > 0 {
		parts = append(parts, "nothing ranks the engines without "+strings.Join(l.Unranked, " or "))
	}
	switch ranked := l.Values - len(l.Unranked); {
	case l.Carrying > 0:
		parts = append(parts, fmt.Sprintf("%d of %d carry the order", l.Carrying, l.Values))
	case ranked == l.Values:
		parts = append(parts, fmt.Sprintf("the order stands without any one of %d", l.Values))
	case ranked > 0:
		parts = append(parts, fmt.Sprintf("the order stands without any one of %d others", ranked))
	}
	for _, t := range l.Turns {
		parts = append(parts, fmt.Sprintf("%s passes %s without %s", t.Behind, t.Ahead, strings.Join(t.Without, " or ")))
	}
	if l.Engine != "" {
		parts = append(parts, fmt.Sprintf("most: %s %+.1f points without %s", l.Engine, l.Shift, l.Without))
	}
	return fmt.Sprintf("one %s left out: %s", l.Label, strings.Join(parts, "; "))
}
