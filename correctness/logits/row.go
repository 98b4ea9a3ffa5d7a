package logits

import (
	"math"

	"example.com/servemath/correctness"
)

// fill makes a row of a position. Kept is false where the policies of the options
// leave the position out.
func (d *responses) fill(row *correctness.Row, e *entry, p place) (kept bool, err error) {
	row.Prompt, row.Index, row.DataToken = p.prompt, p.position, -1
	if e.data.id >= 0 || e.data.named {
		id, err := d.id(e.data, p)
		if err != nil {
			return d.skip(&gapError{err})
		}
		row.DataToken = int(id)
	}
	// A row is reused: what it carried before must not stay beside what it carries
	// now.
	if e.values != nil {
		row.Kind, row.TopK = correctness.Logits, nil
		row.Values = append(row.Values[:0], e.values...)
		return true, nil
	}
	row.Kind, row.Values = correctness.LogProbs, row.Values[:0]
	if row.TopK == nil {
		row.TopK = new(correctness.TopK)
	}
	if err := d.fillTopK(row.TopK, e, p); err != nil {
		return d.skip(err)
	}
	return true, nil
}

// skip applies the policy on gaps to a position that has no whole list. What is
// wrong rather than missing stays an error.
func (d *responses) skip(err error) (bool, error) {
	gap, ok := err.(*gapError)
	switch {
	case !ok:
		return false, err
	case d.options.Gaps == GapSkip:
		d.audit.skipped++
		return false, nil
	}
	return false, gap.error
}

// gapError marks an error as a position without a whole list.
type gapError struct{ error }

// unmask applies the policy on sentinels to one token.
func (d *responses) unmask(t *token, p place) (keep bool, err error) {
	if t.sentinel == "" {
		d.audit.value(t.logprob)
		return true, nil
	}
	nan := math.IsNaN(t.logprob)
	switch d.options.Sentinels {
	case SentinelUnknown:
		d.audit.unknown++
		return false, nil
	case SentinelMasked:
		if !nan {
			d.audit.masked++
			t.logprob = math.Inf(-1)
			return true, nil
		}
	}
	// null is what NaN becomes in JSON of the standard.
	is := correctness.ErrFormat
	if nan || t.sentinel == "null" {
		is = correctness.ErrNaN
	}
	return false, d.errorf(is, p, "%s stands in place of a log-probability: Options.Sentinels says what it means", t.sentinel)
}
