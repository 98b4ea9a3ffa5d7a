package logits

import (
	"cmp"
	"math"
	"slices"

	"example.com/servemath/correctness"
)

// A list of k tokens bounds what it leaves out: no unlisted token exceeds the
// least listed one. The proven bounds on a divergence rest on that, so an entry
// for which it does not hold (the token of the text, a mask, what follows an
// unknown value) must not count among the K of a [correctness.TopK]. It is known
// all the same, and listed beyond K.

// fillTopK makes a list of a position. The order of the result does not depend on
// that of the file.
func (d *responses) fillTopK(top *correctness.TopK, e *entry, p place) error {
	switch alone := len(e.list)+len(e.asked) == 0; {
	case alone && !d.options.ChosenAlone:
		return &gapError{d.errorf(correctness.ErrFormat, p, "no list of the most likely tokens, only the chosen one: Options.ChosenAlone takes it for a lower bound, Sampled for an estimate")}
	case alone:
		d.audit.alone++
	}
	if len(e.list) < e.least {
		return &gapError{d.errorf(correctness.ErrDuplicateToken, p, "a map of %d texts where the response lists at least %d: tokens of one text were merged, or the map was cut", len(e.list), e.least)}
	}
	known, k, err := d.settled(e, p)
	if err != nil {
		return err
	}
	slices.SortStableFunc(known, func(a, b token) int {
		return cmp.Or(cmp.Compare(b.logprob, a.logprob), cmp.Compare(a.id, b.id))
	})
	top.IDs, top.LogProbs, top.VocabSize, top.K = top.IDs[:0], top.LogProbs[:0], d.options.VocabSize, k
	for _, t := range known {
		top.IDs = append(top.IDs, t.id)
		top.LogProbs = append(top.LogProbs, t.logprob)
	}
	return nil
}

// settled returns the tokens whose log-probability is known, with ids by which
// they can be compared, and K of a [correctness.TopK]: how many are the most
// likely ones, which bound what is not listed.
func (d *responses) settled(e *entry, p place) (known []token, k int, err error) {
	clear(d.seen)
	s := settling{responses: d, ranked: true}
	for i, t := range e.list {
		p.index = i
		if !sameToken(t, e.data) {
			p.offset = t.offset
			return nil, 0, d.errorf(correctness.ErrTokenMismatch, p, "token %d is %q in the list and %q beside it: tokens were merged, and what follows is shifted", t.id, t.bytes, e.data.bytes)
		}
		if err := s.add(t, p); err != nil {
			return nil, 0, err
		}
	}
	s.demote(e)
	s.ranked, p.index = false, -1
	for _, t := range append(e.asked, e.data) {
		if err := s.addMissing(t, p); err != nil {
			return nil, 0, err
		}
	}
	if len(s.known) == 0 {
		return nil, 0, &gapError{d.errorf(correctness.ErrNoSupport, p, "no token of the list has a log-probability")}
	}
	// In a TopK 0 is all, and -1 none.
	switch s.k {
	case len(s.known):
		return s.known, 0, nil
	case 0:
		return s.known, -1, nil
	}
	return s.known, s.k, nil
}

// settling gathers the tokens of one position.
type settling struct {
	*responses
	known  []token
	k      int
	ranked bool // what is added now is likelier than whatever is not listed
}

// add identifies a token and applies the policy on sentinels to it.
func (s *settling) add(t token, p place) error {
	p.offset = t.offset
	id, err := s.id(t, p)
	if err != nil {
		return &gapError{err}
	}
	t.id = id
	if _, twice := s.seen[id]; twice {
		return s.errorf(correctness.ErrDuplicateToken, p, "token %d is listed twice", id)
	}
	s.seen[id] = struct{}{}
	keep, err := s.unmask(&t, p)
	switch {
	case err != nil:
		return err
	case keep:
		s.known = append(s.known, t)
		// A mask says nothing of the tokens that are not listed.
		if s.ranked && !math.IsInf(t.logprob, -1) {
			s.k++
		}
	case t.sentinel == "null" || t.sentinel == "NaN":
		// Lists fall, so that what follows is known not to exceed this token, and
		// this token may exceed what follows.
		s.ranked = false
	}
	return nil
}

// addMissing adds a token that is known besides the list, unless it is on it.
func (s *settling) addMissing(t token, p place) error {
	if t.sentinel == "" && math.IsNaN(t.logprob) || t.id < 0 && !t.named {
		return nil
	}
	id, err := s.id(t, p)
	if err != nil {
		return &gapError{err}
	}
	if _, there := s.seen[id]; there {
		return nil
	}
	return s.add(t, p)
}

// demote takes the data token out of the most likely where it is the least likely
// of the list: servers put it there without its being one of them. If it was one,
// the shorter list still holds the most likely.
func (s *settling) demote(e *entry) {
	switch {
	// Neither a map nor a list that the data token may lead falls: an unknown token
	// may exceed whatever is known.
	case e.beside && !s.ranked:
		s.k = 0
	case e.beside && len(e.list) > 1 && s.k == len(s.known) && chosenIsLast(e):
		s.k--
	}
}

// chosenIsLast says that the list ends with the data token, by value.
func chosenIsLast(e *entry) bool {
	found := false
	for _, t := range e.list {
		same := t.id == e.data.id && (t.id >= 0 || t.bytes == e.data.bytes)
		if t.logprob < e.data.logprob || t.logprob == e.data.logprob && !same {
			return false
		}
		found = found || same
	}
	return found
}
