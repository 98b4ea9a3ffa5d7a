package main

import (
	"fmt"
	"io"

	"example.com/servemath/internal/jsontree"
	"example.com/servemath/kvcache"
)

// row is one configuration: a model on a machine with an engine.
type row struct {
	id, model, modelKey, params, quantization, engine, hardware string
	speculative                                                 bool
	tp, pp, dp                                                  int
	memory                                                      kvcache.Bytes // of one device; 0: the listed hardware's
	unified                                                     bool          // the memory is shared with the host
	weights                                                     kvcache.Bytes // of the checkpoint; 0 where none is recorded
	weightsGB                                                   string        // the same as written
	maxC                                                        int           // 0: not known
	maxCAtLeast                                                 bool
	published                                                   *publishedRow // nil for a row of the user's own
}

// publishedRow is what the explorer prints of a row. A figure of -1 is none.
type publishedRow struct {
	tps, ttftMS   float64 // of one request alone
	singleRequest bool    // nothing else was measured
	chat, agentic figure
}

// figure is one published capacity with the limit that set it: "speed",
// "memory" or "tie".
type figure struct {
	users   int
	atLeast bool
	limit   string
}

// readRows reads a JSON list of rows. An id that comes twice is an error.
func readRows(r io.Reader, name string) ([]row, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	root, err := jsontree.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if root.Kind != jsontree.Array || root.Len() == 0 {
		return nil, fmt.Errorf("%s: %s where a list of rows belongs", name, emptyOr(root))
	}
	seen := map[string]int{}
	rows := make([]row, 0, root.Len())
	for i := range root.Items() {
		one, err := readRow(fmt.Sprintf("%s: row %d", name, i+1), &root.Items()[i])
		if err != nil {
			return nil, err
		}
		if first, ok := seen[one.id]; ok {
			return nil, fmt.Errorf("%s: row %d: id %q is row %d's already", name, i+1, one.id, first)
		}
		seen[one.id] = i + 1
		rows = append(rows, one)
	}
	return rows, nil
}

func emptyOr(n *jsontree.Node) string {
	if n.Kind == jsontree.Array {
		return "an empty list"
	}
	return n.Kind.String()
}

func readRow(where string, n *jsontree.Node) (row, error) {
	o := newObject(where, n)
	r := row{id: o.text("id", true)}
	if r.id != "" {
		o.where += fmt.Sprintf(" (%s)", r.id)
	}
	r.model, r.modelKey = o.text("model", false), o.text("model_key", true)
	r.params, r.quantization = o.text("params", false), o.text("quantization", false)
	r.engine, r.hardware = o.text("engine", false), o.text("hardware", true)
	r.speculative = o.boolean("speculative")
	r.tp, r.pp, r.dp = o.integer("tp", 1, 1), o.integer("pp", 1, 1), o.integer("dp", 1, 1)
	_, r.memory = o.gigabytes("memory_gb")
	if r.unified = o.boolean("unified"); r.unified && r.memory == 0 {
		o.fail("unified", "without memory_gb; listed hardware says itself")
	}
	r.weightsGB, r.weights = o.gigabytes("weights_gb")
	if o.text("weights_from", false) != "" {
		r.weightsGB, r.weights = "", 0 // the size beside it is an estimate, made anew here
	}
	r.maxC, r.maxCAtLeast = o.integer("max_c", 0, 1), o.boolean("max_c_at_least")
	if r.maxCAtLeast && r.maxC == 0 {
		o.fail("max_c_at_least", "without max_c")
	}
	o.ignore("seed_order", "nodes")
	r.readPublished(o)
	return r, o.done()
}

// readPublished reads the published figures and the limits, where there are any.
func (r *row) readPublished(o *object) {
	p, l := o.sub("published"), o.sub("limits")
	if p == nil {
		return
	}
	out := &publishedRow{
		tps: p.number("tps_c1"), ttftMS: p.number("ttft_c1_ms"), singleRequest: p.boolean("single_request_only"),
		chat:    figure{p.integer("chat", -1, 0), p.boolean("chat_at_least"), ""},
		agentic: figure{p.integer("agentic", -1, 0), p.boolean("agentic_at_least"), ""},
	}
	p.ignore("no_capacity", "speed_only") // the figures say it
	if err := p.done(); o.err == nil {
		o.err = err
	}
	if l != nil {
		out.chat.limit, out.agentic.limit = l.limit("chat_limit"), l.limit("agentic_limit")
		l.ignore("chat_memory", "agentic_memory")
		if err := l.done(); o.err == nil {
			o.err = err
		}
	}
	r.published = out
}

func (o *object) limit(key string) string {
	switch s := o.text(key, false); s {
	case "", "speed", "memory", "tie":
		return s
	default:
		o.fail(key, "unknown limit %q; known: speed, memory, tie", s)
		return ""
	}
}
