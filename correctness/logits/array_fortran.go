package logits

// A column-major array has the rows of one vocabulary entry side by side: element
// (prompt p, row t, token v) is number p + prompts*(t + rows*v). Reading it row
// by row would take a seek a value, so that a block of rows is gathered in one
// pass over the columns.

// gathered copies the next row out of the current block, or out of a new one.
func (a *array) gathered(dst []float32, p place) error {
	if a.next >= a.blockAt+a.blockRows {
		if err := a.gather(p); err != nil {
			return err
		}
	}
	n := a.next - a.blockAt
	for v := range dst {
		dst[v] = a.block[int64(v)*a.blockRows+n]
	}
	return nil
}

// gather fills the block with rows of one prompt, the next row first.
func (a *array) gather(p place) error {
	row, prompt := a.next%a.rows, a.next/a.rows
	n := min(a.rows-row, max(1, fortranBlock/(4*max(a.vocab, a.prompts))))
	a.block = resize(a.block, int(n*a.vocab))
	a.blockAt, a.blockRows = a.next, 0
	span := make([]float32, (n-1)*a.prompts+1)
	for v := range a.vocab {
		first := prompt + a.prompts*(row+a.rows*v)
		p.index, p.offset = int(v), a.at+first*a.element.width
		if err := a.load(span, p); err != nil {
			return err
		}
		for i := range n {
			a.block[v*n+i] = span[i*a.prompts]
		}
	}
	a.blockRows = n
	return nil
}
