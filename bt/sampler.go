package bt

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// sampler draws data sets like a model's.
type sampler struct {
	m         *Model
	edgeOf    []int32      // of each cell
	units     []unit       // kinds of outcome; when comparisons are resampled
	trials    int64        // comparisons of a replicate
	scale     float64      // of each: a total of 2.5 comparisons is 3 of 5/6
	labels    []*partition // of clusters; when clusters are resampled
	neutralOf []int32      // of each edge: the edge that holds its pair's pseudo-wins
}

// unit is a kind of outcome.
type unit struct {
	edge  int32
	tally tally   // of one comparison
	share float64 // of the comparisons that no earlier unit has
}

func (m *Model) newSampler(by []string) (*sampler, error) {
	s := &sampler{m: m}
	s.placeEdges()
	for _, label := range by {
		p, err := m.clusters(label)
		if err != nil {
			return nil, err
		}
		s.labels = append(s.labels, p)
	}
	if len(by) > 0 {
		return s, nil
	}
	return s, s.listUnits()
}

// placeEdges finds the edge of every cell.
func (s *sampler) placeEdges() {
	p, cells := s.m.p, s.m.cells
	type place struct {
		edge
		order int32
	}
	at := make(map[place]int32, len(p.tallies))
	for k, e := range p.edges {
		at[place{e, p.orderOf(k)}] = int32(k)
	}
	s.edgeOf = make([]int32, len(cells))
	for i, c := range cells {
		key := place{edge: edge{c.lo, c.hi}}
		if p.order != nil {
			key.order = c.order
		}
		k, ok := at[key]
		if !ok {
			k = -1 // nothing but dropped ties
		}
		s.edgeOf[i] = k
	}
	s.neutralOf = make([]int32, len(p.tallies))
	for k, e := range p.edges {
		s.neutralOf[k] = at[place{edge: e}]
	}
}

func (p *problem) orderOf(k int) int32 {
	if p.order == nil {
		return 0
	}
	return int32(p.order[k])
}

// listUnits lists the kinds of outcome with their shares.
func (s *sampler) listUnits() error {
	var counts []float64
	total := 0.0
	for i := range s.m.cells {
		c := &s.m.cells[i]
		for kind, count := range [...]float64{c.win, c.loss, c.tie} {
			if count > 0 {
				s.units = append(s.units, unit{edge: s.edgeOf[i], tally: c.unit(kind).tally(s.m.p.ties)})
				counts = append(counts, count)
				total += count
			}
		}
	}
	if total > 1e15 {
		return fmt.Errorf("%w: resampling %g comparisons", ErrUnsupported, total)
	}
	s.trials = max(int64(math.Round(total)), 1)
	s.scale = total / float64(s.trials)
	left := 0.0
	for k := len(counts) - 1; k >= 0; k-- {
		left += counts[k]
		s.units[k].share = counts[k] / left
	}
	return nil
}

// draw fills a replica with resampled comparisons.
func (s *sampler) draw(r *replica, rng *rand.Rand) {
	clear(r.p.tallies)
	if s.labels == nil {
		s.drawUnits(r, rng)
	} else {
		s.drawClusters(r, rng)
	}
	if r.p.pseudo > 0 {
		s.addPseudoWins(r)
	}
	r.p.weigh()
}

// drawUnits draws a multinomial number of each kind of outcome, kind by kind.
func (s *sampler) drawUnits(r *replica, rng *rand.Rand) {
	left := s.trials
	for i := range s.units {
		u := &s.units[i]
		k := binomial(rng, left, u.share)
		left -= k
		if k > 0 && u.edge >= 0 {
			r.p.tallies[u.edge].addTimes(u.tally, float64(k)*s.scale)
		}
	}
}

// drawClusters draws as many clusters of each label as there are, with
// replacement.
func (s *sampler) drawClusters(r *replica, rng *rand.Rand) {
	times := make([][]float64, len(s.labels))
	for l, p := range s.labels {
		times[l] = make([]float64, len(p.names))
		for range p.names {
			times[l][rng.IntN(len(p.names))]++
		}
	}
	for i := range s.m.cells {
		c := &s.m.cells[i]
		n := 1.0
		for l, p := range s.labels {
			n *= times[l][p.of[c.group]]
		}
		if n > 0 && s.edgeOf[i] >= 0 {
			r.p.tallies[s.edgeOf[i]].addTimes(c.tally(s.m.p.ties), n)
		}
	}
}

func (t *tally) addTimes(o tally, n float64) {
	t.win, t.loss, t.tie = t.win+n*o.win, t.loss+n*o.loss, t.tie+n*o.tie
}

// addPseudoWins adds the prior's wins to every pair that the replica played.
func (s *sampler) addPseudoWins(r *replica) {
	clear(r.played)
	for k := range r.p.tallies {
		if r.p.tallies[k].total() > 0 {
			r.played[s.neutralOf[k]] = true
		}
	}
	for k, played := range r.played {
		if played {
			r.p.tallies[k].add(tally{win: r.p.pseudo, loss: r.p.pseudo})
		}
	}
}
