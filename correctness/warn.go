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
	add(s.Prompts < defaultMinPrompts, "%d prompts: an interval over fewer than %d is not to be trusted", s.Prompts, defaultMinPrompts)
	add(s.Infinite > 0, "%d positions have a token that the reference allows and the engine rules out: the mean is infinite", s.Infinite)
	add(s.Excluded > 0, "%d positions (%.3g%%) are excluded for a token that the engine rules out", s.Excluded, 100*s.excludedShare())
	add(s.LowerBounds > 0, "%d positions have a floor in the place of 0: their divergence is a lower bound", s.LowerBounds)
	add(s.Bounded > 0, "%d positions were compared by lists: MeanKL, Lo and percentiles are of lower bounds, MeanUpperKL and Hi of upper bounds", s.Bounded)
	add(t.counts[countRounded] > 0, "%d positions have a list that reaches a mass of 1 by rounding", t.counts[countRounded])
	add(t.counts[countUnlikely] > 0, "%d positions have logits that sum to 1 as they stand: are they probabilities?", t.counts[countUnlikely])
	add(s.TopShare > 0.5, "the worst hundredth of positions carries %.0f%% of the mean: no interval is reliable on such a tail", 100*s.TopShare)
	add(s.QuantileError > 0, "more positions than are kept one by one: percentiles are within %g%%", 100*s.QuantileError)
	add(t.counts[countDataInf] > 0, "perplexity is withheld: a side rules out %d tokens of the text", t.counts[countDataInf])
}
