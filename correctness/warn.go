package correctness

import "fmt"

// maxUnsettled is the share of positions that may be excluded, or floored, before
// a verdict is withheld.
const maxUnsettled = 0.001

// excludedShare is the part of all positions that ZeroExclude left out.
func (s *Summary) excludedShare() float64 { return float64(s.Excluded) / float64(s.N+s.Excluded) }

// warn says what a reader of the figures should know.
func (s *Summary) warn(t *tally) {
	add := func(when bool, format string, args ...any) {
		if when {
			s.Warnings = append(s.Warnings, fmt.Errorf(format, args...))
		}
	}
	add(s.Prompts < defaultMinPrompts, "%s: an interval over fewer than %d is not to be trusted", count(s.Prompts, "prompt"), defaultMinPrompts)
	add(s.Infinite > 0, "the reference allows and the engine rules out a token at %s: the mean is infinite", count(s.Infinite, "position"))
	add(s.Excluded > 0, "excluded for a token that the engine rules out: %s, %.3g%%", count(s.Excluded, "position"), 100*s.excludedShare())
	add(s.LowerBounds > 0, "a floor in the place of 0 at %s: the divergence there is a lower bound", count(s.LowerBounds, "position"))
	add(s.Bounded > 0, "compared by lists at %s: MeanKL, Lo and percentiles are of lower bounds, MeanUpperKL and Hi of upper bounds", count(s.Bounded, "position"))
	add(t.counts[countRounded] > 0, "a list reaches a mass of 1 by rounding at %s", count(int(t.counts[countRounded]), "position"))
	add(t.counts[countUnlikely] > 0, "logits sum to 1 as they stand at %s: are they probabilities?", count(int(t.counts[countUnlikely]), "position"))
	add(s.TopShare > 0.5, "the worst hundredth of positions carries %.0f%% of the mean: no interval is reliable on such a tail", 100*s.TopShare)
	add(s.QuantileError > 0, "more positions than are kept one by one: percentiles are within %g%%", 100*s.QuantileError)
	add(t.counts[countDoubted] > 0, "perplexity is withheld: %s from a file whose floor raised the probability of some", count(int(t.counts[countDoubted]), "token"))
	add(t.counts[countDataInf] > 0, "perplexity is withheld: a side rules out %s of the text", count(int(t.counts[countDataInf]), "token"))
}

// count is a number of things, as text.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
