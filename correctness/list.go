package correctness

import (
	"cmp"
	"math"
	"slices"
)

// list is a checked TopK by ascending id.
type list struct {
	entries   []entry
	first     float64 // the two likeliest of the listed; the second is 0 when there is none
	second    float64
	kth       float64 // no unlisted token is likelier
	least     float64 // of the listed
	rest      float64 // probability that is not listed
	precision float64
	rounded   bool // rest was swallowed by rounding and put back
}

type entry struct {
	id      int32
	log, pr float64
}

func newList(t TopK, vocab int, precision float64, side string) (*list, error) {
	if err := checkEntries(t, vocab, side); err != nil {
		return nil, err
	}
	l := &list{precision: precision}
	mass := 0.0
	for i, id := range t.IDs {
		e := entry{id, t.LogProbs[i], math.Exp(t.LogProbs[i])}
		mass += e.pr
		l.entries = append(l.entries, e)
	}
	l.rank(t.K)
	l.rest = 1 - mass
	// If a token of the top has no probability, unlisted ones have none either.
	if len(t.IDs) == vocab || l.kth == 0 {
		return l, l.complete(side)
	}
	if over := -l.rest; over > math.Expm1(max(precision, grid(l.entries)))+minResidual {
		return nil, inputError(ErrMass, -1, "listed mass of %s is %.5g, over 1", side, mass)
	}
	// A rounded engine's list of mass 1 would make the divergence infinite.
	if l.rest < 0 || l.rest < minResidual && (side == "got" || precision > 0) {
		l.unround()
	}
	return l, l.room(vocab-len(t.IDs), side)
}

func checkEntries(t TopK, vocab int, side string) error {
	switch {
	case len(t.IDs) != len(t.LogProbs):
		return inputError(ErrAlignment, -1, "%s has %d ids and %d log-probabilities", side, len(t.IDs), len(t.LogProbs))
	case len(t.IDs) == 0:
		return inputError(ErrNoSupport, -1, "%s lists no token", side)
	case t.K < -1 || t.K > len(t.IDs):
		return inputError(ErrFormat, -1, "%s lists %d tokens, of which %d the most likely", side, len(t.IDs), t.K)
	case t.VocabSize < 0:
		return inputError(ErrVocab, -1, "vocabulary size %d of %s", t.VocabSize, side)
	}
	seen := make(map[int32]bool, len(t.IDs))
	for i, id := range t.IDs {
		switch x := t.LogProbs[i]; {
		case id < 0 || vocab > 0 && int(id) >= vocab:
			return inputError(ErrVocab, i, "token id %d in %s, outside the vocabulary of %d", id, side, vocab)
		case seen[id]:
			return inputError(ErrDuplicateToken, i, "token id %d twice in %s", id, side)
		case math.IsNaN(x):
			return inputError(ErrNaN, i, "NaN in %s", side)
		case math.IsInf(x, 1):
			return inputError(ErrPosInf, i, "+Inf in %s", side)
		case x > 1e-3:
			return inputError(ErrPositiveLogProb, i, "log-probability %g above 0 in %s (is it a logit?)", x, side)
		}
		seen[id] = true
	}
	return nil
}

// rank finds the k-th and the least probability and leaves entries by id.
func (l *list) rank(k int) {
	slices.SortFunc(l.entries, func(a, b entry) int { return cmp.Compare(b.pr, a.pr) })
	l.least = l.entries[len(l.entries)-1].pr
	l.first, l.second = l.entries[0].pr, 0
	if len(l.entries) > 1 {
		l.second = l.entries[1].pr
	}
	if k == 0 {
		k = len(l.entries)
	}
	l.kth = 1
	if k > 0 {
		l.kth = l.entries[k-1].pr
	}
	slices.SortFunc(l.entries, func(a, b entry) int { return cmp.Compare(a.id, b.id) })
}

// complete is for a list of the whole vocabulary, which leaves nothing out.
func (l *list) complete(side string) error {
	mass := 1 - l.rest
	if math.Abs(l.rest) > 1e-3+math.Expm1(l.precision) || mass <= 0 {
		return inputError(ErrMass, -1, "%s lists all that is possible with a mass of %.5g", side, mass)
	}
	if l.precision > 0 {
		l.precision += math.Abs(math.Log(mass)) // scaling moves the figures that much
	}
	l.scale(1 / mass)
	l.rest, l.kth = 0, 0
	return nil
}

// room refuses a rest that the unlisted tokens cannot hold; unlisted is negative
// when the vocabulary is unknown.
func (l *list) room(unlisted int, side string) error {
	off := max(l.precision, grid(l.entries))
	most := float64(unlisted) * l.kth * math.Exp(off)
	if unlisted >= 0 && l.rest > most+math.Expm1(off)+minResidual {
		return inputError(ErrMass, -1, "%s leaves out a probability of %.4g, which %d tokens of at most %.4g cannot hold",
			side, l.rest, unlisted, l.kth)
	}
	return nil
}

// scale multiplies every probability; the log-probabilities stay as they were
// listed.
func (l *list) scale(by float64) {
	for i := range l.entries {
		l.entries[i].pr *= by
	}
	l.first, l.second = by*l.first, by*l.second
	l.kth, l.least = by*l.kth, by*l.least
}

// flipKL is the least divergence that changes the most likely token, with both
// likeliest, of which the second may not be listed, at the worse end of their
// precision.
func (l *list) flipKL() float64 {
	_, rest := l.restWithin()
	second := max(l.second, min(l.kth, rest))
	if second == 0 {
		return flipKL(math.Log(l.first)-l.precision, math.Inf(-1), 0)
	}
	first, next := math.Log(l.first)-l.precision, math.Log(second)+l.precision
	return flipKL(max(first, next), next, 0)
}

// top returns the id of the most likely token, the lowest of equals.
func (l *list) top() int {
	best := l.entries[0]
	for _, e := range l.entries {
		if e.log > best.log {
			best = e
		}
	}
	return int(best.id)
}

// find returns the entry of a token, nil if it is not listed.
func (l *list) find(token int) *entry {
	i, ok := slices.BinarySearchFunc(l.entries, token, func(e entry, id int) int { return cmp.Compare(int(e.id), id) })
	if !ok {
		return nil
	}
	return &l.entries[i]
}
