package logits

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"strconv"

	"example.com/servemath/correctness"
)

// BaseHeader is what a base file holds beside its rows.
type BaseHeader struct {
	Context int     // tokens a chunk, at least 3
	Vocab   int     // tokens in the vocabulary
	Tokens  []int32 // whole chunks, one after the other
	Floor   float32 // nats below the largest logit that are kept; 0: 16, llama.cpp's
}

// shape rounds the chunks down; check sees whether they are whole.
func (h BaseHeader) shape() baseShape {
	return baseShape{int64(h.Context), int64(h.Vocab), int64(len(h.Tokens) / max(h.Context, 1))}
}

// WriteLlamaCppBase writes a base file as llama-perplexity does, byte for byte:
// h.Context-1-h.Context/2 rows a chunk, in order. Rows are logits or
// log-probabilities over the whole vocabulary; those of a [*Base] are copied as
// they are stored. Rows too few or too many are [correctness.ErrAlignment], and a
// data token that the header does not have is [correctness.ErrTokenMismatch].
func WriteLlamaCppBase(w io.Writer, h BaseHeader, rows correctness.Source) error {
	e := baseWriter{header: h, shape: h.shape(), src: rows, floor: h.Floor}
	if e.floor == 0 {
		e.floor = 16
	}
	if err := e.check(); err != nil {
		return err
	}
	buf := bufio.NewWriterSize(w, 1<<16)
	e.writeHeader(buf)
	if err := e.writeRows(buf); err != nil {
		return err
	}
	return buf.Flush()
}

type baseWriter struct {
	handle
	header BaseHeader
	shape  baseShape
	src    correctness.Source
	floor  float32
	row    correctness.Row
	raw    []byte
}

// check refuses a header that the reader would not take back.
func (e *baseWriter) check() error {
	h, here := e.header, at(-1)
	switch {
	case h.Context < 3 || h.Context > maxVocab:
		return e.errorf(correctness.ErrFormat, here, "chunks of %d tokens", h.Context)
	case h.Vocab < 1 || h.Vocab > maxVocab:
		return e.errorf(correctness.ErrFormat, here, "a vocabulary of %d", h.Vocab)
	case len(h.Tokens) == 0 || len(h.Tokens)%h.Context != 0:
		return e.errorf(correctness.ErrAlignment, here, "%d tokens are no whole number of chunks of %d", len(h.Tokens), h.Context)
	case !(e.floor > 0 && e.floor <= math.MaxFloat32):
		return e.errorf(correctness.ErrFormat, here, "a floor of %g nats", e.floor)
	}
	for i, t := range h.Tokens {
		if t < 0 || int(t) >= h.Vocab {
			return e.errorf(correctness.ErrVocab, place{"", -1, i, -1}, "token %d of a vocabulary of %d", t, h.Vocab)
		}
	}
	return nil
}

// writeHeader leaves errors to the buffer, which keeps the first.
func (e *baseWriter) writeHeader(buf *bufio.Writer) {
	b := append(make([]byte, 0, baseHeader+4*len(e.header.Tokens)), baseMagic...)
	for _, x := range []int64{e.shape.context, e.shape.vocab, e.shape.chunks} {
		b = binary.LittleEndian.AppendUint32(b, uint32(x))
	}
	for _, t := range e.header.Tokens {
		b = binary.LittleEndian.AppendUint32(b, uint32(t))
	}
	buf.Write(b)
}

// writeRows writes as many rows as the tokens ask for, and no fewer.
func (e *baseWriter) writeRows(buf *bufio.Writer) error {
	for n := range e.shape.rows() {
		chunk, i := n/e.shape.scored(), n%e.shape.scored()
		p := place{strconv.FormatInt(chunk, 10), int(i), -1, -1}
		token, err := e.next(p)
		switch want := int(e.header.Tokens[chunk*e.shape.context+e.shape.context/2+1+i]); {
		case errors.Is(err, io.EOF):
			return e.errorf(correctness.ErrAlignment, p, "the rows end: %d of %d", n, e.shape.rows())
		case err != nil:
			return err
		case token >= 0 && token != want: // rows that are shifted show so
			return e.errorf(correctness.ErrTokenMismatch, p, "the row is followed by token %d, the header has %d", token, want)
		}
		if _, err := buf.Write(e.raw); err != nil {
			return err
		}
	}
	if err := e.src.Next(&e.row); err == nil {
		return e.errorf(correctness.ErrAlignment, at(-1), "rows follow the %d that the tokens allow", e.shape.rows())
	} else if !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// next puts the next row, as it is to be stored, into e.raw, and returns the token
// that follows it.
func (e *baseWriter) next(p place) (token int, err error) {
	if b, ok := e.src.(*Base); ok {
		return e.copyRow(b, p)
	}
	if err := e.src.Next(&e.row); err != nil {
		return 0, err
	}
	if err := e.checkRow(p); err != nil {
		return 0, err
	}
	e.raw = resize(e.raw, int(e.shape.rowBytes()))
	encodeRow(e.raw, e.row.Values, e.floor)
	return e.row.DataToken, nil
}

// copyRow takes a row as it is stored: decoded and encoded again it could differ
// in the last bit of its scale, and the pad of an odd vocabulary would be lost.
func (e *baseWriter) copyRow(b *Base, p place) (token int, err error) {
	if b.shape.vocab != e.shape.vocab {
		return 0, e.errorf(correctness.ErrVocab, p, "a row of %d, the header says %d", b.shape.vocab, e.shape.vocab)
	}
	from, err := b.advance()
	if err != nil {
		return 0, err
	}
	e.raw = b.raw
	return b.dataToken(from.position), nil
}

// checkRow refuses what has no code: every row must be finite at its top.
func (e *baseWriter) checkRow(p place) error {
	v := e.row.Values
	switch {
	case e.row.TopK != nil || e.row.Kind == correctness.Probs:
		return e.errorf(correctness.ErrFormat, p, "a base file takes logits or log-probabilities of the whole vocabulary")
	case len(v) != e.header.Vocab:
		return e.errorf(correctness.ErrVocab, p, "a row of %d, the header says %d", len(v), e.header.Vocab)
	}
	top := float32(math.Inf(-1))
	for i, x := range v {
		p.index = i
		switch {
		case x != x:
			return e.errorf(correctness.ErrNaN, p, "NaN")
		case math.IsInf(float64(x), 1):
			return e.errorf(correctness.ErrPosInf, p, "+Inf")
		}
		top = max(top, x)
	}
	if p.index = -1; math.IsInf(float64(top), -1) {
		return e.errorf(correctness.ErrNoSupport, p, "every entry is -Inf")
	}
	return nil
}

// encodeRow follows llama.cpp's arithmetic to the bit: all in float32 but the sum
// of the exponentials, and codes multiplied by the inverse of the scale, since
// dividing by the scale rounds some of them otherwise.
func encodeRow(dst []byte, logits []float32, floor float32) {
	top, low := logits[0], logits[0]
	for _, x := range logits {
		top, low = max(top, x), min(low, x)
	}
	low = max(low, top-floor)
	sum := 0.0
	for _, x := range logits {
		sum += float64(float32(math.Exp(float64(x - top))))
	}
	scale := (top - low) / maxCode
	binary.LittleEndian.PutUint32(dst, math.Float32bits(scale))
	binary.LittleEndian.PutUint32(dst[4:], math.Float32bits(low-top-float32(math.Log(sum))))
	codes := dst[rowHeader:]
	clear(codes)
	if scale == 0 {
		return
	}
	inv := 1 / scale
	for i, x := range logits {
		if x > low {
			code := math.RoundToEven(float64(inv * (x - low)))
			binary.LittleEndian.PutUint16(codes[2*i:], uint16(min(code, maxCode)))
		}
	}
}
