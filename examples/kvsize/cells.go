package main

import (
	"fmt"
	"math"
	"strconv"

	"example.com/servemath/kvcache"
)

// tpTitles heads one column for each tensor-parallel size.
func (r *report) tpTitles() []string {
	titles := make([]string, len(r.TPs))
	for i, tp := range r.TPs {
		titles[i] = fmt.Sprintf("TP %d", tp)
	}
	return titles
}

func sessionsCell(o kvcache.Occupancy) string {
	if o.Status != kvcache.OK {
		return o.Status.String()
	}
	return strconv.Itoa(o.Sessions)
}

func longestCell(l longest) string {
	switch {
	case l.Window:
		return fmt.Sprintf("%d (window)", l.Tokens)
	case l.Tokens == math.MaxInt: // nothing grows
		return "no limit"
	}
	return strconv.Itoa(l.Tokens)
}

// cells is the row of an engine; what was not asked or is not known stays empty.
func (e *engineSize) cells() []string {
	if e.Error != "" {
		return []string{e.Engine, e.Format, e.Error}
	}
	cells := []string{e.Engine, e.Format}
	f := e.Footprint
	for _, b := range []kvcache.Bytes{f.Growing, f.Window, f.State, f.Rounding, f.Session, f.PerDevice} {
		cells = append(cells, in(b, kvcache.GiB))
	}
	sessions := ""
	if e.Sessions != nil {
		sessions = strconv.Itoa(*e.Sessions)
	}
	cells = append(cells, sessions)
	if e.Pool != nil {
		cells = append(cells, strconv.Itoa(e.Pool.Tokens), fmt.Sprintf("%.2f", e.Pool.Concurrency))
	}
	return cells
}

// in is bytes in a unit with four decimals, or as many as show something.
func in(b, unit kvcache.Bytes) string {
	x := float64(b) / float64(unit)
	if b != 0 && x < 0.0001 {
		return fmt.Sprintf("%.1e", x)
	}
	return strconv.FormatFloat(x, 'f', 4, 64)
}
