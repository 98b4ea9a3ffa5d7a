package logits

import (
	"encoding/binary"
	"io"
	"math"
	"strconv"

	"example.com/servemath/correctness"
)

// Base reads a base file of llama.cpp's llama-perplexity.
type Base struct {
	handle
	shape  baseShape
	r      io.ReaderAt
	tokens []int32 // of the current chunk
	raw    []byte  // the current row as stored
	next   int64   // row
	floor  floorCount
}

// LlamaCppBase reads the base file of size bytes that llama-perplexity writes
// with --kl-divergence-base. Each chunk is a prompt, "0", "1", ...; a row's index
// counts the scored rows of its chunk. Rows are log-probabilities that miss a sum
// of 1 by about 1e-5, since they are stored as 16-bit codes. Memory is one row
// and the tokens of one chunk.
//
// A file that is shorter or longer than its header says is refused at once.
func LlamaCppBase(r io.ReaderAt, size int64, o *Options) (*Base, error) {
	b := &Base{r: r}
	if err := b.open(size, o.orDefault()); err != nil {
		return nil, err
	}
	return b, nil
}

// open reads the header.
func (b *Base) open(size int64, o Options) error {
	if err := o.check(&b.handle); err != nil {
		return err
	}
	var head [baseHeader]byte
	if err := b.readHead(b.r, size, head[:], baseMagic); err != nil {
		return err
	}
	b.shape = baseShape{
		context: int64(binary.LittleEndian.Uint32(head[8:])),
		vocab:   int64(int32(binary.LittleEndian.Uint32(head[12:]))),
		chunks:  int64(int32(binary.LittleEndian.Uint32(head[16:]))),
	}
	if err := b.checkShape(size); err != nil {
		return err
	}
	if v := int64(o.VocabSize); v != 0 && v != b.shape.vocab {
		return b.errorf(correctness.ErrVocab, at(12), "a vocabulary of %d, %d was asked for", b.shape.vocab, v)
	}
	b.tokens = make([]int32, b.shape.context)
	b.raw = make([]byte, b.shape.rowBytes())
	return nil
}

// checkShape holds the header's claims against the size before anything is
// allocated by them.
func (b *Base) checkShape(size int64) error {
	s := b.shape
	switch {
	case s.context < 3:
		return b.errorf(correctness.ErrFormat, at(8), "chunks of %d tokens leave none to score", s.context)
	case s.context > maxVocab:
		return b.errorf(correctness.ErrFormat, at(8), "chunks of %d tokens, over the limit of %d", s.context, maxVocab)
	case s.vocab < 1 || s.vocab > maxVocab:
		return b.errorf(correctness.ErrFormat, at(12), "a vocabulary of %d, of at most %d", s.vocab, maxVocab)
	case s.chunks < 1:
		return b.errorf(correctness.ErrFormat, at(16), "%d chunks", s.chunks)
	}
	want, ok := s.fileBytes()
	switch {
	case !ok:
		return b.errorf(correctness.ErrTruncated, at(size), "%d chunks of %d tokens over a vocabulary of %d exceed any file, %d bytes are there", s.chunks, s.context, s.vocab, size)
	case size < want:
		return b.errorf(correctness.ErrTruncated, at(size), "the header asks for %d bytes, %d are there", want, size)
	case size > want:
		return b.errorf(correctness.ErrFormat, at(want), "%d bytes follow the last row", size-want)
	}
	return nil
}

// Next implements [correctness.Source].
func (b *Base) Next(row *correctness.Row) error {
	p, err := b.advance()
	if err != nil {
		return err
	}
	row.Prompt, row.Index, row.DataToken = p.prompt, p.position, b.dataToken(p.position)
	row.Kind, row.TopK = correctness.LogProbs, nil
	row.Values = resize(row.Values, int(b.shape.vocab))
	scale, low := b.scale()
	codes := b.raw[rowHeader:]
	for i := range row.Values {
		// The conversion keeps the product from fusing with the sum, which would
		// give other bits on some processors.
		row.Values[i] = float32(scale*float32(binary.LittleEndian.Uint16(codes[2*i:]))) + low
	}
	return nil
}

// advance loads the next row as stored, and the tokens of its chunk.
func (b *Base) advance() (place, error) {
	if b.next == b.Rows() {
		b.finish()
		return place{}, io.EOF
	}
	chunk, i := b.next/b.shape.scored(), b.next%b.shape.scored()
	if i == 0 {
		if err := b.readTokens(b.tokens, chunk); err != nil {
			return place{}, err
		}
	}
	p := place{strconv.FormatInt(chunk, 10), int(i), -1, b.shape.rowsAt() + b.next*b.shape.rowBytes()}
	if err := b.readAt(b.r, b.raw, p); err != nil {
		return p, err
	}
	if err := b.checkRow(p); err != nil {
		return p, err
	}
	b.next++
	b.floor.add(b.raw, b.dataToken(int(i)))
	return p, nil
}

// scale returns the two floats of the current row.
func (b *Base) scale() (scale, low float32) {
	return math.Float32frombits(binary.LittleEndian.Uint32(b.raw)), math.Float32frombits(binary.LittleEndian.Uint32(b.raw[4:]))
}

// checkRow looks at the two floats of a row; every code is valid. The largest
// code stands for the likeliest token, whose log-probability is at most 0 but for
// the rounding of both floats.
func (b *Base) checkRow(p place) error {
	scale, low := b.scale()
	const slack = 1e-3
	switch top := float64(scale)*maxCode + float64(low); {
	case math.IsNaN(top):
		return b.errorf(correctness.ErrNaN, p, "scale %g, floor %g", scale, low)
	case math.IsInf(top, 0) || scale < 0:
		return b.errorf(correctness.ErrFormat, p, "scale %g, floor %g", scale, low)
	case top > slack:
		return b.errorf(correctness.ErrPositiveLogProb, p, "the largest log-probability is %g", top)
	}
	return nil
}

// dataToken is what followed the i-th scored row of the current chunk.
func (b *Base) dataToken(i int) int { return int(b.tokens[b.shape.context/2+1+int64(i)]) }

// readTokens reads the tokens of chunks from chunk on, as many as dst holds.
func (b *Base) readTokens(dst []int32, chunk int64) error {
	raw := make([]byte, 4*len(dst))
	from := baseHeader + 4*b.shape.context*chunk
	if err := b.readAt(b.r, raw, at(from)); err != nil {
		return err
	}
	for i := range dst {
		dst[i] = int32(binary.LittleEndian.Uint32(raw[4*i:]))
		if dst[i] < 0 || int64(dst[i]) >= b.shape.vocab {
			p := place{strconv.FormatInt(chunk+int64(i)/b.shape.context, 10), -1, i, from + 4*int64(i)}
			return b.errorf(correctness.ErrVocab, p, "token %d of a vocabulary of %d", dst[i], b.shape.vocab)
		}
	}
	return nil
}

// Rows returns how many rows the file holds.
func (b *Base) Rows() int64 { return b.shape.rows() }

// Header returns the header and all tokens, as [WriteLlamaCppBase] takes them.
// It may be called at any time.
func (b *Base) Header() (BaseHeader, error) {
	h := BaseHeader{Context: int(b.shape.context), Vocab: int(b.shape.vocab), Tokens: make([]int32, b.shape.context*b.shape.chunks)}
	return h, b.readTokens(h.Tokens, 0)
}
