package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"example.com/servemath/internal/texttable"
	"example.com/servemath/kvcache"
)

func (r *report) writeText(w io.Writer, explain bool) error {
	p := &printer{w: w}
	p.model(r, explain)
	p.sizes(r)
	p.parts(r.Chosen)
	p.engines(r)
	if r.Device != nil {
		p.sessions(r)
	}
	if explain && r.Device != nil {
		p.explain(r)
	}
	p.log(r.Log)
	for _, warning := range r.Warnings {
		p.line("note: %s", warning)
	}
	return p.err
}

// printer keeps the first error of the output.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

func (p *printer) table(t *texttable.Table) {
	if p.err == nil {
		p.err = t.Write(p.w, "  ")
	}
	p.line("")
}

// table starts one of left- and then right-aligned columns.
func table(left []string, right ...string) *texttable.Table {
	var columns []texttable.Column
	for _, title := range left {
		columns = append(columns, texttable.Column{Title: title})
	}
	for _, title := range right {
		columns = append(columns, texttable.Column{Title: title, Align: texttable.Right})
	}
	return texttable.New(columns...)
}

func (p *printer) model(r *report, explain bool) {
	m := r.Model
	window := "unknown"
	if m.ContextWindow > 0 {
		window = fmt.Sprintf("%d tokens", m.ContextWindow)
	}
	p.line("%s (%s): window %s, elements %s", orElse(m.Name, "model"), r.Source, window, orElse(m.DType, "unknown"))
	if r.WeightsFrom != "" {
		p.line("weights: %v, %s", r.Weights, r.WeightsFrom)
	}
	t := table([]string{"Layers", "Group", "Keeps", "Each holds", "Config key"})
	for _, g := range m.Groups {
		t.Row(strconv.Itoa(g.Layers), g.Name, g.Keeps, g.Holds, g.Key)
	}
	p.table(t)
	if n := len(m.Defaults); n > 0 && !explain {
		p.line("defaults applied: %d (-explain lists them)", n)
	}
	if explain {
		for _, d := range m.Defaults {
			p.line("default: %s", d)
		}
	}
	for _, o := range m.Omitted {
		p.line("not counted: %s", o)
	}
	if len(m.Defaults)+len(m.Omitted) > 0 {
		p.line("")
	}
}

func (p *printer) sizes(r *report) {
	p.line("Bytes of one session, and GiB of it on each device (%s)", r.Engine)
	t := table([]string{"Format"}, append([]string{"Tokens", "Bytes", "GB", "GiB"}, r.tpTitles()...)...)
	for _, s := range r.Sizes {
		cells := []string{s.Format, strconv.Itoa(s.Tokens), strconv.FormatInt(int64(s.Session), 10), in(s.Session, kvcache.GB), in(s.Session, kvcache.GiB)}
		for _, tp := range r.TPs {
			cells = append(cells, in(s.PerDevice[tp], kvcache.GiB))
		}
		t.Row(cells...)
	}
	p.table(t)
}

func (p *printer) parts(c chosen) {
	p.line("Where the bytes come from: %d tokens in %s at TP %d", c.Tokens, c.Format, c.TP)
	t := table([]string{"Group", "Stream", "Rule", "Config key"}, "Bytes", "Share")
	for _, part := range c.Footprint.Parts {
		share := 100 * float64(part.Bytes) / float64(c.Footprint.Session)
		t.Row(part.Group, part.Stream, part.Rule, part.Key, strconv.FormatInt(int64(part.Bytes), 10), fmt.Sprintf("%.1f%%", share))
	}
	p.table(t)
}

func (p *printer) engines(r *report) {
	p.line("Engines side by side: %d tokens at TP %d; GiB a session, and on each device", r.Chosen.Tokens, r.Chosen.TP)
	t := table([]string{"Engine", "Cache"}, "Growing", "Window", "State", "Rounding", "Session", "Device", "Sessions", "Pool tokens", "Concurrency")
	for _, e := range r.Engines {
		t.Row(e.cells()...)
	}
	p.table(t)
	if r.Device != nil {
		p.line("Pool tokens and concurrency are the engine's own account for sessions of that length: memory")
		p.line("divided by pool tokens is no cost of a token. Empty: not kept in one pool, or not modelled.\n")
	}
}

func (p *printer) sessions(r *report) {
	d := r.Device
	b := d.Sessions[0].Budget
	p.line("Sessions at once on %s (%s, %s): %v, x %v allocated, x %v for weights and sessions; weights %v",
		d.Name, r.Engine, d.Format, d.Memory, b.Allocation, b.Share, r.Weights)
	t := table(nil, append([]string{"Tokens"}, r.tpTitles()...)...)
	for row := range slices.Chunk(d.Sessions, len(r.TPs)) {
		cells := []string{strconv.Itoa(row[0].Tokens)}
		for _, o := range row {
			cells = append(cells, sessionsCell(o))
		}
		t.Row(cells...)
	}
	last := []string{"longest"}
	for _, tp := range r.TPs {
		last = append(last, longestCell(d.Longest[tp]))
	}
	t.Row(last...)
	p.table(t)
}

// explain shows the arithmetic of the chosen session.
func (p *printer) explain(r *report) {
	for _, o := range r.Device.Sessions {
		if o.Tokens == r.Chosen.Tokens && o.Parallel.TP == r.Chosen.TP {
			p.line("%s", o.Explain())
		}
	}
}

func (p *printer) log(checks []logCheck) {
	if len(checks) == 0 {
		return
	}
	p.line("The log, and what this model gives")
	t := table([]string{"Logged", "Predicted"})
	for _, c := range checks {
		t.Row(c.LogFigure.String(), c.Predicted)
	}
	p.table(t)
}
