package logits

import (
	"cmp"
	"io"
	"maps"
	"slices"
	"strconv"

	"example.com/servemath/correctness"
	"example.com/servemath/internal/jsontree"
)

// VLLMPrompt reads vLLM's prompt_logprobs, in the choices of a completion or at
// the top of a response, and its lists of output log-probabilities. A row is a
// position of the prompt, and its index the place of the token that it predicts;
// the first token has none.
//
// A position lists the k most likely tokens and, where it is not one of them, the
// prompt's own; nothing marks it but its rank. It is the data token, and known
// beyond the K most likely. Otherwise the data token is known from prompt_token_ids, if the
// response has them.
func VLLMPrompt(r io.Reader, o *Options) (Reader, error) { return newResponses(r, o, vllmPrompt) }

// vllmPrompt is
//
//	{"prompt_logprobs": [null, {"id": {"logprob", "rank", "decoded_token"}}],
//	 "prompt_token_ids": [id]}
//
// at the top or in each of "choices"; or {"logprobs": [{"id": {...}}]}, the lists of
// an offline run.
var vllmPrompt = format{
	name:   "vLLM prompt_logprobs",
	match:  func(n *jsontree.Node) bool { return len(promptLists(n)) > 0 },
	decode: decodeVLLM,
}

// promptList is one list of positions, and the object that it was found in.
type promptList struct{ positions, owner *jsontree.Node }

// promptLists looks in every place where versions of vLLM put the lists.
func promptLists(n *jsontree.Node) (found []promptList) {
	owners := []*jsontree.Node{n}
	for i := range get(n, "choices").Items() {
		owners = append(owners, &get(n, "choices").Items()[i])
	}
	for _, owner := range owners {
		if list := get(owner, "prompt_logprobs"); list != nil && list.Kind == jsontree.Array {
			found = append(found, promptList{list, owner})
		}
	}
	if list := get(n, "logprobs"); found == nil && isRanked(list) {
		found = []promptList{{list, n}}
	}
	return found
}

// isRanked recognises a list of objects keyed by token id.
func isRanked(list *jsontree.Node) bool {
	for _, position := range list.Items() {
		for key, n := range position.Members() {
			_, err := strconv.Atoi(key)
			return err == nil && get(n, "logprob") != nil
		}
	}
	return false
}

// decodeVLLM reads the lists of a response, one a prompt.
func decodeVLLM(d *responses, n *jsontree.Node) (part, error) {
	p := newPart(n)
	lists := promptLists(n)
	if len(lists) == 0 {
		return p, d.errorf(correctness.ErrFormat, at(n.Offset), "no prompt_logprobs: the request must ask for them")
	}
	for _, c := range get(n, "choices").Items() {
		if l := get(&c, "logprobs"); l != nil && !isNull(l) {
			d.audit.note("logits: beside prompt_logprobs the response has log-probabilities of its output, which OpenAIChat or OpenAICompletions read")
		}
	}
	for i, l := range lists {
		c, err := d.promptChoice(l)
		if err != nil {
			return p, err
		}
		c.index = i
		p.choices = append(p.choices, c)
	}
	return p, nil
}

// promptChoice reads one list of positions, the first of which is null.
func (d *responses) promptChoice(l promptList) (c choice, err error) {
	ids := get(l.owner, "prompt_token_ids").Items()
	positions := l.positions.Items()
	if ids != nil && len(ids) != len(positions) {
		return c, d.errorf(correctness.ErrAlignment, at(l.positions.Offset), "%d positions for %d prompt tokens", len(positions), len(ids))
	}
	for i := range positions {
		e, err := d.rankedEntry(&positions[i])
		if err != nil {
			return c, err
		}
		e.empty = i == 0 && isNull(&positions[i])
		if ids != nil && !e.empty {
			if err := d.promptToken(&e, &ids[i]); err != nil {
				return c, err
			}
		}
		c.entries = append(c.entries, e)
	}
	return c, nil
}

// promptToken takes the data token from prompt_token_ids, which the position must
// list.
func (d *responses) promptToken(e *entry, id *jsontree.Node) error {
	t := noToken(id)
	if err := d.setID(id, &t); err != nil {
		return err
	}
	i := slices.IndexFunc(e.list, func(have token) bool { return have.id == t.id })
	switch {
	case i >= 0 && e.data.id < 0:
		e.data = e.list[i]
	case e.data.id != t.id:
		return d.errorf(correctness.ErrTokenMismatch, at(e.offset), "the position does not list token %d of the prompt", t.id)
	}
	return nil
}

// rankedEntry reads {"id": {logprob, rank, decoded_token}, ...}.
func (d *responses) rankedEntry(n *jsontree.Node) (entry, error) {
	e := entry{offset: n.Offset, data: noToken(n)}
	byRank := map[int64]token{}
	for key, m := range n.Members() {
		t := noToken(m)
		if err := d.keyID(key, &t); err != nil {
			return e, err
		}
		if err := d.logprob(get(m, "logprob"), &t); err != nil {
			return e, err
		}
		if s, ok := get(m, "decoded_token").Str(); ok {
			if err := d.nameText(s, &t); err != nil {
				return e, err
			}
		}
		rank, ok := get(m, "rank").Int()
		if _, twice := byRank[rank]; !ok || rank < 1 || twice {
			return e, d.errorf(correctness.ErrFormat, at(m.Offset), "token %d has no rank of its own: the prompt's token cannot be told from the most likely", t.id)
		}
		byRank[rank] = t
	}
	return e, d.splitRanks(&e, byRank)
}

// splitRanks puts ranks 1, 2, ... into the list; at most one token stands apart. A
// hole in the ranks means that the list was cut, and then it bounds nothing.
func (d *responses) splitRanks(e *entry, byRank map[int64]token) error {
	ranks := slices.SortedFunc(maps.Keys(byRank), cmp.Compare)
	for i, rank := range ranks {
		switch {
		case rank == int64(i)+1:
			e.list = append(e.list, byRank[rank])
		case i == len(ranks)-1:
			e.data = byRank[rank]
		default:
			return d.errorf(correctness.ErrFormat, at(e.offset), "ranks %d to %d are missing", i+1, rank-1)
		}
	}
	return nil
}
