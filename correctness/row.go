package correctness

import (
	"errors"
	"fmt"
	"math"
)

// list returns the row's list, or the whole row as one.
func (r *Row) list(o *Options, side string) (TopK, error) {
	if r.TopK != nil {
		t := *r.TopK
		if t.VocabSize == 0 {
			t.VocabSize = o.VocabSize
		}
		return t, nil
	}
	v, err := o.vocab(len(r.Values), len(r.Values))
	if err != nil {
		return TopK{}, err
	}
	if _, _, err := audit(r.Values, v, r.Kind, o, side); err != nil {
		return TopK{}, err
	}
	logs := appendLogWeights(nil, r.Values[:v], r.Kind)
	top, err := peak(logs, side)
	if err != nil {
		return TopK{}, err
	}
	norm := logs[top] + math.Log(weight(logs, logs[top]))
	t := TopK{IDs: make([]int32, v), LogProbs: logs, VocabSize: v}
	for i := range logs {
		t.IDs[i] = int32(i)
		logs[i] = min(0, logs[i]-norm)
	}
	return t, nil
}

// place puts the row's place into an error that has none.
func (r *Row) place(err error) error {
	if in, ok := errors.AsType[*InputError](err); ok && in.Position < 0 {
		at := *in
		at.Prompt, at.Position = r.Prompt, r.Index
		return &at
	}
	return fmt.Errorf("prompt %q position %d: %w", r.Prompt, r.Index, err)
}

func (r *Row) errorf(err error, format string, args ...any) error {
	return &InputError{r.Prompt, r.Index, -1, fmt.Sprintf(format, args...), err}
}
