package logits

import (
	"errors"
	"io"
	"strconv"

	"example.com/servemath/correctness"
)

// fortranBlock bounds the memory in which rows of an array stored column by
// column are gathered; at least one row is.
const fortranBlock = 32 << 20

// maxVocab bounds a row, and a chunk of tokens, by what none reaches, so that a
// false shape cannot ask for memory.
const maxVocab = 1 << 24

// array yields the rows of a stored array of shape (prompts, rows, vocab).
type array struct {
	handle
	data    io.ReaderAt
	at      int64 // offset of the first element
	element element
	big     bool // big-endian
	kind    correctness.Kind
	fortran bool // the first index runs fastest

	prompts, rows, vocab int64 // as stored
	perPrompt            int64 // rows of what is called a prompt
	next                 int64 // row of all prompts
	raw                  []byte
	scratch              []uint16
	block                []float32 // rows [blockAt, blockAt+blockRows) of a column-major array
	blockAt, blockRows   int64
}

// setShape takes a shape of one to three dimensions, leading ones of 1 aside, and
// holds it against the bytes that are there.
func (a *array) setShape(shape []int64, size int64, o Options) error {
	for len(shape) > 3 && shape[0] == 1 {
		shape = shape[1:]
	}
	here := at(a.at)
	switch len(shape) {
	case 1: // one row
		a.prompts, a.rows, a.vocab = 1, 1, shape[0]
	case 2:
		a.prompts, a.rows, a.vocab = 1, shape[0], shape[1]
	case 3:
		a.prompts, a.rows, a.vocab = shape[0], shape[1], shape[2]
	default:
		return a.errorf(correctness.ErrFormat, here, "an array of shape %v: (rows, vocabulary) or (prompts, rows, vocabulary) is read", shape)
	}
	// Later sums and loops rely on every dimension being positive.
	for _, n := range shape {
		if n < 1 {
			return a.errorf(correctness.ErrFormat, here, "an array of shape %v holds no rows", shape)
		}
	}
	want, ok := product(a.prompts, a.rows, a.vocab, a.element.width)
	switch {
	case !ok || want > size:
		return a.errorf(correctness.ErrTruncated, at(a.at+size), "%s of shape %v does not fit into %d bytes", a.element.name, shape, size)
	case want < size:
		return a.errorf(correctness.ErrFormat, at(a.at+want), "%d bytes follow the %s of shape %v", size-want, a.element.name, shape)
	case a.vocab > maxVocab:
		return a.errorf(correctness.ErrVocab, here, "rows of %d, no vocabulary has over %d", a.vocab, maxVocab)
	case o.VocabSize != 0 && int64(o.VocabSize) != a.vocab:
		return a.errorf(correctness.ErrVocab, here, "a vocabulary of %d, %d was asked for", a.vocab, o.VocabSize)
	}
	return a.split(int64(o.RowsPerPrompt))
}

// Rows returns how many rows the array holds, for programs that show progress.
func (a *array) Rows() int64 { return a.prompts * a.rows }

// split calls every n rows a prompt, where the shape does not say.
func (a *array) split(n int64) error {
	a.perPrompt = a.rows
	switch {
	case n == 0 || n == a.rows:
		return nil
	case a.prompts > 1:
		return a.errorf(correctness.ErrAlignment, at(a.at), "the array has %d rows a prompt, %d were asked for", a.rows, n)
	case n < 0 || a.rows%n != 0:
		return a.errorf(correctness.ErrAlignment, at(a.at), "%d rows are no whole number of prompts of %d", a.rows, n)
	}
	a.perPrompt = n
	return nil
}

// Next implements [correctness.Source]. NaN and infinities pass: what they mean is
// for the comparison to say, which looks at every value anyway.
func (a *array) Next(row *correctness.Row) error {
	if a.next == a.Rows() {
		return io.EOF
	}
	p := place{strconv.FormatInt(a.next/a.perPrompt, 10), int(a.next % a.perPrompt), -1, a.at}
	row.Prompt, row.Index, row.DataToken = p.prompt, p.position, -1
	row.Kind, row.TopK = a.kind, nil
	row.Values = resize(row.Values, int(a.vocab))
	var err error
	if a.fortran {
		err = a.gathered(row.Values, p)
	} else {
		p.offset += a.next * a.vocab * a.element.width
		err = a.load(row.Values, p)
	}
	if err == nil {
		a.next++
	}
	return err
}

// load decodes the elements from p.offset on.
func (a *array) load(dst []float32, p place) error {
	a.raw = resize(a.raw, len(dst)*int(a.element.width))
	if err := a.readAt(a.data, a.raw, p); err != nil {
		return err
	}
	if a.big {
		swap(a.raw, int(a.element.width))
	}
	err := a.element.decode(a, dst, a.raw)
	if i, ok := errors.AsType[beyondFloat32](err); ok {
		p.offset += int64(i) * a.element.width
		if a.fortran { // the span runs along the positions
			p.position += int(i) / int(a.prompts)
		} else {
			p.index = int(i)
		}
		return a.errorf(correctness.ErrPosInf, p, "%v", err)
	}
	return err
}
