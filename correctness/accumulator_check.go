package correctness

import (
	"fmt"
	"math"
)

// fault returns which figure cannot be, "" if all can.
func (p *Position) fault() string {
	for _, x := range [...]float64{p.KL, p.ReverseKL, p.JS, p.TV, p.Hellinger, p.Entropy,
		math.Abs(p.SumErrorRef), math.Abs(p.SumErrorGot), p.DroppedRef, p.DroppedGot} {
		if !(x >= 0) {
			return fmt.Sprintf("a figure of %g", x)
		}
	}
	return dataFault(p.NLLRef, p.NLLGot, p.DeltaP)
}

func (b *Bounds) fault() string {
	switch {
	case !(b.Lower >= 0 && b.Lower <= b.Upper):
		return fmt.Sprintf("bounds %g and %g", b.Lower, b.Upper)
	case !(b.ResidualRef >= 0 && b.ResidualGot >= 0):
		return fmt.Sprintf("residuals %g and %g", b.ResidualRef, b.ResidualGot)
	}
	return dataFault(b.NLLRef, b.NLLGot, b.DeltaP)
}

// dataFault is for a data token of which only part is known.
func dataFault(ref, got, delta float64) string {
	if !math.IsNaN(ref) && (math.IsNaN(got) || math.IsNaN(delta)) {
		return fmt.Sprintf("a data token of -ln p %g, -ln q %g and q - p %g", ref, got, delta)
	}
	return ""
}

// check refuses a decoded accumulator that collecting could not have made: what
// its figures would be is anybody's guess.
func (a *Accumulator) check() error {
	if a.ExactCap < 0 {
		return fmt.Errorf("%w: cap %d", ErrFormat, a.ExactCap)
	}
	for i, w := range a.worst {
		if !(w.KL >= 0) || i > 0 && byWorst(a.worst[i-1], w) >= 0 {
			return fmt.Errorf("%w: worst positions out of order", ErrFormat)
		}
	}
	counted := int64(0)
	for name, g := range a.prompts {
		if reason := g.inconsistent(a.full); reason != "" {
			return fmt.Errorf("%w: prompt %q: %s", ErrFormat, name, reason)
		}
		counted = min(counted+min(g.counted(), numWorst), numWorst)
	}
	if int64(len(a.worst)) != counted {
		return fmt.Errorf("%w: %d worst positions, not %d", ErrFormat, len(a.worst), counted)
	}
	return nil
}

// inconsistent returns what does not add up, "" if all does.
func (g *prompt) inconsistent(sketched bool) string {
	positions := g.counts[countPositions]
	for i, n := range g.counts {
		if n < 0 || n > positions {
			return fmt.Sprintf("%d %s of %d positions", n, countNames[i], positions)
		}
	}
	for i, s := range g.sums {
		if math.IsNaN(s.Hi) || math.IsInf(s.Hi, 0) || math.IsNaN(s.Lo) || math.IsInf(s.Lo, 0) {
			return fmt.Sprintf("sum of %s is %g", sumNames[i], s.Hi)
		}
	}
	for i, x := range g.peaks {
		if !(x >= 0) {
			return fmt.Sprintf("%s is %g", peakNames[i], x)
		}
	}
	switch {
	case g.counts[countKL]+g.counts[countInfinite]+g.counts[countExcluded] != positions:
		return "positions do not add up"
	case !g.seen.hold(positions):
		return "indices do not add up"
	case sketched && len(g.values) > 0 || !sketched && len(g.buckets) > 0 || g.kept() != g.counts[countKL]:
		return "divergences do not add up"
	}
	return ""
}

// kept is how many divergences are held, -1 when one is none.
func (g *prompt) kept() int64 {
	n := int64(len(g.values))
	for _, x := range g.values {
		if !(x >= 0) || math.IsInf(x, 1) {
			return -1
		}
	}
	for i, b := range g.buckets {
		if b.Count < 1 || b.Count > math.MaxInt64-n || i > 0 && g.buckets[i-1].At >= b.At {
			return -1
		}
		n += b.Count
	}
	return n
}

// hold reports whether the ranges are in order and hold n indices.
func (s spans) hold(n int64) bool {
	last := -1
	for _, r := range s {
		if r[0] <= last || r[1] <= r[0] {
			return false
		}
		last = r[1]
		n -= int64(r[1] - r[0])
	}
	return n == 0
}
