package logits

import (
	"errors"
	"io"
	"slices"

	"example.com/servemath/correctness"
	"example.com/servemath/internal/safetensors"
)

// Safetensors reads one tensor of a safetensors file of size bytes: F16, BF16,
// F32 or F64 of shape (rows, vocabulary) or (prompts, rows, vocabulary). It is
// the one that Options.Name names, else "logits", else the only one of such a
// type. Other tensors, such as input_ids, are not read, so data tokens are
// unknown.
//
// Lists of the top logits beside their indices, as mlx-lm's dwq writes them, are
// refused: a logit without the normaliser of its row is no probability.
func Safetensors(r io.ReaderAt, size int64, o *Options) (Reader, error) {
	a := &array{data: r}
	return readerOf(a, a.openSafetensors(size, o.orDefault()))
}

// openSafetensors chooses among the tensors that could be logits, unless one is
// named.
func (a *array) openSafetensors(size int64, o Options) error {
	if err := o.check(&a.handle); err != nil {
		return err
	}
	h, err := safetensors.ReadHeader(io.NewSectionReader(a.data, 0, size), size)
	if err != nil {
		return a.headerError(err)
	}
	tensors := map[string]safetensors.Tensor{}
	for _, t := range h.Tensors {
		if _, ok := tensorElement(t.DType); ok || t.Name == o.Name {
			tensors[t.Name] = t
		}
	}
	name, err := pick(&a.handle, tensors, o.Name)
	if err != nil {
		return err
	}
	t := tensors[name]
	if err := a.refuseTopLogits(h, t); err != nil {
		return err
	}
	a.kind, a.at = o.Kind, h.DataOffset+t.Begin
	var ok bool
	if a.element, ok = tensorElement(t.DType); !ok {
		return a.errorf(correctness.ErrFormat, at(a.at), "tensor %q is %s: F16, BF16, F32 and F64 are read", name, t.DType)
	}
	return a.setShape(t.Shape, t.Bytes(), o)
}

// tensorElement is the element of a type that logits can have.
func tensorElement(dtype string) (element, bool) {
	switch dtype {
	case "F16":
		return float16, true
	case "BF16":
		return bfloat16, true
	case "F32":
		return float32s, true
	case "F64":
		return float64s, true
	}
	return element{}, false
}

// refuseTopLogits looks for the tensor of indices that turns rows into lists.
func (a *array) refuseTopLogits(h *safetensors.Header, rows safetensors.Tensor) error {
	for _, t := range h.Tensors {
		if t.Name == "indices" && slices.Equal(t.Shape, rows.Shape) {
			return a.errorf(correctness.ErrNotNormalised, at(h.DataOffset+rows.Begin), "tensor %q holds the top raw logits of each row, %q which they are: without the row's log-sum-exp they are no probabilities, and no bound follows from them", rows.Name, t.Name)
		}
	}
	return nil
}

// headerError translates the errors of the header's reader, which has the offset.
func (a *array) headerError(err error) error {
	is := correctness.ErrFormat
	if errors.Is(err, safetensors.ErrTruncated) {
		is = correctness.ErrTruncated
	}
	return a.errorf(is, at(-1), "%v", err)
}
