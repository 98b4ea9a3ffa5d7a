package correctness

import (
	"fmt"
	"io"
	"runtime"
	"sync"
)

// CompareSources compares two sources row by row and collects the positions. The
// rows are to come in one order: another prompt, position or data token on the two
// sides is an error before any figure, and so is a source that ends first. Rows
// are spread over as many goroutines as GOMAXPROCS allows; the result, or the
// error, is the same for any number of them. Two rows a side and goroutine are
// held at a time.
//
// Rows say themselves of what kind they are: o.Kind and o.DataToken are not used.
// Lists are compared as [CompareTopK] does, under o.TopK, and against a whole row
// as against a complete list.
//
// A source may say more by two methods. Tokens() *TokenTable returns the table that
// gave its ids, nil where they are the model's own: ids of two tables are compared
// by the tokens' bytes, and ids of a table that holds no vocabulary with the
// model's own are ErrTokenMismatch. PerplexityError() error, asked at the end,
// says why its data tokens allow no perplexity, which the summary then withholds.
func CompareSources(ref, got Source, o *Options) (*Accumulator, error) {
	opts, err := o.resolved()
	if err != nil {
		return nil, err
	}
	if ref == nil || got == nil {
		return nil, inputError(ErrNoSupport, -1, "a source is missing")
	}
	d := newDriver(&opts)
	go d.read(ref, got)
	a, err := d.collect()
	if err == nil && (doubted(ref) || doubted(got)) {
		a.doubtPerplexity()
	}
	return a, err
}

// doubted reports a source that can tell no perplexity.
func doubted(s Source) bool {
	d, ok := s.(interface{ PerplexityError() error })
	return ok && d.PerplexityError() != nil
}

// pair is a position on its way: read, compared, collected.
type pair struct {
	ref, got Row
	pos      Position
	bounds   *Bounds
	err      error
	done     chan struct{}
}

// driver moves pairs round: free to be read into, todo for the workers, ordered
// for collection in the order of reading.
type driver struct {
	opts                *Options
	free, todo, ordered chan *pair
	stop                chan struct{}
	workers             sync.WaitGroup
}

func newDriver(o *Options) *driver {
	workers := runtime.GOMAXPROCS(0)
	slots := 2 * workers
	d := &driver{opts: o, free: make(chan *pair, slots), todo: make(chan *pair, slots), ordered: make(chan *pair, slots),
		stop: make(chan struct{})}
	for range slots {
		d.free <- &pair{done: make(chan struct{}, 1)}
	}
	for range workers {
		d.workers.Go(func() {
			for p := range d.todo {
				p.compare(d.opts)
				p.done <- struct{}{}
			}
		})
	}
	return d
}

// read fills pairs until a source ends or fails, or collection stops.
func (d *driver) read(ref, got Source) {
	defer close(d.ordered)
	defer close(d.todo)
	for {
		var p *pair
		select {
		case p = <-d.free:
		case <-d.stop:
			return
		}
		p.bounds, p.err = nil, p.next(ref, got)
		d.ordered <- p
		if p.err != nil {
			p.done <- struct{}{}
			return
		}
		d.todo <- p
	}
}

// collect adds pairs in order up to the first error.
func (d *driver) collect() (*Accumulator, error) {
	a := &Accumulator{}
	var first error
	for p := range d.ordered {
		<-p.done
		if first == nil {
			if first = p.addTo(a); first != nil {
				close(d.stop)
			}
		}
		d.free <- p
	}
	d.workers.Wait()
	if first == io.EOF {
		return a, nil
	}
	return nil, first
}

func (p *pair) addTo(a *Accumulator) error {
	switch {
	case p.err != nil:
		return p.err
	case p.bounds != nil:
		return a.AddBounds(p.ref.Prompt, p.ref.Index, *p.bounds)
	}
	return a.Add(p.ref.Prompt, p.ref.Index, p.pos)
}

// next reads the next row of both sides and checks that they belong together. It
// returns io.EOF when both end.
func (p *pair) next(ref, got Source) error {
	p.ref.DataToken, p.got.DataToken = -1, -1 // unknown, unless a source says more
	refErr, gotErr := ref.Next(&p.ref), got.Next(&p.got)
	switch {
	case refErr == io.EOF && gotErr == io.EOF:
		return io.EOF
	case refErr == io.EOF && gotErr == nil:
		return p.got.errorf(ErrAlignment, "the reference ends before it")
	case gotErr == io.EOF && refErr == nil:
		return p.ref.errorf(ErrAlignment, "the engine's rows end before it")
	case refErr != nil && refErr != io.EOF:
		return fmt.Errorf("reference: %w", refErr)
	case gotErr != nil && gotErr != io.EOF:
		return fmt.Errorf("engine: %w", gotErr)
	}
	if err := p.got.translate(tableOf(got), tableOf(ref)); err != nil {
		return err
	}
	switch r, g := &p.ref, &p.got; {
	case !r.Kind.known() || !g.Kind.known():
		return r.errorf(ErrFormat, "rows of kind %d in ref and %d in got", r.Kind, g.Kind)
	case r.Prompt != g.Prompt || r.Index != g.Index:
		return r.errorf(ErrAlignment, "the engine is at prompt %q position %d", g.Prompt, g.Index)
	case r.DataToken >= 0 && g.DataToken >= 0 && r.DataToken != g.DataToken:
		return r.errorf(ErrTokenMismatch, "the text goes on with token %d in ref and %d in got", r.DataToken, g.DataToken)
	}
	return nil
}

// compare fills pos or bounds, or err with its place.
func (p *pair) compare(o *Options) {
	opts := *o
	opts.DataToken = nil
	if token := max(p.ref.DataToken, p.got.DataToken); token >= 0 {
		opts.DataToken = &token
	}
	if p.ref.TopK == nil && p.got.TopK == nil {
		p.pos, p.err = compareRows(p.ref.Values, p.got.Values, p.ref.Kind, p.got.Kind, &opts)
	} else {
		p.bounds = new(Bounds)
		*p.bounds, p.err = p.lists(&opts)
	}
	if p.err != nil {
		p.err = p.ref.place(p.err)
	}
}

func (p *pair) lists(o *Options) (Bounds, error) {
	ref, err := p.ref.list(o, "ref")
	if err != nil {
		return Bounds{}, err
	}
	got, err := p.got.list(o, "got")
	if err != nil {
		return Bounds{}, err
	}
	opts := o.TopK
	opts.DataToken = o.DataToken
	return CompareTopK(ref, got, &opts)
}
