package logits

import (
	"cmp"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"

	"example.com/servemath/correctness"
	"example.com/servemath/internal/jsontree"
)

// advance makes the next response ready; io.EOF when there is none.
func (d *responses) advance() error {
	for {
		n, err := d.value()
		if errors.Is(err, io.EOF) && d.pending != nil {
			return d.finish(d.pending)
		}
		if err != nil {
			return err
		}
		p, err := d.format.decode(d, body(n))
		if err != nil {
			return err
		}
		if p.key == "" {
			p.key, _ = get(n, "custom_id").Str()
		}
		if done, err := d.gather(n, &p); done || err != nil {
			return err
		}
	}
}

// gather joins the events of a stream; done when a response is complete. Some
// servers mark the last event; of others the next response shows that one is over,
// or the end of the file.
func (d *responses) gather(n *jsontree.Node, p *part) (done bool, err error) {
	switch {
	case d.pending != nil && (p.done || p.stream == d.pending.stream || p.id != "" && p.id == d.pending.id):
		if err := d.checkSize(d.pending, p); err != nil {
			return false, err
		}
		d.pending.join(p)
		if p.done {
			return true, d.finish(d.pending)
		}
	case d.pending != nil:
		// Another response begins: it is decoded again after this one.
		d.values = append([]*jsontree.Node{n}, d.values...)
		return true, d.finish(d.pending)
	case p.stream == "" || p.done:
		return true, d.finish(p)
	default:
		d.pending = p
	}
	return false, nil
}

// join appends an event to the stream it belongs to.
func (p *part) join(event *part) {
	for _, c := range event.choices {
		i := slices.IndexFunc(p.choices, func(have choice) bool { return have.index == c.index })
		if i < 0 {
			p.choices = append(p.choices, c)
			continue
		}
		have := &p.choices[i]
		// A null log-probability is no gap only at the start of a prompt.
		for i := range c.entries {
			c.entries[i].empty = false
		}
		have.entries = append(have.entries, c.entries...)
		have.open, have.stopped = c.open, c.stopped
	}
	if event.counted >= 0 {
		p.counted = event.counted
	}
}

// checkSize bounds a response that comes in events as one that comes whole.
func (d *responses) checkSize(p, event *part) error {
	limit := int64(cmp.Or(d.options.MaxBytes, jsontree.DefaultMaxBytes))
	if event.offset-p.offset <= limit {
		return nil
	}
	return d.errorf(correctness.ErrFormat, at(p.offset), "a response of more than %d bytes", limit)
}

// finish checks a whole response and makes it ready.
func (d *responses) finish(p *part) error {
	d.pending, d.ready, d.pos = nil, nil, 0
	if err := d.nameResponse(p); err != nil {
		return err
	}
	if err := d.checkWhole(p); err != nil {
		return err
	}
	if err := d.checkTemperature(p); err != nil {
		return err
	}
	for _, c := range p.choices {
		markCollapsed(c.entries)
	}
	d.ready = p.choices
	d.chooseIdentity()
	return nil
}

// nameResponse gives a response the file's own name for its prompt, else its
// ordinal.
func (d *responses) nameResponse(p *part) error {
	d.key = cmp.Or(p.key, strconv.Itoa(d.ordinal))
	d.ordinal++
	if p.key == "" {
		return nil
	}
	if _, twice := d.keys[p.key]; twice {
		return d.errorf(correctness.ErrAlignment, place{p.key, -1, -1, p.offset}, "a second response of this name")
	}
	d.keys[p.key] = struct{}{}
	return nil
}

// checkWhole holds the positions against what the server counted. A list that
// lacks some cannot be trusted to lack the last ones. An end token is the
// exception: servers count it, and differ in whether they list it.
func (d *responses) checkWhole(p *part) error {
	listed, ended := 0, 0
	here := place{d.key, -1, -1, p.offset}
	if p.unfinished() {
		return d.errorf(correctness.ErrTruncated, here, "the stream ends before the response does")
	}
	for _, c := range p.choices {
		listed += len(c.entries) - c.prompt
		if c.stopped {
			ended++
		}
	}
	if p.counted < 0 || listed == p.counted || listed < p.counted && p.counted <= listed+ended {
		return nil
	}
	if d.options.Gaps == GapSkip {
		d.audit.missing += max(p.counted-listed, listed-p.counted)
		return nil
	}
	return d.errorf(correctness.ErrAlignment, here, "%d positions are listed for %d tokens", listed, p.counted)
}

// unfinished says that a stream broke off.
func (p *part) unfinished() bool {
	return p.stream != "" && len(p.choices) == 0 ||
		slices.ContainsFunc(p.choices, func(c choice) bool { return c.open })
}

// checkTemperature refuses a file of several temperatures: its rows would not be
// of one engine's distribution.
func (d *responses) checkTemperature(p *part) error {
	if math.IsNaN(p.temperature) {
		return nil
	}
	if !math.IsNaN(d.temperature) && p.temperature != d.temperature {
		return d.errorf(correctness.ErrTemperature, place{d.key, -1, -1, p.offset}, "temperature %g after responses at %g", p.temperature, d.temperature)
	}
	d.temperature = p.temperature
	return nil
}

// Temperature implements [Reader].
func (d *responses) Temperature() float64 { return d.temperature }
